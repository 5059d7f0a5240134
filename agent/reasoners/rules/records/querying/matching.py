"""Conditions that a column holds a value."""

from collections.abc import Iterable, Sequence
from typing import Final

from agent.reasoners.rules.language.words import singular, word_set
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.identity import own_key
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.phrases import alike, name_words, verbal
from agent.reasoners.rules.records.querying.values import ValueSpan, held
from agent.records.query_plan import AnyTest, Column, Compare, Test
from agent.records.record_schema import FoundValue

__all__ = ("held_behind", "number_of_row", "sexed", "valued")

_NAMES: Final = word_set("name title")
_SEXES: Final = word_set("male female")
_LONGEST: Final = 5
_PAIR: Final = 2


def held_behind(clauses: Clauses, mention: Mention, at: int) -> int | None:
    """Read a value right behind a column's name: quoted, looked up, or a number held as text."""
    reading = clauses.reading
    value = reading.value_at(at)
    if value is not None:
        return _spanned(clauses, mention, value)
    if mention.targets[0].attribute is None:
        return None
    for size in range(min(_LONGEST, len(reading.tokens) - at), 0, -1):
        written = reading.words(at, at + size).strip("\"'“”‘’")
        column, text = _holding(clauses, mention.columns, written)
        if column is not None:
            clauses.add(column.kind, mention.start, _equal(column, text))
            return _alternatives(clauses, column, at + size)
    return None


def _spanned(clauses: Clauses, mention: Mention, value: ValueSpan) -> int | None:
    """Take a value as one of the column named before it, if the column holds it or it is quoted."""
    reading = clauses.reading
    columns = {(each.kind, each.attribute) for each in mention.columns}
    inside = [each for each in value.found if (each.kind, each.attribute) in columns]
    owners = {each.kind for each in mention.kinds}
    if not inside and (owners & {each.kind for each in value.found} or not value.quoted):
        return None
    if inside:
        targets = [each for each in mention.columns if _among(each, inside)]
    else:
        targets = list(mention.columns)
    column = clauses.column(targets)
    if column is None:
        return None
    reading.use(value.start, value.end)
    clauses.add(column.kind, mention.start, _value_test(clauses, column, value))
    return _alternatives(clauses, column, value.end)


def _value_test(clauses: Clauses, column: Column, value: ValueSpan) -> Test:
    """Test for the value; a number where the column holds numbers."""
    if clauses.reading.type_of(column) in {"integer", "number"}:
        try:
            return Compare(left=column, comparator="=", value=float(value.text.replace(",", "")))
        except ValueError:
            pass
    written = held(clauses.reading.tables, column.kind, column.attribute, value.text)
    return Compare(left=column, comparator="=", value=written or value.text)


def _among(target: Target, found: Iterable[FoundValue]) -> bool:
    return any((each.kind, each.attribute) == (target.kind, target.attribute) for each in found)


def _holding(
    clauses: Clauses, targets: Sequence[Target], written: str
) -> tuple[Column | None, str]:
    """Return the column among the targets that holds the words, and the value as it holds it."""
    fitting = {}
    for target in targets:
        if target.attribute is not None and target.strength >= targets[0].strength - 0.3:
            text = held(clauses.reading.tables, target.kind, target.attribute, written)
            if text is not None:
                fitting[target] = text
    column = clauses.column(list(fitting))
    for target, text in fitting.items():
        if column and (target.kind, target.attribute) == (column.kind, column.attribute):
            return column, text
    return None, ""


def _alternatives(clauses: Clauses, column: Column, at: int) -> int:
    """Read `or "y"` behind a value of the same column."""
    reading = clauses.reading
    while reading.low(at) in {"or", ","}:
        step = at + 1 + (reading.low(at) == "," and reading.low(at + 1) == "or")
        value = reading.value_at(step)
        if value is None or not any(
            (each.kind, each.attribute) == (column.kind, column.attribute) for each in value.found
        ):
            break
        _widen(clauses, _value_test(clauses, column, value))
        reading.use(at, value.end)
        at = value.end
    return at


def _widen(clauses: Clauses, test: Test) -> None:
    """Add an alternative to the last condition."""
    last = clauses.found.pop()
    before = last.test.parts if isinstance(last.test, AnyTest) else (last.test,)
    parts = (*(each for each in before if each is not None), test)
    clauses.add(last.kind, last.at, AnyTest(parts=parts))


def _equal(column: Column, value: str) -> Compare:
    return Compare(left=column, comparator="=", value=value)


def valued(clauses: Clauses, at: int) -> int:
    """Read a value that no column's name stands before: the column is the one that fits best."""
    reading = clauses.reading
    value = reading.value_at(at)
    if value is None:
        return at + 1
    after = reading.mention_at(value.end)
    followed = [each.kind for each in after.kinds] if after is not None else []
    column = _best_column(clauses, value, after, followed)
    if column is None:
        return _split(clauses, value)
    if reading.low(at - 1) == "by" and _by_another(clauses, column, reading.low(at - 2)):
        reading.missing.append(reading.low(at - 2))
    reading.use(value.start, value.end)
    clauses.add(column.kind, value.start, _value_test(clauses, column, value))
    end = _alternatives(clauses, column, value.end)
    if after is not None and end == value.end and not followed and after.columns:
        reading.use(after.start, after.end)
        return after.end
    return end


def _by_another(clauses: Clauses, column: Column, verb: str) -> bool:
    """Tell whether a verb before `by` needs a doer that the column does not name."""
    schema = clauses.reading.tables.schema.kind(column.kind)
    attribute = schema.attribute(column.attribute) if schema is not None else None
    names = (attribute.name, *attribute.labels) if attribute is not None else ()
    doer = any(
        alike(verb, word) or _does(word, verb) for each in names for word in name_words(each)
    )
    return column.kind == clauses.base and verbal(verb) and not doer


def _does(noun: str, verb: str) -> bool:
    """Tell whether a noun is that of who does what a participle tells: `owner` and `owned`."""
    bare = verb.removesuffix("ed")
    return bare != verb and noun in {f"{bare}er", f"{bare}or", f"{bare}ers", f"{bare}ors"}


def _best_column(
    clauses: Clauses, value: ValueSpan, after: Mention | None, followed: Sequence[str]
) -> Column | None:
    """Return the column that holds a value: by the names next to it, nearness, and being a name."""
    if not value.found:
        return None
    exact = value.exact
    targets = []
    for each in value.found:
        strength = 1.0 if exact else 0.6
        words = name_words(each.attribute)
        strength += 0.15 * (words[-1] in _NAMES) + 0.4 * (each.kind in followed)
        strength += 0.4 * bool(after and any(_same(each, target) for target in after.columns))
        targets.append(Target(each.kind, each.attribute, strength))
    column = clauses.column(targets)
    return column if column is not None and _reached(clauses, column) else None


def _reached(clauses: Clauses, column: Column) -> bool:
    """Tell whether a value may be looked for in a column that the question does not name.

    Each row has at most one there, the column names things, or its kind is named: members who
    live in Norway are not those who borrowed a book of an author from there.
    """
    hops = clauses.reading.paths.path(clauses.base, column.kind)
    if hops is None:
        return False
    named = column.kind in clauses.reading.named_kinds()
    telling = name_words(column.attribute)[-1].endswith(tuple(_NAMES))
    return named or telling or len(hops) < _PAIR or all(hop.forward for hop in hops)


def sexed(clauses: Clauses, at: int) -> int | None:
    """Read `female` where a kind at hand has a column for the sex."""
    reading = clauses.reading
    if singular(reading.low(at)) not in _SEXES:
        return None
    after = reading.mention_at(at + 1)
    near = [each.kind for each in after.kinds[:1]] if after is not None else []
    for kind in dict.fromkeys((*near, clauses.focus, clauses.base)):
        schema = reading.tables.schema.kind(kind)
        for attribute in schema.attributes if schema is not None else ():
            value = held(reading.tables, kind, attribute.name, reading.low(at))
            if value is not None:
                column = Column(kind=kind, attribute=attribute.name)
                clauses.add(kind, at, _equal(column, value))
                reading.use(at, at + 1)
                return at + 1
    return None


def _same(found: FoundValue, target: Target) -> bool:
    return (found.kind, found.attribute) == (target.kind, target.attribute)


def _split(clauses: Clauses, value: ValueSpan) -> int:
    """Read `Linda Smith` as two values of one row, where no column holds the whole."""
    words = value.text.split()
    tables = clauses.reading.tables
    if len(words) != _PAIR:
        return value.end
    first, second = (
        [each for each in tables.find(word) if str(each.value).casefold() == word.casefold()]
        for word in words
    )
    pairs = [(a, b) for a in first for b in second if a.kind == b.kind != "" and a != b]
    pairs = [(a, b) for a, b in pairs if a.attribute != b.attribute]
    kinds = [Target(a.kind, a.attribute, 1.0) for a, _ in pairs]
    column = clauses.column(kinds)
    for a, b in pairs:
        if column is not None and (a.kind, a.attribute) == (column.kind, column.attribute):
            for each in (a, b):
                test = _equal(Column(kind=each.kind, attribute=each.attribute), str(each.value))
                clauses.add(each.kind, value.start, test)
            clauses.reading.use(value.start, value.end)
            break
    return value.end


def number_of_row(clauses: Clauses, at: int, kind: str) -> int | None:
    """Read a number right behind a kind as its key: `student 1001`."""
    reading = clauses.reading
    if at >= len(reading.tokens) or reading.tokens[at].kind != "number":
        return None
    schema = reading.tables.schema.kind(kind)
    key = own_key(reading.tables, schema) if schema is not None else None
    if key is None:
        return None
    text = reading.tokens[at].text
    number = reading.type_of(key) in {"integer", "number"}
    value: str | float = float(text.replace(",", "")) if number else text
    clauses.add(kind, at, Compare(left=key, comparator="=", value=value))
    reading.use(at, at + 1)
    return at + 1
