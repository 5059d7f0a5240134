"""What the budget left pays for: judging requests that fit into it, prompt and reply."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.replies import JudgeReply
from graphs.search.judging import Bench

__all__ = ("Allowance",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What is left of the tokens and the money agreed, in judging requests."""

    bench: Bench
    """Who judges what."""
    reply: int
    """Tokens of the reply for each passage, about."""

    def paid(self, batches: Sequence[list[int]]) -> list[list[int]]:
        """Return the first of the batches, as many as are paid for; all of them without a limit.

        Where not even the first is, as many of its chunks as are. Where no chunk is, the first
        stays whole: its request is refused, which ends the run, and goes out once more is allowed.
        """
        reasoner = self.bench.reasoner
        if reasoner.affords(len(batches) * reasoner.context_tokens, 0):
            return list(batches)
        whole = _most(len(batches), lambda number: self._pays(batches[:number]))
        if whole or not batches:
            return list(batches[:whole])
        first = batches[0]
        chunks = _most(len(first), lambda number: self._pays([first[:number]]))
        return [first[:chunks] or first]

    def _pays(self, batches: Sequence[Sequence[int]]) -> bool:
        reasoner = self.bench.reasoner
        sent = sum(reasoner.tokens(self.bench.prompt(each), JudgeReply) for each in batches)
        return reasoner.affords(sent, self.reply * sum(len(each) for each in batches))


def _most(numbers: int, allowed: Callable[[int], bool]) -> int:
    """Return the largest number that is allowed, where all below it are; 0 is.

    >>> _most(8, lambda number: number * number < 20)
    4
    """
    return bisect_left(range(1, numbers + 1), 1, key=lambda number: int(not allowed(number)))
