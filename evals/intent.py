"""What a simulated user has in mind, and which words of another come to the same."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from agent.ambiguity import Option
from agent.reasoners.rules.language.words import FUNCTION_WORDS
from evals.wording import token_f1, tokens

__all__ = ("Comes", "Intent")

Comes = Callable[[str], bool | None]
"""Says of a question whether its answer is the one in mind; None where that cannot be known."""
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?")
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
    def difference(self) -> str:
        """The words by which what was meant differs from what was asked.

        >>> Intent(asked="Which are large?", meant="Which are 5 m or longer?").difference
        '5 m or longer?'
        """
        asked, meant = self.asked.split(), self.meant.split()
        matcher = SequenceMatcher(None, asked, meant, autojunk=False)
        changed = [
            " ".join(meant[start:end])
            for kind, _, _, start, end in matcher.get_opcodes()
            if kind != "equal" and start < end
        ]
        return ", ".join(changed) or self.meant

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
