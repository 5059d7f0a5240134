"""Rows put in order by a measure: the top three by revenue, the customer with the most orders."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.words import singular, word_set
from agent.reasoners.rules.records.querying.grouping import group_columns
from agent.reasoners.rules.records.querying.growth import Growth, find_growth
from agent.reasoners.rules.records.querying.heads import next_kinds, noun_end
from agent.reasoners.rules.records.querying.identity import naming_columns
from agent.reasoners.rules.records.querying.mentions import Mention, says
from agent.reasoners.rules.records.querying.moments import is_moment
from agent.reasoners.rules.records.querying.phrases import alike, name_words
from agent.reasoners.rules.records.querying.ranking import Ranking
from agent.reasoners.rules.records.querying.reading import Reading
from agent.reasoners.rules.records.querying.shape import AGGREGATES, NUMBERS, Shape
from agent.reasoners.rules.records.querying.shown import several_asked, shown_columns
from agent.records.query_plan import Column

__all__ = ("ranked",)

_RANKED: Final = word_set("ranked ranking sorted ordered order by on")
_BEGINNINGS: Final = word_set(
    "built constructed founded established born birth created opened launched made inaugurated"
)
_EXPLICIT: Final = 0.8
_FEW: Final = 3
"""How many rows a plural superlative without a number is taken to ask for."""


def ranked(reading: Reading, ranking: Ranking) -> Shape | None:
    """Read what is ranked and by what; None where the question names no measure."""
    averaged = _averaged(reading, ranking)
    if averaged is not None:
        return averaged
    counts = [reading.low(ranking.end), reading.low(ranking.end + 1)] == ["number", "of"]
    if counts and reading.mention_at(ranking.end) is None:
        reading.use(ranking.end, ranking.end + 2)
        most = _by_count(reading, replace(ranking, end=ranking.end + 2, measures=()))
        if most is not None:
            return most
        ranking = replace(ranking, end=ranking.end + 2, measures=())
    growth = find_growth(reading)
    mention = growth.measure if growth is not None else _measure(reading, ranking)
    if mention is None:
        return _by_count(reading, ranking) or _by_adjective(reading, ranking)
    column = _number_column(reading, mention)
    if column is None:
        return None
    _note(reading, ranking, mention, column)
    if growth is None and _extreme(reading, ranking, mention):
        reading.use(mention.start, mention.end)
        return Shape("max" if ranking.up else "min", column.kind, column)
    return _ordered(reading, ranking, column, growth)


def _extreme(reading: Reading, ranking: Ranking, mention: Mention) -> bool:
    """Tell whether only the greatest or least value is asked for: `what is the highest price`."""
    before = range(ranking.start)
    plain = all(not says(reading.tokens[at]) for at in before)
    opened = reading.low(0) not in {"which", "who"}
    return plain and opened and ranking.limit is None and mention.start == ranking.end


def _averaged(reading: Reading, ranking: Ranking) -> Shape | None:
    """Read `which city has the highest average price`: groups ordered by an aggregate."""
    operation = AGGREGATES.get(reading.low(ranking.end))
    mention = next((each for each in reading.mentions if each.start > ranking.end), None)
    owner = reading.mentions[0] if reading.mentions else None
    if operation is None or mention is None or owner is None or owner.end > ranking.start:
        return None
    column = _number_column(reading, mention)
    if column is None or mention.start > ranking.end + 3:
        return None
    groups = group_columns(reading, owner, column.kind)
    reading.use(ranking.end, mention.end)
    reading.use(owner.start, owner.end)
    shape = Shape(operation, column.kind, column, group_by=groups)
    limit = ranking.limit or (_FEW if _plural(reading, owner) else 1)
    return replace(shape, order=ranking.order, limit=limit) if groups else None


def _plural(reading: Reading, mention: Mention) -> bool:
    last = reading.low(mention.end - 1)
    return singular(last) != last


def _measure(reading: Reading, ranking: Ranking) -> Mention | None:
    """Return the name of what is ranked by.

    It stands behind the superlative or behind `by`. Where the words there name a column only in
    part, or none, the one number column that the question names in full is meant: `the exact
    profit margins of the three most successful firms`.
    """
    numeric = [each for each in reading.mentions if _numeric(reading, each)]
    end = noun_end(reading, ranking.end)
    behind = [each for each in numeric if ranking.end <= each.start < max(end, ranking.end + 1)]
    by = [each for each in numeric if _after_by(reading, each)]
    direct = [*behind, *by]
    sure = [each for each in direct if each.strength >= _EXPLICIT]
    if sure:
        return sure[0]
    explicit = [each for each in numeric if each.strength >= _EXPLICIT]
    columns = {_number_column(reading, each) for each in explicit}
    if len(columns) == 1:
        return explicit[0]
    return direct[0] if direct else None


def _numeric(reading: Reading, mention: Mention) -> bool:
    """Tell whether a mention is rather a column of numbers than a kind."""
    best = max((each.strength for each in mention.columns), default=0.0)
    kind = max((each.strength for each in mention.kinds), default=0.0)
    return kind < best and _number_column(reading, mention) is not None


def _number_column(reading: Reading, mention: Mention) -> Column | None:
    near = next_kinds(reading, mention.end)
    return reading.choose(mention.columns, near=(*near, *near[:1]), types=NUMBERS)


def _after_by(reading: Reading, mention: Mention) -> bool:
    before = [reading.low(mention.start - step) for step in (1, 2, 3)]
    return before[0] in _RANKED or (before[:2] == ["of", "terms"] and before[2] == "in")


def _note(reading: Reading, ranking: Ranking, mention: Mention, column: Column) -> None:
    """Use the measure's names, and say where it is taken for other words than its own."""
    for each in reading.mentions:
        if _may_mean(each, column) and not _limited(reading, each):
            reading.use(each.start, each.end)
    if reading.low(mention.start - 1) == "by" and reading.low(mention.start - 2) in _RANKED:
        reading.use(mention.start - 2, mention.start)
    end = noun_end(reading, ranking.end)
    words = [at for at in range(ranking.end, end) if says(reading.tokens[at])]
    other = [at for at in words if reading.value_at(at) is None and not _plural_head(reading, at)]
    if not mention.start >= ranking.end or mention.strength < _EXPLICIT:
        reading.use(mention.start, mention.end)
        if other and _free(reading, other, mention, column):
            said = reading.words(other[0], other[-1] + 1)
            reading.use(other[0], other[-1] + 1)
            reading.notes.append(f"“{said}” is taken as {column.attribute.replace('_', ' ')}")


def _may_mean(mention: Mention, column: Column) -> bool:
    return any((t.kind, t.attribute) == (column.kind, column.attribute) for t in mention.columns)


def _free(reading: Reading, places: Sequence[int], mention: Mention, column: Column) -> bool:
    """Tell whether words behind a superlative name no other column."""
    others = [each for each in reading.mentions if each.start in places and each is not mention]
    return all(_may_mean(each, column) for each in others)


def _limited(reading: Reading, mention: Mention) -> bool:
    return reading.low(mention.end) in {"above", "below", "over", "under", "is", "of", "between"}


def _plural_head(reading: Reading, at: int) -> bool:
    """Tell whether the noun that ends a noun phrase stands at a token, naming nothing."""
    named = any(each.start <= at < each.end for each in reading.mentions)
    last = at + 1 == noun_end(reading, at)
    return not named and last and singular(reading.low(at)) != reading.low(at)


def _ordered(
    reading: Reading, ranking: Ranking, column: Column, growth: Growth | None
) -> Shape | None:
    kind = reading.tables.schema.kind(column.kind)
    if kind is None:
        return None
    several = several_asked(reading)
    show = shown_columns(reading, ranking, column) or naming_columns(reading.tables, kind)
    limit = None if ranking.every else ranking.limit or 1
    if ranking.limit is None and several and not ranking.every:
        limit = _FEW
        reading.notes.append(f"the first {limit} are meant, as no number is given")
    shape = Shape("list", column.kind, column, order=ranking.order, limit=limit, show=show)
    if growth is None:
        return shape
    change = growth.change(reading, column, naming_columns(reading.tables, kind))
    return replace(shape, change=change) if change is not None else shape


def _by_count(reading: Reading, ranking: Ranking) -> Shape | None:
    """Read `which customer has the most orders`: groups ordered by how many rows they have."""
    counted = reading.mention_at(ranking.end)
    if counted is None or not counted.kinds or ranking.measures:
        return None
    base = counted.kinds[0].kind
    own = _grouped_by_own(reading, ranking, base)
    if own is not None:
        reading.use(counted.start, counted.end)
        return own
    owners = [each for each in next_kinds(reading, 0) if each != base]
    kind = reading.tables.schema.kind(owners[0]) if owners else None
    hops = reading.paths.path(base, owners[0]) if owners else None
    if kind is None or not hops or not all(hop.forward for hop in hops):
        return None
    reading.use(counted.start, counted.end)
    names = naming_columns(reading.tables, kind)
    several = several_asked(reading)
    limit = ranking.limit or (_FEW if several else 1)
    return Shape("count", base, group_by=names, order=ranking.order, limit=limit)


def _by_time(reading: Reading, ranking: Ranking, name: str) -> Shape | None:
    """Read `the oldest bridges` by the only column of time, where none tells an age."""
    kind = reading.tables.schema.kind(name)
    aged = "age" in ranking.measures
    if kind is None or not (aged or ranking.of_time):
        return None
    if aged and any("age" in name_words(each.name) for each in kind.attributes):
        return None
    moments = [each for each in kind.attributes if is_moment(each)
               or (aged and each.type == "integer" and _begins(each.name))]  # fmt: skip
    begun = [each for each in moments if _begins(each.name)] if aged else []
    moments = begun if len(moments) > 1 else moments
    if len(moments) != 1:
        return None
    said = moments[0].name.replace("_", " ")
    reading.notes.append(f"age is told by the {said}" if aged else f"time is the {said}")
    turned = replace(ranking, up=not ranking.up) if aged else ranking
    return _ordered(reading, turned, Column(kind=name, attribute=moments[0].name), None)


def _begins(name: str) -> bool:
    """Tell whether a column of time is called after a coming into being: `built`, `opened on`."""
    return any(alike(word, each) >= 1 for word in name_words(name) for each in _BEGINNINGS)


def _grouped_by_own(reading: Reading, ranking: Ranking, base: str) -> Shape | None:
    """Read `which city has the most hotels`, where the city is a column of the hotels."""
    owner = next((each for each in reading.mentions if each.end <= ranking.start), None)
    if owner is None or not owner.columns or owner.kinds:
        return None
    own = [each for each in owner.columns if each.kind == base and each.strength >= _EXPLICIT]
    column = reading.choose(own, near=(base,))
    if column is None:
        return None
    reading.use(owner.start, owner.end)
    limit = ranking.limit or (_FEW if _plural(reading, owner) else 1)
    return Shape("count", base, group_by=(column,), order=ranking.order, limit=limit)


def _by_adjective(reading: Reading, ranking: Ranking) -> Shape | None:
    """Read `the oldest players`: the adjective tells what is measured."""
    for name in next_kinds(reading, 0):
        kind = reading.tables.schema.kind(name)
        moment = _by_time(reading, ranking, name)
        if moment is not None:
            return moment
        for wanted in ranking.measures:
            for attribute in kind.attributes if kind is not None else ():
                words = name_words(attribute.name)
                if attribute.type in NUMBERS and any(alike(each, wanted) >= 1 for each in words):
                    column = Column(kind=name, attribute=attribute.name)
                    return _ordered(reading, ranking, column, None)
    return None
