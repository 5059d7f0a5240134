"""What batching methods are compared on: drawn candidates, and the pairs that name one entity.

As in DFA, appendix A.5.3 and A.6.3: a part of all chunks stands for what filters keep, LC counts
the calls and CP the pairs of candidates with evidence of the same entity in different batches.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, Final, Literal, get_args

import numpy as np
from pydantic import JsonValue
from pyroaring import BitMap

from agent.errors import SettingsError
from evals.annotated.proof import labels_of
from evals.experiment import Collection as Asked
from evals.experiment import questions_of
from evals.questions import Record
from evals.scopes import Corpora, Scope, scope_of
from evals.spans import gold_spans
from evals.tables import figures
from tools.clustering import kmeans
from tools.corpus.corpus import Corpus
from tools.packing import (
    METHODS,
    Candidates,
    Limits,
    Method,
    Part,
    candidate_pairs,
    clustered_batches,
)

_SHARE: Final = 0.3
"""Of the chunks, those drawn as candidates (DFA, A.5.3)."""
_DRAWS: Final = 10
Entities = Literal["documents", "mentions"]
"""What labels tell to be one entity: a document of the answer, whose evidence stands in several
chunks; or a thing that a question asks for mentions of, in whichever documents it is named."""
Pairs = frozenset[tuple[int, int]]
"""Chunk ids, the smaller first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Drawn candidates."""

    candidates: Candidates
    featured_by: Callable[..., Candidates]
    """Makes the same candidates with features of the `parts` that it is given."""
    entities: Entities
    pairs: Pairs
    """The candidates that hold evidence of the same entity."""


def cases(collection: Asked, corpora: Corpora) -> Iterator[Case]:
    """Yield each scope's draws, for each kind of entity that labels tell of."""
    asked: dict[Scope, list[Record]] = defaultdict(list)
    for record in questions_of(collection)[0]:
        asked[scope_of(record, collection.documents, collection.expansion)].append(record)
    for scope, records in asked.items():
        corpus = corpora.over(scope)
        for kind in get_args(Entities):
            holding = list(_holding(kind, records, corpus))
            for seed in range(_DRAWS if any(len(each) > 1 for each in holding) else 0):
                chance = random.Random(seed)  # noqa: S311 - a sample
                size = max(2, round(_SHARE * len(corpus)))
                ids = BitMap(chance.sample(range(len(corpus)), min(size, len(corpus))))
                made = partial(Candidates.of, corpus, ids, by_document=kind == "documents")
                pairs = frozenset(
                    pair for each in holding for pair in combinations(sorted(each & ids), 2)
                )
                yield Case(candidates=made(), featured_by=made, entities=kind, pairs=pairs)


def _holding(kind: Entities, records: Sequence[Record], corpus: Corpus) -> Iterator[BitMap]:
    """Yield for each entity, question by question, the chunks that hold evidence of it."""
    for record in records:
        held: dict[int, BitMap] = defaultdict(BitMap)
        mentions = [each.pattern is not None for each in record.conditions]
        for span in gold_spans(record, corpus):
            chunks = corpus.chunks_at(span.document, span.start, span.end)
            if kind == "documents" and record.target == "documents":
                held[span.document].update(chunks)
            elif kind == "mentions":
                for label in labels_of(span.evidence, record.conditions):
                    held[label].update(chunks if mentions[label] else ())
        yield from held.values()


Planner = Callable[[Case, Limits], list[list[int]]]
AblatedPart = Literal["tf-idf", "embedding", "offline-clusters", "greedy-batching"]
_PUBLISHED: Final = "algorithm_1"


def _without(part: AblatedPart) -> Planner:
    """Batch by Algorithm 1 without one of its parts (DFA, table 9).

    Without TF-IDF or the embedding, the other is all there is of the features; the offline clusters
    are of the embedding, so that they go with it, and as many are made of the candidates' TF-IDF.
    Without clusters each chunk is packed by itself; without greedy batching each is a batch.
    """

    def planner(case: Case, limits: Limits) -> list[list[int]]:
        found = case.featured_by(parts=[each for each in get_args(Part) if each != part])
        if part == "greedy-batching":
            return clustered_batches(found.clusters, found, limits)
        clusters = found.clusters
        if part == "embedding":
            clusters = kmeans(found.features, len(np.unique(clusters))).labels.astype(np.int64)
        if part == "offline-clusters":
            clusters = np.arange(len(found), dtype=np.int64)
        return METHODS[_PUBLISHED](replace(found, clusters=clusters), limits)

    return planner


ABLATIONS: dict[str, Planner] = {
    f"{_PUBLISHED}_without_{part.replace('-', '_')}": _without(part)
    for part in get_args(AblatedPart)
}


def compare_methods(cases: Sequence[Case], limits: Limits) -> dict[str, Any]:
    """Run every method and ablation on all cases; return `{kind: {"methods": {name: …}, …}}`.

    Of each method `LC` and `CP`, means over the draws. `unavailable` has the methods that cannot
    run, with what to install.

    Raises SettingsError: there is no case.
    """
    if not cases:
        raise SettingsError("no two passages hold evidence of one entity: there is no pair to part")
    by_kind = {
        kind: [each for each in cases if each.entities == kind] for kind in get_args(Entities)
    }
    return {kind: _compared(some, limits) for kind, some in by_kind.items() if some}


def _compared(cases: Sequence[Case], limits: Limits) -> dict[str, JsonValue]:
    methods: dict[str, JsonValue] = {}
    unavailable: dict[str, JsonValue] = {}
    for name, planner in ({name: _whole(METHODS[name]) for name in METHODS} | ABLATIONS).items():
        try:
            planned = [(case, planner(case, limits)) for case in cases]
        except SettingsError as error:
            unavailable[name] = str(error)
            continue
        parted = (candidate_pairs(batches, case.pairs) for case, batches in planned)
        methods[name] = {
            "LC": sum(len(batches) for _, batches in planned) / len(cases),
            "CP": sum(parted) / len(cases),
        }
    return {
        "methods": methods,
        "unavailable": unavailable,
        "pairs": sum(len(case.pairs) for case in cases) / len(cases),
        "limit": limits.tokens,
        "draws": len(cases),
        "candidates": sum(len(case.candidates) for case in cases) / len(cases),
    }


_AIMED_AT: Final = (
    "Where documents are counted, ours puts neighbouring passages of one document together: this "
    "CP counts what it aims at, and what no other method does."
)


def table(found: dict[str, Any]) -> str:
    """Lay a comparison out, and say where the published algorithm is not the best."""
    parts = []
    for kind, told in found.items():
        about = (
            f"Entities are {kind}. {told['draws']} draws of {_SHARE:.0%} of the chunks, "
            f"{told['candidates']:.0f} candidates each with {told['pairs']:.0f} pairs that hold "
            f"evidence of one entity; at most {told['limit']} tokens a batch; means over the draws."
        )
        missing = (f"{name}: {why}" for name, why in told["unavailable"].items())
        verdicts = [_verdict(each, told["methods"]) for each in ("LC", "CP")]
        parts += [
            about,
            *([_AIMED_AT] if kind == "documents" else ()),
            figures("method", told["methods"], 1),
            *verdicts,
            *missing,
        ]
    return "\n\n".join(parts)


def _verdict(figure: str, methods: dict[str, dict[str, float]]) -> str:
    """Say which methods have less of a figure than the published one."""
    own = methods[_PUBLISHED][figure]
    better = [
        f"{name} ({each[figure]:.1f})" for name, each in methods.items() if each[figure] < own
    ]
    if not better:
        return f"{figure}: no method and no ablation has less than {_PUBLISHED} ({own:.1f})."
    return f"{figure}: {_PUBLISHED} ({own:.1f}) loses to {', '.join(better)}."


def _whole(method: Method) -> Planner:
    return lambda case, limits: method(case.candidates, limits)
