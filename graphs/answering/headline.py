"""An answer's number in one line, what bounds it in sentences, and all of it as a message."""

from agent.answer import Answer
from agent.question import MEASURE, atoms
from agent.value import counted, number

_COUNTED = frozenset({"count", "list", "group_by"})
_RANKED = 3
"""Items of a ranking that its headline names."""


def headline(answer: Answer) -> str:
    """Format the number with its unit and bounds; of a ranking the first items with theirs."""
    if answer.status == "candidates":
        passages = sum(len(each.evidence) for each in answer.entities)
        documents = counted(len(answer.entities), "document")
        return f"{counted(passages, 'candidate passage')} in {documents}"
    unit = f" {answer.unit}" if answer.unit else ""
    value = answer.value
    if answer.interpretation is not None and answer.interpretation.operation == "top_k":
        ranked = [each for each in answer.entities if each.value is not None]
        first = [
            f"{each.name}: {number(each.value or 0)}{f' {each.unit}' if each.unit else ''}"
            for each in ranked[:_RANKED]
        ]
        left = f", and {len(ranked) - len(first)} more" if len(ranked) > len(first) else ""
        if first:
            return f"{', '.join(first)}{left}{', partial' * (answer.status == 'partial')}"
    if isinstance(value, dict):
        return ", ".join(f"{group}: {number(count)}" for group, count in value.items()) + unit
    shown = "no value" if value is None else f"{number(value)}{unit}"
    bounds = answer.bounds
    open_ = bounds is not None and bounds[0] != bounds[1]
    parts = [f"between {number(bounds[0])} and {number(bounds[1])}"] if bounds and open_ else []
    if answer.likely and open_:
        low, high = map(number, answer.likely)
        parts += [f"likely {low}" if low == high else f"likely {low} to {high}"]
    parts += ["partial"] if answer.status == "partial" else []
    return f"{shown} ({', '.join(parts)})" if open_ else ", ".join([shown, *parts])


def in_plain_words(answer: Answer) -> list[str]:
    """Say what bounds the number, in whole sentences; nothing of what has no number."""
    decided = decided_by(answer)
    by_code = f"Every document was decided by its {decided}, by code: nobody read the texts."
    if answer.status == "candidates" or answer.value is None:
        return []
    if isinstance(answer.value, dict):
        unread = not (decided or answer.cost.model_calls + answer.cost.cached_calls)
        computed = "Computed from the fields by code: nobody read the texts."
        return [by_code if decided else computed if unread else "Nothing bounds these numbers."]
    if answer.bounds is None:
        return ["Nothing bounds this number."]
    low, high = answer.bounds
    if low == high:
        return [by_code if decided else "Nothing that could change this number is left unread."]
    sure = answer.completeness.confidence
    at = f", at a confidence of {sure:.0%}" if sure and sure < 1 else ""
    within = f"It is at least {number(low)} and at most {number(high)}{at}"
    told = [f"{within}: what is borderline, or was not read, can change it within these."]
    if answer.likely:
        first, last = map(number, answer.likely)
        between = first if first == last else f"{first} to {last}"
        told.append(f"Most likely it is {between} (4 times in 5).")
    return told


def decided_by(answer: Answer) -> str:
    """Name what decided all conditions by code; empty where a reader decided or measured."""
    reading = answer.interpretation
    every = list(atoms(reading.conditions)) if reading else []
    if not every or not all(each.by_code for each in every) or answer.coverage.unseen:
        return ""
    measured = {shown.condition for entity in answer.entities for shown in entity.evidence}
    computed = reading is not None and reading.operation not in _COUNTED
    if MEASURE in measured or (computed and not answer.entities):
        return ""
    fields = ["fields"] if any(each.predicate for each in every) else []
    return " and ".join([*fields, *(["words"] if any(each.literal for each in every) else [])])


def message_text(answer: Answer) -> str:
    """Write an answer for a conversation: the number, its bounds, the first items with places.

    No words are quoted: a conversation is kept, and what it is kept in may be read by others.
    """
    kept, told = answer.kept, [f"**{headline(answer)}**"]
    if answer.status == "candidates":
        told = [f"Nobody has read these: {told[0]}. With a model they are read."]
    for each in kept.readings:
        told.append(
            f"{each.interpretation.text if each.interpretation else ''} **{headline(each)}**"
        )
    if answer.interpretation is not None and not kept.readings:
        told += [answer.interpretation.text, *answer.interpretation.assumptions]
        told += in_plain_words(answer)
    for item in kept.entities:
        places = [f" ({each.document}, {each.place})" for each in item.evidence]
        told.append(f"- {item.name}{''.join(places)}")
    return "\n\n".join([*told, *(f"note: {each}" for each in kept.warnings), f"run {answer.run}"])
