"""Groups: `for each city`, `per department`, `by year`."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.identity import naming_columns
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Column

__all__ = ("find_group", "group_columns")

_EACH: Final = word_set("each every")
_LEADING: Final = word_set("for in of from at by within across with")
_FIRST: Final = word_set("top bottom first last")
_SURE: Final = 0.8


def find_group(reading: Reading) -> Mention | None:
    """Return the name that results are grouped by, and use its tokens; None without one."""
    for mention in reading.mentions:
        start = _opening(reading, mention)
        if start is not None:
            reading.use(start, mention.end)
            return mention
    return None


def _opening(reading: Reading, mention: Mention) -> int | None:
    """Return where the words that make a name a group begin."""
    at = mention.start
    before, earlier = reading.low(at - 1), reading.low(at - 2)
    if before in _EACH:
        return at - 2 if earlier in _LEADING else at - 1
    if before == "per":
        return at - 1
    grouped = earlier in {"grouped", "broken", "split"} or reading.low(mention.end) in {
        "",
        "?",
        ".",
    }
    named = mention.targets[0].attribute is not None and mention.strength >= _SURE
    if before == "by" and _ranks(reading):
        return None
    plain = earlier not in {"ranked", "ordered", "sorted"} and not earlier.endswith("ed")
    if before == "by" and grouped and named and (plain or earlier == "grouped"):
        return at - 1
    return None


def _ranks(reading: Reading) -> bool:
    """Tell whether the question asks for the first of an order: `the top three … by …`."""
    places = [at for at, token in enumerate(reading.tokens) if token.low in _FIRST]
    return any(not any(each.start <= at < each.end for each in reading.mentions) for at in places)


def group_columns(reading: Reading, mention: Mention, base: str) -> tuple[Column, ...]:
    """Return the columns whose values make the groups: the one named, or a kind's names."""
    kinds = mention.kinds
    best = max((each.strength for each in mention.columns), default=0.0)
    own = [each for each in mention.columns if each.kind == base and each.strength >= _SURE]
    if own and (not kinds or kinds[0].strength < own[0].strength):
        column = reading.choose(own, near=(base,))
        return (column,) if column is not None else ()
    if kinds and kinds[0].strength >= best:
        kind = reading.tables.schema.kind(kinds[0].kind)
        return naming_columns(reading.tables, kind) if kind is not None else ()
    column = reading.choose(mention.columns, near=(base, base))
    return (column,) if column is not None else ()
