"""The prompt that reads evidence: judge passages."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from agent.corpus import CorpusView
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition, Grain, Measure
from agent.reasoner import Prompt
from prompts.passages import nonce_of, numbered_passages
from prompts.plain_text import one_line
from prompts.template import render
from prompts.wording import condition_list

__all__ = ("judge",)

_REMARK = 300
"""Characters of a remark at most."""


def judge(
    *,
    conditions: Sequence[Condition],
    entity_type: str,
    grain: Grain,
    measure: Measure | None,
    passages: Sequence[Passage],
    corpus: CorpusView,
    remarks: Mapping[int, str] = MappingProxyType({}),
) -> Prompt:
    """Ask for the evidence in a batch of passages; replied with `JudgeReply`.

    What differs from batch to batch stands at the end, so that providers can cache what is before.
    `remarks` tells by a passage's number why an earlier reply about it could not be used.
    """
    nonce = nonce_of(passages)
    return render(
        "judge",
        {
            "counted": _counted(entity_type, grain),
            "conditions": _conditions(conditions),
            "measure": _measure(measure),
            "nonce": nonce,
            "passages": numbered_passages(passages, nonce),
            "once": _once(grain, _by_place(measure, conditions)),
            "closing": _closing(len(passages), remarks),
        },
        JudgeValues(
            conditions=tuple(conditions),
            entity_type=entity_type,
            grain=grain,
            measure=measure,
            passages=tuple(passages),
            corpus=corpus,
        ),
    )


def _counted(entity_type: str, grain: Grain) -> str:
    if grain == "document":
        return f"What is counted: {entity_type}. Each document is one, so leave `entity` empty."
    return (
        f"What is counted: {entity_type}. The passages name them, so give as `entity` the name "
        "as it is written there."
    )


def _conditions(conditions: Sequence[Condition]) -> str:
    if not conditions:
        return "No condition: naming such a thing is the evidence. Leave `condition` empty."
    return "The conditions, each with its id:\n" + condition_list(conditions)


def _by_place(measure: Measure | None, conditions: Sequence[Condition]) -> list[str]:
    """Return the conditions whose places only a reader can tell: mentions are found by code."""
    counted = measure.places if measure is not None else ()
    return [each.id for each in conditions if each.id in counted and not each.terms]


def _measure(measure: Measure | None) -> str:
    if measure is None or measure.places:
        return ""
    unit = f" Write the unit as {measure.unit!r} where it is that one." if measure.unit else ""
    return (
        f"\nWith each piece of evidence give the number wanted ({measure.text}) as `value`, with "
        f"its unit, where the passage states it; never convert or compute it.{unit}\n"
    )


def _once(grain: Grain, by_place: Sequence[str]) -> str:
    if by_place:
        named = " and ".join(by_place)
        return (
            f"Every single place that states {named} is counted: give one piece of evidence for "
            "each,\n  also where a passage has several; for other conditions one quote is enough."
        )
    if grain == "document":
        return "One quote is enough for a condition that a passage states several times."
    return (
        "Report every single entity; one quote is enough for a condition that a passage states "
        "several times of the same entity."
    )


def _closing(last: int, remarks: Mapping[int, str]) -> str:
    """Say how many passages there were, and what was wrong with earlier replies about them."""
    told = f"These were the passages 1 to {last}."
    if not remarks:
        return told
    lines = [
        f"- passage {number}: {one_line(remarks[number], _REMARK)}" for number in sorted(remarks)
    ]
    return "\n".join([told, "An earlier reply could not be used for these of them:", *lines])
