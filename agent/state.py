"""The typed state that the graph's nodes read and write: handles and summaries, never text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from agent.ambiguity import Ambiguity, Clarification, Coherence, Exchange, Reading, Turn
from agent.answer import Answer
from agent.cost import Cost
from agent.coverage import Audit, Coverage, ReadingRound
from agent.errors import QuestionError
from agent.history import Step
from agent.question import Interpretation
from agent.reasoner import ToolCall
from agent.records.record_replies import Route
from agent.value import Value, tuples_restored


class Earlier(Value):
    """A run whose question is asked again of the corpus as it is now."""

    run: str
    rounds: tuple[int, ...]
    """The steps that ruled passages out by a filter or by rank, not for certain."""
    narrowed: tuple[str, ...] = ()
    """The conditions whose new criteria can exclude what was found."""
    widened: tuple[str, ...] = ()
    """The conditions whose new criteria can include what was not."""

    @property
    def changed(self) -> bool:
        """Whether the criteria are others than the run's."""
        return bool(self.narrowed or self.widened)


CHECKPOINTED: tuple[type, ...] = (
    Ambiguity, Answer, Audit, Clarification, Coherence, Cost, Coverage, Earlier, Exchange,
    Interpretation, Reading, ReadingRound, Route, Step, ToolCall, Turn,
)  # fmt: skip
"""The types a checkpoint may hold: the allowlist of its strict deserialisation."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What a run starts from."""

    question: str = ""
    """The question as asked. Written by the caller, read by every node."""
    run: str = ""
    """The run's id; made by `interpret` where the caller gave none."""
    conversation: tuple[Turn, ...] = ()
    """Earlier questions of the same conversation. Read by `interpret`."""
    criteria: Interpretation | None = None
    """How the question is read, where the caller says it. Read by `interpret`, `classify`."""
    earlier: Earlier | None = None
    """Whose verdicts are kept. Written by the caller, read by most nodes."""


@dataclass(frozen=True, kw_only=True)
class State(Question):
    """The whole run at one step; a field's line says who writes it and who reads it."""

    interpretation: Interpretation | None = None
    """The reading being answered. `interpret`, `rewrite`, `reread` → all after them."""
    coherence: Coherence | None = None
    """Of the first retrieval. `classify` → `answer`."""
    ambiguities: tuple[Ambiguity, ...] = ()
    """Still open ones. `classify`, `rewrite` → `clarify`, routes."""
    tried: Mapping[str, Interpretation] = field(default_factory=dict)
    """By name in the run store, what trials searched. `weigh` → `decide`, `batch`, `judge`."""
    codes: tuple[str, ...] = ()
    """All codes found. `classify` → `answer`."""
    clarification: Clarification | None = None
    """The question to the person. `clarify` → `ask`, `rewrite`."""
    exchanges: tuple[Exchange, ...] = ()
    """What was asked and replied. `ask` → `rewrite`, `answer`."""
    readings: tuple[Reading, ...] = ()
    """The readings to answer one after another. `classify` → `reread`, `answer`."""
    reading: int = 0
    """Which of them is being answered. `reread` → all after it."""
    answered: int = 0
    """How many readings are answered. `answer` → `reread`, routes."""
    route: Route | None = None
    """By which way the reading is answered. `route`, `records`, `narrow` → `narrow`, `answer`,
    routes."""
    snapshot: str = ""
    """The current candidates' id in the run store. `apply`, `observe` → `plan`, `feedback`."""
    call: ToolCall | None = None
    """The filter call to carry out. `plan` → `apply`."""
    history: tuple[Step, ...] = ()
    """History memory. `apply`, `observe`, `feedback`, `audit` → `plan`, `answer`, routes."""
    rounds: tuple[ReadingRound, ...] = ()
    """What was chosen for reading, round by round. `feedback`, `audit` → `batch`, routes."""
    audits: tuple[Audit, ...] = ()
    """The looks at what was never judged. `audit` → `feedback`, `answer`, routes."""
    batches: int = 0
    """How many batches the round of reading has. `batch` → `judge`."""
    judged_batches: int = 0
    """How many of them were sent. `judge` → routes."""
    coverage: Coverage = Coverage()  # noqa: RUF009 - frozen, hence safe to share
    """What happened to the chunks so far. `apply`, `judge` → traces, `answer`."""
    stopped: str = ""
    """Why judging ended early: a limit, or a server that is gone. `plan`, `judge` → `answer`."""
    cost: Cost = Cost()  # noqa: RUF009 - frozen, hence safe to share
    """Spent so far, over all processes that worked on the run. Every node's wrapper."""
    warnings: tuple[str, ...] = ()
    """What the person should know. Any node → `answer`."""
    answer: Answer | None = None
    """The outcome; whole in the run store, no quote in checkpoints. `answer` → the caller."""

    @property
    def interpreted(self) -> Interpretation:
        """The interpretation being answered; raises QuestionError where there is none yet."""
        if self.interpretation is None:
            raise QuestionError("the question was never interpreted: nothing can be done with it")
        return self.interpretation

    def __post_init__(self) -> None:
        tuples_restored(self)


class Update(TypedDict, total=False):
    """What a node returns: the changed fields of the state, nothing else."""

    run: str
    interpretation: Interpretation | None
    coherence: Coherence | None
    ambiguities: tuple[Ambiguity, ...]
    tried: Mapping[str, Interpretation]
    codes: tuple[str, ...]
    clarification: Clarification | None
    exchanges: tuple[Exchange, ...]
    readings: tuple[Reading, ...]
    reading: int
    answered: int
    route: Route | None
    snapshot: str
    call: ToolCall | None
    history: tuple[Step, ...]
    rounds: tuple[ReadingRound, ...]
    audits: tuple[Audit, ...]
    batches: int
    judged_batches: int
    coverage: Coverage
    stopped: str
    cost: Cost
    warnings: tuple[str, ...]
    answer: Answer | None
