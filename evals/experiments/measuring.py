"""Measuring one question under one arm."""

import dataclasses
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, JsonValue, TypeAdapter

from agent.answer import Answer
from agent.cost import Cost
from agent.errors import CorpusError, HeadcountError, LimitReached, ProviderError
from agent.evidence import Passage
from agent.policy import Policy
from agent.reasoner import Ability, Failure, Prompt, Reasoner, ToolCall, ToolSpec
from agent.value import Value
from evals.compare.search_curves import found_at
from evals.experiments.arms import Arm
from evals.names import DocumentNames
from evals.questions import Record
from evals.readers import reader_of, settings_of
from evals.scores import Outcome, Score, score
from evals.spans import GoldChunk, gold_chunks, gold_spans
from tools.corpus.generations import CorpusLayout

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = (
    "Cell",
    "Measured",
    "Reading",
    "Result",
    "Witness",
    "copied",
    "isolated",
    "measure",
    "result_of",
)

_RECORDS = "records"


@contextmanager
def isolated(corpus: Path, workspace: Path) -> Iterator["Corpus"]:
    """Open a copy of the corpus in a directory of the workspace that is gone afterwards.

    So no result depends on which questions came before: the runs, looks and records that a
    question leaves behind for the next are its own.
    """
    from tools.corpus.corpus import open_corpus

    with tempfile.TemporaryDirectory(dir=workspace) as place:
        yield open_corpus(copied(corpus, Path(place) / corpus.name))


def copied(corpus: Path, into: Path) -> Path:
    """Make a corpus directory that links what nothing changes of another's generations.

    Its records are copied; its runs are not.
    """
    shared, own = CorpusLayout(corpus), CorpusLayout(into)
    own.root.mkdir()
    shutil.copyfile(shared.current, own.current)
    for generation in shared.generations.resolve().iterdir():
        _link(generation, own.generations / generation.name)
    own.lock.touch()
    if (corpus / _RECORDS).is_dir():
        shutil.copytree(corpus / _RECORDS, into / _RECORDS)
    return into


def _link(generation: Path, into: Path) -> None:
    into.mkdir(parents=True)
    for each in generation.iterdir():
        if each.suffix != ".lock":
            (into / each.name).symlink_to(each, target_is_directory=each.is_dir())


_SCORES = TypeAdapter(Score)


class Reading(Value):
    """What was read of a corpus, in which order, and what it brought."""

    chunks: int = 0
    """Chunks of the corpus."""
    tokens: int = 0
    """Tokens of the corpus, as estimated at indexing."""
    shown: int = 0
    """Chunks that the reasoner was shown as passages to read."""
    gold: int = 0
    """Chunks with true evidence."""
    found_at: tuple[float, ...] = ()
    """The share of the corpus read when each gold chunk that was read was found, ascending."""


class Result(Value):
    """One question under one arm; the same seed and replies give the same result."""

    collection: str
    arm: str
    score: dict[str, JsonValue]
    """An `evals.scores.Score` by field, without its seconds."""
    bounds: tuple[float, float] | None = None
    """Between what the answer says the number lies."""
    recall_bound: float | None = None
    """The share of the relevant chunks that the answer says were read at least."""
    confidence: float | None = None
    """How sure the answer is of `recall_bound`."""
    reading: Reading = Reading()
    tokens: int = 0
    """What the answer cost, sent and received."""
    error: str = ""
    """Why there is no answer."""
    passing: bool = False
    """Whether the error lay with a model's server or the index: the question is asked again."""

    @property
    def question(self) -> str:
        """The question's id."""
        return str(self.score["id"])

    def scored(self, seconds: float = 0.0) -> Score:
        """Return the score again, with the seconds that it took."""
        return _SCORES.validate_python({**self.score, "seconds": seconds})

    def figure(self, name: str) -> float | None:
        """Return a figure of the score as a number; None where it is undefined."""
        value = self.score[name]
        return float(value) if isinstance(value, int | float) else None


def result_of(score: Score, **told: object) -> Result:
    """Return the result with that score."""
    figures = dataclasses.asdict(score)
    del figures["seconds"]
    return Result.model_validate({"score": figures, **told})


R = TypeVar("R", bound=BaseModel)
T = TypeVar("T")
_SAMPLES = frozenset({"plan", "observe"})
"""Prompts that show excerpts to choose a filter by: these are not read for evidence."""


class Witness:
    """Passes everything on, and notes the chunks of the passages in each prompt's values."""

    def __init__(self, inner: Reasoner) -> None:
        self._inner = inner
        self._shown: dict[int, None] = {}

    @property
    def shown(self) -> list[int]:
        """The chunks in the order in which they were first shown."""
        return list(self._shown)

    @property
    def name(self) -> str:
        """Say who reads."""
        return self._inner.name

    @property
    def reply_tokens(self) -> int:
        """Say how many tokens a reply may have."""
        return self._inner.reply_tokens

    @property
    def context_tokens(self) -> int:
        """Say how many tokens a prompt and its reply may have together."""
        return self._inner.context_tokens

    @property
    def paid(self) -> bool:
        """Say whether a request costs money or a model's time."""
        return self._inner.paid

    @property
    def abilities(self) -> frozenset[Ability]:
        """What the inner reasoner can do."""
        return self._inner.abilities

    def ask(self, prompt: Prompt, reply: type[R]) -> R:
        """Pass the prompt on and note the passages, unless a limit kept it from being sent."""
        return self._sent(prompt, lambda: self._inner.ask(prompt, reply))

    def ask_many(self, prompts: Sequence[Prompt], reply: type[R]) -> list[R | Failure]:
        """Pass the prompts on and note the passages of those that no limit kept back."""
        replies = self._inner.ask_many(prompts, reply)
        for prompt, each in zip(prompts, replies, strict=True):
            if not (isinstance(each, Failure) and isinstance(each.error, LimitReached)):
                self._note(prompt)
        return replies

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Pass the choice on and note the passages, unless a limit kept it from being sent."""
        return self._sent(prompt, lambda: self._inner.choose(prompt, tools))

    def tokens(self, prompt: Prompt, reply: type[BaseModel]) -> int:
        """Estimate as the reasoner does."""
        return self._inner.tokens(prompt, reply)

    def affords(self, sent: int, received: int) -> bool:
        """Tell what the reasoner's budget pays for."""
        return self._inner.affords(sent, received)

    def spent(self) -> Cost:
        """Return what the reasoner has spent."""
        return self._inner.spent()

    def charge(self, cost: Cost) -> None:
        """Put another's cost on the reasoner's bill."""
        self._inner.charge(cost)

    def _sent(self, prompt: Prompt, send: Callable[[], T]) -> T:
        try:
            replied = send()
        except LimitReached:
            raise
        except HeadcountError:
            self._note(prompt)
            raise
        self._note(prompt)
        return replied

    def _note(self, prompt: Prompt) -> None:
        if prompt.name not in _SAMPLES:
            self._shown |= dict.fromkeys(_chunks(prompt))


def _chunks(prompt: Prompt) -> Iterator[int]:
    for held in fields(prompt.values):
        value = getattr(prompt.values, held.name)
        if isinstance(value, Sequence) and not isinstance(value, str | bytes):
            yield from (each.chunk for each in value if isinstance(each, Passage))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One question under one arm."""

    collection: str
    arm: Arm
    record: Record
    corpus: Path
    """The index of what it is asked over."""
    seed: int
    replies: Path
    """Where the replies of a model are kept."""
    workspace: Path
    """Where the question's own corpus stands while it is asked."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the experiment's other cells."""
        return (self.collection, self.arm.name, self.record.id)


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a cell: the result, and apart from it the seconds it took."""

    result: Result
    seconds: float


def measure(cell: Cell) -> Measured:
    """Ask and score; whatever goes wrong is the question's result.

    Raises:
        HeadcountError: the corpus cannot be opened or the arm cannot be had at all.
    """
    with isolated(cell.corpus, cell.workspace) as corpus:
        settings = settings_of(cell.arm.reasoner)
        reader = reader_of(
            cell.arm.reasoner,
            cell.record,
            corpus,
            seed=cell.seed,
            cache=cell.replies,
        )
        witness = Witness(reader)
        began = time.perf_counter()
        found = _answer(cell, corpus, witness, cell.arm.over(settings.policy()))
        seconds = time.perf_counter() - began
        return Measured(_result(cell, corpus, witness.shown, found), seconds)


def _answer(cell: Cell, corpus: "Corpus", witness: Witness, policy: Policy) -> Answer | Exception:
    """Return the answer, or what went wrong in its place."""
    from evals.systems import system_of
    from graphs.context import Context

    system = system_of(cell.arm.system)
    corpus.runs.mkdir(parents=True, exist_ok=True)
    context = Context(corpus=corpus, reasoner=witness, policy=policy)
    with context.store:
        try:
            return system.answer(cell.record.question, context)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return error


def _result(cell: Cell, corpus: "Corpus", shown: list[int], found: Answer | Exception) -> Result:
    answer = found if isinstance(found, Answer) else None
    error = "" if isinstance(found, Answer) else f"{type(found).__name__}: {found}"
    cost = answer.cost if answer else Cost()
    gold = gold_chunks(cell.record, corpus)
    cited = frozenset(_cited(answer, corpus))
    outcome = Outcome(answer=answer, kept=cited.union(shown), matched=cited, error=error)
    names = DocumentNames(corpus.documents)
    spans = gold_spans(cell.record, corpus)[0]
    proven = answer.completeness if answer else None
    return result_of(
        score(cell.record, outcome, names, gold, spans),
        collection=cell.collection,
        arm=cell.arm.name,
        bounds=answer.bounds if answer else None,
        recall_bound=proven.recall_lower_bound if proven else None,
        confidence=proven.confidence if proven else None,
        reading=_reading(corpus, gold, shown),
        tokens=cost.input_tokens + cost.output_tokens,
        error=error,
        passing=isinstance(found, ProviderError | CorpusError),
    )


def _reading(corpus: "Corpus", gold: tuple[GoldChunk, ...], shown: list[int]) -> Reading:
    return Reading(
        chunks=len(corpus),
        tokens=int(corpus.chunk_tokens.sum()),
        shown=len(shown),
        gold=len(gold),
        found_at=found_at(gold, shown, len(corpus)),
    )


def _cited(answer: Answer | None, corpus: "Corpus") -> Iterator[int]:
    """Yield the chunks that a quote of the answer stands in."""
    for entity in answer.entities if answer else ():
        for each in entity.evidence:
            yield from corpus.chunks_at(corpus.document_index(each.document), each.start, each.end)
