"""The search methods side by side: how much each reads, as a table and as JSON."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np
from pyroaring import BitMap

from agent.interpretation import interpretation_from
from agent.question import atoms
from agent.state import Question
from evals.ablation import Ablation, context_under
from evals.annotated.interpreting import interpreted
from evals.annotated.proof import assign, labels_of, quoted
from evals.annotated.skill_reasoner import SkillReasoner
from evals.questions import Record, load
from evals.scopes import Corpora
from evals.spans import GoldChunk, gold_chunks, gold_spans
from graphs import build_graph
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of
from tools.feedback.ranker import Ranked, Ranker, Sentences, merge, spread
from tools.retrieval import alternating


@dataclass(frozen=True, slots=True)
class Sought:
    """One condition to be searched for."""

    text: str
    """Its words and its criteria, as the question was read."""
    quotes: Mapping[int, str]
    """For each chunk that overlaps evidence for it, the quote a gold judge gives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question over its corpus."""

    record: Record
    corpus: Corpus
    sentences: Sentences
    gold: tuple[GoldChunk, ...]
    """The chunks that overlap evidence, at least one in the corpus."""
    sought: tuple[Sought, ...]

    @property
    def present(self) -> frozenset[int]:
        """The gold chunks that the corpus has."""
        return frozenset(each.chunk for each in self.gold if each.chunk >= 0)


def cases(
    questions: Path, documents: Path, place: Path, say: Callable[[str], None]
) -> Iterator[Case]:
    """Yield the questions over this folder whose evidence is given, each over its scope.

    Those over a folder beside `documents` are left out.
    """
    rows: dict[Path, Sentences] = {}
    proven = [each for each in load(questions) if each.gold_evidence]
    for record, corpus in Corpora(place, say).asked(proven, documents):
        gold = gold_chunks(record, corpus)
        if all(each.chunk < 0 for each in gold):
            continue
        yield Case(
            record=record,
            corpus=corpus,
            sentences=rows.setdefault(corpus.path, Sentences(corpus)),
            gold=gold,
            sought=tuple(_sought(record, corpus)),
        )


def _sought(record: Record, corpus: Corpus) -> Iterator[Sought]:
    """Yield the conditions that text decides; the whole question where there are none."""
    whole = interpretation_from(interpreted(record, corpus), corpus.field_names)
    conditions = [atom for atom in atoms(whole.conditions) if atom.predicate is None]
    meant = assign(conditions, record.conditions)
    for condition in conditions:
        yield Sought(condition.words, _quotes(record, corpus, meant[condition.id]))
    if not conditions:
        every = frozenset(range(len(record.conditions)))
        yield Sought(record.question, _quotes(record, corpus, every))


def _quotes(record: Record, corpus: Corpus, labels: frozenset[int]) -> Mapping[int, str]:
    """Return for each chunk the first evidence for those labels, as far as it lies in the chunk."""
    quotes: dict[int, str] = {}
    for span in gold_spans(record, corpus):
        if record.conditions and not labels & labels_of(span.evidence, record.conditions):
            continue
        text = corpus.document_text(span.document)
        for chunk in corpus.chunks_at(span.document, span.start, span.end):
            start = max(span.start, int(corpus.chunk_start[chunk]))
            end = min(span.end, int(corpus.chunk_end[chunk]))
            quotes.setdefault(chunk, quoted(text, start, end))
    return quotes


Order = Callable[[Case], Sequence[int]]
"""Returns the chunks of a case's corpus in the order they are read, each once."""
_SEED = 0


def full_scan(case: Case) -> list[int]:
    """Read in document order."""
    return list(range(len(case.corpus)))


def bm25(case: Case) -> list[int]:
    """Read by BM25; the conditions' rankings in turn."""
    scores = (case.corpus.lexical.bm25(each.text) for each in case.sought)
    orders = (np.argsort(-each, kind="stable").tolist() for each in scores)
    return list(dict.fromkeys(alternating(orders)))


def fused(case: Case) -> list[int]:
    """Read by BM25 and the embedding, fused; the conditions' rankings in turn."""
    every, size = BitMap(full_scan(case)), len(case.corpus)
    rankers = [Ranker(case.corpus, each.text) for each in case.sought]
    return merge([each.rank((), BitMap(), BitMap(), every, size) for each in rankers], size)


def filtered(record: Record, corpus: Corpus) -> list[int]:
    """Ask the question of the main graph by its annotation and stop once it has batched."""
    corpus.runs.mkdir(parents=True, exist_ok=True)
    policy = Ablation(disambiguation="none", scan=False)
    context = context_under(policy, corpus, SkillReasoner(record, corpus))
    with context.store:
        asked = Question(question=record.question)
        snapshot = ""
        for step in build_graph().stream(asked, context=context, stream_mode="updates"):
            for update in step.values():
                snapshot = (update or {}).get("snapshot", snapshot)
            if "batch" in step:
                break
        return sorted(context.store.ids(snapshot)) if snapshot else []


def _first(chosen: Sequence[int], others: Sequence[int]) -> list[int]:
    return list(dict.fromkeys([*chosen, *others]))


_FIRST = 5
"""Chunks of the first round: small, since the ranking is worst before any feedback."""
_GROWTH = 1.2
"""How many times larger each round is than the one before."""
_LARGEST = 100
"""The most chunks a round may have: what reading learns is used no later than that."""
_PRESUMED = 100
_SPREAD = 1000
"""Chunks among which every document has a turn, as in the product."""


_Rank = Callable[[Sought, Sequence[int], BitMap, int], list[Ranked]]
"""Ranks so many of a pool for a condition, by the gold judge's verdicts on what was read."""


def headcount(case: Case, *, settling: bool = False) -> list[int]:
    """Read by feedback from verdicts and quotes, what the filters kept being likelier."""
    kept = BitMap(filtered(case.record, case.corpus))
    rankers = {
        id(sought): Ranker(case.corpus, sought.text, kept=kept, sentences=case.sentences)
        for sought in case.sought
    }

    def rank(sought: Sought, read: Sequence[int], pool: BitMap, n: int) -> list[Ranked]:
        quotes = [sought.quotes[each] for each in read if each in sought.quotes]
        yes = BitMap(read) & BitMap(sought.quotes)
        return rankers[id(sought)].rank(quotes, yes, BitMap(read) - yes, pool, n)

    return _read(case, rank, settling=settling)


def plain_feedback(case: Case) -> list[int]:
    """Read by a classifier of whole chunks by words (AutoTAR, arXiv:1504.06868).

    Matches are the condition's words and the chunks that matched; what did not match and 100
    random unread chunks are not.
    """
    from scipy.sparse import vstack
    from sklearn.linear_model import LogisticRegression

    rows = case.sentences.chunks.tocsr()

    def rank(sought: Sought, read: Sequence[int], pool: BitMap, n: int) -> list[Ranked]:
        unread = np.array(pool, dtype=np.int64)
        rng = np.random.default_rng(_SEED)
        presumed = rng.choice(unread, min(_PRESUMED, len(unread)), replace=False)
        asked, yes = case.sentences.rows(sought.text), [e for e in read if e in sought.quotes]
        no = np.array(BitMap(read) - BitMap(yes), dtype=np.int64)
        features = vstack([asked, rows[yes], rows[np.concatenate([no, presumed])]])
        truth = np.arange(features.shape[0]) < asked.shape[0] + len(yes)
        model = LogisticRegression(solver="liblinear", class_weight="balanced", random_state=_SEED)
        scores = rows[unread] @ model.fit(features, truth).coef_[0]
        best = np.argsort(-scores, kind="stable")[:n]
        return [Ranked(int(unread[place]), float(scores[place])) for place in best]

    return _read(case, rank)


def _read(case: Case, rank: _Rank, *, settling: bool = False) -> list[int]:
    """Read round by round until every gold chunk was read; the rest follows in document order.

    Where documents are settled, until a gold chunk of each was: then what else it has is not read,
    and a round takes the best chunk of every document first.
    """
    owner = case.corpus.chunk_document.tolist()
    pool = BitMap(range(len(case.corpus)))
    order: list[int] = []
    left = set(case.present)
    grown = float(_FIRST)
    while left:
        size, grown = math.ceil(grown), min(_LARGEST, grown * _GROWTH)
        most = _SPREAD if settling else size
        batch = merge([rank(each, order, pool, most) for each in case.sought], most)
        if settling:
            batch = spread(batch, owner)[:size]
        order += batch
        pool -= BitMap(batch)
        found = {owner[chunk] for chunk in left.intersection(batch)} if settling else set()
        pool -= chunks_of(case.corpus, found)
        left -= {*batch, *(chunk for chunk in left if owner[chunk] in found)}
    return _first(order, full_scan(case))


LEVELS = (0.8, 0.95, 1.0)


Curve = tuple[float, ...]
"""The share read when each gold chunk of a question was found, ascending; 1 for one never found."""


def share_at(curve: Curve, recall: float) -> float:
    """Return the least share read at which at least this recall is reached."""
    needed = math.ceil(recall * len(curve) - 1e-9)
    return curve[needed - 1] if needed else 0.0


def found_at(gold: Sequence[GoldChunk], order: Sequence[int]) -> Curve:
    """Return the curve of an order in which all chunks are read.

    A gold chunk is found once each piece of evidence in it was read: in the chunk itself, or in a
    neighbour that holds the whole piece (`GoldChunk.holders`).
    """
    place = {chunk: at for at, chunk in enumerate(order, start=1)}
    last = len(order)
    found = [
        max(min((place.get(one, last) for one in each), default=last) for each in chunk.holders)
        for chunk in gold
    ]
    return tuple(sorted(at / last for at in found))


def documents_at(case: Case, order: Sequence[int]) -> Curve:
    """Return the curve of documents: found, and not read on, once a gold chunk of one is read.

    Evidence in documents that the corpus lacks is never found.
    """
    owner, gold = case.corpus.chunk_document.tolist(), case.present
    found: dict[int, int] = {}
    read = 0
    for chunk in order:
        if owner[chunk] not in found:
            read += 1
            if chunk in gold:
                found[owner[chunk]] = read
    lost = sum(each.chunk < 0 for each in case.gold)
    return (*(at / len(order) for at in found.values()), *[1.0] * lost)


METHODS: Mapping[str, Order] = {
    "full_scan": full_scan,
    "bm25": bm25,
    "fused": fused,
    # what the filters keep, in document order, then the rest
    "dfa": lambda case: _first(filtered(case.record, case.corpus), full_scan(case)),
    "plain_feedback": plain_feedback,
    "headcount": headcount,
    # the gold chunks first: no order can be better
    "oracle": lambda case: _first(sorted(case.present), full_scan(case)),
}


Curves = dict[str, Curve]


def compare_orders(
    cases: Iterable[Case], say: Callable[[str], None]
) -> list[tuple[Curves, Curves]]:
    """Search by every method; return the curves of gold chunks and of documents, by question."""
    results = []
    for case in cases:
        orders = {name: order(case) for name, order in METHODS.items()}
        curves = {name: found_at(case.gold, each) for name, each in orders.items()}
        orders["headcount"] = headcount(case, settling=True)
        results.append((curves, {name: documents_at(case, orders[name]) for name in orders}))
        told = ", ".join(f"{name} {share_at(each, 0.95):.3f}" for name, each in curves.items())
        say(f"{case.record.id}: {told}")
    return results


def report(results: Sequence[Mapping[str, Curve]]) -> dict[str, dict[str, Any]]:
    """Return the shares of the corpus that each method reads, averaged over questions.

    `share_at_95` is what a recall of 95 % takes, `median_at_95` its median.
    """
    told = {}
    for name in results[0]:
        shares = {level: [share_at(each[name], level) for each in results] for level in LEVELS}
        means = {f"share_at_{100 * level:.0f}": fmean(each) for level, each in shares.items()}
        told[name] = means | {"median_at_95": median(shares[0.95])}
    return told
