"""What batching methods are compared on: a question's candidates, and the pairs among them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from agent.errors import SettingsError
from evals.annotated.proof import labels_of
from evals.expansion import expanded, still_valid
from evals.questions import Record, load
from evals.scope import Corpora, Scope, scope_of
from evals.spans import ChunkedTexts, gold_spans
from tools.batching import Candidates, similar_pairs
from tools.batching.batch_candidates import Part

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = (
    "Case",
    "Choice",
    "Kind",
    "Pairs",
    "case_of",
    "cases",
    "choice",
    "filtered",
    "labelled_pairs",
    "ranked",
)

Choice = Callable[[Record, "Corpus"], Collection[int]]
"""Chooses the candidates of a question."""
Pairs = frozenset[tuple[int, int]]
"""Chunk ids, the smaller first."""
Kind = Literal["entity", "condition", "similar"]
"""Why two chunks are a pair: both hold evidence of the same item of the answer; both hold evidence
for the same condition, of whatever item; the cosine of their features is at least 0.5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question's candidates."""

    id: str
    candidates: Candidates
    partial: Mapping[Part, Candidates]
    """The same candidates with the features of one part alone."""
    pairs: Mapping[Kind, Pairs]
    """The pairs of candidates of each kind."""

    def featured_by(self, *, parts: Collection[Part]) -> Candidates:
        """Return the candidates with features of these parts alone."""
        return self.partial[next(iter(parts))] if len(parts) == 1 else self.candidates


def choice(name: str) -> Choice:
    """Return how candidates are chosen: `filtered`, `all`, or `ranked:N`.

    Raises:
        SettingsError: the name is none of them.
    """
    if name == "all":
        return lambda _, corpus: range(len(corpus))
    if name == "filtered":
        from evals.compare.batching_cases import filtered

        return filtered
    kind, _, count = name.partition(":")
    if kind == "ranked" and count.isdecimal() and int(count):
        return lambda record, corpus: ranked(record, corpus, int(count))
    raise SettingsError(f"there are no candidates {name!r}; choose filtered, ranked:N or all")


def ranked(record: Record, corpus: "Corpus", count: int) -> list[int]:
    """Return the chunks that BM25 and the embedding, fused, rank first for the question."""
    from tools.retrieval import reciprocal_rank_fusion

    scores = (
        corpus.lexical.bm25(record.question),
        corpus.vectors.rows() @ corpus.embedder.embed([record.question])[0],
    )
    rankings = [np.argsort(-each, kind="stable").tolist() for each in scores]
    return [chunk for chunk, _ in reciprocal_rank_fusion(rankings)[:count]]


def cases(
    questions: Path,
    documents: Path,
    expansion: Path | None,
    chosen: Choice,
    place: Path,
    say: Callable[[str], None],
) -> Iterator[Case]:
    """Yield the questions that have at least two candidates.

    Args:
        questions: the file of questions.
        documents: the folder that they are asked over, each over its own scope.
        expansion: a folder of unrelated documents to add to every scope; its `manifest.json` may
            name in `valid_question_ids` the questions whose answer that leaves as it is.
        chosen: chooses the candidates.
        place: where indexes are kept.
        say: told what is indexed.
    """
    corpora = Corpora(place, say)
    scopes: dict[Scope, Scope] = {}
    for record in still_valid(load(questions), expansion):
        scope = scope_of(record, documents)
        if scope not in scopes:
            into = place / f"expanded-{len(scopes)}"
            scopes[scope] = scope if expansion is None else expanded(scope, expansion, into)
        case = case_of(record, corpora.over(scopes[scope]), chosen)
        if case is not None:
            yield case


def case_of(record: Record, corpus: "Corpus", chosen: Choice) -> Case | None:
    """Return a question's candidates; None where there are fewer than two."""
    ids = sorted(chosen(record, corpus))
    return _case(record, corpus, ids) if len(ids) > 1 else None


def _case(record: Record, corpus: "Corpus", ids: Sequence[int]) -> Case:
    by_document = record.target == "documents"
    whole = Candidates.of(corpus, ids, by_document=by_document)
    parts: tuple[Part, ...] = ("tf-idf", "embedding")
    near = similar_pairs(range(len(whole)), whole.features)
    return Case(
        id=record.id,
        candidates=whole,
        partial={
            part: Candidates.of(corpus, ids, by_document=by_document, parts=[part])
            for part in parts
        },
        pairs={
            **labelled_pairs(record, corpus, ids),
            "similar": frozenset((ids[left], ids[right]) for left, right in near),
        },
    )


def labelled_pairs(record: Record, corpus: ChunkedTexts, ids: Collection[int]) -> dict[Kind, Pairs]:
    """Return the pairs of candidates that the labels give, by kind.

    Which item of the answer evidence is of is known where documents are the answer; where other
    things are, no labels say so, and there are none of either kind.
    """
    if record.target != "documents":
        return {"entity": frozenset(), "condition": frozenset()}
    candidates = frozenset(ids)
    entities: dict[int, set[int]] = defaultdict(set)
    conditions: dict[int, set[int]] = defaultdict(set)
    for span in gold_spans(record, corpus)[0]:
        held = candidates.intersection(corpus.chunks_at(span.document, span.start, span.end))
        entities[span.document] |= held
        for condition in labels_of(span.evidence, record.conditions) or {0}:
            conditions[condition] |= held
    return {"entity": _pairs(entities.values()), "condition": _pairs(conditions.values())}


def _pairs(groups: Iterable[Collection[int]]) -> Pairs:
    return frozenset(pair for held in groups for pair in combinations(sorted(held), 2))


def filtered(record: Record, corpus: "Corpus") -> list[int]:
    """Ask the question of the main graph by its annotation and stop once it has batched.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from agent.policy import Policy
    from agent.state import Question
    from evals.annotated import GoldReasoner
    from graphs import build_graph
    from graphs.context import Context

    corpus.runs.mkdir(parents=True, exist_ok=True)
    context = Context(
        corpus=corpus,
        reasoner=GoldReasoner(record, corpus),
        policy=Policy(disambiguation="none", scan=False),
    )
    with context.store:
        asked = Question(question=record.question)
        snapshot = ""
        for step in build_graph().stream(asked, context=context, stream_mode="updates"):
            for update in step.values():
                snapshot = (update or {}).get("snapshot", snapshot)
            if "batch" in step:
                break
        return sorted(context.store.ids(snapshot)) if snapshot else []
