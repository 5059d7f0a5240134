"""The noun of a question: the kind or the column that it asks for."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    PREPOSITIONS,
    RELATIVES,
    singular,
    word_set,
)
from agent.reasoners.rules.reading.question_words import asks
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.mentions import Mention, says
from agent.reasoners.rules.records.querying.phrases import IDENTIFYING, alike, name_words, verbal
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Column

__all__ = ("counted_head", "next_kinds", "noun_end", "one_kind", "referred_to")

_ENDS: Final = AUXILIARIES | RELATIVES | PREPOSITIONS | {"?", ".", ","}
_SORTS: Final = word_set("kinds types sorts varieties kind type sort")
_PASSED: Final = word_set("different distinct unique all the of total")
_KIND_SURE: Final = 0.39
_MARGIN: Final = 0.05


def noun_end(reading: Reading, at: int) -> int:
    """Return where the noun that begins at a token ends: before a verb, preposition or relative."""
    named = False
    while at < len(reading.tokens) and reading.low(at) not in _ENDS:
        mention = reading.mention_at(at)
        plural = at > 0 and singular(reading.low(at - 1)) != reading.low(at - 1)
        if (named or plural) and (at in reading.used or verbal(reading.low(at))):
            break
        if named and plural and mention is not None and not mention.kinds:
            break
        if named and plural and mention is None and _predicate(reading, at):
            break
        named = named or mention is not None
        at = mention.end if mention is not None else at + 1
    return at


def _predicate(reading: Reading, at: int) -> bool:
    """Tell whether a verb in the present may follow a plural: `employees work in …`."""
    token = reading.tokens[at]
    bare = token.kind == "word" and not token.capital and singular(token.low) == token.low
    return bare and reading.value_at(at) is None


def counted_head(reading: Reading, at: int) -> tuple[Mention, str, Column | None] | None:
    """Return the name of what is counted from a token on, its kind, and its column if it is one.

    A name at the end of the noun is what is counted; names before it describe it.
    """
    if reading.low(at) == "times":
        return _event(reading, at)
    while reading.low(at) in _PASSED:
        at += 1
    if reading.low(at) in _SORTS and reading.low(at + 1) == "of":
        named = reading.mention_at(at)
        if named is None:
            at += 2
    end = noun_end(reading, at)
    inside = [each for each in reading.mentions if at <= each.start < max(end, at + 1)]
    if not inside:
        return _by_value(reading, at, end)
    if not inside or any(_left_over(reading, step) for step in range(inside[-1].end, end)):
        return None
    return _meant(reading, inside[-1])


def _by_value(reading: Reading, at: int, end: int) -> tuple[Mention, str, Column | None] | None:
    """Return the kind of which the noun is a value: engineers are employees with that title."""
    for value in reading.values:
        kinds = {each.kind for each in value.found} if value.exact else set()
        if value.start >= at and value.end == end and len(kinds) == 1:
            kind = kinds.pop()
            reading.notes.append(f"“{value.text}” is looked for among {kind} records")
            return Mention(value.start, value.start, ()), kind, None
    return None


def _left_over(reading: Reading, at: int) -> bool:
    """Tell whether a noun that names nothing stands at a token; a verb or value may."""
    token = reading.tokens[at]
    verb = verbal(token.low) or asks(token.low)
    return says(token) and not verb and reading.value_at(at) is None and at not in reading.used


def _meant(reading: Reading, mention: Mention) -> tuple[Mention, str, Column | None] | None:
    """Choose between kind and column; a key such as `order_id` is its kind's."""
    kind = next((each for each in mention.kinds if each.strength >= _KIND_SURE), None)
    columns = [each for each in mention.columns if not _key(each.attribute or "")]
    best = max((each.strength for each in columns), default=0.0)
    if kind is not None and kind.strength >= best - _MARGIN:
        return mention, reading.kind_among(mention) or kind.kind, None
    near = next_kinds(reading, mention.end)
    column = reading.choose(columns or mention.columns, near=(*near, *near[:1]))
    said = [reading.low(at) for at in range(mention.start, mention.end)]
    own = (
        any(alike(word, part) >= 1 for word in said for part in name_words(column.kind))
        if column
        else False
    )
    if column is None or not (own or _near_enough(reading, column, near)):
        return None
    column = column if near else referred_to(reading, column, columns)
    return mention, column.kind, column


def referred_to(reading: Reading, column: Column, meant: Sequence[Target]) -> Column:
    """Return the column that holds a thing once, where the one given only refers to it.

    Of things that a crew list and a register both name, the register has all.
    """
    names = {(each.kind, each.attribute) for each in meant}
    for link in reading.tables.schema.links:
        to = (link.to_kind, link.to_attribute)
        if (link.kind, link.attribute) == (column.kind, column.attribute) and to in names:
            return Column(kind=link.to_kind, attribute=link.to_attribute)
    return column


def _near_enough(reading: Reading, column: Column, named: Sequence[str]) -> bool:
    """Tell whether a column is of a kind that is named, or that rows of a named kind have one of.

    `countries of the swimmers` are not those of the stadiums that swimmers have been in.
    """
    paths = [reading.paths.path(kind, column.kind) for kind in named]
    reached = [path for path in paths if path is not None]
    return not named or any(all(hop.forward for hop in path) or len(path) < 2 for path in reached)


def _key(attribute: str) -> bool:
    words = name_words(attribute)
    return len(words) > 1 and words[-1] in IDENTIFYING - {"name", "title"}


def _event(reading: Reading, at: int) -> tuple[Mention, str, Column | None] | None:
    """Return the kind that a verb names: `how many times has Ann visited …` counts visits."""
    for mention in reading.mentions:
        word = reading.low(mention.start)
        verb = verbal(word) or reading.low(mention.start - 1) in AUXILIARIES
        kind = next((each for each in mention.kinds if each.strength >= _KIND_SURE), None)
        if mention.start > at and kind is not None and verb and mention.end == mention.start + 1:
            reading.use(at, at + 1)
            return mention, kind.kind, None
    return None


def next_kinds(reading: Reading, at: int) -> list[str]:
    """Return the kinds named from a token on, in order, then those before it."""
    named = reading.named_kinds()
    behind = [each for each in reading.mentions if each.start >= at]
    before = [each for each in reversed(reading.mentions) if each.end <= at]
    found = [
        target.kind
        for mention in behind + before
        for target in mention.kinds[:1]
        if target.kind in named
    ]
    return list(dict.fromkeys(found))


def one_kind(reading: Reading, at: int) -> str | None:
    """Return the only kind there is for a noun that names nothing, and say so; else None."""
    kinds = reading.tables.schema.kinds
    end = noun_end(reading, at)
    words = [step for step in range(at, end) if says(reading.tokens[step])]
    words = [step for step in words if step not in reading.used]
    if len(kinds) != 1 or not words:
        return None
    said = reading.words(words[-1], words[-1] + 1)
    reading.notes.append(f"each {kinds[0].name} record is taken as one of the “{said}”")
    reading.use(words[-1], words[-1] + 1)
    return kinds[0].name
