"""What batching methods are compared on: a question's candidates, and the pairs among them."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, get_args

from pydantic import JsonValue
from pyroaring import BitMap

from agent.errors import SettingsError
from agent.state import Question
from evals.ablation import Ablation, context_under
from evals.annotated.skill_reasoner import SkillReasoner
from evals.experiment import Collection as Asked
from evals.experiment import questions_of
from evals.questions import Record
from evals.scopes import Corpora, scope_of
from evals.spans import gold_spans
from evals.tables import figures
from graphs import build_graph
from tools.corpus.corpus import Corpus
from tools.feedback.ranker import Ranker
from tools.packing import (
    METHODS,
    BatchingPart,
    Candidates,
    Limits,
    Method,
    batches_without,
    candidate_pairs,
)

_CANDIDATES = 200
"""Of each question: the first by BM25 and embedding, fused."""
Pairs = frozenset[tuple[int, int]]
"""Chunk ids, the smaller first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question's candidates."""

    candidates: Candidates
    featured_by: Callable[..., Candidates]
    """Makes the same candidates with features of the `parts` that it is given."""
    pairs: Pairs
    """The candidates that hold evidence of the same item of the answer; none where no label tells
    which it is."""


def ranked(text: str, corpus: Corpus, count: int) -> list[int]:
    """Return the chunks that BM25 and the embedding, fused, rank first for a text."""
    every = BitMap(range(len(corpus)))
    return [each.chunk for each in Ranker(corpus, text).rank((), BitMap(), every, count)]


def cases(collection: Asked, corpora: Corpora) -> Iterator[Case]:
    """Yield the questions of a collection that have two candidates or more, over their scopes."""
    for record in questions_of(collection)[0]:
        corpus = corpora.over(scope_of(record, collection.documents, collection.expansion))
        ids = sorted(ranked(record.question, corpus, _CANDIDATES))
        if len(ids) > 1:
            by_document = record.target == "documents"
            made = partial(Candidates.of, corpus, ids, by_document=by_document)
            pairs = _labelled_pairs(record, corpus, ids)
            yield Case(candidates=made(), featured_by=made, pairs=pairs)


def _labelled_pairs(record: Record, corpus: Corpus, ids: Collection[int]) -> Pairs:
    """Return the pairs of candidates with evidence of the same item of the answer.

    Which item evidence is of is known where documents are the answer; else there are none.
    """
    if record.target != "documents":
        return frozenset()
    candidates = frozenset(ids)
    held: dict[int, set[int]] = defaultdict(set)
    for span in gold_spans(record, corpus):
        found = corpus.chunks_at(span.document, span.start, span.end)
        held[span.document] |= candidates.intersection(found)
    return frozenset(pair for each in held.values() for pair in combinations(sorted(each), 2))


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


Planner = Callable[[Case, Limits], list[list[int]]]
_REFERENCE = "kmeans"


def _without(part: BatchingPart) -> Planner:
    return lambda case, limits: batches_without(part, case.featured_by, limits)


ABLATIONS: dict[str, Planner] = {
    f"without_{part.replace('-', '_')}": _without(part) for part in get_args(BatchingPart)
}
"""Ours with one of the paper's four parts taken away (DFA, table 9)."""


def compare_methods(cases: Sequence[Case], limits: Limits) -> dict[str, JsonValue]:
    """Run every method and ablation on all cases; return `{"methods": {name: {"LC", "CP", …}}, …}`.

    LC is the calls, CP the pairs of candidates that stand in two batches, both summed over the
    questions, each with its ratio to k-means, null where k-means has 0. `unavailable` has the
    methods that cannot run, with what to install.

    Raises SettingsError: there is no case.
    """
    if not cases:
        raise SettingsError("no question has two candidates: there is nothing to batch")
    methods: dict[str, dict[str, int]] = {}
    unavailable: dict[str, JsonValue] = {}
    for name, planner in ({name: _whole(METHODS[name]) for name in METHODS} | ABLATIONS).items():
        try:
            planned = [(case, planner(case, limits)) for case in cases]
        except SettingsError as error:
            unavailable[name] = str(error)
            continue
        methods[name] = {
            "LC": sum(len(batches) for _, batches in planned),
            "CP": sum(candidate_pairs(batches, case.pairs) for case, batches in planned),
        }
    reference = methods[_REFERENCE]
    return {
        "methods": {
            name: {
                **told,
                **{f"{each}_ratio": _ratio(told[each], reference[each]) for each in told},
            }
            for name, told in methods.items()
        },
        "unavailable": unavailable,
        "pairs_total": sum(len(case.pairs) for case in cases),
        "limit": limits.tokens,
        "questions": len(cases),
        "candidates": sum(len(case.candidates) for case in cases),
    }


def _ratio(own: int, reference: int) -> float | None:
    return round(own / reference, 4) if reference else None


def table(found: dict[str, Any]) -> str:
    """Lay a comparison out."""
    told = (
        f"{found['questions']} questions, {found['candidates']} candidates, at most "
        f"{found['limit']} tokens a batch; CP is of {found['pairs_total']} pairs; ratios to k-means"
    )
    missing = (f"{name}: {why}" for name, why in found["unavailable"].items())
    return "\n\n".join([told, figures("method", found["methods"], 2), *missing])


def _whole(method: Method) -> Planner:
    return lambda case, limits: method(case.candidates, limits)
