"""Batching: methods side by side, and ours without each part (DFA, tables 6 and 9)."""

from typing import Any

from pydantic import JsonValue

from evals.compare.batching_cases import case_of, choice
from evals.compare.batching_scores import compare, report
from evals.experiments.collection import Collection, identity, questions_of
from evals.paper.bench import Bench
from evals.paper.kept import kept
from evals.reporting.page import Section
from evals.reporting.table import Table
from tools.batching import Limits

__all__ = ("batching",)

_CANDIDATES, _TOKENS = "ranked:200", 6000
_METHODS = {
    "Gaussian mixture": "gmm",
    "Leiden": "leiden",
    "k-means": "kmeans",
    "in reading order": "reading_order",
    "algorithm 1 as published": "algorithm_1",
    "ours": "ours",
}
_PARTS = {
    "without the embedding": "without_embedding",
    "without TF-IDF": "without_tf_idf",
    "without offline clusters": "without_offline_clusters",
    "without greedy batching": "without_greedy_batching",
    "ours": "ours",
}


def batching(bench: Bench) -> list[Section]:
    """Batch the same candidates by each method; count calls and pairs that are torn apart."""
    found = {each.name: _measured(bench, each) for each in bench.collections("batching")}
    text = (
        f"The candidates are the first {_CANDIDATES.split(':')[1]} passages of BM25 and embedding "
        f"fused, at most {_TOKENS:,} tokens a request. LC: requests. CP: pairs of passages that "
        "hold evidence of the same document and stand in different requests (where labels tell "
        "none: pairs that are similar)."
    )
    return [
        Section(
            name="batching",
            title="Batching",
            text=[text],
            tables=[
                _table("table-6", "Counterpart of DFA, table 6", _METHODS, found),
                _table("table-9", "Counterpart of DFA, table 9", _PARTS, found),
            ],
        )
    ]


def _measured(bench: Bench, collection: Collection) -> dict[str, Any]:
    """Return the comparison over a collection, from disk where it was made before."""
    from evals.experiments.indexes import Indexes
    from tools.corpus.corpus import open_corpus

    records, available = questions_of(collection)
    asked: JsonValue = identity(collection, records, available).model_dump(mode="json")

    def measure() -> dict[str, JsonValue]:
        bench.say(f"batching {collection.name}: {len(records)} questions")
        bench.place.mkdir(parents=True, exist_ok=True)
        indexes, chosen = Indexes(bench.place, bench.say), choice(_CANDIDATES)
        cases = [
            case
            for record in records
            if (case := case_of(record, open_corpus(indexes.of(record, collection)), chosen))
        ]
        return {"available": available, **report(compare(cases, Limits(_TOKENS)))}

    return kept(bench.runs / f"batching-{collection.name}.json", asked, measure)


def _table(
    name: str, title: str, methods: dict[str, str], found: dict[str, dict[str, Any]]
) -> Table:
    heads = [f"{collection}: {figure}" for collection in found for figure in ("LC", "CP")]
    rows = [
        [label, *(cell for told in found.values() for cell in _cells(told, method))]
        for label, method in methods.items()
    ]
    notes = [
        f"{collection}: {told['questions']} of {told['available']} questions, "
        f"{told['candidates']:,} candidates, CP of {told['pairs']} pairs."
        for collection, told in found.items()
    ]
    lacking = dict.fromkeys(
        f"{method}: {why}" for told in found.values() for method, why in told["unavailable"].items()
    )
    return Table(
        name=name, title=title, head=("method", *heads), rows=rows, notes=[*notes, *lacking]
    )


def _cells(told: dict[str, Any], method: str) -> list[str]:
    figures = told["methods"].get(method)
    return ["–", "–"] if figures is None else [str(figures["LC"]), str(figures["CP"])]
