"""Batching methods are compared on the same candidates, with LC and CP of each."""

import json
from pathlib import Path
from typing import Any

import pytest

from evals.compare.batching import ABLATIONS, cases
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
    return written(tmp_path, texts, record, other)


def test_all_methods_and_ablations_are_told_with_lc_and_cp(
    contracts: Collection, tmp_path: Path
) -> None:
    target = tmp_path / "out.json"
    result = invoked("compare batching", contracts, "--limit", 700, "--json", target)
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(target.read_text(encoding="utf-8"))
    assert set(told["methods"]) | set(told["unavailable"]) == {*METHODS, *ABLATIONS}
    assert all(each["LC"] > 0 and each["CP"] >= 0 for each in told["methods"].values())
    assert told["methods"]["kmeans"]["LC_ratio"] == 1
    assert told["pairs_total"] >= 3
    assert told["questions"] == 2
    for name in told["methods"]:
        assert f"| {name} " in result.output


def test_pairs_hold_evidence_of_one_document_of_the_answer(
    contracts: Collection, tmp_path: Path
) -> None:
    first, second = cases(contracts, Corpora(tmp_path / "keep", lambda _: None))
    assert len(first.pairs) >= 3
    document = dict(
        zip(first.candidates.ids.tolist(), first.candidates.documents.tolist(), strict=True)
    )
    assert all(document[left] == document[right] for left, right in first.pairs)
    assert not second.pairs
    assert (first.candidates.by_document, second.candidates.by_document) == (True, False)
