"""What a question costs each way: filtered first, ranked and audited, or with everything judged.

Bills are in model calls and tokens; the cheapest way in tokens is taken.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from agent.coverage import Purpose, ReadingRound
from agent.history import Step
from agent.state import State
from graphs.context import Context
from graphs.scope import open_conditions
from graphs.search.judging_batches import Bench
from graphs.search.known_verdicts import left_to_ask
from graphs.search.search_progress import found_little
from tools.audit import worthwhile
from tools.corpus.chunking.token_counts import count_tokens
from tools.packing import Limits, batch_limits, in_order

Way = Literal["scan", "rank", "filter"]
"""Judge everything; judge the best by rank and audit the rest; the same after filter calls."""

_VERDICTS: Mapping[Way, str] = {
    "scan": "so all are judged, and none can be missed",
    "rank": "so no filter is called",
    "filter": "so it filters first",
}


@dataclass(frozen=True, slots=True)
class Work:
    """What a way of answering takes of the model."""

    calls: int
    tokens: int
    """Input and output."""

    def __add__(self, other: "Work") -> "Work":
        """Return what both take."""
        return Work(self.calls + other.calls, self.tokens + other.tokens)

    @property
    def in_words(self) -> str:
        """Say it for a person."""
        return f"{self.calls:,} calls and {self.tokens:,} tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The way to answer, and why: with what each way takes."""

    way: Way
    why: str


def choose(chunks: int, tokens: int, *, audit: int, fits: int) -> Choice:
    """Choose the cheapest way, in tokens; the scan up to twice that, since it misses nothing.

    `tokens` are of all candidates together, `audit` chunks of average length are read by audits of
    those that are left, and one call holds passages of `fits` tokens.
    """

    def searching(share: float) -> Work:
        left = (1 - share) * chunks
        audited = min(audit, left) * tokens / chunks if chunks else 0.0
        return judging(share * tokens, fits) + judging(audited, fits)

    works: dict[Way, Work] = {
        "scan": judging(tokens, fits),
        "rank": searching(_UNFILTERED),
        "filter": _FILTERING + searching(_CANDIDATES),
    }
    way = min(works, key=lambda each: works[each].tokens)
    if works["scan"].tokens <= _WORTH_ALL * works[way].tokens:
        way = "scan"
    told = (
        f"judging all {chunks:,} chunks takes {works['scan'].in_words}",
        f"ranking and auditing them about {works['rank'].in_words}",
        f"filtering them first about {works['filter'].in_words}",
    )
    return Choice(way=way, why=f"{', '.join(told)}: {_VERDICTS[way]}")


def judging(passages: float, fits: int) -> Work:
    """Return what judging takes: of passages with so many tokens, of which a call holds `fits`."""
    calls = math.ceil(passages / fits)
    return Work(calls, math.ceil(passages) + calls * _OVERHEAD)


_WORTH_ALL = 2
"""How many times the tokens of a search with its audit all may take: nothing is then left open."""
_PAID = 100
_FREE = 5000
"""A few seconds of a reader that costs nothing."""
_FILTERING = Work(6, 19_000)
"""Two filter calls and their union: four choices among tools, whose schemas are sent each time, and
two looks at both sides of a call."""
_CANDIDATES = 0.2
"""The share of the chunks that is likely read before the audit where filters are called first."""
_UNFILTERED = 0.25
"""The same without filters: verdicts and quotes teach the ranking most of what filters say."""
_SCHEMA = 500
"""Tokens of the reply's schema, at most."""
_MARKED = 120
"""Tokens of a passage's markers, headings and neighbouring words, about."""
_ACCOUNTED = 10
"""Tokens of a passage's place in the reply."""
_QUOTED = 100
"""Tokens of a piece of evidence in the reply, about."""
_OVERHEAD = 1500
"""Tokens of a judging request besides its passages: instructions, conditions, reply."""


def read_at_once(state: State, context: Context) -> str:
    """Say why all candidates are read at once; empty where filtering and ranking may save some."""
    if state.earlier is not None:
        changed = ", or that the new criteria concern" if state.earlier.changed else ""
        return f"all that is new or changed since run {state.earlier.run}{changed}"
    size = len(context.store.ids(state.snapshot))
    if size <= context.policy.few_candidates:
        return f"{size} candidates are few enough to read them all"
    filtered = any(step.after != step.before for step in filter_steps(state))
    if filtered or not context.reasoner.paid:
        return ""
    way = (context.components.way or cheaper_way)(state, context)
    return way.why if way.way == "scan" else ""


def unfiltered(state: State, context: Context) -> str:
    """Say why no filter is called; empty where filters may spare more than they cost."""
    at_once = read_at_once(state, context)
    if at_once or not context.reasoner.paid:
        return at_once
    way = (context.components.way or cheaper_way)(state, context)
    return way.why if way.way == "rank" else ""


def filter_steps(state: State) -> list[Step]:
    """Return the filter calls that the reasoner chose; what fields decide is not its choice."""
    return [step for step in state.history if not step.certain]


def cheaper_way(state: State, context: Context) -> Choice:
    """Compare reading all candidates with reading the best of them and auditing the rest."""
    ids = np.array(context.store.ids(state.snapshot), dtype=np.int64)
    allowed = context.policy.audit
    return choose(
        len(ids),
        int(context.corpus.chunk_tokens[ids].sum()),
        audit=_PAID if allowed is None else allowed,
        fits=passage_tokens(context),
    )


def allowed_audit(context: Context) -> int:
    """Return how many chunks an audit may draw: the policy's number, or as many as it pays.

    These fill whole requests, at least one, since part of one costs a whole call. More where
    reading is free.
    """
    if context.policy.audit is not None:
        return context.policy.audit
    if not context.reasoner.paid:
        return _FREE
    mean = float(context.corpus.chunk_tokens.mean())
    each = max(1, int(passage_tokens(context) / mean) - 1)  # not quite full: of all sizes
    return min(_PAID, each * max(1, worthwhile(len(context.corpus)) // each))


def passage_tokens(context: Context) -> int:
    """Return how many passage tokens fit a request: the policy's, or half of a small context."""
    room = context.reasoner.context_tokens - context.reasoner.reply_tokens
    return max(1, min(context.policy.batch_tokens, room // 2))


def evident(rounds: Sequence[ReadingRound]) -> float:
    """Return the share of the next passages that evidence is expected in, at most.

    Twice that of the last round that was read: the best are read first, so that the next are
    rather poorer. All of them before anything was read.
    """
    for each in reversed(rounds):
        if each.hits is not None:
            return min(1.0, 2 * (each.hits + 1) / (each.size + 1))
    return 1.0


def filled(
    ranked: Sequence[int],
    rounds: Sequence[ReadingRound],
    state: State,
    context: Context,
    *,
    requests: int,
) -> list[int]:
    """Return the best chunks, as many as fill so many requests: part of one costs a whole call.

    `rounds` are those that were read so far, concluded.
    """
    limits = round_limits(state, context, rounds)
    pieces = in_order(ranked, limits.costs(context.corpus.chunk_tokens), limits)[:requests]
    return [chunk for piece in pieces for chunk in piece]


def bench_of(state: State, context: Context, purpose: Purpose) -> Bench:
    """Put the reasoner before what is left to be asked.

    Raises QuestionError: the question was never read.
    """
    return Bench(
        corpus=context.corpus,
        reasoner=context.reasoner,
        reading=state.interpreted,
        conditions=open_conditions(state),
        question=state.question,
        purpose=purpose,
        asked=left_to_ask(state, context),
        reviews=context.reviews,
        seek=purpose == "search" and found_little(state, context),
    )


def round_limits(state: State, context: Context, rounds: Sequence[ReadingRound]) -> Limits:
    """Return what a request of the next round may hold, prompt and reply, in the model's tokens.

    What the rounds so far brought tells how many passages the reply must have room to quote from. A
    reply that is cut all the same is asked for again in halves.

    Raises:
        QuestionError: the question was never read.
        SettingsError: the model's context has no room for a passage.
    """
    bench = bench_of(state, context, "search")
    limits = batch_limits(
        context=context.reasoner.context_tokens,
        reply=context.reasoner.reply_tokens,
        overhead=count_tokens(bench.prompt(()).text) + _SCHEMA,
        per_passage=_MARKED,
        reply_per_passage=_ACCOUNTED,
        reply_per_condition=math.ceil(_QUOTED * evident(rounds)),
        conditions=len(bench.conditions),
    )
    mean = float(context.corpus.chunk_tokens.mean())
    share = mean / (mean + limits.per_passage)
    own = max(1, min(context.policy.batch_tokens, int(limits.tokens * share)))
    marked = max(1, (limits.tokens - own) // limits.per_passage)
    return Limits(tokens=own, passages=min(limits.passages or marked, marked))
