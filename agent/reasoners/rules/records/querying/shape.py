"""What a question asks for: a number of what, an aggregate of which column, or which rows."""

from dataclasses import dataclass, replace
from typing import Final, Literal

from agent.reasoners.rules.language.words import PREPOSITIONS, RELATIVES, singular, word_set
from agent.reasoners.rules.records.querying.adjectives import superlative_at
from agent.reasoners.rules.records.querying.grouping import group_columns
from agent.reasoners.rules.records.querying.heads import (
    counted_head,
    next_kinds,
    one_kind,
)
from agent.reasoners.rules.records.querying.mentions import Mention, says
from agent.reasoners.rules.records.querying.moments import is_moment
from agent.reasoners.rules.records.querying.phrases import IDENTIFYING, name_words, verbal
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Change, Column, Having, QueryOperation
from agent.records.record_schema import AttributeType

__all__ = ("AGGREGATES", "NUMBERS", "Shape", "aggregated", "counted", "grouped", "share_of")

NUMBERS: Final[tuple[AttributeType, ...]] = ("integer", "number")
AGGREGATES: Final[dict[str, QueryOperation]] = {
    "average": "avg", "mean": "avg", "avg": "avg", "total": "sum", "sum": "sum",
    "combined": "sum", "median": "median", "maximum": "max", "max": "max", "minimum": "min",
    "min": "min", "variance": "variance", "stdev": "stdev",
}  # fmt: skip
_COMPARING: Final = word_set("above below than over under exceeds exceed to")
_SHARES: Final = word_set("percentage percent proportion share fraction part")
_DIFFERENT: Final = word_set("different distinct unique kinds types")
_COUNTS: Final = word_set("number num count total no nr quantity")
_GAP: Final = 6


@dataclass(frozen=True, slots=True)
class Shape:
    """What is asked for, without the conditions."""

    operation: QueryOperation
    base: str
    """The kind whose rows are asked for or counted."""
    measure: Column | None = None
    distinct: tuple[Column, ...] = ()
    group_by: tuple[Column, ...] = ()
    having: tuple[Having, ...] = ()
    order: Literal["ascending", "descending"] | None = None
    limit: int | None = None
    show: tuple[Column, ...] = ()
    change: Change | None = None
    per: str | None = None
    """The kind that a count is divided by: `average number of orders per customer`."""
    spread: bool = False
    """Whether the least is taken from the greatest."""
    share: bool = False
    """Whether the count is divided by the count without conditions."""


def counted(reading: Reading) -> Shape | None:
    """Read `how many …`, `the number of …`, `count the …`; None for another question."""
    at = _count_opener(reading)
    if at is None:
        return None
    head = counted_head(reading, at)
    if head is None:
        return _unnamed(reading, at)
    mention, kind, column = head
    reading.use(mention.start, mention.end)
    if column is None:
        return Shape("count", kind)
    if _amounts(reading, column, at, mention):
        said = column.attribute.replace("_", " ")
        reading.notes.append(f"{said} is added up, as it is a number itself")
        average = any(reading.low(step) == "average" for step in range(at))
        reading.use(0, at)
        return Shape("avg" if average else "sum", kind, measure=column)
    return Shape("count_distinct", kind, distinct=(column,))


def _amounts(reading: Reading, column: Column, at: int, mention: Mention) -> bool:
    """Tell whether a column that is counted holds the number: `how many rooms does … have`."""
    kind = reading.tables.schema.kind(column.kind)
    attribute = kind.attribute(column.attribute) if kind is not None else None
    lows = {reading.low(step) for step in range(at, mention.end)}
    if attribute is None or attribute.type not in NUMBERS or lows & _DIFFERENT:
        return False
    words = name_words(attribute.name)
    many = singular(words[-1]) != words[-1] or bool(set(words) & _COUNTS)
    key = len(words) > 1 and words[-1] in IDENTIFYING
    return many and not key and not is_moment(attribute)


def _unnamed(reading: Reading, at: int) -> Shape | None:
    """Count the only kind's rows, whatever the question calls them."""
    kind = one_kind(reading, at)
    return Shape("count", kind) if kind is not None else None


def _count_opener(reading: Reading) -> int | None:
    """Return where what is counted begins; the opener's tokens are used."""
    for at in range(len(reading.tokens)):
        low, after = reading.low(at), reading.low(at + 1)
        if low == "how" and after == "many":
            if [reading.low(0), reading.low(1)] == ["on", "average"]:
                reading.use(0, 2)
            reading.use(at, at + 2)
            return at + 2
        if low in {"number", "count"} and after == "of" and _counts(reading, at):
            reading.use(0, at + 2)
            return at + 2
        if low == "count" and at == 0:
            start = at + 1
            while reading.low(start) in {"the", "number", "of", "all"}:
                start += 1
            reading.use(0, start)
            return start
    return None


def _counts(reading: Reading, at: int) -> bool:
    """Tell whether `number of` is asked for, and is not a column's name or averaged."""
    before = [reading.low(step) for step in range(at)]
    named = any(each.start <= at < each.end for each in reading.mentions)
    said = [word for word in before if word in AGGREGATES and word != "total"]
    if any(superlative_at(reading.tokens, step) is not None for step in range(at)):
        return False
    opened = all(
        not says(reading.tokens[step]) or word in {"total", "number", "exact", "find", "show"}
        for step, word in enumerate(before)
        if word not in {"determine", "compute", "calculate", "display", "get", "overall"}
    )
    return not named and not said and opened


def aggregated(reading: Reading) -> Shape | None:
    """Read `the average height of …`: one number from a column of numbers."""
    for at in range(len(reading.tokens)):
        operation = AGGREGATES.get(reading.low(at))
        if operation is None or _compares(reading, at) or _inside_name(reading, at):
            continue
        mention = _measure_after(reading, at)
        if mention is not None:
            return _measured(reading, operation, mention, at)
        if operation == "avg":
            return _averaged_count(reading, at)
        if operation == "sum":
            continue
    return None


def _compares(reading: Reading, at: int) -> bool:
    before = {reading.low(at - 1), reading.low(at - 2) if reading.low(at - 1) == "the" else ""}
    chosen = at > 0 and superlative_at(reading.tokens, at - 1) is not None
    return bool(before & _COMPARING) or reading.low(at - 1) == "in" or chosen


def _inside_name(reading: Reading, at: int) -> bool:
    """Tell whether the word belongs to a column's name, as in `total assets`.

    The mean of a column that is called an average is asked for by the same words: right behind
    the opener it is computed.
    """
    inside = any(each.start <= at < each.end for each in reading.mentions)
    opened = all(not says(reading.tokens[step]) for step in range(at))
    if AGGREGATES.get(reading.low(at)) == "sum" and opened and _whole_kind(reading, at):
        return False
    return inside and not (opened and AGGREGATES.get(reading.low(at)) in {"avg", "max", "min"})


def _whole_kind(reading: Reading, at: int) -> bool:
    """Tell whether `total` adds up a column that only a label calls so, over all rows of a kind."""
    mention = next((each for each in reading.mentions if each.start <= at < each.end), None)
    best = mention.targets[0].attribute if mention is not None else None
    if mention is None or best is None or "total" in name_words(best):
        return False
    behind = mention.end + 1 + (reading.low(mention.end + 1) in {"all", "the"})
    noun = reading.mention_at(behind)
    return reading.low(mention.end) in {"of", "over", "for"} and bool(noun and noun.kinds)


def _measure_after(reading: Reading, at: int) -> Mention | None:
    """Return the first name behind an aggregate that may be a column of numbers."""
    for mention in reading.mentions:
        if mention.end <= at or mention.start > at + _GAP or mention.start in reading.used:
            continue
        column = reading.choose(mention.columns, types=NUMBERS)
        if column is not None and not _only_key(mention):
            return mention
    return None


def _only_key(mention: Mention) -> bool:
    """Tell whether the words name a kind and only by it the key of its rows."""
    best = max((each.strength for each in mention.columns), default=0.0)
    return bool(mention.kinds) and mention.kinds[0].strength > best


def _measured(
    reading: Reading, operation: QueryOperation, mention: Mention, at: int
) -> Shape | None:
    near = next_kinds(reading, mention.end)
    column = reading.choose(mention.columns, near=(*near, *near[:1]), types=NUMBERS)
    if column is None:
        return None
    skipped = [step for step in range(at + 1, mention.start) if says(reading.tokens[step])]
    skipped = [step for step in skipped if reading.low(step) != "number"]
    if skipped and all(reading.mention_at(step) is None for step in skipped):
        said = reading.words(skipped[0], mention.end)
        reading.notes.append(f"“{said}” is taken as {column.attribute.replace('_', ' ')}")
        reading.use(skipped[0], mention.start)
    reading.use(at, at + 1)
    reading.use(mention.start, mention.end)
    return Shape(operation, column.kind, measure=column)


def _averaged_count(reading: Reading, at: int) -> Shape | None:
    """Read `the average number of orders per customer`: one count divided by another."""
    if [reading.low(at + 1), reading.low(at + 2)] != ["number", "of"]:
        return None
    head = counted_head(reading, at + 3)
    if head is None or head[2] is not None:
        return None
    mention, kind, _ = head
    others = [each for each in next_kinds(reading, mention.end) if each != kind]
    if not others:
        return None
    reading.use(at, mention.end)
    return replace(Shape("count", _counted_per(reading, kind, others[0])), per=others[0])


def _counted_per(reading: Reading, kind: str, owner: str) -> str:
    """Return the kind whose rows are counted for each owner: what links them, if many to many."""
    hops = reading.paths.path(kind, owner) or []
    kinds = [kind, *(hop.kind for hop in hops)]
    return next(
        (each for at, each in enumerate(kinds) if all(hop.forward for hop in hops[at:])), kind
    )


def share_of(reading: Reading) -> Shape | None:
    """Read `what percentage of orders were …`: a count divided by that without conditions."""
    for at in range(len(reading.tokens) - 1):
        if reading.low(at) in _SHARES and reading.low(at + 1) == "of":
            head = None if _inside_name(reading, at) else counted_head(reading, at + 2)
            if head is not None and head[2] is None and not _described(reading, head[0].end):
                reading.use(0, head[0].end)
                return Shape("count", head[1], share=True)
    return None


def _described(reading: Reading, at: int) -> bool:
    """Tell whether a noun has a condition of its own behind it: `hotels in Lyon`."""
    low = reading.low(at)
    return low in PREPOSITIONS | RELATIVES or verbal(low)


def grouped(reading: Reading, shape: Shape, group: Mention) -> Shape:
    """Return the shape with one result for each value of what is grouped by."""
    if shape.per is not None:
        return shape
    return replace(shape, group_by=group_columns(reading, group, shape.base))
