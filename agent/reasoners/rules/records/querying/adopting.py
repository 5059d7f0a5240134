"""A noun that names nothing, taken for the things that the documents are about."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.words import DETERMINERS, Token, singular, word_set
from agent.reasoners.rules.reading.question_words import asks
from agent.reasoners.rules.records.querying.lexicon import Target
from agent.reasoners.rules.records.querying.mentions import Mention, says
from agent.reasoners.rules.records.querying.phrases import verbal
from agent.records.record_schema import Tables

__all__ = ("Adopted", "adopted")

_ASKED: Final = word_set("many of among over across which what list name give me count find show "
                         "identify per each more than to the all any")  # fmt: skip
_MOST: Final = 0.5


@dataclass(frozen=True, slots=True)
class Adopted:
    """What the questions' noun is taken for."""

    mentions: tuple[Mention, ...]
    note: str


def adopted(tokens: Sequence[Token], linked: Collection[int], tables: Tables) -> Adopted | None:
    """Take the one common noun asked for that names nothing as the kind that documents are of.

    That is so where one kind of grain `document` holds most rows, and no kind or other noun could
    be meant. Proper nouns, quotations, and what is said to be mentioned are never taken.

    Args:
        tokens: the question's.
        linked: indices of tokens that name something or are values.
        tables: what there is.
    """
    kind = _main_kind(tables)
    nouns = {singular(tokens[at].low) for at in _asked_for(tokens, linked)}
    if kind is None or len(nouns) != 1:
        return None
    noun = nouns.pop()
    free = [at for at, token in enumerate(tokens) if at not in linked and not token.capital]
    mentions = tuple(
        Mention(at, at + 1, (Target(kind, None, 1.0),))
        for at in free
        if singular(tokens[at].low) == noun
    )
    return Adopted(mentions, f"each document is taken as one “{noun}”")


def _main_kind(tables: Tables) -> str | None:
    """Return the only kind of grain `document`, if it holds most rows."""
    own = [each.name for each in tables.schema.kinds if each.grain == "document"]
    rows = {each.kind: each.rows for each in tables.facts}
    whole = sum(rows.values())
    fits = len(own) == 1 and rows.get(own[0], 0) > _MOST * whole
    return own[0] if fits else None


def _asked_for(tokens: Sequence[Token], linked: Collection[int]) -> list[int]:
    """Return where plurals stand that name nothing, behind words that ask for things."""
    return [
        at
        for at, token in enumerate(tokens)
        if at
        and at not in linked
        and says(token)
        and not token.capital
        and singular(token.low) != token.low
        and not asks(token.low)
        and not verbal(token.low)
        and _opens(tokens, at - 1)
    ]


def _opens(tokens: Sequence[Token], at: int) -> bool:
    while at > 0 and (tokens[at].low in DETERMINERS or tokens[at].kind == "number"):
        at -= 1
    return tokens[at].low in _ASKED or not says(tokens[at])
