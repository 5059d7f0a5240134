"""Asking a graph one question, and reading from its run what was kept and judged."""

import time
from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from pyroaring import BitMap

from agent.errors import RunError
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.records.analysis import AnalystQuestion, AnalystState
from agent.state import Question, State
from evals.outcome import Outcome

if TYPE_CHECKING:
    from agent.records.place import RecordsPlace
    from graphs.context import Context
    from tools.corpus.corpus import Corpus

__all__ = ("analysed", "ask")

_KNOWN = frozenset(field.name for field in fields(State))
_ANALYSED = frozenset(field.name for field in fields(AnalystState))


def ask(question: str, corpus: "Corpus", reasoner: Reasoner, policy: Policy) -> Outcome:
    """Ask the question and wait for the answer.

    Raises:
        HeadcountError: whatever the graph raises; RunError where it ends without an answer.
    """
    from graphs import build_graph
    from graphs.context import Context

    context = Context(corpus=corpus, reasoner=reasoner, policy=policy)
    corpus.runs.mkdir(parents=True, exist_ok=True)
    with context.store:
        began = time.perf_counter()
        values: dict[str, Any] = {}
        asked = Question(question=question)
        for step in build_graph().stream(asked, context=context, stream_mode="values"):
            values = step
        return _outcome(values, context, time.perf_counter() - began)


def analysed(
    question: str, corpus: "Corpus", reasoner: Reasoner, policy: Policy
) -> tuple[Outcome, "RecordsPlace | None"]:
    """Ask the analyst; return what came of it, and where its records are.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from graphs.analyst import build_analyst_graph
    from graphs.analyst_nodes.extract import with_records
    from graphs.context import Context

    context = Context(corpus=corpus, reasoner=reasoner, policy=policy)
    corpus.runs.mkdir(parents=True, exist_ok=True)
    with context.store:
        asked = AnalystQuestion(question=question)
        began = time.perf_counter()
        out = build_analyst_graph().invoke(asked, context=context)
        seconds = time.perf_counter() - began
    state = AnalystState(**{name: value for name, value in out.items() if name in _ANALYSED})
    return Outcome(answer=out["answer"], seconds=seconds), with_records(state, context).records


def _outcome(values: Mapping[str, Any], context: "Context", seconds: float) -> Outcome:
    state = State(**{name: value for name, value in values.items() if name in _KNOWN})
    answer = state.answer or context.store.answer(state.run)
    if answer is None:
        raise RunError(f"run {state.run!r} ended without an answer")
    yes, no = _verdicts(state, context)
    kept = context.store.ids(state.snapshot) if state.snapshot else BitMap()
    return Outcome(
        answer=answer,
        kept=frozenset(kept | yes | no),
        matched=frozenset(yes),
        seconds=seconds,
    )


def _verdicts(state: State, context: "Context") -> tuple[BitMap, BitMap]:
    """Return the chunks judged yes, and those judged no, on some condition."""
    from graphs.scope import ledger

    book = ledger(state, context)
    yes = [book.ids(condition, "yes") for condition in book.conditions]
    no = [book.ids(condition, "no") for condition in book.conditions]
    return BitMap.union(*yes), BitMap.union(*no)
