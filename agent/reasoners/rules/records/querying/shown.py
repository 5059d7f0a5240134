"""What a question for ranked rows shows: the noun asked for, and columns named besides."""

from typing import Final

from agent.reasoners.rules.language.words import PREPOSITIONS, singular, word_set
from agent.reasoners.rules.records.querying.bounds import compared_word
from agent.reasoners.rules.records.querying.heads import noun_end, one_kind
from agent.reasoners.rules.records.querying.mentions import Mention, says
from agent.reasoners.rules.records.querying.phrases import verbal
from agent.reasoners.rules.records.querying.ranking import Ranking
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Column
from agent.records.record_schema import AttributeType

__all__ = ("several_asked", "shown_columns")

_ASKING: Final = word_set("which what list show find give who identify report provide name")

_SHOWN: Final[tuple[AttributeType, ...]] = ("text", "integer", "number", "date")


def several_asked(reading: Reading) -> bool:
    """Use the noun of the things ranked; return whether it is a plural.

    It stands behind the opener or the number. Where it names nothing, the only kind is meant.
    """
    several = False
    for start in _head_places(reading):
        end = noun_end(reading, start)
        last = end - 1
        if last < start or last in reading.used:
            continue
        mention = next((each for each in reading.mentions if each.start <= last < each.end), None)
        if mention is None and reading.value_at(last) is None and one_kind(reading, last):
            several = several or singular(reading.low(last)) != reading.low(last)
            _use_compound(reading, start, last)
        elif mention is not None and mention.kinds:
            several = several or singular(reading.low(last)) != reading.low(last)
    return several


def _head_places(reading: Reading) -> list[int]:
    """Return where nouns begin that may name the things ranked: behind an opener or a number."""
    opens = [
        at + 1
        for at in range(len(reading.tokens) - 1)
        if (reading.low(at) in _ASKING or at in reading.used) and at + 1 not in reading.used
    ]
    return [at for at in opens if says(reading.tokens[at])]


def _use_compound(reading: Reading, start: int, end: int) -> None:
    """Use what a hyphen joins to the measure before a noun: `revenue-generating`."""
    for at in range(start, end):
        hyphen = reading.low(at + 1) == "-"
        if hyphen and any(each.start <= at < each.end for each in reading.mentions):
            reading.use(at, min(at + 3, end))


def shown_columns(reading: Reading, ranking: Ranking, measure: Column) -> tuple[Column, ...]:
    """Return the columns of text to show: named, and nothing said of their value."""
    found: list[Column] = []
    for mention in reading.mentions:
        if verbal(reading.low(mention.start)) or _limited(reading, mention):
            continue
        behind = ranking.end <= mention.start < noun_end(reading, ranking.end)
        if mention.start in reading.used or not mention.columns or behind:
            continue
        targets = [each for each in mention.columns if each.kind == measure.kind]
        column = reading.choose(targets, near=(measure.kind,), types=_SHOWN)
        follows = reading.low(mention.end)
        bare = follows in {"", ",", "and", "?", "."} or follows in PREPOSITIONS
        if (
            column is None
            or _kind_named(mention)
            or not (bare or says(reading.tokens[mention.end]))
        ):
            continue
        if reading.value_at(mention.end) is None and not _dated(reading, mention):
            reading.use(mention.start, mention.end)
            found.append(column)
    return tuple(dict.fromkeys(each for each in found if reading.type_of(each) == "text"))


def _kind_named(mention: Mention) -> bool:
    return bool(mention.kinds) and mention.kinds[0].strength >= mention.columns[0].strength


def _limited(reading: Reading, mention: Mention) -> bool:
    """Tell whether a comparison follows a column, so that it is a condition: `rating above 6`."""
    return compared_word(reading.tokens, mention.end) is not None


def _dated(reading: Reading, mention: Mention) -> bool:
    """Tell whether a number follows a column, so that it is a condition: `year 2020`."""
    at = mention.end + (reading.low(mention.end) in {"is", "of", "was"})
    return at < len(reading.tokens) and reading.tokens[at].kind == "number"
