"""The names in a question: stretches of its words with the kinds and attributes they may mean."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.words import NEGATIONS, NUMBER_WORDS, Token, singular, word_set
from agent.reasoners.rules.records.querying.adjectives import superlative_at
from agent.reasoners.rules.records.querying.irregular import is_past
from agent.reasoners.rules.records.querying.lexicon import Lexicon, Target
from agent.reasoners.rules.records.querying.phrases import SILENT

__all__ = ("Mention", "find_mentions", "says")

_CALLED: Final = frozenset({"average", "mean", "count", "most", "least", "list", "highest",
                            "lowest", "exact", "report", "return"})  # fmt: skip
_LONGEST: Final = 14
_PARTIAL: Final = 0.75
_WHOLE: Final = 0.94
_COUNTING: Final = frozenset({"number", "amount"})
_JOINING: Final = frozenset({"of", "the", "to", "-", "in", "a", "'", "’"})
_SILENT: Final = word_set(
    "what which many much how find show list give tell average mean different distinct count there "
    "me more than most least provide report return above below highest lowest exact"
)


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of tokens, from `start` to before `end`, that names something."""

    start: int
    end: int
    targets: tuple[Target, ...]
    """The surest first."""

    @property
    def kinds(self) -> tuple[Target, ...]:
        """The kinds it may mean."""
        return tuple(each for each in self.targets if each.attribute is None)

    @property
    def columns(self) -> tuple[Target, ...]:
        """The attributes it may mean."""
        return tuple(each for each in self.targets if each.attribute is not None)

    @property
    def strength(self) -> float:
        """How sure the surest is."""
        return self.targets[0].strength if self.targets else 0.0


def says(token: Token) -> bool:
    """Tell whether a token may be part of a name."""
    if token.kind != "word":
        return False
    low = token.low
    silent = low in SILENT or low in _SILENT or low in NEGATIONS or low in NUMBER_WORDS
    return not silent


def find_mentions(tokens: Sequence[Token], lexicon: Lexicon, taken: set[int]) -> list[Mention]:
    """Return the names in a question, none overlapping, longer and surer ones preferred.

    Args:
        tokens: the question's.
        lexicon: the schema's names.
        taken: indices of tokens that are values and name nothing.
    """
    found = list(_candidates(tokens, lexicon, taken))
    kinds = {(each.start, each.end) for _, each in found if each.kinds and each.strength >= _WHOLE}
    ranked = sorted(found, key=lambda pair: -pair[0])
    kept: list[Mention] = []
    for _, mention in ranked:
        if _two_kinds(tokens, mention, kinds):
            continue
        if all(mention.end <= each.start or mention.start >= each.end for each in kept):
            kept.append(mention)
    return sorted(kept, key=lambda each: each.start)


def _two_kinds(tokens: Sequence[Token], mention: Mention, kinds: set[tuple[int, int]]) -> bool:
    """Tell whether a stretch is one kind's name `of` another's, rather than a column's name."""
    return mention.strength < _WHOLE and any(
        (mention.start, at) in kinds and (at + 1, mention.end) in kinds
        for at in range(mention.start, mention.end)
        if tokens[at].low == "of"
    )


def _candidates(
    tokens: Sequence[Token], lexicon: Lexicon, taken: set[int]
) -> Iterator[tuple[float, Mention]]:
    for start in range(len(tokens)):
        if start in taken or not _named(tokens[start], lexicon):
            continue
        for end in range(start + 1, min(start + _LONGEST, len(tokens)) + 1):
            if end - 1 in taken or not _continues(tokens, end - 1, lexicon):
                break
            if not _named(tokens[end - 1], lexicon) or _counts(tokens, start, end):
                continue
            if end - start > 1 and _participle(tokens, end - 1):
                continue
            spoken = any(says(token) for token in tokens[start:end])
            targets = _targets(tokens[start:end], lexicon) if spoken else []
            alone = end - start == 1 and _computes(tokens, start)
            if targets and not (alone and targets[0].strength < _PARTIAL):
                size = sum(_named(token, lexicon) for token in tokens[start:end])
                sure = targets[0].strength
                weight = sure * (size if sure >= _PARTIAL else size**0.5) - 0.01 * (end - start)
                yield weight, Mention(start, end, tuple(targets))


def _computes(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a word asks for an extreme or a sum, unless a name is just that word."""
    return tokens[at].low == "total" or superlative_at(tokens, at) is not None


def _participle(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a participle behind a plural says more of it: `hotels located in …`."""
    before = tokens[at - 1].low
    low = tokens[at].low
    return (low.endswith("ed") or is_past(low)) and singular(before) != before


def _targets(tokens: Sequence[Token], lexicon: Lexicon) -> list[Target]:
    """Return what a stretch may name; `of` turns the words of a name round: `type of pet`.

    `number of pets` is how many there are, unless a name begins so; `in` joins no name to another,
    but may stand inside one, as in `gross in dollars`.
    """
    lows = [token.low for token in tokens]
    words = [token.low for token in tokens if _named(token, lexicon)]
    counted = lows[0] in _COUNTING
    found = lexicon.targets(words, ordered="of" not in lows or counted)
    inner = [low for low in lows if low in lexicon.inner and low not in _JOINING]
    found = [each for each in found if all(lexicon.spells(each, low) for low in inner)]
    if counted or "in" in lows:
        return [each for each in found if each.strength >= _WHOLE]
    return found


def _counts(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Tell whether the stretch is the `number` of `number of …`."""
    followed = end < len(tokens) and tokens[end].low == "of"
    return end - start == 1 and tokens[start].low in _COUNTING and followed


def _named(token: Token, lexicon: Lexicon) -> bool:
    """Tell whether a token may be a word of a name: one that says something, or `average`."""
    spoken = token.kind == "word" and token.low in _CALLED and lexicon.speaks(token.low)
    return spoken or says(token)


def _continues(tokens: Sequence[Token], at: int, lexicon: Lexicon) -> bool:
    """Tell whether a token may stand inside a name: an article only behind `of`."""
    low, before = tokens[at].low, tokens[at - 1].low if at else ""
    if low in {"the", "a"}:
        return before == "of"
    if low == "to":
        return before == "-" or low in lexicon.inner
    return _named(tokens[at], lexicon) or low in _JOINING or low in lexicon.inner
