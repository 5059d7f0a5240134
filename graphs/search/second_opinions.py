"""Judging a sample of verdicts again, by another reasoner that does not know the first verdict."""

import random
from collections.abc import Iterable
from itertools import product

from pyroaring import BitMap

from agent.coverage import Rejudged, SecondOpinion
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger
from graphs.search.judging_batches import Bench, Verdicts
from tools.audit import Group, agreement, together
from tools.packing import Limits, in_order


def rejudged(state: State, context: Context, bench: Bench, size: int) -> SecondOpinion:
    """Let a second reasoner judge a sample of what was judged yes and of what was judged no.

    Of each side of each condition at most `size` chunks are drawn, the same ones by a resumed run.
    `bench` is the second reasoner before the same conditions; it changes no verdict, no finding.
    """
    book = ledger(state, context)
    drawn: list[tuple[Rejudged, BitMap]] = []
    for condition, first in product(bench.conditions, (True, False)):
        judged = book.ids(condition.id, "yes" if first else "no")
        seed = f"{bench.reading.text}\n{condition.id}\n{first}"
        stratum = Rejudged(condition=condition.id, first=first, size=len(judged))
        drawn.append((stratum, sampled(judged, size, seed)))
    chunks = BitMap.union(BitMap(), *(sample for _, sample in drawn))
    room = (bench.reasoner.context_tokens - bench.reasoner.reply_tokens) // 2
    limits = Limits(max(1, min(context.policy.batch_tokens, room)))
    verdicts = bench.judge(in_order(chunks, context.corpus.chunk_tokens, limits))
    return SecondOpinion(
        by=bench.reasoner.name,
        strata=tuple(_compared(*each, verdicts) for each in drawn),
        stopped=verdicts.stopped,
    )


def in_words(opinion: SecondOpinion) -> list[str]:
    """Say what the second reasoner makes of each condition's verdicts, apart from search loss."""
    told = [f"the second opinion ended early: {opinion.stopped}"] if opinion.stopped else []
    for condition in dict.fromkeys(each.condition for each in opinion.strata):
        yes, no = (
            Group(size=each.size, drawn=each.drawn, yes=len(each.yes))
            for each in opinion.of(condition)
        )
        drawn, agreed = yes.drawn + no.drawn, agreement(yes, no)
        open_ = sum(len(each.undecided) for each in opinion.of(condition))
        if open_:
            told.append(
                f"second opinion by {opinion.by}: {open_} of {open_ + drawn} verdicts on "
                f"{condition} brought no usable one"
            )
        if agreed is not None and drawn:
            judged = together((yes, no))
            told.append(
                f"second opinion by {opinion.by} on {drawn} verdicts on {condition}: agreement "
                f"{agreed:.0%}; of the chunks judged, {judged.low} to {judged.high} are relevant "
                f"by it (95 %), {yes.size} were called so"
            )
    return told


def sampled(chunks: Iterable[int], size: int, seed: str) -> BitMap:
    """Draw chunks at random; the same chunks, size and seed give the same sample.

    >>> sorted(sampled([3, 5], 4, "any"))
    [3, 5]
    """
    members = sorted(chunks)
    drawn = random.Random(seed).sample(members, min(size, len(members)))  # noqa: S311 - no secret
    return BitMap(drawn)


def _compared(stratum: Rejudged, chunks: BitMap, verdicts: Verdicts) -> Rejudged:
    yes = chunks & verdicts.chunks_with(stratum.condition)
    no = (chunks & verdicts.read) - yes - verdicts.unclear_about(stratum.condition)
    told = {"yes": tuple(yes), "no": tuple(no), "undecided": tuple(chunks - yes - no)}
    return stratum.model_copy(update=told)
