"""Systems that answer a question over a corpus, ours and others, by name and measured alike."""

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from agent.adf_state import Retrieval
from agent.answer import Answer
from agent.errors import RunError, SettingsError
from agent.records.analysis import AnalystQuestion
from agent.state import Question
from evals.baselines.diversify import diversify_verify_adapt
from evals.baselines.full_scan import full_scan
from evals.baselines.iterative import iterative
from evals.baselines.llm_only import llm_only
from evals.baselines.note_taking import note_taking
from evals.baselines.react import react
from evals.baselines.single_step import single_step
from evals.baselines.state import BaselineQuestion
from evals.baselines.step import BaselineGraph
from evals.baselines.team import team
from evals.baselines.tool_agent import tool_agent
from evals.outside import COMMAND, TIMEOUT, Command
from evals.prepared import fill_records
from graphs.analyst import build_analyst_graph
from graphs.context import Context
from graphs.headcount import build_graph

__all__ = (
    "BASELINES",
    "DEPTHS",
    "SYSTEMS",
    "Analyst",
    "Baseline",
    "Main",
    "Records",
    "System",
    "system_of",
)

DEPTHS: Final = (5, 10, 20, 50)
"""k of the retrieving baselines (DFA, appendix A.7.1)."""
_FILLING: Final[Mapping[str, Retrieval]] = {"naive-rag": "dense", "hybrid-rag": "hybrid"}
_STEPS: Final = 100
"""Steps of a baseline's graph at most."""


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
        asked = AnalystQuestion(question=question)
        return _stored(build_analyst_graph().invoke(asked, context=context), context)


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
    """A baseline's graph."""

    build: Callable[[], BaselineGraph]
    tokens: int | None = None
    """What one question may cost, so that what is left decides how much is shown; None is no
    limit."""

    def answer(self, question: str, context: Context) -> Answer:
        """Answer."""
        graph = self.build().compile()
        asked = BaselineQuestion(question=question, tokens=self.tokens)
        return _stored(graph.invoke(asked, {"recursion_limit": _STEPS}, context=context), context)


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
    "llm-only": Baseline(llm_only),
    **{f"naive-rag-{k}": Baseline(partial(single_step, k, "dense")) for k in DEPTHS},
    **{f"hybrid-rag-{k}": Baseline(partial(single_step, k, "hybrid")) for k in DEPTHS},
    **{
        f"{name}-full": Baseline(partial(single_step, None, mode))
        for name, mode in _FILLING.items()
    },
    **{f"iterative-rag-{k}": Baseline(partial(iterative, k, "hybrid")) for k in DEPTHS},
    **{f"note-taking-{k}": Baseline(partial(note_taking, k, "dense")) for k in DEPTHS},
    **{f"react-{k}": Baseline(partial(react, k, "dense")) for k in DEPTHS},
    "tool-agent": Baseline(tool_agent),
    **{f"multi-agent-{k}": Baseline(partial(team, k, "hybrid")) for k in DEPTHS},
    "diversify-verify": Baseline(partial(diversify_verify_adapt, 5, "hybrid")),
    "full-scan": Baseline(full_scan),
    "records-alone": Records(),
}
"""By name; the number at the end of a name is k, the chunks of one search; `full` is as many as the
budget and the reader's context hold."""

SYSTEMS: Mapping[str, System] = {"main": Main(), "analyst": Analyst(), **BASELINES}
"""All that have a name; an outside program is named by its command."""


def system_of(name: str, *, timeout: float = TIMEOUT, tokens: int | None = None) -> System:
    """Return the system of a name; `command:…` is an outside program.

    Args:
        name: of `SYSTEMS`, or the program's command line behind `command:`.
        timeout: seconds that an outside program may take for one question.
        tokens: what the reasoner may spend on one question, for systems that fit their requests to
            it; None is no limit. The main graph learns of it when the reasoner refuses.

    Raises:
        SettingsError: there is none of that name, or no such program.
    """
    if name.startswith(COMMAND):
        command = Command.of(name, timeout)
        if shutil.which(command.words[0]) is None:
            raise SettingsError(f"{command.words[0]!r} is no program that can be started")
        return command
    if name not in SYSTEMS:
        raise SettingsError(
            f"there is no system {name!r}; choose one of {', '.join(SYSTEMS)}, or {COMMAND}PROGRAM"
        )
    system = SYSTEMS[name]
    if isinstance(system, Baseline) and tokens is not None:
        return replace(system, tokens=tokens)
    return system
