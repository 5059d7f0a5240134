"""The page of a document: its text in pieces, or a page as it looks; what proves is marked."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from agent.errors import DocumentUnreadable
from graphs.apps.web.pages import Pages, Shared, go
from tools.corpus.corpus import Corpus
from tools.corpus.source_pages import is_pdf, page_start

_FACT: Final = 200
"""Characters of a field that stand above a document."""
Span = tuple[int, int]
Piece = tuple[str, Literal["", "quote", "here", "page"]]
_TABLES: Final = frozenset({"csv", "tsv", "json", "jsonl", "xlsx", "xlsm", "xlsb", "xls", "ods"})
WINDOW: Final = 200_000
"""Characters of a document that are shown at once."""

router = APIRouter()


class Place(BaseModel):
    """What of a document is looked at; the links of its page name it so."""

    run: str = ""
    """The run whose quotes are marked."""
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
    sought = place.q.split()
    spans = joined(hits(text, sought) if sought else _quotes(pages, corpus, place.run, name))
    at = page_start(text, place.page - 1) if place.page else -1 if place.at is None else place.at
    if sought and spans and not place.page:
        at = next((start for start, end in spans if end > at), spans[0][0])
    marked = joined([*spans, (at, place.to)] if at < place.to and not sought else spans)
    fields = {key: each.raw for key, each in opened.document_fields(number).items()}
    cells = row_cells(text, fields) if "#" in name and fields.get("file type") in _TABLES else ()
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
        facts=[(key, raw[:_FACT]) for key, raw in fields.items() if key not in dict(cells)],
        quotes=len(spans),
        nth=sum(start <= at for start, _ in spans),
        q=" ".join(sought),
        row=[(key, pieces(text, marked, *value, at)) for key, value in cells],
        before=max((start for start, end in spans if end <= at), default=None),
        after=min((start for start, _ in spans if start > at), default=None),
        at=max(at, 0),
        to=place.to,
        pdf=pdf,
        as_text=place.as_text,
        problem=problem,
        **shown,
    )


def _text(text: str, spans: Sequence[Span], at: int) -> dict[str, Any]:
    """Return the text around a place, in pieces, and where it goes on."""
    first, last = window(len(text), at)
    return {
        "sheet": None,
        "pieces": [*with_pages(pieces(text, spans, first, last, at), text.count("\f", 0, first))],
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


def _quotes(pages: Pages, corpus: str, run: str, document: str) -> list[Span]:
    answer = pages.seen(corpus, run).answer if run else None
    return [
        (each.start, each.end)
        for shown in ((answer.readings or (answer,)) if answer else ())
        for entity in shown.entities
        for each in entity.evidence
        if each.document == document
    ]


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
        is_here = here is not None and start <= here < end
        yield text[start:end], "here" if is_here else "quote"
        at = end
    if at < last:
        yield text[at:last], ""


def with_pages(shown: Iterable[Piece], before: int) -> Iterator[Piece]:
    r"""Yield the pieces, cut where a page ends, with the number of the next; `before` have ended.

    >>> list(with_pages([("one\ftwo", "")], 4))
    [('one', ''), ('page 6', 'page'), ('two', '')]
    """
    page = before + 1
    for text, kind in shown:
        first, *others = text.split("\f")
        yield first, kind
        for each in others:
            page += 1
            yield f"page {page}", "page"
            yield each, kind


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
