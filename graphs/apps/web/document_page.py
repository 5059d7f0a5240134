"""The page of a document: its text, a page as it looks, or rows of a table; proofs are marked."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from agent.errors import DocumentUnreadable
from agent.predicates import FILE_FACTS
from graphs.apps.web.pages import Pages, Shared, go
from tools.corpus.corpus import Corpus
from tools.corpus.readers.extracted import suffix_of
from tools.corpus.source_pages import is_pdf, page_start

_FACT: Final = 200
"""Characters of a field that stand above a document."""
Span = tuple[int, int]
Piece = tuple[str, Literal["", "quote", "here"]]
_OF_FILE: Final = FILE_FACTS | {"file folder", "Sheet"}
"""The fields that a row has from its file."""
_TABLES: Final = frozenset({"csv", "tsv", "json", "jsonl", "xlsx", "xlsm", "xlsb", "xls", "ods"})
_CELLS: Final = 200
"""Cells of a table that are shown before a row, and behind it."""
_CELL: Final = 300
WINDOW: Final = 200_000
"""Characters of a document that are shown at once."""

router = APIRouter()


class Place(BaseModel):
    """What of a document is looked at; the links of its page name it so."""

    run: str = ""
    at: Annotated[int | None, Field(ge=0)] = None
    to: int = 0
    """Where a passage ends that begins there, and is marked, too."""
    page: Annotated[int | None, Field(ge=1)] = None
    """Of a PDF, where it is not the one on which that character stands."""
    as_text: bool = False
    q: Annotated[str, Field(max_length=200)] = ""
    """What is sought in it; its places are marked then, not the quotes."""


@router.get("/corpora/{corpus}/documents", name="find")
def find(pages: Shared, corpus: str, name: str, at: int = 0, to: int = 0) -> Response:
    """Send on to a document by its name."""
    number = pages.corpora.corpus(corpus).document_index(name)
    return go(f"{pages.url('document', corpus=corpus, number=number)}?at={at}&to={to}")


@router.get("/corpora/{corpus}/documents/{number}", name="document")
def document(pages: Shared, corpus: str, number: int, place: Annotated[Place, Query()]) -> Response:
    """Show a document, what proves the answer of a run marked: a page as it looks, or the text."""
    opened = pages.corpora.corpus(corpus)
    if not 0 <= number < len(opened.documents):
        raise HTTPException(404, f"There are the documents 0 to {len(opened.documents) - 1}.")
    name, text = opened.documents[number], opened.document_text(number)
    fields, sought = _fields(opened, number), place.q.split()
    is_row = "#" in name and fields.get("file type") in _TABLES
    own = rows_of(opened, number) if is_row else range(number, number + 1)
    if sought:
        marks = {each: joined(hits(opened.document_text(each), sought)) for each in own}
    else:
        marks = _quotes(pages, corpus, place.run, own)
    spots = [(each, *span) for each, spans in sorted(marks.items()) for span in spans]
    at = page_start(text, place.page - 1) if place.page else -1 if place.at is None else place.at
    if sought and spots and not place.page:
        there, at, _ = next((hit for hit in spots if (hit[0], hit[2]) > (number, at)), spots[0])
        if there != number:
            onward = urlencode({"run": place.run, "q": place.q, "at": at})
            return go(f"{pages.url('document', corpus=corpus, number=there)}?{onward}")
    marked = joined([*marks.get(number, ()), *[(at, place.to)] * (at < place.to and not sought)])
    pdf, shown, problem = is_pdf(opened, number), _text(text, marked, at), ""
    if pdf and not place.as_text:
        page = place.page or text.count("\f", 0, max(at, 0)) + 1
        try:
            shown = _page(pages, opened, number, page, marked, at)
        except DocumentUnreadable as error:
            problem = str(error)
    return pages.render(
        "document.html",
        name=corpus,
        number=number,
        run=place.run,
        document=name,
        facts=[(key, raw[:_FACT]) for key, raw in fields.items() if not is_row or key in _OF_FILE],
        quotes=len(spots),
        nth=sum((each, start) <= (number, at) for each, start, _ in spots),
        q=" ".join(sought),
        table=_table(opened, number, own, {**marks, number: marked}, at) if is_row else None,
        before=max((hit[:2] for hit in spots if (hit[0], hit[2]) <= (number, at)), default=None),
        after=min((hit[:2] for hit in spots if hit[:2] > (number, at)), default=None),
        at=max(at, 0),
        to=place.to,
        pdf=pdf,
        as_text=place.as_text,
        problem=problem,
        **shown,
    )


def _text(text: str, spans: Sequence[Span], at: int) -> dict[str, Any]:
    first, last = window(len(text), at)
    return {
        "sheet": None,
        "pieces": [*pieces(text, spans, first, last, at)],
        "earlier": max(0, first - 1) if first else None,
        "later": last if last < len(text) else None,
    }


def _page(
    pages: Pages, opened: Corpus, number: int, page: int, spans: Sequence[Span], at: int
) -> dict[str, Any]:
    """Return a page of a PDF with its quotes; raises DocumentUnreadable: it cannot be shown."""
    text = opened.document_text(number)
    first, last = page_start(text, page - 1), page_start(text, page)
    own = [(start, end) for start, end in spans if start < last and end > first]
    sheet = pages.sources.sheet(opened, number, page - 1, own)
    here = [start <= at < end for start, end in own]
    return {"sheet": sheet, "page": page, "marks": list(zip(sheet["boxes"], here, strict=True))}


def _quotes(pages: Pages, corpus: str, run: str, own: range) -> dict[int, Sequence[Span]]:
    """Return the quotes of a run's answer in these documents, by number."""
    answer = pages.seen(corpus, run).answer if run else None
    numbers = {pages.corpora.corpus(corpus).documents[each]: each for each in own}
    found: dict[int, list[Span]] = {}
    for shown in (answer.readings or (answer,)) if answer else ():
        for each in (quote for entity in shown.entities for quote in entity.evidence):
            if each.document in numbers:
                found.setdefault(numbers[each.document], []).append((each.start, each.end))
    return {number: joined(spans) for number, spans in found.items()}


def rows_of(opened: Corpus, number: int) -> range:
    """Return the documents that are rows of the file in which a document is one."""
    stops = [*accumulate(each.documents for each in opened.files)]
    file = opened.files[at := bisect_right(stops, number)]
    own = range(stops[at] - file.documents, stops[at])
    if suffix_of(file.path).lower().lstrip(".") in _TABLES:
        return own
    names = {each: _fields(opened, each).get("file name") for each in own}  # a table in a file
    same = [each for each in own if names[each] == names[number]]
    return range(same[0], same[-1] + 1)


def _table(
    opened: Corpus, number: int, own: range, marks: Mapping[int, Sequence[Span]], at: int
) -> dict[str, Any]:
    """Return the rows around one of a table, of its sheet, in pieces by column."""
    sheet, columns, rows = _fields(opened, number).get("Sheet"), dict[str, None](), []
    is_cut = False
    around = _CELLS // len(_fields(opened, number))
    for each in own[max(0, number - around - own.start) : number + around + 1 - own.start]:
        fields, text = _fields(opened, each), opened.document_text(each)
        if fields.get("Sheet") != sheet:
            continue
        spans, here = marks.get(each, ()), at if each == number else None
        cells = {key: [(raw, "")] for key, raw in fields.items() if key not in _OF_FILE}
        for key, (start, end) in row_cells(text, fields) or [("text", (0, len(text)))]:
            quotes = [max(begun, start) for begun, ended in spans if begun < end and ended > start]
            shown = here if here is not None and start <= here < end else min(quotes, default=0)
            first = max(start, shown - _CELL // 2)
            last = min(end, first + _CELL)
            cut = [("…", "")]
            inner = pieces(text, spans, first, last, here)
            cells[key] = [*cut * (first > start), *inner, *cut * (last < end)]
            is_cut |= each == number and (first, last) != (start, end)
        columns |= dict.fromkeys(cells)
        rows.append((each, each - own.start + 1, cells))
    first, last = rows[0][0], rows[-1][0]
    return {
        "columns": [*columns],
        "rows": rows,
        "cut": is_cut,
        "earlier": first - 1 if first > own.start else None,
        "later": last + 1 if last + 1 < own.stop else None,
    }


def _fields(opened: Corpus, number: int) -> dict[str, str]:
    return {key: each.raw for key, each in opened.document_fields(number).items()}


def hits(text: str, sought: Sequence[str]) -> list[Span]:
    r"""Return where the words stand beside each other, in whatever case.

    >>> hits("A dog.\nThe\nDog", ["the", "dog"]), hits("A dog", ["d.g"])
    ([(7, 14)], [])
    """
    words = re.compile(r"\s+".join(map(re.escape, sought)), re.IGNORECASE)
    return [each.span() for each in words.finditer(text)]


def row_cells(text: str, fields: Mapping[str, str]) -> list[tuple[str, Span]]:
    r"""Return the values of a table's row, by column; nothing where its text does not tell them.

    >>> row_cells("city: York\nnote: A\nB\n", {"city": "York", "note": "A"})
    [('city', (6, 10)), ('note', (17, 20))]
    >>> row_cells("A note.", {"city": "York"}), row_cells("a: 1\nb: x\na: 2", {"a": "1", "b": "x"})
    ([], [])
    """
    lines = f"\n{text}"
    keys = [key for key in fields if lines.count(f"\n{key}: ") == 1]
    told = "\n".join(f"{re.escape(key)}: ({re.escape(fields[key])}.*?)" for key in keys)
    found = re.fullmatch(rf"{told}\s*", text, re.DOTALL)
    return [(key, found.span(at)) for at, key in enumerate(keys, 1)] if found else []


def pieces(
    text: str, spans: Iterable[Span], first: int, last: int, here: int | None = None
) -> Iterator[Piece]:
    """Yield the text from `first` to `last`, cut where a quote begins or ends.

    Quotes that overlap are one piece; the one that begins at `here` is told apart.

    >>> list(pieces("one two three", [(4, 7)], 0, 13, here=4))
    [('one ', ''), ('two', 'here'), (' three', '')]
    """
    at = first
    for begun, ended in joined(spans):
        start, end = max(begun, at), min(ended, last)
        if start >= end:
            continue
        if at < start:
            yield text[at:start], ""
        is_here = here is not None and begun <= here < ended
        yield text[start:end], "here" if is_here else "quote"
        at = end
    if at < last:
        yield text[at:last], ""


def joined(spans: Iterable[Span]) -> Sequence[Span]:
    """Return the spans in order, those that overlap as one.

    >>> joined([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def window(length: int, at: int) -> tuple[int, int]:
    """Return the span of a document of this length that is shown, with `at` in it.

    >>> window(500_000, 450_000), window(100, 3), window(100, 900)
    ((350000, 500000), (0, 100), (0, 100))
    """
    at = min(max(at, 0), length)
    first = max(0, at - WINDOW // 2)
    return first, min(length, first + WINDOW)
