"""Batching methods are compared on the same candidates, with LC and CP of each."""

import json
from pathlib import Path

import pytest

from evals.compare.batching import ABLATIONS, cases, table
from evals.experiment import Collection
from evals.scopes import Corpora
from tests.evals.question_files import invoked, written
from tools.packing import METHODS

CLAUSE = "The {name} may terminate on {days} days' notice."
FILLER = " Deliveries of timber are weighed at the gate and entered in the book of the mill." * 60


@pytest.fixture
def contracts(tmp_path: Path) -> Collection:
    texts = {}
    evidence = []
    for days, name in enumerate(("buyer", "seller", "carrier"), start=30):
        clause = CLAUSE.format(name=name, days=days)
        text = f"{clause}{FILLER}\n\n{clause} Again.{FILLER}\n"
        texts[f"{name}.txt"] = text
        for start in (0, text.rindex(clause)):
            span = {"start": start, "end": start + len(clause), "text": clause}
            evidence.append({"document": name, **span})
    names = ["buyer", "seller", "carrier"]
    record = {
        "id": "q1",
        "question": "How many contracts may be terminated on notice?",
        "answer": names,
        "gold_documents": names,
        "gold_evidence": evidence,
    }
    other = {"id": "q2", "question": "How many days is the longest notice?", "answer_value": 32}
    mention = {
        **record,
        "id": "q3",
        "conditions": [{"text": "mentions termination", "pattern": "may terminate"}],
        "gold_evidence": evidence[::2],
    }
    return written(tmp_path, texts, record, other, mention)


def test_all_methods_and_ablations_are_told_with_lc_and_cp(
    contracts: Collection, tmp_path: Path
) -> None:
    target = tmp_path / "out.json"
    result = invoked("compare batching", contracts, "--limit", 700, "--json", target)
    assert result.exit_code == 0, result.output
    found = json.loads(target.read_text(encoding="utf-8"))
    assert [*found] == ["documents", "mentions"]
    told = found["documents"]
    assert set(told["methods"]) | set(told["unavailable"]) == {*METHODS, *ABLATIONS}
    assert all(each["LC"] > 0 and each["CP"] >= 0 for each in told["methods"].values())
    assert told["methods"]["algorithm_1_without_greedy_batching"]["LC"] >= max(
        told["methods"][each]["LC"] for each in ("ours", "algorithm_1")
    )
    for name in told["methods"]:
        assert f"| {name} " in result.output


def test_pairs_hold_evidence_of_one_entity(contracts: Collection, tmp_path: Path) -> None:
    drawn = list(cases(contracts, Corpora(tmp_path / "keep", lambda _: None)))
    for kind, same in (("documents", True), ("mentions", False)):
        some = [case for case in drawn if case.entities == kind]
        assert len(some) > 1
        assert len({tuple(case.candidates.ids) for case in some}) > 1
        assert any(case.pairs for case in some)
        for case in some:
            owner = dict(zip(case.candidates.ids, case.candidates.documents, strict=True))
            assert case.candidates.by_document is same
            assert {bool(owner[one] == owner[other]) for one, other in case.pairs} <= {same}


def test_the_published_algorithm_is_not_praised_where_it_loses() -> None:
    figures = {"algorithm_1": {"LC": 3, "CP": 7}, "leiden": {"LC": 4, "CP": 5}}
    methods = {"methods": figures, "unavailable": {}, "pairs": 9, "limit": 10}
    told = table({"documents": {**methods, "draws": 1, "candidates": 20}})
    assert "LC: no method and no ablation has less than algorithm_1 (3.0)." in told
    assert "CP: algorithm_1 (7.0) loses to leiden (5.0)." in told
