"""One search through the real graph in which a given filter call is made."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel
from pyroaring import BitMap

from agent.history import Step
from agent.policy import Policy
from agent.prompt_values import PlanValues
from agent.reasoner import Prompt, ToolCall, ToolSpec
from agent.replies import InterpretReply, ObserveReply
from agent.state import Question, State
from evals.annotated.gold import GoldReasoner
from evals.compare.leaks_calls import Injected
from evals.compare.search_case import Case
from evals.spans import recall

if TYPE_CHECKING:
    from graphs.context import Context

__all__ = ("Way", "Went", "went")

R = TypeVar("R", bound=BaseModel)
_KNOWN = frozenset(field.name for field in fields(State))


@dataclass(frozen=True, slots=True)
class Way:
    """How the search goes about it."""

    feedback: bool
    """Whether all chunks compete to be read, or the filters' candidates alone are read."""
    undoing: bool
    """Whether an audit may undo the call; else only ranked reading can follow a leak."""
    audit: int | None
    """Chunks that an audit draws at most; None is the product's own choice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Went:
    """What came of it."""

    made: bool
    """Whether the search filtered at all: where fields decide all conditions, it does not."""
    seen: bool
    """Whether an audit drew a gold chunk that the call had ruled out."""
    undone: bool
    why: str
    """The audit's words where the call was undone."""
    recall: float
    """The share of the gold chunks that were read in the end."""
    judged: float
    """The share of the corpus."""
    calls: int


class Filtering(GoldReasoner):
    """Judges by the labels, makes one filter call, sees nothing wrong with it, and is done.

    It lists no spellings of a mention: code would rule out what has none of them, for certain, and
    no filter would be called.
    """

    def __init__(self, case: Case, call: ToolCall) -> None:
        """Answer one question, with one call."""
        super().__init__(case.record, case.corpus)
        self._call = call

    def choose(self, prompt: Prompt, tools: Sequence[ToolSpec]) -> ToolCall:
        """Choose the call, then to finish."""
        made = any(step.call == self._call for step in _history(prompt))
        call = ToolCall(tool="finish", arguments={}) if made else self._call
        told = "".join(tool.description for tool in tools)
        self._count(prompt, call, [tool.arguments for tool in tools], told)
        return call

    def _answered(self, prompt: Prompt, reply: type[R]) -> R:
        if prompt.name == "observe":
            kept = ObserveReply(summary="", why="kept unseen", verdict="keep", rollback_to=None)
            return reply.model_validate(kept.model_dump())
        answered = super()._answered(prompt, reply)
        if isinstance(answered, InterpretReply):
            return reply.model_validate(_without_spellings(answered).model_dump())
        return answered


def _without_spellings(read: InterpretReply) -> InterpretReply:
    conditions = [each.model_copy(update={"terms": []}) for each in read.conditions]
    return read.model_copy(update={"conditions": conditions})


def _history(prompt: Prompt) -> Sequence[Step]:
    return prompt.values_as(PlanValues).history


def went(case: Case, injected: Injected, way: Way) -> Went:
    """Ask the case's question with the call put in.

    Small collections are filtered too, which a model is not asked to do otherwise; nothing is
    asked about ambiguity.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from graphs.context import Context
    from graphs.search.past_audits import RankedOnly

    case.corpus.runs.mkdir(parents=True, exist_ok=True)
    policy = Policy(disambiguation="none", scan=False, feedback=way.feedback, audit=way.audit)
    kind = Context if way.undoing else RankedOnly
    reasoner = Filtering(case, injected.call)
    context = kind(corpus=case.corpus, reasoner=reasoner, policy=policy)
    with context.store:
        state = _asked(case.record.question, context)
        made = [step for step in state.history if step.call == injected.call]
        undone = [step for step in state.history if step.call.arguments.get("undone")]
        ruled_out = BitMap(range(len(case.corpus))) - injected.kept
        read = _read(state, context)
        return Went(
            made=bool(made),
            seen=bool(_drawn(state, context) & BitMap(case.present) & ruled_out),
            undone=bool(undone),
            why=undone[0].why if undone else "",
            recall=recall(case.gold, set(read)) or 0.0,
            judged=len(read) / len(case.corpus),
            calls=reasoner.spent().model_calls,
        )


def _asked(question: str, context: "Context") -> State:
    from graphs import build_graph

    values: Any = build_graph().invoke(Question(question=question), context=context)
    return State(**{name: value for name, value in values.items() if name in _KNOWN})


def _drawn(state: State, context: "Context") -> BitMap:
    """Return the chunks that audits drew."""
    rounds = [each for each in state.rounds if each.purpose == "audit"]
    return BitMap().union(*(context.store.ids(each.selection) for each in rounds))


def _read(state: State, context: "Context") -> BitMap:
    """Return the chunks judged on some condition."""
    from graphs.scope import ledger, open_conditions

    book = ledger(state, context)
    texts = [each.id for each in open_conditions(state)]
    return BitMap().union(*(book.ids(each, said) for each in texts for said in ("yes", "no")))
