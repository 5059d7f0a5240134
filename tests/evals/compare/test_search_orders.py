import json
from pathlib import Path

import pytest

from evals.compare.search_orders import (
    METHODS,
    Case,
    cases,
    documents_at,
    found_at,
    headcount,
    share_at,
)
from evals.experiment import Collection
from evals.spans import GoldChunk
from tests.evals.question_files import invoked, written

MATCH = "The tenant shall keep an insurance policy for the benefit of the landlord."
OTHER = "Payment falls due thirty days after the invoice."
RECORD = {
    "id": "q1",
    "corpus": "x/docs",
    "question": "How many contracts require insurance for the landlord?",
    "conditions": [{"label": "insured", "text": "require insurance for the landlord"}],
}


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> Collection:
    """Thirty contracts, every sixth of which requires insurance, and questions over them."""
    top = tmp_path_factory.mktemp("search")
    clauses = [MATCH if number % 6 == 0 else OTHER for number in range(30)]
    texts = {f"c{n:02}.txt": f"Letter {n}.\n\n{clauses[n]}\n" for n in range(30)}
    (top / "other").mkdir()
    evidence = [
        {"document": f"c{number:02}", "text": MATCH, "condition": "insured"}
        for number in range(0, 30, 6)
    ]
    record = RECORD | {"gold_evidence": evidence}
    elsewhere = record | {"id": "q2", "corpus": "x/other"}
    unknown = record | {"id": "q3", "gold_evidence": []}
    return written(top, texts, elsewhere, unknown, record)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A question over two contracts of several chunks each."""
    top = tmp_path_factory.mktemp("long")
    filler = "\n\n".join(f"{OTHER} Clause {number} says no more." for number in range(400))
    texts = {"a.txt": f"{MATCH}\n\n{filler}\n\nAlso: {MATCH}\n"}
    texts["b.txt"] = f"{filler}\n\nAlso: {MATCH}\n"
    at = (("a", 0), ("a", len(MATCH) + len(filler) + 10), ("b", len(filler) + 8))
    evidence = [
        {"document": name, "text": MATCH, "condition": "insured", "start": start, "end": start + 74}
        for name, start in at
    ]
    asked = written(top, texts, RECORD | {"gold_evidence": evidence})
    (found,) = cases(asked.questions, asked.documents, top, print)
    return found


@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_reads_each_chunk_once(long: Case, name: str) -> None:
    assert sorted(METHODS[name](long)) == list(range(len(long.corpus)))


def test_the_command_writes_json(contracts: Collection, tmp_path: Path) -> None:
    kept = ("--keep", tmp_path / "keep", "--json", tmp_path / "r.json")
    result = invoked("compare search", contracts, *kept)
    assert result.exit_code == 0, result.output
    told = json.loads((tmp_path / "r.json").read_text())
    assert told["questions"] == 1
    whole = {method: told["curves"][method]["share_at_100"] for method in METHODS}
    assert whole["oracle"] <= whole["headcount"] < whole["full_scan"]
    for method in METHODS:
        documents = told["curves"][method]["documents"]
        assert 0 < documents["share_at_80"] <= documents["share_at_95"] <= documents["share_at_100"]


def test_a_document_is_found_by_its_first_gold_chunk_and_read_no_further(long: Case) -> None:
    """Two documents of several chunks, evidence in two chunks of the first and one of the other."""
    first, other = (list(long.corpus.chunks_of(each)) for each in (0, 1))
    total = len(long.corpus)
    assert sorted(long.present) == [first[0], first[-1], other[-1]]
    assert long.sought[0].quotes == dict.fromkeys(long.present, MATCH)
    assert documents_at(long, [*first, *other]) == (1 / total, (1 + len(other)) / total)
    assert documents_at(long, [other[-1], *other[:-1], *first]) == (1 / total, 2 / total)
    order = headcount(long, settling=True)
    assert sorted(order) == list(range(total))


@pytest.mark.parametrize(
    ("chunk", "pieces", "order", "found"),
    [
        (0, [{0}], [1, 0, 2, 3], 0.5),
        (3, [{3, 2}], [2, 1, 0, 3], 0.25),
        (3, [{3, 2}, {3}], [2, 1, 0, 3], 1.0),
        (-1, [set()], [0, 1], 1.0),
    ],
    ids=["read", "a neighbour holds it", "a neighbour holds a part", "not in the corpus"],
)
def test_a_gold_chunk_is_found_when_every_piece_of_it_was_read(
    chunk: int, pieces: list[set[int]], order: list[int], found: float
) -> None:
    gold = GoldChunk(chunk, tuple(map(frozenset, pieces)))
    assert found_at([gold], order) == (found,)


@pytest.mark.parametrize(
    ("recall", "share"), [(0.0, 0.0), (0.25, 0.1), (0.8, 0.9), (1.0, 0.9)], ids=str
)
def test_a_recall_is_reached_at_the_least_share_that_has_it(recall: float, share: float) -> None:
    assert share_at((0.1, 0.2, 0.3, 0.9), recall) == share
