"""How far a limit can be moved that a word of degree or time means."""

from collections.abc import Iterable, Sequence

from agent.ambiguity import Ambiguity, Reading
from agent.corpus_view import CorpusView, FieldValue
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, Predicate, atoms
from agent.taxonomy import settling

__all__ = ("outermost",)

_LIMITING = frozenset(("at_least", "at_most", "more_than", "less_than"))


def outermost(ambiguity: Ambiguity, corpus: CorpusView) -> tuple[Reading, ...]:
    """Return readings with the limit as loose as it can be meant, and as tight, beyond all others.

    Readings of a threshold or a time are guesses of where a limit lies. Nobody calls the lesser
    half large or recent, so that the median is the loosest; the tightest time is the last, or
    first, that there is. What comes to the same from the one to the other comes to the same
    wherever a person would have put the limit. Of amounts the guesses hold the upper tenth, and
    the greatest of all would say of every word of degree that it matters.

    Returns:
        None of them where the readings differ in more than one limit, or go as far already.
    """
    read = [each.interpretation for each in ambiguity.readings]
    if ambiguity.code not in settling("limit") or len(read) < 2:
        return ()
    limits = [_limit(each, read) for each in read if each is not None]
    found = [each for each in limits if each is not None]
    if len(found) < len(read) or not _of_one(found):
        return ()
    moved = [_moved(ambiguity.readings[0], found[0], each) for each in _ends(found, corpus)]
    return tuple(each for each in moved if each is not None)


def _moved(first: Reading, limit: Predicate, value: str) -> Reading | None:
    """Return a reading with another value of its limit; None where it does not say the value."""
    old = limit.values[0]
    if first.interpretation is None or old not in first.question:
        return None
    return Reading(
        label=first.label.replace(old, value, 1),
        question=first.question.replace(old, value, 1),
        interpretation=_limited(first.interpretation, limit, value),
    )


def _ends(limits: Sequence[Predicate], corpus: CorpusView) -> list[str]:
    """Return the median where all limits are tighter, and the last time where all are looser."""
    first, guessed = limits[0], {each.values[0] for each in limits}
    values = corpus.field_values(first.field).values()
    known = _from_loose([told for each in values if (told := _said(each, first))], first)
    if not known:
        return []
    middle, last = known[len(known) // 2], known[-1]
    loosest = _from_loose([*guessed, middle], first)[0]
    tightest = _from_loose([*guessed, last], first)[-1]
    ends = [middle] if middle == loosest else []
    if last == tightest and _is_time(first, values):
        ends.append(last)
    return [each for each in dict.fromkeys(ends) if each not in guessed]


def _from_loose(values: Sequence[str], limit: Predicate) -> list[str]:
    """Return values as a limit's, the loosest first."""
    return sorted(values, key=_comparable, reverse=limit.comparison in {"at_most", "less_than"})


def _is_time(limit: Predicate, values: Iterable[FieldValue]) -> bool:
    return limit.of != "length" and any(each.date for each in values)


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


def _said(value: FieldValue, limit: Predicate) -> str:
    if limit.of == "length":
        return str(len(value.items))
    if value.number is not None:
        return f"{value.number:g}"
    return (value.date or "")[: len(limit.values[0])]


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
