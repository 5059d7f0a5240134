"""Questions for rows: which are there, which columns of them, which come first."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.heads import next_kinds, referred_to
from agent.reasoners.rules.records.querying.identity import naming_columns
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.ranked import ranked
from agent.reasoners.rules.records.querying.ranking import find_ranking, spread_of
from agent.reasoners.rules.records.querying.reading import Reading
from agent.reasoners.rules.records.querying.shape import NUMBERS, Shape
from agent.records.query_plan import Column
from agent.records.record_schema import AttributeType

__all__ = ("listed",)

_ASKING: Final = word_set(
    "which what list show find give who name identify report provide tell return display get when "
    "where how"
)
_ADVERBS: Final[dict[str, tuple[AttributeType, ...]]] = {
    "when": ("date",), "where": ("text",), "how": ("integer", "number"),
}  # fmt: skip
_OPENING: Final = 6
_INTRODUCING: Final = word_set("with whose where that who having have has had")


def listed(reading: Reading) -> Shape | None:
    """Read a question for rows; None where it asks for none."""
    if not any(reading.low(at) in _ASKING for at in range(min(_OPENING, len(reading.tokens)))):
        return None
    if reading.low(0) in _ADVERBS:
        return _told(reading)
    if spread_of(reading):
        return _spread(reading)
    ranking = find_ranking(reading)
    return ranked(reading, ranking) if ranking is not None else _plain(reading)


def _told(reading: Reading) -> Shape | None:
    """Read `when did … open` and `how tall is …`: a column of the rows, by its type."""
    types = _ADVERBS[reading.low(0)]
    if reading.low(1) == "many" or any(
        token.low in {"total", "altogether"} for token in reading.tokens
    ):
        return None
    for mention in reading.mentions:
        near = next_kinds(reading, mention.end)
        column = reading.choose(mention.columns, near=(*near, *near[:1]), types=types)
        if (
            column is not None
            and not _kind_first(mention)
            and reading.value_at(mention.end) is None
        ):
            reading.use(0, 2 if reading.low(0) == "how" else 1)
            reading.use(mention.start, mention.end)
            return Shape("list", column.kind, show=(column,))
    return None


def _spread(reading: Reading) -> Shape | None:
    """Read `the difference between the highest and the lowest price`."""
    for mention in reading.mentions:
        near = next_kinds(reading, mention.end)
        column = reading.choose(mention.columns, near=(*near, *near[:1]), types=NUMBERS)
        if column is not None and not _kind_first(mention):
            reading.use(mention.start, mention.end)
            return Shape("max", column.kind, column, spread=True)
    return None


def _plain(reading: Reading) -> Shape | None:
    """Read a list without order: columns of rows, or rows by their names."""
    first = reading.mentions[0] if reading.mentions else None
    if first is None:
        return None
    if first.columns and not _kind_first(first):
        return _columns_of(reading, next_kinds(reading, 0))
    kind = reading.tables.schema.kind(reading.kind_among(first) or "")
    if kind is None:
        return None
    reading.use(first.start, first.end)
    return Shape("list", kind.name, show=naming_columns(reading.tables, kind))


def _kind_first(mention: Mention) -> bool:
    best = max((each.strength for each in mention.columns), default=0.0)
    return bool(mention.kinds) and mention.kinds[0].strength >= best


def _columns_of(reading: Reading, kinds: list[str]) -> Shape | None:
    """Read `the names and ages of the players …`."""
    columns: list[Column] = []
    for mention in reading.mentions:
        joined = not columns or _joined(reading, mention.start)
        near = (*kinds, *kinds[:1])
        column = reading.choose(mention.columns, near=near) if joined else None
        if column is None or _kind_first(mention):
            break
        columns.append(
            column if columns or kinds else referred_to(reading, column, mention.columns)
        )
        reading.use(mention.start, mention.end)
    if not columns:
        return None
    base = columns[0].kind
    show = tuple(each for each in columns if each.kind == base)
    return Shape("list", base, show=show, distinct=show if len(show) == 1 else ())


def _joined(reading: Reading, at: int) -> bool:
    """Tell whether a name goes on with an enumeration: `and the age`."""
    while reading.low(at - 1) in {"the", "exact", "their", "its"}:
        at -= 1
    return reading.low(at - 1) in {"and", ","}
