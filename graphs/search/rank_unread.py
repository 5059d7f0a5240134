"""Which unread chunks are read next: ranked by what was judged, as many as it pays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.state import State
from agent.value import counted
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope, unjudged
from graphs.search.condition_evaluator import ConditionEvaluator
from graphs.search.cost_model import filled, read_at_once
from graphs.search.known_verdicts import apart
from graphs.search.search_progress import SearchProgress, found_little, settles_documents
from tools.audit import chances
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of, documents_of
from tools.feedback.ranker import Ranked, Ranker, Sentences, merge, spread
from tools.passage_windows import form_of

_sentences = lru_cache(maxsize=2)(Sentences)
_RANKED = 1000
"""Chunks with a score of their own in an estimate; the others count as the last of them."""
_RICH = 0.3
"""The share of hits from which on more is read at once."""
_SHARE = 10
"""A rich round reads no more than one in so many of what was read before, or a wave."""
_LOOKS = 4
"""Passages read of a document in doubt, after which it is no longer put first."""
_IDLE_READ = 25
"""The fewest chunks in a row without news, in whole rounds, that end reading."""
_LITTLE_READ = 100
"""As many where little was found yet: then words were looked for that few say it in, or there is
little, and what is found shows the way to the rest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextRound:
    """What is read next; nothing where reading ends."""

    selection: BitMap = field(default_factory=BitMap)
    why: str


def next_round(
    state: State, rounds: Sequence[ReadingRound], reading: SearchProgress, context: Context
) -> NextRound:
    """Choose the next chunks to read: all candidates where these are few, else the best unread.

    Each condition ranks by what it was proven with so far; a round takes their best in turn.
    """
    at_once = _read_whole(state, rounds, reading, context)
    if at_once is not None:
        return at_once
    pools = {each: reading.unread & chunks for each, chunks in reading.where.items()}
    if state.earlier is not None and not state.earlier.widened and not state.audits:
        # The documents that were read first may be open again.
        first = context.store.ids(rounds[0].selection) if rounds else BitMap()
        opened = chunks_of(context.corpus, documents_of(context.corpus, first))
        pools = {each: chunks & opened for each, chunks in pools.items()}
        if not any(pools.values()):
            return NextRound(why=f"what is left was left unread by run {state.earlier.run}, too")
    little = found_little(replace(state, rounds=tuple(rounds)), context)
    if why := ended(rounds, unread=len(BitMap().union(*pools.values())), little=little):
        return NextRound(why=why)
    rankings = _rankings(pools, state, context)
    sought = _sought(rounds, pools, context.corpus)
    ranked = apart(merge([*rankings.values(), *sought], _RANKED), state, context)
    ranked = _spread(ranked, state, context)
    filling = requests(rounds, context.policy.wave)
    chosen = BitMap(filled(ranked, rounds, state, context, requests=filling))
    if any(each.hits for each in rounds):
        _keep_scores(rankings, chosen, len(rounds), state, context)
    return NextRound(selection=chosen, why=_in_words(rounds, len(chosen), reading.unread))


def _spread(ranked: list[int], state: State, context: Context) -> list[int]:
    """Let each document have a turn where one passage can settle it, those in doubt first."""
    if not settles_documents(state.interpreted, state):
        return ranked
    corpus, found = context.corpus, context.store.findings(scope(state))
    borderline = {
        corpus.document_index(each.document) for each in found if each.certainty == "borderline"
    }
    unread = unjudged(state, context)

    def looks(chunks: range) -> int:
        return len(chunks) - unread.range_cardinality(chunks.start, chunks.stop)

    doubtful = {each for each in borderline if looks(corpus.chunks_of(each)) < _LOOKS}
    matching = borderline.intersection(ConditionEvaluator(state, context).matching()) - doubtful
    documents = corpus.chunk_document.tolist()

    def late(chunk: int) -> bool:
        own = documents[chunk]
        return own in matching or (own in doubtful and form_of(corpus, chunk) != "")

    return sorted(spread(ranked, documents, doubtful), key=late)


def _read_whole(
    state: State, rounds: Sequence[ReadingRound], reading: SearchProgress, context: Context
) -> NextRound | None:
    """Choose all candidates, where these are not to be ranked."""
    at_once = "" if rounds else read_at_once(state, context)
    candidates = context.store.ids(state.snapshot) & reading.unread
    if not at_once or (not candidates and state.earlier is not None):
        return None
    return NextRound(selection=candidates, why=at_once)


def likeness(state: State, context: Context) -> NDArray[np.float64]:
    """Return each chunk's best cosine with a condition's words, (N,)."""
    corpus = context.corpus
    vectors = corpus.embedder.embed([each.words for each in open_conditions(state)])
    cosines = [corpus.vectors.similarity(vector) for vector in vectors]
    best: NDArray[np.float64] = np.max(cosines, axis=0).astype(np.float64)
    return best


def ended(rounds: Sequence[ReadingRound], *, unread: int, little: bool) -> str:
    """Say why reading ends: nothing is unread, or the last rounds were idle; else nothing.

    Idle rounds may read more where little was found yet.
    """
    if not unread:
        return "every chunk was read"
    last = list(takewhile(lambda each: not each.hits, reversed(rounds)))
    read = sum(each.size for each in last)
    if read < (_LITTLE_READ if little else _IDLE_READ):
        return ""
    return f"the last {counted(len(last), 'round')} read {counted(read, 'chunk')} and found nothing"


def _sought(
    rounds: Sequence[ReadingRound], pools: Mapping[str, BitMap], corpus: Corpus
) -> Iterator[list[Ranked]]:
    """Yield what the reader of the last round would search by, each line as a ranking."""
    pool = BitMap().union(*pools.values())
    for line in rounds[-1].seek if rounds else ():
        yield Ranker(corpus, line).rank([], BitMap(), BitMap(), pool, _RANKED)


def requests(rounds: Sequence[ReadingRound], wave: int) -> int:
    """Return how many requests to fill: one, and twice as many for each rich round in a row.

    Where hits are rare, a small round wastes less and teaches as much. Rich rounds stop growing at
    a wave, or later at a tenth of what was read before (AutoTAR, Cormack and Grossman 2015).
    """
    before, filling = 0, 1
    for each in rounds:
        before += filling
        rich = (each.hits or 0) >= _RICH * each.size
        filling = min(2 * filling, max(wave, before // _SHARE)) if rich else 1
    return filling


def _in_words(rounds: Sequence[ReadingRound], size: int, among: BitMap) -> str:
    if not rounds:
        return f"the best {size} of {counted(len(among), 'unread chunk')}, by the question's words"
    last = rounds[-1]
    return f"the best {size} unread chunks, after {last.hits or 0} hits in {last.size}"


def _rankings(
    pools: Mapping[str, BitMap], state: State, context: Context
) -> dict[str, list[Ranked]]:
    """Return the best of the chunks to choose from by condition."""
    findings = [each for each in context.store.findings(scope(state)) if not each.by_code]
    book, kept = ledger(state, context), context.store.ids(state.snapshot)
    sentences = _sentences(context.corpus)
    found = {}
    for condition in (each for each in open_conditions(state) if each.id in pools):
        ranker = Ranker(context.corpus, condition.words, kept=kept, sentences=sentences)
        quotes = [each.quote for each in findings if each.condition == condition.id]
        yes, no = book.ids(condition.id, "yes"), book.ids(condition.id, "no")
        found[condition.id] = ranker.rank(quotes, yes, no, pools[condition.id], _RANKED)
    return found


def keep_sampled(sample: BitMap, reading: SearchProgress, state: State, context: Context) -> None:
    """Keep the scores of an audit's sample before it is read; else that of the last ranked."""
    if not any(each.hits for each in state.rounds):
        return
    pools = {each: reading.unread & chunks for each, chunks in reading.where.items()}
    rankings = _rankings(pools, state, context)
    for each, ranked in rankings.items():
        rest = (sample & pools[each]) - BitMap(known.chunk for known in ranked)
        ranked += [Ranked(chunk, ranked[-1].score) for chunk in rest]
    _keep_scores(rankings, sample, len(state.rounds), state, context)


def _keep_scores(
    rankings: Mapping[str, Sequence[Ranked]],
    chosen: BitMap,
    round_: int,
    state: State,
    context: Context,
) -> None:
    for condition, ranked in rankings.items():
        scores = {each.chunk: each.score for each in ranked if each.chunk in chosen}
        context.store.put_scores(scope(state), round_, condition, scores)


def unread_chances(
    pools: Mapping[str, BitMap], state: State, context: Context
) -> dict[str, dict[int, float]]:
    """Return by condition how likely each chunk of its pool satisfies it, in [0, 1].

    The curve is of all scores that were kept, those of audits included; where none were, what was
    read so far is taken for no better than the rest.
    """
    book, found = ledger(state, context), {}
    for condition, ranked in _rankings(pools, state, context).items():
        yes, kept = book.ids(condition, "yes"), context.store.scores(scope(state), condition)
        scores = kept or dict.fromkeys(book.judged(condition), 0.0)
        read = [(score, chunk in yes) for chunk, score in scores.items()]
        told = chances(read, [each.score for each in ranked]).tolist() if ranked else [0.0]
        own = dict.fromkeys(pools[condition], told[-1])
        found[condition] = own | dict(zip([each.chunk for each in ranked], told, strict=False))
    return found
