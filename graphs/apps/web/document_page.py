"""The page of a document: its text, or a page as it looks; what proves an answer is marked."""

import re
from collections.abc import Iterable, Iterator, Sequence
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
Piece = tuple[str, Literal["", "quote", "here"]]
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
    sought = place.q.split()
    spans = joined(hits(text, sought)) if sought else _quotes(pages, corpus, place.run, name)
    at = page_start(text, place.page - 1) if place.page else -1 if place.at is None else place.at
    if sought and spans and not place.page:
        at = next((start for start, end in spans if end > at), spans[0][0])
    marked = joined([*spans, *[(at, place.to)] * (at < place.to and not sought)])
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
        facts=[(key, each.raw[:_FACT]) for key, each in opened.document_fields(number).items()],
        quotes=len(spans),
        nth=sum(start <= at for start, _ in spans),
        q=" ".join(sought),
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


def _quotes(pages: Pages, corpus: str, run: str, name: str) -> Sequence[Span]:
    """Return the quotes of a run's answer in a document."""
    answer = pages.seen(corpus, run).answer if run else None
    shown = (answer.readings or (answer,)) if answer else ()
    quotes = (each for one in shown for entity in one.entities for each in entity.evidence)
    return joined((each.start, each.end) for each in quotes if each.document == name)


def hits(text: str, sought: Sequence[str]) -> list[Span]:
    r"""Return where the words stand beside each other, in whatever case.

    >>> hits("A dog.\nThe\nDog", ["the", "dog"]), hits("A dog", ["d.g"])
    ([(7, 14)], [])
    """
    words = re.compile(r"\s+".join(map(re.escape, sought)), re.IGNORECASE)
    return [each.span() for each in words.finditer(text)]


def pieces(text: str, spans: Iterable[Span], first: int, last: int, here: int) -> Iterator[Piece]:
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
        yield text[start:end], "here" if begun <= here < ended else "quote"
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
