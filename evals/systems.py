"""Systems that answer a question over a corpus, ours and others, by name and measured alike."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from agent.answer import Answer
from agent.errors import RunError, SettingsError

if TYPE_CHECKING:
    from evals.baselines.step import BaselineGraph
    from graphs.context import Context

__all__ = ("SYSTEMS", "Analyst", "Baseline", "Main", "System", "system_of")


class System(Protocol):
    """Whatever answers a question over a context's corpus with the context's reasoner."""

    def answer(self, question: str, context: "Context") -> Answer:
        """Answer; `coverage.judged` counts the chunks that were shown to the model.

        What was judged and kept stands in the context's run store, under the answer's run.

        Raises:
            HeadcountError: there is no answer; its text says why.
        """
        ...


@dataclass(frozen=True, slots=True)
class Main:
    """The main graph, as `headcount ask` runs it."""

    def answer(self, question: str, context: "Context") -> Answer:
        """Answer."""
        from agent.state import Question
        from graphs import build_graph

        out = build_graph().invoke(Question(question=question), context=context)
        return _stored(out, context)


@dataclass(frozen=True, slots=True)
class Analyst:
    """The analyst graph, which draws up records for each question by itself."""

    def answer(self, question: str, context: "Context") -> Answer:
        """Answer."""
        from agent.records.analysis import AnalystQuestion
        from graphs.analyst import build_analyst_graph

        asked = AnalystQuestion(question=question)
        return _stored(build_analyst_graph().invoke(asked, context=context), context)


@dataclass(frozen=True, slots=True)
class Baseline:
    """A baseline's graph."""

    build: Callable[[], "BaselineGraph"]

    def answer(self, question: str, context: "Context") -> Answer:
        """Answer."""
        from evals.baselines.state import BaselineQuestion

        out = (
            self.build()
            .compile()
            .invoke(BaselineQuestion(question=question), {"recursion_limit": 100}, context=context)
        )
        return _stored(out, context)


def _stored(out: Mapping[str, object], context: "Context") -> Answer:
    """Return the answer of a run that has ended; raise RunError where it has none."""
    answer = out.get("answer")
    if isinstance(answer, Answer):
        return answer
    run = str(out.get("run"))
    stored = context.store.answer(run)
    if stored is None:
        raise RunError(f"run {run!r} ended without an answer")
    return stored


def _llm_only() -> "BaselineGraph":
    from evals.baselines.llm_only import llm_only

    return llm_only()


def _naive_rag(k: int) -> Baseline:
    def build() -> "BaselineGraph":
        from evals.baselines.single_step import single_step

        return single_step(k, "dense")

    return Baseline(build)


def _hybrid_rag(k: int) -> Baseline:
    def build() -> "BaselineGraph":
        from evals.baselines.single_step import single_step

        return single_step(k, "hybrid")

    return Baseline(build)


DEPTHS = (5, 10, 20, 50)

SYSTEMS: Mapping[str, System] = {
    "main": Main(),
    "analyst": Analyst(),
    "llm-only": Baseline(_llm_only),
    **{f"naive-rag-{k}": _naive_rag(k) for k in DEPTHS},
    **{f"hybrid-rag-{k}": _hybrid_rag(k) for k in DEPTHS},
}
"""By name; the number at the end of a name is k."""


def system_of(name: str) -> System:
    """Return the system of a name.

    Raises:
        SettingsError: there is none.
    """
    if name not in SYSTEMS:
        raise SettingsError(f"there is no system {name!r}; choose one of {', '.join(SYSTEMS)}")
    return SYSTEMS[name]
