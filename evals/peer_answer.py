"""What a program outside this project prints, and what it comes to on a corpus."""

from collections.abc import Iterable, Iterator

from pydantic import BaseModel, ConfigDict, ValidationError

from agent.cost import Cost
from agent.errors import MalformedReply
from agent.evidence import Evidence
from agent.reasoners.typed_reply import describe
from evals.baselines.state import BaselineState, Item
from evals.names import DocumentNames
from tools.corpus.corpus import Corpus
from tools.quotes import locate

__all__ = ("PeerAnswer", "PeerEntity", "PeerSpan", "parsed", "state_of")


class _Peer(BaseModel):
    """A part of what a program prints; what else it prints is left alone."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class PeerSpan(_Peer):
    """A piece of a document's text."""

    document: str
    start: int | None = None
    """Character offset; where it is missing or wrong, the quote is looked up."""
    end: int | None = None
    quote: str = ""


class PeerEntity(_Peer):
    """One item of the answer."""

    name: str
    documents: tuple[str, ...] = ()
    evidence: tuple[PeerSpan, ...] = ()


class PeerAnswer(_Peer):
    """What a program prints: one JSON object, of which `headcount ask --json` is an example."""

    value: float | None = None
    unit: str | None = None
    entities: tuple[PeerEntity, ...] = ()
    read: tuple[PeerSpan, ...] = ()
    """What its model was shown, where it can tell; else what it quotes is taken for that."""
    cost: Cost | None = None


def parsed(printed: str) -> PeerAnswer:
    """Return what a program printed; raise MalformedReply where it is no answer."""
    try:
        said = PeerAnswer.model_validate_json(printed)
    except ValidationError as error:
        raise MalformedReply(f"no answer was printed: {describe(error)}") from error
    if not said.model_fields_set & {"value", "entities"}:
        raise MalformedReply("the JSON object has neither `value` nor `entities`")
    return said


def state_of(
    question: str, run: str, said: PeerAnswer, seconds: float, corpus: Corpus
) -> BaselineState:
    """Return the end of a run that answers so; quotes that do not stand in their documents go."""
    names = DocumentNames(corpus.documents)
    items = tuple(_item(each, names, corpus) for each in said.entities)
    shown = said.read or tuple(span for each in said.entities for span in each.evidence)
    lost = sum(len(each.evidence) for each in said.entities)
    lost -= sum(len(each.evidence) for each in items)
    return BaselineState(
        question=question,
        run=run,
        items=items,
        value=len(items) if said.value is None else said.value,
        unit=said.unit,
        shown=frozenset(_chunks(shown, names, corpus)),
        cost=(said.cost or Cost()).model_copy(update={"seconds": seconds}),
        warnings=(f"{lost} quotes do not stand in the documents they name",) if lost else (),
    )


def _item(said: PeerEntity, names: DocumentNames, corpus: Corpus) -> Item:
    spans = (_located(each, names, corpus) for each in said.evidence)
    known = [names.find(each) for each in said.documents]
    return Item(
        name=said.name,
        documents=tuple(corpus.documents[each] for each in known if each is not None),
        evidence=tuple(each for each in spans if each is not None),
    )


def _chunks(spans: Iterable[PeerSpan], names: DocumentNames, corpus: Corpus) -> Iterator[int]:
    for each in spans:
        found = _located(each, names, corpus)
        if found is not None:
            document = corpus.document_index(found.document)
            yield from corpus.chunks_at(document, found.start, found.end)


def _located(span: PeerSpan, names: DocumentNames, corpus: Corpus) -> Evidence | None:
    """Return a span as evidence: by its offsets where its words stand there, else by its words."""
    document = names.find(span.document)
    if document is None:
        return None
    text = corpus.document_text(document)
    place = _by_offsets(span, text)
    if place is None:
        place = locate(span.quote, text)
    if place is None:
        return None
    start, end = place
    return Evidence(
        document=corpus.documents[document],
        start=start,
        end=end,
        quote=text[start:end],
        condition="",
    )


def _by_offsets(span: PeerSpan, text: str) -> tuple[int, int] | None:
    if span.start is None or span.end is None or not 0 <= span.start < span.end <= len(text):
        return None
    agrees = not span.quote or text[span.start : span.end] == span.quote
    return (span.start, span.end) if agrees else None
