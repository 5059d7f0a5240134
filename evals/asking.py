"""Asking a system one question, and reading from its run what was kept and judged."""

import time
from dataclasses import fields
from typing import TYPE_CHECKING

from pyroaring import BitMap

from agent.errors import RunError
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.records.analysis import AnalystQuestion, AnalystState
from evals.outcome import Outcome

if TYPE_CHECKING:
    from agent.records.record import RecordsPlace
    from evals.systems import System
    from graphs.context import Context
    from tools.corpus.corpus import Corpus

__all__ = ("analysed", "ask", "observed")

_ANALYSED = frozenset(field.name for field in fields(AnalystState))


def ask(question: str, corpus: "Corpus", reasoner: Reasoner, policy: Policy) -> Outcome:
    """Ask the main graph and wait for the answer.

    Raises:
        HeadcountError: whatever the graph raises; RunError where it ends without an answer.
    """
    from evals.systems import Main
    from graphs.context import Context

    return observed(Main(), question, Context(corpus=corpus, reasoner=reasoner, policy=policy))


def analysed(
    question: str, corpus: "Corpus", reasoner: Reasoner, policy: Policy
) -> tuple[Outcome, "RecordsPlace | None"]:
    """Ask the analyst; return what came of it, and where its records are.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from graphs.analyst import build_analyst_graph
    from graphs.analyst_nodes import with_records
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


def observed(system: "System", question: str, context: "Context") -> Outcome:
    """Ask any system; what it judged and kept stands in the run store, whatever it is.

    Raises:
        HeadcountError: whatever the system raises.
    """
    context.corpus.runs.mkdir(parents=True, exist_ok=True)
    with context.store:
        began = time.perf_counter()
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
    )


def _booked(run: str, context: "Context") -> tuple[BitMap, BitMap]:
    """Return the chunks judged yes, and those judged no; none where a run keeps no ledger."""
    from tools.runs.coverage_ledger import CoverageLedger

    try:
        book = CoverageLedger.stored(context.store, run)
    except RunError:
        return BitMap(), BitMap()
    yes = [book.ids(condition, "yes") for condition in book.conditions]
    no = [book.ids(condition, "no") for condition in book.conditions]
    return BitMap.union(*yes), BitMap.union(*no)
