"""A limit in the person's own words, put where the options that were offered have theirs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from agent.ambiguity import Option
from agent.reasoners.rules.language.amounts import read_amount
from agent.reasoners.rules.language.bounds import Bound, read_bound
from agent.reasoners.rules.language.words import AUXILIARIES, FUNCTION_WORDS, Token, stem, tokenize

__all__ = ("limited",)

_LEADING: Final = frozenset({"a", "an", "of"})
"""Words that are read as a number or a comparison, and are none where a limit follows."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """A limit in a text."""

    text: str
    tokens: Sequence[Token]
    at: int
    bound: Bound
    end: int
    """Index of the first token after it; of `700 or more but below 1000` after both."""

    @property
    def span(self) -> tuple[int, int]:
        """The characters of the limit, with its words of comparison."""
        return self.tokens[self.at].start, self.tokens[self.end - 1].end

    @property
    def amount(self) -> tuple[int, int]:
        """The characters of its first number alone."""
        places = range(self.at, self.bound.end)
        first = next(at for at in places if read_amount(self.tokens, at) is not None)
        return self.tokens[first].start, self.tokens[first].end

    @property
    def words(self) -> str:
        """The limit as it was said."""
        return self.text[slice(*self.span)]


def limited(question: str, said: str, options: Sequence[Option]) -> str | None:
    """Return the first option's question with the reply's limit; None where that cannot be.

    It can where options differ in one number, which the question lacks, and the reply says a number
    and nothing beside it that no option says: `more than 20,000` to `a size of at least 25000`.
    A bare number takes over the option's comparison: `20` to `at most 10 pages`.
    """
    own = _single(said)
    offered = [_new(option.meaning, question) for option in options]
    first = offered[0] if offered else None
    if own is None or first is None or not _all_of(first, offered):
        return None
    if _says_more(own, options):
        return None
    start, end = first.span if own.bound.explicit else first.amount
    return f"{first.text[:start]}{own.words}{first.text[end:]}"


def _single(text: str) -> _Limit | None:
    """Return the one limit that a text sets to numbers, which may have two ends; else nothing."""
    found = _limits(text)
    if not found or (len(found) > 1 and not _joined(found)):
        return None
    return replace(found[0], end=found[-1].end)


def _joined(found: Sequence[_Limit]) -> bool:
    """Tell whether two limits are one: `over 3 but below 9`."""
    one, *others = found
    between = one.tokens[one.end : others[0].at]
    both = all(each.bound.explicit for each in found)
    return len(others) == 1 and both and [each.low for each in between] in (["and"], ["but"])


def _new(meaning: str, question: str) -> _Limit | None:
    """Return the one limit of an option that the question lacks."""
    known = [each.bound.values for each in _limits(question)]
    found = [each for each in _limits(meaning) if each.bound.values not in known]
    return found[0] if len(found) == 1 else None


def _limits(text: str) -> list[_Limit]:
    tokens, found, at = tokenize(text), list[_Limit](), 0
    while at < len(tokens):
        bound = None if tokens[at].low in _LEADING else read_bound(tokens, at)
        if bound is not None and bound.kind == "number":
            found.append(_Limit(text, tokens, at, bound, bound.end))
        at = bound.end if bound is not None else at + 1
    return found


def _all_of(first: _Limit, offered: Sequence[_Limit | None]) -> bool:
    """Tell whether all options are alike but for the limit."""
    return all(each is not None and _frame(each) == _frame(first) for each in offered)


def _frame(limit: _Limit) -> tuple[str, str]:
    start, end = limit.amount
    return limit.text[:start], limit.text[end:]


def _says_more(own: _Limit, options: Sequence[Option]) -> bool:
    """Tell whether a reply has words beside its limit that no option has."""
    start, end = own.span
    beside = [each for each in own.tokens if each.end <= start or each.start >= end]
    known = {
        stem(token.low) for each in options for token in tokenize(f"{each.label} {each.meaning}")
    }
    return any(
        each.kind in {"word", "number"}
        and each.low not in FUNCTION_WORDS | AUXILIARIES
        and stem(each.low) not in known
        for each in beside
    )
