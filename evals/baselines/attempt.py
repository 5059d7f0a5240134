"""A baseline's attempt at a question: what it searched for, what a model read, and the answer."""

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from langgraph.runtime import Runtime
from pydantic import BaseModel, JsonValue
from pyroaring import BitMap

from agent.adf_state import Retrieval
from agent.answer import Answer, Completeness
from agent.evidence import Entity, Evidence, Finding, Passage
from agent.history import Snapshot
from agent.interpretation import rebuilt
from agent.question import Condition, Interpretation, verdict
from agent.reasoner import Prompt
from agent.state import State
from evals.baselines.baseline_prompts import AnswerReply, BaselineValues, ItemReply, baseline_prompt
from evals.names import normal_name
from graphs.answering.quantities import stated
from graphs.asking import ask_all, fitting
from graphs.context import Context
from graphs.node import Meter
from graphs.runs.run_entry import open_run
from graphs.scope import open_conditions
from tools.computation import Computed, compute
from tools.corpus.corpus import Corpus
from tools.quotes import locate
from tools.retrieval import retrieve
from tools.runs.coverage_ledger import CoverageLedger

R = TypeVar("R", bound=BaseModel)
_UNBOUNDED: Final = "none: nothing bounds what was not retrieved"


@dataclass(kw_only=True, eq=False)
class Attempt:
    """A question on the way to its answer; a baseline is a function that moves it on."""

    question: str
    context: Context
    queries: list[str] = field(default_factory=list)
    chunks: list[int] = field(default_factory=list)
    """All that was retrieved, in the order found."""
    items: tuple[Entity, ...] = ()
    value: float | None = None
    unit: str | None = None
    shown: set[int] = field(default_factory=set)
    failed: set[int] = field(default_factory=set)
    """Chunks of requests that brought no usable reply."""
    stopped: str = ""
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Enter the run in the store."""
        self.runtime = Runtime(context=self.context)
        self._meter = Meter(self.runtime)
        self._run = open_run(self.question, "", self.context)

    def search(
        self, query: str, k: int | None, mode: Retrieval, among: Container[int] | None = None
    ) -> tuple[list[int], int]:
        """Retrieve the k best chunks for a query, all without a k; return them and how many new.

        `among` are the documents, by index, that they are of; None takes all.
        """
        corpus, known = self.context.corpus, len(self.chunks)
        most = k or len(corpus)
        found = retrieve(corpus, query, most if among is None else len(corpus), mode=mode)
        if among is not None:
            found = [each for each in found if corpus.chunk_document[each] in among][:most]
        self.queries.append(query)
        self.chunks = list(dict.fromkeys([*self.chunks, *found]))
        return found, len(self.chunks) - known

    def fitted(self, chunks: Sequence[int], *, besides: str = "") -> tuple[Passage, ...]:
        """Return the first passages that fit the reasoner's context, beside another text.

        Best first is what is shown best; what does not fit was never read, and a warning says so.
        """
        shown = fitting(self.context, chunks, besides=besides)
        left = len(chunks) - len(shown)
        if left:
            self.warnings.append(
                f"{left} of {len(chunks)} passages did not fit in the model's context"
            )
        return shown

    def ask(
        self,
        name: str,
        reply: type[R],
        shown: Sequence[Passage] | None = None,
        *,
        queries: Sequence[str] = (),
        notes: Sequence[Entity] = (),
        senses: int = 0,
    ) -> R | None:
        """Ask the prompt of a name, with what it shows; None where that brought nothing usable.

        Raises ProviderRejected: the server will not serve it, for its key, permission or model.
        """
        values = BaselineValues(
            question=self.question, passages=shown, queries=queries, notes=notes, number=senses
        )
        return self.send(name, baseline_prompt(name, values), reply, shown or ())

    def send(
        self, about: str, prompt: Prompt, reply: type[R], shown: Sequence[Passage]
    ) -> R | None:
        """Ask a prompt, as `ask` does; warnings say what it is about."""
        asked = ask_all(self.runtime, [(about, prompt)], reply)
        (replied,) = asked.replies
        chunks = {each.chunk for each in shown if each.chunk >= 0}
        if replied is not None:
            self.shown |= chunks
        elif not asked.stopped:
            self.failed |= chunks
        self.failed -= self.shown
        self.stopped = self.stopped or asked.stopped
        self.warnings += [f"{each.about}: {each.error}" for each in asked.failures]
        return replied

    def read(
        self, name: str, reply: type[R], chunks: Sequence[int], *, notes: Sequence[Entity] = ()
    ) -> tuple[R | None, Sequence[Passage]]:
        """Ask about chunks, beside what was searched for and noted; return also what was shown."""
        quotes = (each.quote for note in notes for each in note.evidence)
        shown = self.fitted(chunks, besides="\n".join([*self.queries, *quotes]))
        if not shown:
            return None, shown
        return self.ask(name, reply, shown, queries=tuple(self.queries), notes=notes), shown

    def answer_read(self) -> None:
        """Answer from all that was retrieved, in one request."""
        shown = self.fitted(self.chunks, besides=self.question)
        if shown:
            self._answer("answer", shown)
        else:
            self.warnings.append("no passage was found to answer from")

    def answer_unread(self) -> None:
        """Answer from what the model knows."""
        self._answer("answer-unread", None)

    def _answer(self, template: str, shown: Sequence[Passage] | None) -> None:
        self.take(self.ask(template, AnswerReply, shown), shown or ())

    def take(self, reply: AnswerReply | None, shown: Sequence[Passage]) -> None:
        """Take over what a reply answers; where it gives no number, it is how many it names."""
        if reply is not None:
            self.items = proven(reply.items, shown)
            self.value = len(reply.items) if reply.value is None else reply.value
            self.unit = reply.unit

    def answer_noted(self) -> None:
        """Answer from the quotes of the notes in `items`, each a passage under its note's name.

        Where a limit left no room to ask, the names in the notes are what there is to answer with.
        """
        noted = {normal_name(note.name): note for note in self.items}
        quotes = [(note.name, each) for note in self.items for each in note.evidence]
        self.items = ()
        self._answer("answer", [_as_passage(at, *each) for at, each in enumerate(quotes, start=1)])
        if self.value is None and self.stopped:
            self.items, self.value = tuple(noted.values()), len(noted)

    def conclude(self) -> Answer:
        """Assemble and store the answer.

        The chunks that a model read count as judged, those with a located quote as matched, and the
        rest as pruned: ranking ruled it out.
        """
        context, value = self.context, self.value
        status: Literal["partial", "answered"] = "partial" if self.stopped else "answered"
        book, titled = self._booked(), _by_title(context.corpus)
        taken = BitMap(self.shown | self.failed)
        snapshot = snapshot_of(taken, context, "retrieval", {"queries": list(self.queries)})
        context.store.add_snapshot(self._run, 1, snapshot)
        answer = Answer(
            question=self.question,
            status=status,
            value=value if value is None or value % 1 else int(value),
            unit=self.unit,
            entities=tuple(_placed(each, titled) for each in self.items),
            completeness=Completeness(method=_UNBOUNDED),
            coverage=book.coverage(),
            snapshots=(snapshot,),
            cost=self._meter.spent(),
            warnings=tuple(dict.fromkeys(filter(None, [*self.warnings, self.stopped]))),
            run=self._run,
        )
        context.store.put_answer(self._run, answer)
        context.store.set_status(self._run, status)
        return answer

    def _booked(self) -> CoverageLedger:
        """Enter what was read in the run's ledger; its one condition is the whole question."""
        context, chunks = self.context, len(self.context.corpus)
        book = CoverageLedger(context.store, self._run, (), chunks)
        shown, failed, matched = BitMap(self.shown), BitMap(self.failed), BitMap()
        for each in (quote for item in self.items for quote in item.evidence):
            document = context.corpus.document_index(each.document)
            matched.update(context.corpus.chunks_at(document, each.start, each.end))
        matched &= shown
        book.judge("", yes=matched, no=shown - matched, by=context.reasoner.name, step=1)
        book.spoil("failed", failed, step=1)
        book.prune(1, BitMap(range(chunks)) - shown - failed)
        return book


def proven(items: Sequence[ItemReply], shown: Sequence[Passage]) -> tuple[Entity, ...]:
    """Return the items with the quotes that stand in the passages that they name.

    A baseline does not refuse an item for a quote that cannot be located: it has no such check.
    The item then stands in the document of the passage that it names, without the quote.
    """
    found = []
    for item in items:
        given = [each for each in item.evidence if 1 <= each.passage <= len(shown)]
        named = [(each.quote, shown[each.passage - 1]) for each in given]
        quotes = [_located(quote, passage) for quote, passage in named]
        found.append(
            Entity(
                name=item.name.strip(),
                evidence=tuple(dict.fromkeys(each for each in quotes if each is not None)),
                documents=tuple(dict.fromkeys(passage.document for _, passage in named)),
            )
        )
    return tuple(found)


def _located(quote: str, passage: Passage) -> Evidence | None:
    span = locate(quote, passage.text)
    if span is None:
        return None
    start, end = (passage.start + at for at in span)
    quote = passage.text[slice(*span)]
    return Evidence(document=passage.document, start=start, end=end, quote=quote, condition="")


def _as_passage(number: int, title: str, quote: Evidence) -> Passage:
    """Return a quote of a note as a passage; it is no chunk, so that its number is none."""
    return Passage(
        chunk=-number, document=quote.document, title=title, start=quote.start, text=quote.quote
    )


def snapshot_of(
    chunks: BitMap, context: Context, tool: str, arguments: dict[str, JsonValue] | None = None
) -> Snapshot:
    """Return a snapshot of chunks, which the run store keeps."""
    return Snapshot(
        id=context.store.put_ids(chunks),
        parent=None,
        tool=tool,
        arguments=arguments or {},
        kept=len(chunks),
        discarded=len(context.corpus) - len(chunks),
    )


def _placed(item: Entity, titled: Mapping[str, str]) -> Entity:
    """Return an item; one without a document that bears the name of one stands for it."""
    named = titled.get(normal_name(item.name))
    return item if item.documents or not named else item.model_copy(update={"documents": (named,)})


def _by_title(corpus: Corpus) -> Mapping[str, str]:
    """Return the documents by title and by name, as far as only one bears it."""
    bearers: dict[str, set[str]] = defaultdict(set)
    for document, title in zip(corpus.documents, corpus.titles, strict=True):
        for name in (title, document, document.rpartition("/")[2]):
            bearers[normal_name(name)].add(document)
    return {name: next(iter(found)) for name, found in bearers.items() if len(found) == 1}


def unaided(reading: Interpretation) -> Interpretation:
    """Return the reading for somebody who sees no metadata fields: reading decides everything."""
    bare = rebuilt(reading, lambda condition: condition.model_copy(update={"predicate": None}))
    measure = bare.measure and bare.measure.model_copy(update={"field": None})
    return bare.model_copy(update={"measure": measure, "entity_field": None})


def decided_by_reading(reading: Interpretation) -> tuple[Condition, ...]:
    """Return the conditions that passages are read for, the measure's own among them."""
    return open_conditions(State(interpretation=reading))


def combined(
    reading: Interpretation, findings: Iterable[Finding], documents: Sequence[str]
) -> tuple[dict[str, list[Finding]], Computed]:
    """Evaluate the conditions for each thing over all that was stated of it, and compute.

    Return what was stated of each thing that satisfies the question, by name, and the outcome.
    `documents` are those read: where documents are counted, each may match by stating nothing.
    """
    whole = reading.grain == "document"
    told: dict[str, list[Finding]] = {name: [] for name in documents} if whole else {}
    spelt: dict[str, str] = {name: name for name in told}
    for each in findings:
        key = each.entity if whole else normal_name(each.entity) or each.entity
        told.setdefault(spelt.setdefault(key, each.entity), []).append(each)
    matching = [name for name, found in told.items() if _satisfies(reading, found)]
    measure = reading.measure
    computed = compute(
        reading.operation,
        matching,
        {name: stated(told[name]) for name in matching},
        unit=measure.unit if measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
    return {name: told[name] for name in computed.entities}, computed


def _satisfies(reading: Interpretation, found: Sequence[Finding]) -> bool:
    known = {each.condition for each in found}
    return verdict(reading.conditions, lambda atom: atom.id in known) is True
