"""Systems that answer a question over a corpus, ours and others, by name and measured alike."""

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from pyroaring import BitMap

from agent.adf_state import Retrieval
from agent.answer import Answer
from agent.errors import RunError, SettingsError
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.records.analysis import AnalystQuestion, AnalystState
from agent.records.record_schema import CellValue
from agent.state import Question
from evals.baselines.attempt import Attempt
from evals.baselines.baselines import (
    Method,
    diversify_verify_adapt,
    full_scan,
    iterative,
    note_taking,
    react,
    single_step,
    team,
    tool_agent,
)
from evals.names import DocumentNames
from evals.questions import Record
from evals.scores import Outcome, numbers_in, process_accuracy
from graphs.analyst import build_analyst_graph, with_records
from graphs.context import Context
from graphs.headcount import build_graph

if TYPE_CHECKING:
    from agent.records.record import RecordsPlace
    from tools.corpus.corpus import Corpus


def fill_records(corpus: "Corpus", reasoner: Reasoner) -> None:
    """Draw up a schema, unless there is one, and read what has not been read.

    Raises:
        SchemaError: the documents have nothing in common.
        HeadcountError: whatever else keeps the reasoner from reading.
    """
    from agent.errors import SchemaError
    from graphs.records.available_records import schema_path
    from graphs.srag import fill, induce
    from tools.records.schema_file import load_schema, save_schema

    context = Context(corpus=corpus, reasoner=reasoner)
    place = schema_path(corpus)
    if place.exists():
        schema = load_schema(place)
    else:
        drawn = induce(context).result
        if drawn is None or not drawn.kinds:
            raise SchemaError("the documents have nothing in common that records could hold")
        schema = drawn
        save_schema(schema, place)
    fill(context, schema)


def process(record: Record, corpus: "Corpus", place: "RecordsPlace | None" = None) -> float | None:
    """Return the question's process accuracy; None where it has no intermediate facts."""
    names = DocumentNames(corpus.documents)
    known = names.indices(record.gold_documents)
    if not record.intermediate_facts or not known:
        return None
    texts = {corpus.documents[each]: corpus.document_text(each) for each in sorted(known)}
    return process_accuracy(
        record.intermediate_facts, texts, numbers_by_document(corpus, texts, place)
    )


def _numbers(value: CellValue) -> tuple[float, ...]:
    """Return the numbers of a cell: those of a date or a text count too, as does its year."""
    return numbers_in(value) if isinstance(value, str) else () if value is None else (float(value),)


def numbers_by_document(
    corpus: "Corpus", documents: Mapping[str, object], place: "RecordsPlace | None" = None
) -> Mapping[str, tuple[float, ...]]:
    """Return the numbers in the records of some documents; none where nothing was recorded."""
    from graphs.records.available_records import open_records

    store = open_records(corpus, place)
    if not store.path.exists():
        return {}
    with closing(store):
        return {
            name: tuple(
                number
                for row in store.records_of(name)
                for cell in row.cells
                for number in _numbers(cell.value)
            )
            for name in documents
        }


DEPTHS: Final = (5, 10, 20, 50)
"""k of the retrieving baselines (DFA, appendix A.7.1)."""
_FILLING: Final[Mapping[str, Retrieval]] = {"naive-rag": "dense", "hybrid-rag": "hybrid"}


class System(Protocol):
    """Whatever answers a question over a context's corpus with the context's reasoner."""

    def answer(self, question: str, context: Context) -> Answer:
        """Answer; `coverage.judged` counts the chunks that were shown to the model.

        What was judged and kept stands in the context's run store, under the answer's run.

        Raises:
            HeadcountError: there is no answer; its text says why.
        """
        ...


@dataclass(frozen=True, slots=True)
class Main:
    """The main graph, as `headcount ask` runs it."""

    def answer(self, question: str, context: Context) -> Answer:
        """Answer."""
        return _stored(build_graph().invoke(Question(question=question), context=context), context)


@dataclass(frozen=True, slots=True)
class Analyst:
    """The analyst graph, which draws up records for each question by itself."""

    def answer(self, question: str, context: Context) -> Answer:
        """Answer."""
        return self.analysed(question, context)[0]

    def analysed(self, question: str, context: Context) -> "tuple[Answer, RecordsPlace | None]":
        """Answer; also say where the records are that were drawn up."""
        out = build_analyst_graph().invoke(AnalystQuestion(question=question), context=context)
        names = {each.name for each in fields(AnalystState)}
        state = AnalystState(**{name: value for name, value in out.items() if name in names})
        return _stored(out, context), with_records(state, context).records


@dataclass(frozen=True, slots=True)
class Records:
    """S-RAG alone: records of all documents, then one query; no text is read for a question."""

    def answer(self, question: str, context: Context) -> Answer:
        """Draw up and fill the records where that was not done yet, then query them.

        The cost of the records is on the bill of the question that had them filled.
        """
        before = context.reasoner.spent()
        fill_records(context.corpus, context.reasoner)
        alone = replace(context, policy=context.policy.model_copy(update={"route": "records"}))
        with alone.store:
            answer = Main().answer(question, alone)
        spent = context.reasoner.spent() - before
        return answer.model_copy(update={"cost": spent})


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline by its method."""

    method: Method

    def answer(self, question: str, context: Context) -> Answer:
        """Answer."""
        attempt = Attempt(question=question, context=context)
        self.method(attempt)
        return attempt.conclude()


def _stored(out: Mapping[str, object], context: Context) -> Answer:
    """Return the answer of a run that has ended; raise RunError where it has none."""
    answer = out.get("answer")
    if isinstance(answer, Answer):
        return answer
    run = str(out.get("run"))
    stored = context.store.answer(run)
    if stored is None:
        raise RunError(f"run {run!r} ended without an answer")
    return stored


BASELINES: Mapping[str, System] = {
    "llm-only": Baseline(Attempt.answer_unread),
    **{f"naive-rag-{k}": Baseline(partial(single_step, k=k, mode="dense")) for k in DEPTHS},
    **{f"hybrid-rag-{k}": Baseline(partial(single_step, k=k, mode="hybrid")) for k in DEPTHS},
    **{
        f"{name}-full": Baseline(partial(single_step, k=None, mode=mode))
        for name, mode in _FILLING.items()
    },
    **{f"iterative-rag-{k}": Baseline(partial(iterative, k=k, mode="hybrid")) for k in DEPTHS},
    **{f"note-taking-{k}": Baseline(partial(note_taking, k=k, mode="dense")) for k in DEPTHS},
    **{f"react-{k}": Baseline(partial(react, k=k, mode="dense")) for k in DEPTHS},
    "tool-agent": Baseline(tool_agent),
    **{f"multi-agent-{k}": Baseline(partial(team, k=k, mode="hybrid")) for k in DEPTHS},
    "diversify-verify": Baseline(partial(diversify_verify_adapt, k=5, mode="hybrid")),
    "full-scan": Baseline(full_scan),
    "records-alone": Records(),
}
"""By name; the number at the end of a name is k, the chunks of one search; `full` is as many as the
reader's context holds."""

SYSTEMS: Mapping[str, System] = {"main": Main(), "analyst": Analyst(), **BASELINES}
"""All by their names."""


def system_of(name: str) -> System:
    """Return the system of a name.

    Raises:
        SettingsError: there is none of that name.
    """
    if name not in SYSTEMS:
        raise SettingsError(f"there is no system {name!r}; choose one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name]


def ask(question: str, corpus: "Corpus", reasoner: Reasoner, policy: Policy) -> Outcome:
    """Ask the main graph and wait for the answer.

    Raises:
        HeadcountError: whatever the graph raises; RunError where it ends without an answer.
    """
    return observed(Main(), question, Context(corpus=corpus, reasoner=reasoner, policy=policy))


def observed(
    system: System, question: str, context: Context, record: Record | None = None
) -> Outcome:
    """Ask any system; what it judged and kept stands in the run store, whatever it is.

    With a record, also measure which of its intermediate facts were extracted.

    Raises:
        HeadcountError: whatever the system raises.
    """
    context.corpus.runs.mkdir(parents=True, exist_ok=True)
    with context.store:
        began = time.perf_counter()
        place = None
        if isinstance(system, Analyst):
            answer, place = system.analysed(question, context)
        else:
            answer = system.answer(question, context)
        seconds = time.perf_counter() - began
        yes, no = _booked(answer.run, context)
        taken = [each for each in answer.snapshots if each.outcome == "kept"]
        kept = context.store.ids(taken[-1].id) if taken else BitMap()
    return Outcome(
        answer=answer,
        kept=frozenset(kept | yes | no),
        matched=frozenset(yes),
        seconds=seconds,
        process=None if record is None else process(record, context.corpus, place),
    )


def _booked(run: str, context: Context) -> tuple[BitMap, BitMap]:
    """Return the chunks judged yes, and those judged no; none where a run keeps no ledger."""
    from tools.runs.coverage_ledger import CoverageLedger

    try:
        book = CoverageLedger.stored(context.store, run)
    except RunError:
        return BitMap(), BitMap()
    yes = [book.ids(condition, "yes") for condition in book.conditions]
    no = [book.ids(condition, "no") for condition in book.conditions]
    return BitMap.union(*yes), BitMap.union(*no)
