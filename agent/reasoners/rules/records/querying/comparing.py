"""Conditions told behind a column's name: amounts, averages, other columns, parts of words."""

from typing import Final

from agent.reasoners.rules.language.words import word_set
from agent.reasoners.rules.records.querying.bounds import Limit, compared_word, limit_at
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.counting import counted
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.limiting import limit_test, rate_behind, rather_kind
from agent.reasoners.rules.records.querying.matching import held_behind
from agent.reasoners.rules.records.querying.means import of_mean
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.moments import holds_time
from agent.reasoners.rules.records.querying.phrases import verbal
from agent.records.query_plan import Column, Comparator, Compare
from agent.records.record_schema import AttributeType

__all__ = ("completed", "present_in")

_LINKING: Final = word_set(
    "is are was were be been being of as the a an to in with named called equal equals has have "
    "had that which does do did their its at by for on whose exactly value : ="
)
_MEASURED: Final[tuple[AttributeType, ...]] = ("integer", "number", "date")
_HOLDING: Final = word_set(
    "contain contains containing include includes including has have having had with"
)
_PIECES: Final = word_set("word words substring string text letter letters phrase term characters")
_OPENING: Final = word_set("start starts starting begin begins beginning")
_WHEN: Final = word_set("in during since before after until from by")
_STEPS: Final = 6
_LEADING: Final = word_set("by of from for among")
_SURE: Final = 0.8
_MARGIN: Final = 0.3
_OWNING: Final = word_set("has have having had with without no any")


def completed(clauses: Clauses, mention: Mention) -> int | None:
    """Read what is said of a column behind its name; None where nothing is."""
    reading = clauses.reading
    at, denied = mention.end, False
    for _ in range(_STEPS):
        for read in (of_mean, _amount, _other_column, _text_part, held_behind):
            end = read(clauses, mention, at)
            if end is not None:
                reading.use(mention.start, end)
                return end
        if reading.low(at) == "not" and not denied:
            denied = True
            clauses.deny()
        elif reading.low(at) not in _LINKING:
            break
        at += 1
    if denied:
        clauses.scope = 0
    return None


def _amount(clauses: Clauses, mention: Mention, at: int) -> int | None:
    """Read `tonnage of at least 300`; an equal number may be a text, as an account's name."""
    limit = limit_at(clauses.reading, at)
    if limit is None or counted(clauses, at, dry=True):
        return None
    rate = rate_behind(clauses, limit) if mention.strength < _SURE else None
    if rate is not None:
        clauses.add(rate[0].kind, mention.start, limit_test(clauses, rate[0], limit))
        return rate[1]
    told = _told_behind(clauses, mention, limit)
    if told is not None:
        return told
    column = clauses.column(mention.columns, _MEASURED)
    if column is None or rather_kind(mention, column) or _only_time(clauses, column, limit, at):
        return None
    clauses.add(column.kind, mention.start, limit_test(clauses, column, limit))
    return limit.end


def _told_behind(clauses: Clauses, mention: Mention, limit: Limit) -> int | None:
    """Read `scored above 6 by critics`: of columns named in part, the one named on both sides."""
    reading = clauses.reading
    other = reading.mention_at(limit.end + 1)
    if mention.strength >= _SURE or other is None or reading.low(limit.end) not in _LEADING:
        return None
    first = {(each.kind, each.attribute) for each in mention.columns}
    both = [each for each in other.columns if (each.kind, each.attribute) in first]
    column = clauses.column(both, _MEASURED)
    if column is None or other.kinds:
        return None
    clauses.add(column.kind, mention.start, limit_test(clauses, column, limit))
    reading.use(other.start, other.end)
    return other.end


def _only_time(clauses: Clauses, column: Column, limit: Limit, at: int) -> bool:
    """Tell whether `in 2021` behind a column that holds no years is when, not how much."""
    before = {clauses.reading.low(at), clauses.reading.low(at - 1)}
    return (
        (limit.dated or limit.may_be_year)
        and bool(before & _WHEN)
        and not holds_time(clauses, column)
    )


def _other_column(clauses: Clauses, mention: Mention, at: int) -> int | None:
    """Read `budget smaller than the amount spent`: two columns of one row."""
    reading = clauses.reading
    compared = compared_word(reading.tokens, at)
    if compared is None:
        return None
    comparator, step = compared
    step += reading.low(step) in {"the", "its", "their"}
    other = reading.mention_at(step)
    left = clauses.column(mention.columns, _MEASURED)
    if other is None or left is None or not other.columns:
        return None
    same = [each for each in other.columns if each.kind == left.kind]
    right = reading.choose(same, near=(left.kind,), types=_MEASURED)
    if right is None or right == left:
        return None
    clauses.add(left.kind, mention.start, Compare(left=left, comparator=comparator, column=right))
    return other.end


def _text_part(clauses: Clauses, mention: Mention, at: int) -> int | None:
    """Read `contain the word "x"` and `starts with "x"`."""
    reading = clauses.reading
    low, step = reading.low(at), at + 1
    comparator: Comparator = "starts_with" if low in _OPENING else "contains"
    if low not in _OPENING | _HOLDING:
        return None
    step += reading.low(step) in {"with", "in"}
    step += reading.low(step) in {"the", "a", "an"}
    pieced = reading.low(step) in _PIECES
    step += pieced
    value = reading.value_at(step)
    plain = low in {"has", "have", "having", "had", "with"} and not pieced
    column = clauses.column(mention.columns, ("text",))
    if value is None or column is None or plain:
        return None
    test = Compare(left=column, comparator=comparator, value=value.text)
    clauses.add(column.kind, mention.start, test)
    return value.end


def present_in(clauses: Clauses, mention: Mention) -> int | None:
    """Read a column of yes or no by its name alone, and `with a phone number` as having one."""
    reading = clauses.reading
    column = clauses.column(_surest(mention), ("boolean",))
    if column is not None:
        test = Compare(left=column, comparator="=", value=True)
    else:
        column = clauses.column(mention.columns)
        before = reading.low(mention.start - 1)
        before = reading.low(mention.start - 2) if before in {"a", "an", "the", "any"} else before
        verb = verbal(reading.low(mention.start))
        if column is None or verb or mention.strength < _SURE or before not in _OWNING:
            return None
        if _happens_in(clauses, mention, column):
            return mention.end
        test = Compare(left=column, comparator="not_null")
    clauses.add(column.kind, mention.start, test)
    reading.use(mention.start, mention.end)
    return mention.end


def _happens_in(clauses: Clauses, mention: Mention, column: Column) -> bool:
    """Tell whether `with races in Linz` only says where, and use the words: races are a number."""
    reading = clauses.reading
    number = reading.type_of(column) in {"integer", "number"}
    placed = reading.low(mention.end) in {"in", "at"}
    if number and placed and reading.value_at(mention.end + 1) is not None:
        reading.use(mention.start, mention.end)
        return True
    return False


def _surest(mention: Mention) -> list[Target]:
    """Return the columns that the words mean as surely as any: a yes or no is not said in part."""
    best = max((each.strength for each in mention.columns), default=0.0)
    return [each for each in mention.columns if each.strength >= best - _MARGIN]
