"""The criteria of a question: a file that a person edits, and what an edit concerns."""

from typing import Any

import yaml
from pydantic import ValidationError

from agent.errors import QuestionError
from agent.interpretation import order_of
from agent.question import CRITERIA, Condition, Interpretation, atoms
from agent.replies import AtomReply, InterpretReply

EDITED = "the criteria are as a person edited them"
"""What an interpretation says of itself then."""
_HEAD = """\
# How the question is read. Of each condition: what counts, what one careful reader would count and
# another would not (borderline), and what looks alike but does not count (excludes).
"""
_UNSAID: dict[str, Any] = {"conditions": [], "logic": ""}


def criteria_text(question: str, reading: Interpretation) -> str:
    """Return an interpretation as YAML; what says nothing is left out, but for empty lists."""
    order = order_of(reading).model_copy(update={"assumptions": [*reading.granted]})
    whole, told = (order.model_dump(mode="json", exclude_defaults=each) for each in (False, True))
    shown = {
        "conditions": [
            {name: value for name, value in each.items() if name in CRITERIA or name in said}
            for each, said in zip(whole["conditions"], told["conditions"], strict=True)
        ]
    }
    said = {
        name: value for name, value in (told | shown).items() if value != _UNSAID.get(name, ...)
    }
    written = {"question": question, **said}
    return _HEAD + yaml.safe_dump(written, sort_keys=False, allow_unicode=True, width=100)


def criteria_from(text: str, name: str) -> tuple[str, InterpretReply]:
    """Return the question and the interpretation that a file's text holds.

    Raises QuestionError: it is no such file; `name` is what it is called.
    """
    try:
        told = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError) as error:
        raise QuestionError(f"{name} is no YAML: {' '.join(str(error).split())}") from error
    if not isinstance(told, dict) or not isinstance(told.get("conditions", []), list):
        raise QuestionError(f"{name} holds no criteria: `headcount criteria RUN FILE` writes some")
    question = str(told.pop("question", "") or "")
    try:
        conditions = [
            AtomReply.model_validate(_lists_of(each)) for each in told.get("conditions") or ()
        ]
        if empty := [each.id for each in conditions if not each.text.strip()]:
            raise QuestionError(f"{name}: condition {empty[0]} has no text")
        order = {**_UNSAID, **told, "conditions": conditions}
        return question, InterpretReply.model_validate(order)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "a condition"
        raise QuestionError(f"{name}: {place}: {first['msg']}") from error


def _lists_of(told: Any) -> dict[str, Any]:
    """Return a condition's members; an emptied list is empty."""
    members = told if isinstance(told, dict) else {"id": told}
    return members | {each: [] for each in CRITERIA if members.get(each, ...) is None}


def edit_of(
    before: Interpretation, after: Interpretation
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Compare two interpretations that differ in the words of their conditions alone.

    Return the ids of the conditions of which something that was found may not count any more, and
    of those of which something that was not may count now. Other assumptions, or another question,
    concern every condition that is read for.

    Raises QuestionError: they differ in more.

    >>> old = Interpretation(text="", entity_type="lease", conditions=Condition(id="a", text="x"))
    >>> new = Condition(id="a", text="x", excludes=("a mere option",))
    >>> edit_of(old, old.model_copy(update={"conditions": new}))
    (('a',), ())
    """
    if _frame(before) != _frame(after):
        raise QuestionError(
            "the new criteria change more than the words of the conditions: ask the question anew "
            "with them"
        )
    pairs = list(zip(atoms(before.conditions), atoms(after.conditions), strict=True))
    granted = [{*each.granted} - {EDITED} for each in (before, after)]
    if before.text != after.text or granted[0] != granted[1]:
        every = tuple(each.id for _, each in pairs if not each.by_code)
        return every, every
    narrowed = tuple(new.id for old, new in pairs if _may_lose(old, new))
    return narrowed, tuple(new.id for old, new in pairs if _may_lose(new, old))


def _frame(reading: Interpretation) -> str:
    """Return what has to stay for verdicts to be kept."""
    order = order_of(reading).model_copy(update={"restated": "", "assumptions": []})
    bare = {"text": "", **{each: [] for each in CRITERIA}}
    conditions = [each.model_copy(update=bare) for each in order.conditions]
    return order.model_copy(update={"conditions": conditions}).model_dump_json()


def _may_lose(old: Condition, new: Condition) -> bool:
    reworded = old.text != new.text or {*old.borderline} != {*new.borderline}
    return reworded or not {*old.counts} <= {*new.counts} or not {*new.excludes} <= {*old.excludes}
