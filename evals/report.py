"""The result of a run as JSON; other programs read its keys."""

from collections.abc import Sequence
from dataclasses import asdict

from pydantic import JsonValue

from evals.comparison import compare, to_json
from evals.run import Asked
from evals.summary import GROUPINGS, by_kind, summarise

__all__ = ("QUESTION_KEYS", "report")

QUESTION_KEYS = (
    "id",
    "value",
    "gold",
    "precision",
    "recall",
    "f1",
    "chunk_recall_filtered",
    "chunk_recall_judged",
    "judged_share",
    "calls",
    "input_tokens",
    "seconds",
    "status",
)


def report(asked: Sequence[Asked], reasoner: str) -> dict[str, JsonValue]:
    """Return `{"summary": …, "questions": […]}`.

    The summary holds, besides `questions` and `reasoner`: `total`, and `by` aggregation, logic
    and decided_by, each a figure's value with `low`, `high` (95 %) and `n`; `errors` by question;
    `baseline`, null where it was not measured.
    """
    by: dict[str, JsonValue] = {
        attribute: {kind: _figures(found) for kind, found in by_kind(asked, attribute).items()}
        for attribute in GROUPINGS
    }
    return {
        "summary": {
            "questions": len(asked),
            "reasoner": reasoner,
            "total": _figures(asked),
            "by": by,
            "errors": {each.record.id: each.error for each in asked if each.error},
            "baseline": to_json(compare(asked)),
        },
        "questions": [{key: getattr(each.score, key) for key in QUESTION_KEYS} for each in asked],
    }


def _figures(asked: Sequence[Asked]) -> JsonValue:
    return {name: asdict(figure) for name, figure in summarise(asked).items()}
