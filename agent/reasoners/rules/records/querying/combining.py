"""Two numbers put together, each planned by itself."""

import re
from collections.abc import Callable, Iterator
from typing import Final

from agent.reasoners.rules.language.words import AUXILIARIES, word_set
from agent.reasoners.rules.records.querying.pairs import Pair, pairs_of, sides_of
from agent.reasoners.rules.records.querying.ranking import spread_of
from agent.reasoners.rules.records.querying.reading import Reading, read_words
from agent.records.query_plan import AllTests, Combination, Query, Test
from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables

__all__ = ("combined",)

Single = Callable[[str, Tables], QueryReply]
"""Plans a question for one number."""
_WORDS: Final = word_set("ratio share percentage fraction proportion percent difference")


def combined(question: str, tables: Tables, single: Single) -> QueryReply | None:
    """Return the plan of a question for two numbers; None where it asks for one.

    Where the question can be parted in several ways that all make sense, or in none, it is not
    answered: read as one number it would mean something else.
    """
    pairs = [*pairs_of(question), *_shares(question, tables)]
    reading = read_words(question, tables)
    if not pairs or spread_of(reading):
        return None
    made = [each for each in (_made(pair, tables, single) for pair in pairs) if each is not None]
    if len(made) == 1:
        return made[0]
    if _named(reading) and not made:
        return None
    return _unparted(pairs[0], tables, single, several=bool(made))


def _unparted(pair: Pair, tables: Tables, single: Single, *, several: bool) -> QueryReply:
    sides = [single(each, tables).missing for each in (pair.left, pair.right)]
    lacking = ", ".join(dict.fromkeys(each for each in sides if each))
    what = "ratio" if pair.operator == "/" else "difference"
    found = "more than one pair" if several else "no two numbers"
    return QueryReply(
        why=f"The question asks for a {what}, and {found} can be read in it.",
        answerable=False,
        missing=lacking or what,
        plan=None,
        sql=None,
    )


def _named(reading: Reading) -> bool:
    """Tell whether the words for what is put together belong to a column's name: `debt ratio`."""
    places = [at for at, token in enumerate(reading.tokens) if token.low in _WORDS]
    return any(each.start <= at < each.end for at in places for each in reading.mentions)


def _shares(question: str, tables: Tables) -> Iterator[Pair]:
    """Yield the readings of a share: a count among those of another count."""
    sides = list(sides_of(question))
    repeated = [each for each in sides if each[2].split()[0] in each[0].split()]
    for whole, verb, part in (repeated or sides)[:1]:
        reading = read_words(f"How many {whole} are there?", tables)
        head = next((each for each in reading.mentions if each.kinds), None)
        noun = reading.words(head.start, head.end) if head is not None else whole.split()[0]
        again = part.casefold().startswith(noun.casefold())
        helped = verb if verb.casefold() in AUXILIARIES else f"that {verb}"
        left = f"How many {part} are there?" if again else f"How many {noun} {helped} {part}?"
        yield Pair("/", left, f"How many {whole} are there?", within=True)


def _made(pair: Pair, tables: Tables, single: Single) -> QueryReply | None:
    sides = [single(each, tables) for each in (pair.left, pair.right)]
    left, right = (each.plan for each in sides)
    if not isinstance(left, Query) or not isinstance(right, Query):
        return None
    if not _number(pair.left, left) or not _number(pair.right, right):
        return None
    if _taken(sides[0].why) != _taken(sides[1].why):
        return None
    if pair.within:
        if left.kind != right.kind:
            return None
        left = left.model_copy(update={"where": _both(right.where, left.where)})
    why = f"{sides[0].why} {'Divided by' if pair.operator == '/' else 'Less'}: {sides[1].why}"
    plan = Combination(operator=pair.operator, left=left, right=right)
    return QueryReply(why=why, answerable=True, missing="", plan=plan, sql=None)


def _taken(why: str) -> list[str]:
    """Return the nouns that a side takes for what documents are about: both must mean the same."""
    return re.findall(r"taken as one “[^”]*”", why)


def _number(question: str, plan: Query) -> bool:
    """Tell whether a plan gives one number, and rows are counted where nothing else is asked."""
    plain = question.startswith("How many")
    return plan.operation != "list" and not plan.group_by and not (plain and plan.measure)


def _both(first: Test | None, second: Test | None) -> Test | None:
    parts = tuple(each for each in (first, second) if each is not None)
    return AllTests(parts=parts) if len(parts) > 1 else next(iter(parts), None)
