"""How careful readers err, by lawyers' labels: of 24 contracts, every passage asked by itself.

Asked are seven questions of one condition or several joined by `or`: of a document that satisfies
one condition of `and` alone, its labels say nothing.
"""

import json
import lzma
import re
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

KEPT = Path(__file__).parents[2] / "evals" / "data" / "readers"
PASSAGE = re.compile(r"=== \w+ passage 1 \(from ([\w-]+)[^\n]*\) ===\n(.*?)\n=== ", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Read:
    """A passage that a reader was asked about."""

    question: str
    document: str
    text: str
    found: frozenset[str]
    """How certain what was found in it is."""


@pytest.fixture(scope="module")
def labels() -> dict[str, Any]:
    """The labels of each question over the documents that were read."""
    lines = (KEPT / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    found = {each["id"]: each for each in map(json.loads, lines)}
    return {one: label for one, label in found.items() if label["logic"] != "AND"}


@pytest.fixture(scope="module")
def reads(labels: dict[str, Any]) -> list[Read]:
    found = []
    with lzma.open(KEPT / "exchanges.jsonl.xz", "rt", encoding="utf-8") as lines:
        for exchange in map(json.loads, lines):
            shown = PASSAGE.search(exchange["request"]["messages"][-1]["content"])
            told = json.loads(exchange["reply"]) if exchange["arm"] == "full-scan" else {}
            if shown is not None and "none" in told and exchange["question"] in labels:
                evidence = [each for one in told["passages"] for each in one["evidence"]]
                certain = frozenset(each["certainty"] for each in evidence)
                found.append(Read(exchange["question"], *shown.groups(), certain))
    return found


def test_what_is_passed_over(labels: dict[str, Any], reads: list[Read]) -> None:
    held = [each for each in reads if _holds(labels[each.question], each)]
    assert (len(held), sum(not each.found for each in held)) == (77, 29)
    assert sum("certain" not in each.found for each in held) == 36


def test_what_is_taken_for_evidence(labels: dict[str, Any], reads: list[Read]) -> None:
    others = [
        each for each in reads if each.document not in labels[each.question]["gold_documents"]
    ]
    alarms = [each for each in others if each.found]
    assert (len(others), len(alarms)) == (1209, 23)
    assert sum(len(labels[each.question]["conditions"]) for each in others) == 1913
    assert sum("certain" in each.found for each in alarms) == 4
    quarters = [_nearest_first(label["question"], others, one) for one, label in labels.items()]
    assert [sum(each) for each in zip(*quarters, strict=True)] == [12, 6, 3, 2]


def _holds(label: dict[str, Any], read: Read) -> bool:
    own = [each["text"] for each in label["gold_evidence"] if each["document"] == read.document]
    return any(_plain(each)[:60] in _plain(read.text) for each in own)


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.lower())


def _nearest_first(question: str, others: list[Read], one: str) -> list[int]:
    """Return how many alarms there are in each quarter, the likest to the question first."""
    own = [each for each in others if each.question == one]
    rows = TfidfVectorizer(sublinear_tf=True).fit_transform([question, *(e.text for e in own)])
    order = (-(rows[1:] @ rows[0].T).toarray().ravel()).argsort(kind="stable")
    cuts = [len(own) * quarter // 4 for quarter in range(5)]
    return [sum(bool(own[at].found) for at in order[a:b]) for a, b in pairwise(cuts)]
