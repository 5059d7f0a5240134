"""A quote in HTML, highlighted between the words around it."""

from html import escape

from agent.errors import CorpusError
from agent.evidence import Evidence
from tools.corpus.corpus import Corpus

__all__ = ("figure",)

_CONTEXT = 220


def figure(evidence: Evidence, corpus: Corpus) -> str:
    """Render a quote with its context.

    Where the corpus has changed since and the quote is not in its place any more, the quote
    stands alone and the caption says so.
    """
    before, after, moved = _around(evidence, corpus)
    place = f"{evidence.document}, characters {evidence.start} to {evidence.end}"
    caption = " · ".join(part for part in (place, evidence.condition, moved) if part)
    return (
        f"<figure><blockquote>{escape(before)}<mark>{escape(evidence.quote)}</mark>"
        f"{escape(after)}</blockquote><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _around(evidence: Evidence, corpus: Corpus) -> tuple[str, str, str]:
    """Return the words before and after, and what is wrong with the place."""
    try:
        text = corpus.document_text(corpus.document_index(evidence.document))
    except CorpusError:
        return "", "", "the document has left the corpus since"
    start, end = evidence.start, evidence.end
    if text[start:end] != evidence.quote:
        return "", "", "the document has changed since"
    before = text[max(0, start - _CONTEXT) : start]
    after = text[end : end + _CONTEXT]
    if start > _CONTEXT:
        before = "… " + before.partition(" ")[2]
    if end + _CONTEXT < len(text):
        after = after.rpartition(" ")[0] + " …"
    return before, after, ""
