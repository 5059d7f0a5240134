"""The ADF graph's values: its options, its typed state, its answer (ADF, section 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from pydantic import PositiveInt

from agent.ambiguity import Coherence, CoherenceState
from agent.cost import Cost
from agent.evidence import Evidence
from agent.value import Value, tuples_restored

Gate = Literal["coherence", "question", "off"]
Retrieval = Literal["bm25", "dense", "hybrid"]
Calibration = Literal["ambignq", "calibrated"]
Form = Literal["short", "long"]
WORDS = (150, 250)
"""The fewest and the most words of the long form."""


class AdfOptions(Value):
    """The parameters; the defaults are the paper's (ADF, section 5.3), thresholds aside."""

    k: PositiveInt = 5
    """Passages for the synthesis; the coherence is measured on 2k."""
    gate: Gate = "coherence"
    """What tells a clear question, which skips the decomposition: the coherence of the first
    retrieval, a prompt that sees the question alone, or nothing (the ablation)."""
    thresholds: Calibration = "calibrated"
    """τvar and τsep: calibrated on the corpus, or published for AmbigNQ, under which no question of
    four collections was clear. Calibrated ones save half of the tokens, but hardly tell clear
    questions from ambiguous ones, as none do: for every reading turn the gate off."""
    retrieval: Retrieval = "hybrid"
    """By words, by vectors, or by both, fused."""
    form: Form = "short"
    """Short answers, or a paragraph of `WORDS` that links the readings besides."""


class SubQuestion(Value):
    """One reading of a question, grounded in the passages that a first retrieval found for it."""

    label: str
    """In a few words."""
    question: str
    """The question, so narrowed that only this reading is left."""
    chunks: tuple[int, ...]
    """The passages that it was read from."""
    why: str
    """What of them it is about."""


class Intent(SubQuestion):
    """A reading as it is followed: ADF's pair of a sub-question and a hypothetical passage."""

    hypothesis: str = ""
    """The passage that would answer it (HyDE); empty where none was written."""
    retrieved: tuple[int, ...] = ()
    """The passages found by both pathways, best first."""


class AdfFailure(Value):
    """A request that brought nothing usable."""

    step: str
    about: str
    """Which of its requests: a cluster, a sub-question."""
    error: str


class ReadingAnswer(Intent):
    """One reading with its answer and what proves it."""

    answer: str | None = None
    """None where the passages do not answer it, or where no quote proves the answer."""
    evidence: tuple[Evidence, ...] = ()
    """Each for the reading by its label."""
    refused: tuple[str, ...] = ()
    """Quotes that stand in none of the passages shown."""


class AdfAnswer(Value):
    """The outcome: every reading with its answer, the contrast between them, and the bill."""

    question: str
    status: Literal["answered", "partial", "failed"]
    """partial: a limit was reached; failed: no answer could be written, see `failures`."""
    state: CoherenceState
    """What the gate took the question for."""
    gate: Gate
    coherence: Coherence | None = None
    """Of the first retrieval; None in an empty corpus."""
    readings: tuple[ReadingAnswer, ...] = ()
    text: str = ""
    """The long form; empty in the short one."""
    contrast: str = ""
    """What sets the readings apart; empty where there is one."""
    failures: tuple[AdfFailure, ...] = ()
    cost: Cost = Cost()
    warnings: tuple[str, ...] = ()
    model: str = ""
    """Who read."""

    @property
    def kept(self) -> "AdfAnswer":
        """The answer as a thread keeps it: the places of the quotes, without their words."""

        def placed(reading: ReadingAnswer) -> ReadingAnswer:
            places = (each.model_copy(update={"quote": ""}) for each in reading.evidence)
            return reading.model_copy(update={"evidence": tuple(places), "refused": ()})

        return self.model_copy(update={"readings": tuple(map(placed, self.readings))})


@dataclass(frozen=True, kw_only=True)
class AdfQuestion:
    """What a run starts from."""

    question: str = ""
    """As asked. Written by the caller, read by every node."""
    options: AdfOptions = AdfOptions()  # noqa: RUF009 - frozen, hence safe to share
    """The parameters. Written by the caller, read by every node."""

    def __post_init__(self) -> None:
        """Take options that a server gives as JSON, and tuples that a checkpoint gave as lists."""
        given: dict[str, Any] = vars(self)
        if isinstance(given["options"], Mapping):
            object.__setattr__(self, "options", AdfOptions.model_validate(given["options"]))
        tuples_restored(self)


@dataclass(frozen=True, kw_only=True)
class AdfState(AdfQuestion):
    """The run at one step; a field's line says who writes it and who reads it."""

    first: tuple[int, ...] = ()
    """The first 2k chunks. `coherence` → `decompose`, `retrieve`."""
    coherence: Coherence | None = None
    """How coherent they are. `coherence` → `gate`, `synthesise`."""
    verdict: CoherenceState | None = None
    """What the question is taken for. `gate` → routes, `synthesise`."""
    intents: tuple[Intent, ...] = ()
    """The readings. `decompose`, `hypothesise`, `retrieve` → all after them."""
    failures: tuple[AdfFailure, ...] = ()
    """Requests without a usable reply. Every node that asks → `synthesise`."""
    stopped: str = ""
    """The limit that was reached. Every node that asks → routes, `synthesise`."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen, hence safe to share
    """Spent so far. Every node's wrapper."""
    answer: AdfAnswer | None = None
    """The outcome; a checkpoint has its places, not its quotes. `synthesise` → the caller."""


class AdfUpdate(TypedDict, total=False):
    """What a node returns: the changed fields of the state, nothing else."""

    first: tuple[int, ...]
    coherence: Coherence | None
    verdict: CoherenceState | None
    intents: tuple[Intent, ...]
    failures: tuple[AdfFailure, ...]
    stopped: str
    cost: Cost
    answer: AdfAnswer | None


CHECKPOINTED: tuple[type, ...] = (AdfAnswer, AdfFailure, AdfOptions, Coherence, Cost, Intent)
"""The types that a checkpoint of the ADF graph may hold."""
