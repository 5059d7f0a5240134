"""The page of a document: its text in pieces, those marked that prove an answer."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from graphs.apps.web.pages import Pages, Shared, go

_FACT: Final = 200
"""Characters of a field that stand above a document."""
Piece = tuple[str, Literal["", "quote", "here", "page"]]
WINDOW: Final = 200_000
"""Characters of a document that are shown at once."""

router = APIRouter()


@router.get("/corpora/{corpus}/documents", name="find")
def find(pages: Shared, corpus: str, name: str, at: int = 0) -> Response:
    """Send on to a document by its name."""
    number = pages.corpora.corpus(corpus).document_index(name)
    return go(f"{pages.url('document', corpus=corpus, number=number)}?at={at}")


@router.get("/corpora/{corpus}/documents/{number}", name="document")
def document(
    pages: Shared, corpus: str, number: int, run: str = "", at: int | None = None
) -> Response:
    """Show a document, what proves the answer of `run` marked."""
    opened = pages.corpora.corpus(corpus)
    if not 0 <= number < len(opened.documents):
        raise HTTPException(404, f"There are the documents 0 to {len(opened.documents) - 1}.")
    name, text = opened.documents[number], opened.document_text(number)
    spans = _quotes(pages, corpus, run, name) if run else []
    first, last = window(len(text), at or 0)
    here = pages.url("document", corpus=corpus, number=number)
    return pages.render(
        "document.html",
        name=corpus,
        run=run,
        document=name,
        facts=[(key, each.raw[:_FACT]) for key, each in opened.document_fields(number).items()],
        quotes=len(spans),
        pieces=list(with_pages(pieces(text, spans, first, last, at), text.count("\f", 0, first))),
        earlier=f"{here}?run={quote(run)}&at={max(0, first - 1)}" if first else None,
        later=f"{here}?run={quote(run)}&at={last}" if last < len(text) else None,
    )


def _quotes(pages: Pages, corpus: str, run: str, document: str) -> list[tuple[int, int]]:
    answer = pages.seen(corpus, run).answer
    return [
        (each.start, each.end)
        for shown in ((answer.readings or (answer,)) if answer else ())
        for entity in shown.entities
        for each in entity.evidence
        if each.document == document
    ]


def pieces(
    text: str, spans: Iterable[tuple[int, int]], first: int, last: int, here: int | None = None
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


def joined(spans: Iterable[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the spans in order, those that overlap as one.

    >>> joined([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    found: list[tuple[int, int]] = []
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
