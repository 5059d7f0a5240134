"""The last node of every baseline: its result in the form of an answer, booked like any run."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.answer import Answer, Completeness
from agent.evidence import Entity
from agent.history import Snapshot
from evals.baselines.state import BaselineState, BaselineUpdate, Item
from evals.names import normal_name
from graphs.context import Context
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import CoverageLedger

__all__ = ("conclude", "concluded")

_UNBOUNDED = "none: nothing bounds what was not retrieved"


def conclude(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Assemble the answer."""
    return {"answer": concluded(state, runtime.context)}


def concluded(state: BaselineState, context: Context) -> Answer:
    """Assemble and store the answer.

    The chunks that a model read count as judged, those with a located quote as matched, and the
    rest as pruned: ranking ruled it out.
    """
    book = _booked(state, context)
    answer = Answer(
        question=state.question,
        status="partial" if state.stopped else "answered",
        value=_tidy(state.value),
        unit=state.unit,
        entities=tuple(_entities(state.items, context.corpus)),
        completeness=Completeness(method=_UNBOUNDED),
        coverage=book.coverage(),
        snapshots=(_taken(state, context),),
        cost=state.cost,
        warnings=(*state.warnings, *((state.stopped,) if state.stopped else ())),
        run=state.run,
    )
    context.store.put_answer(state.run, answer)
    context.store.set_status(state.run, "partial" if state.stopped else "answered")
    return answer


def _booked(state: BaselineState, context: Context) -> CoverageLedger:
    """Enter what was read in the run's ledger; its one condition is the whole question."""
    corpus, chunks = context.corpus, len(context.corpus)
    book = CoverageLedger(context.store, state.run, (), chunks)
    matched = BitMap(_proving(state.items, corpus)) & BitMap(state.shown)
    book.judge("", yes=matched, no=BitMap(state.shown) - matched, by=context.reasoner.name, step=1)
    book.fail(BitMap(state.failed), reasons={}, step=1)
    read = state.shown | state.failed
    book.prune(1, BitMap(range(chunks)) - BitMap(read))
    return book


def _proving(items: Iterable[Item], corpus: Corpus) -> Iterable[int]:
    """Yield the chunks that share a character with a quote."""
    for item in items:
        for each in item.evidence:
            yield from corpus.chunks_at(corpus.document_index(each.document), each.start, each.end)


def _taken(state: BaselineState, context: Context) -> Snapshot:
    """Keep what was read as the run's one snapshot."""
    taken = BitMap(state.shown | state.failed)
    snapshot = Snapshot(
        id=context.store.put_ids(taken),
        parent=None,
        tool="retrieval",
        arguments={"queries": list(state.queries)},
        kept=len(taken),
        discarded=len(context.corpus) - len(taken),
    )
    context.store.add_snapshot(state.run, 1, snapshot)
    return snapshot


def _entities(items: Iterable[Item], corpus: Corpus) -> Iterator[Entity]:
    """Yield the items; one without a document that bears the name of one stands for it."""
    titled = _by_title(corpus)
    for item in items:
        named = titled.get(normal_name(item.name))
        yield Entity(
            name=item.name,
            documents=item.documents or (() if named is None else (named,)),
            value=item.value,
            evidence=item.evidence,
        )


def _by_title(corpus: Corpus) -> Mapping[str, str]:
    """Return the documents by title and by name, as far as only one bears it."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for document, title in zip(corpus.documents, corpus.titles, strict=True):
        for name in (title, document, document.rpartition("/")[2]):
            bearers[normal_name(name)].add(document)
    return {name: next(iter(found)) for name, found in bearers.items() if len(found) == 1}


def _tidy(value: float | None) -> float | int | None:
    """Return a whole number as an int."""
    return int(value) if value is not None and float(value).is_integer() else value
