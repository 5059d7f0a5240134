"""What a simulated user has in mind, and which words of another come to the same."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.ambiguity import Clarification, Option
from evals.wording import FUNCTION_WORDS, token_f1, tokens

__all__ = ("Comes", "Intent")

Comes = Callable[[str], bool | None]
"""Says of a question whether its answer is the one in mind; None where that cannot be known."""
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
_AMOUNT = r"\d[\d.,:/-]*"
_LIMIT = re.compile(
    r"(?:\b(?:at least|at most|exactly|more than|fewer than|less than|over|under|up to|since|until|"
    r"on or after|on or before|before|after|from|in|between)\s+)*"
    rf"(?<!\w){_AMOUNT}"
    r"(?:\s+(?:(?:or|to|and|but)\s+)?(?:later|earlier|more|less|fewer|newer|older|above|below|under|"
    rf"before|after|{_AMOUNT})(?!\w))*",
    re.IGNORECASE,
)
"""A number with the words that make a limit of it: `700 or more but below 1000`."""
_MEASURED = re.compile(r"\b(?:an? )?[\w-]+ of $", re.IGNORECASE)
"""What a limit is one of, before it: `a rent of `."""
_UNIT = re.compile(r" [a-z]+s\b")
_COUNTED = re.compile(r"(?:(?! (?:and|or|but|are|is|were|was|have|has)\b| \d) ?[^\s?,;]+)*")
"""What a limit counts, behind it: ` cooks of one house`."""
_CONTINUING = frozenset(("a", "an", "the", "and", "or", "nor", "of"))
_DATE = re.compile(r"\b(?:1[89]|20)\d\d\b")
ALIKE = 0.5
"""The token F1 from which on words can mean the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """A question as it was asked, and as it was meant."""

    asked: str
    meant: str
    number: float | None = None
    """What it comes to, to be compared with what an option says that it would come to."""
    comes: Comes | None = None
    """Tries an option out; None where a user has only what is shown to go by."""

    def option(self, options: Sequence[Option]) -> int | None:
        """Return the place of the option that means it; None where none does.

        That is the nearest in words among those whose answer is the one in mind; else among those
        that settle a part of it: every number that an option adds to the question is one in mind,
        and more is left to be said; `up to 2012` is no part of `before 2012`.
        Of options whose answer is not known, the nearest of those that name no other number.
        """
        tried = [self._outcome(each) for each in options]
        right = [place for place, outcome in enumerate(tried) if outcome]
        if right:
            return max(right, key=lambda place: self.likeness(options[place]))
        settling = [
            place
            for place, each in enumerate(options)
            if self._settles(each) and (tried[place] is None or self._leaves_more(each))
        ]
        open_ = [place for place, each in enumerate(options) if tried[place] is None]
        possible = settling or [place for place in open_ if not self._contradicts(options[place])]
        return self._nearest(options, possible)

    def likeness(self, option: Option) -> float:
        """Return how near an option is: token F1 of all words, and of those the question lacks.

        The mean of both; the second is of its meaning or of its label, whichever is nearer.
        """
        own = _without(self.meant, self.asked)
        told = (_without(option.meaning, self.asked), _without(option.label, self.asked))
        new = max(token_f1(each, [own]) for each in told) if own else 0.0
        return (self._whole(option) + new) / 2

    @property
    def settled(self) -> str:
        """What was meant where it differs from what was asked, as one phrase of its own words.

        >>> Intent(asked="Which are large?", meant="Which are 5 m or longer?").settled
        '5 m or longer'
        """
        return self._phrase("")

    def settles(self, asked: Clarification) -> str:
        """Return what settles what is asked about: of a threshold or a time its limit.

        Where no option shows what a threshold is a limit of, it is said too: `at least 3 cooks`.
        Of anything else the phrase that says it, with the words that were asked about.

        >>> intent = Intent(asked="How many old, large flats are let?",
        ...     meant="How many flats of at least 90 m built before 1950 are let?")
        >>> intent.settles(Clarification(code="A2", span="old", question="When?", options=()))
        'before 1950'
        """
        if asked.code not in {"A1", "A2"}:
            return self._phrase(asked.span)
        limits = [each for each in _LIMIT.finditer(self.meant) if self._adds(each[0])]
        dated = [each for each in limits if _DATE.search(each[0])]
        if asked.code == "A2":
            return ", ".join(each[0].strip(" ,") for each in dated or limits) or self.settled
        own = [each for each in limits if each not in dated]
        if any(self._adds(each.meaning) for each in asked.options):
            return ", ".join(each[0].strip(" ,") for each in own) or self.settled
        return ", ".join(self._named(each) for each in own) or self.settled

    @property
    def fewest(self) -> str:
        """The numbers alone that the question left out; without one, only the words that it did.

        >>> Intent(asked="Which are large?", meant="Which are 5 m or longer?").fewest
        '5'
        """
        new = _without(self.settled, self.asked).split()
        numbers = [word for word in new if word[0].isdigit()]
        return " ".join(numbers or new) or self.settled

    def _adds(self, text: str) -> bool:
        """Tell whether a text has numbers that the question lacks."""
        return not _numbers(text) <= _numbers(self.asked)

    def _named(self, limit: re.Match[str]) -> str:
        """Return a limit with what it is one of: `a rent of 5 or more`, `at least 3 cooks`."""
        before, after = self.meant[: limit.start()], self.meant[limit.end() :]
        measured = _MEASURED.search(before)
        if measured is not None:
            unit = _UNIT.match(after)
            told = f"{limit[0].rstrip()}{unit[0] if unit is not None else ''}"
            return f"{measured[0]}{told}".strip(" ,")
        counted = _COUNTED.match(after)
        return f"{limit[0].rstrip()}{counted[0] if counted is not None else ''}".strip(" ,")

    def _phrase(self, about: str) -> str:
        """Return the stretch that differs, to its ends, and on through the words asked about."""
        asked, meant = (text.rstrip("?. ").split() for text in (self.asked, self.meant))
        named = set(about.casefold().split())
        start = _common(asked, meant)
        end = len(meant) - _common(asked[start:][::-1], meant[start:][::-1])
        while end < len(meant) and (
            end == start
            or meant[end].casefold() in named
            or _unfinished(meant[end - 1], meant[end])
        ):
            end += 1
        while start and meant[start - 1].casefold() in named | {"how"}:
            start -= 1
        return " ".join(meant[start:end]).strip(",") or self.meant

    def _outcome(self, option: Option) -> bool | None:
        """Say whether an option's answer is the one in mind, as far as that can be known."""
        if self.comes is not None:
            return self.comes(option.meaning)
        exact = _NUMBER.fullmatch(option.estimate)
        return None if self.number is None or not exact else float(exact[0]) == self.number

    def _whole(self, option: Option) -> float:
        return token_f1(option.meaning, [self.meant])

    def _settles(self, option: Option) -> bool:
        added = _numbers(option.meaning) - _numbers(self.asked)
        return bool(added) and added <= _numbers(self.meant)

    def _leaves_more(self, option: Option) -> bool:
        """Tell whether what is in mind has words that neither the option nor the question has."""
        told = {*tokens(option.meaning), *tokens(option.label), *tokens(self.asked)}
        return bool(set(tokens(self.meant)) - told - FUNCTION_WORDS)

    def _contradicts(self, option: Option) -> bool:
        return not _numbers(option.meaning) <= _numbers(self.meant) | _numbers(self.asked)

    def _nearest(self, options: Sequence[Option], places: Sequence[int]) -> int | None:
        """Return the one place that is nearest in words and near enough."""
        possible = [at for at in places if self._whole(options[at]) >= ALIKE]
        near = sorted(((self.likeness(options[at]), at) for at in possible), reverse=True)
        if not near or (len(near) > 1 and near[0][0] == near[1][0]):
            return None
        return near[0][1]


def _numbers(text: str) -> set[str]:
    return {word.replace(",", "") for word in tokens(text) if word[0].isdigit()}


def _without(text: str, other: str) -> str:
    known = set(tokens(other))
    return " ".join(word for word in tokens(text) if word not in known)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words both begin with."""
    alike = (left.casefold() == right.casefold() for left, right in zip(one, other, strict=False))
    return next((at for at, same in enumerate(alike) if not same), min(len(one), len(other)))


def _unfinished(word: str, following: str) -> bool:
    """Tell whether a phrase cannot end here: on an article, inside a list, before a unit."""
    if following.casefold() in _CONTINUING or word.endswith(","):
        return True
    if word[-1].isdigit():
        return following.casefold() not in FUNCTION_WORDS
    return word.casefold() in FUNCTION_WORDS
