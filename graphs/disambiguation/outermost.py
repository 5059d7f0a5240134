"""The loosest limit that a word of degree or time can mean: the middle of what there is."""

from collections.abc import Sequence

from agent.ambiguity import Ambiguity, Reading
from agent.corpus import CorpusView, FieldValue
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, Predicate, atoms

__all__ = ("outermost",)

_LIMITING = frozenset(("at_least", "at_most", "more_than", "less_than"))


def outermost(ambiguity: Ambiguity, corpus: CorpusView) -> Reading | None:
    """Return a reading with the limit at the median of its field, beyond those of all readings.

    Readings of a threshold or a time are guesses of where a limit lies. Nobody calls the lesser
    half large or recent: what comes to the same from the guesses out to the median comes to the
    same wherever a person would have put the limit.

    Returns:
        None where the readings differ in more than one limit, or one is as loose already.
    """
    read = [each.interpretation for each in ambiguity.readings]
    if ambiguity.code not in {"A1", "A2"} or len(read) < 2:
        return None
    limits = [_limit(each, read) for each in read if each is not None]
    found = [each for each in limits if each is not None]
    first = ambiguity.readings[0]
    if len(found) < len(read) or first.interpretation is None or not _of_one(found):
        return None
    old, middle = found[0].values[0], _middle(found[0], corpus)
    if middle is None or old not in first.question or _beyond(found, middle):
        return None
    return Reading(
        label=first.label.replace(old, middle, 1),
        question=first.question.replace(old, middle, 1),
        interpretation=_limited(first.interpretation, found[0], middle),
    )


def _limit(
    reading: Interpretation | None, others: Sequence[Interpretation | None]
) -> Predicate | None:
    """Return the one limit that a reading has and not all of the others have."""
    own = [each for each in _predicates(reading) if each.comparison in _LIMITING]
    new = [each for each in own if any(each not in _predicates(other) for other in others)]
    return new[0] if len(new) == 1 and len(new[0].values) == 1 else None


def _predicates(reading: Interpretation | None) -> list[Predicate]:
    conditions = None if reading is None else reading.conditions
    return [each.predicate for each in atoms(conditions) if each.predicate is not None]


def _of_one(limits: Sequence[Predicate]) -> bool:
    """Tell whether limits bound the same field from the same side."""
    return len({(each.field, each.comparison, each.of) for each in limits}) == 1


def _middle(limit: Predicate, corpus: CorpusView) -> str | None:
    """Return the median of a limit's field, as exact as the limit says its own."""
    values = corpus.field_values(limit.field).values()
    known = [told for each in values if (told := _said(each, limit))]
    return sorted(known, key=_comparable)[len(known) // 2] if known else None


def _said(value: FieldValue, limit: Predicate) -> str:
    if limit.of == "length":
        return str(len(value.items))
    if value.number is not None:
        return f"{value.number:g}"
    return (value.date or "")[: len(limit.values[0])]


def _beyond(limits: Sequence[Predicate], middle: str) -> bool:
    """Tell whether a limit is as loose as the median, or looser."""
    values = [_comparable(each.values[0]) for each in limits]
    least = limits[0].comparison in {"at_least", "more_than"}
    return _comparable(middle) >= min(values) if least else _comparable(middle) <= max(values)


def _comparable(value: str) -> tuple[float, str]:
    """Return what orders numbers by size and dates by time."""
    try:
        return float(value), ""
    except ValueError:
        return 0.0, value


def _limited(reading: Interpretation, limit: Predicate, middle: str) -> Interpretation:
    """Return a reading with another value of its limit."""
    old = limit.values[0]

    def moved(node: Node) -> Node:
        match node:
            case Condition():
                if node.predicate != limit:
                    return node
                other = limit.model_copy(update={"values": (middle,)})
                told = node.text.replace(old, middle, 1)
                return node.model_copy(update={"predicate": other, "text": told})
            case Not():
                return Not(part=moved(node.part))
            case AllOf() | AnyOf():
                return node.model_copy(update={"parts": tuple(map(moved, node.parts))})

    conditions = None if reading.conditions is None else moved(reading.conditions)
    told = reading.text.replace(old, middle, 1)
    return reading.model_copy(update={"conditions": conditions, "text": told})
