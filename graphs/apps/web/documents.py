"""The page of a document: its text, those quotes marked that prove an answer."""

from typing import Final
from urllib.parse import quote

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from graphs.apps.web.pages import Pages, Shared
from graphs.apps.web.source import pieces, window
from tools.corpus.corpus import Corpus

_FACT: Final = 200
"""Characters of a field that stand above a document."""
router = APIRouter()


@router.get("/corpora/{corpus}/documents/{number}", name="document")
def document(
    pages: Shared, corpus: str, number: int, run: str = "", at: int | None = None
) -> Response:
    """Show a document, what proves the answer of `run` marked."""
    opened = pages.library.corpus(corpus)
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
        facts=_facts(opened, number),
        quotes=len(spans),
        pieces=list(pieces(text, spans, first, last, at)),
        earlier=f"{here}?run={quote(run)}&at={max(0, first - 1)}" if first else None,
        later=f"{here}?run={quote(run)}&at={last}" if last < len(text) else None,
    )


def _facts(opened: Corpus, number: int) -> list[tuple[str, str]]:
    stated = opened.document_fields(number).items()
    return [(key, value.raw[:_FACT]) for key, value in stated]


def _quotes(pages: Pages, corpus: str, run: str, document: str) -> list[tuple[int, int]]:
    answer = pages.seen(corpus, run).answer
    return [
        (each.start, each.end)
        for shown in ((answer.readings or (answer,)) if answer else ())
        for entity in shown.entities
        for each in entity.evidence
        if each.document == document
    ]
