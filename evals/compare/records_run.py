"""Asking every question of every setting, and what came of it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent import errors
from agent.policy import Policy
from agent.records.query_plan import Plan
from evals.compare.records_cases import DRAWN, Bench, Filled
from evals.compare.records_scores import Reading, count_error, is_right
from evals.compare.records_settings import Setting
from evals.outcome import Outcome
from evals.questions import Record as Question

__all__ = ("Compared", "Result", "compared")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One question."""

    id: str
    operation: str
    lists: bool
    """Whether it needs an attribute of which a record has several values."""
    right: bool
    answered: bool
    """Whether there was any answer: none is better than a wrong one."""
    error: float | None
    """NACE, for counts."""
    calls: int
    why: str = ""
    """Why there is no answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One setting with all its questions."""

    setting: Setting
    reading: Reading
    calls: int
    """Requests for schema and records."""
    results: tuple[Result, ...]


def compared(
    bench: Bench, rows: Sequence[Setting], say: Callable[[str], None]
) -> Iterator[Compared]:
    """Fill and ask, setting by setting.

    Raises:
        HeadcountError: documents cannot be indexed, a schema drawn up or records filled.
    """
    for row in rows:
        filled = bench.filled(row.recipe, row.schema, row.reader)
        asked, groups = bench.questions(row.recipe)
        lists = bench.lists(row.recipe)
        questions = [each for each in asked if each.id in lists or not row.lists]
        plans = bench.plans(row.recipe) if row.planner == DRAWN else {}
        say(f"asking {len(questions)} questions: {row.data}, planned by {row.planner}")
        results = [
            _result(
                each,
                _outcome(bench, filled, row, each, plans.get(each.id)),
                groups.get(each.id),
                needs_list=each.id in lists,
            )
            for each in questions
        ]
        faults = [each.why for each in results if each.why and not _told(each.why)]
        if faults:
            say(f"{len(faults)} questions ended in a fault, the first in {faults[0]}")
        yield Compared(
            setting=row, reading=filled.reading, calls=filled.calls, results=tuple(results)
        )


def _told(why: str) -> bool:
    """Tell whether an error is one that the product tells people, not a fault of its own."""
    return hasattr(errors, why.partition(":")[0]) and not why.startswith("ProgramFault")


def _result(
    question: Question, outcome: Outcome, groups: Mapping[str, float] | None, *, needs_list: bool
) -> Result:
    answer = outcome.answered
    return Result(
        id=question.id,
        operation=question.aggregation,
        lists=needs_list,
        right=is_right(question, groups, answer),
        answered=answer is not None,
        error=count_error(question, answer),
        calls=answer.cost.model_calls if answer else 0,
        why=outcome.error,
    )


def _outcome(
    bench: Bench, filled: Filled, row: Setting, question: Question, plan: Plan | None
) -> Outcome:
    """Ask; a question that cannot be answered is a result like any other."""
    policy = Policy(route=row.route, disambiguation="none")
    try:
        return bench.ask(filled, question, policy, judge=row.reader, plan=plan)
    except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
        return Outcome(error=f"{type(error).__name__}: {error}")
