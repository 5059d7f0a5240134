import os
from pathlib import Path

import pytest

from evals.questions import Record, load
from evals.scopes import scope_of

DATA = Path(os.environ.get("HEADCOUNT_DATA", Path(__file__).parents[2] / "../shared/data"))
FILES = {
    "peps_dev": "peps/docs_header",
    "cuad_dev": "cuad/dev/docs",
    "spiderqa_dev": "spiderqa/dev/docs",
    "mudabench_facts_dev": "mudabench_facts/docs",
}
pytestmark = pytest.mark.skipif(
    not (DATA / "questions").is_dir(), reason="the shared data is not here: set HEADCOUNT_DATA"
)


@pytest.fixture(params=sorted(FILES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def records(name: str) -> list[Record]:
    return load(DATA / "questions" / f"{name}.jsonl")


def test_every_gold_document_lies_in_its_questions_scope(name: str, records: list[Record]) -> None:
    for record in records:
        scope = scope_of(record, DATA / FILES[name])
        present = scope.names or {path.stem for path in scope.folder.iterdir()}
        assert set(record.gold_documents) <= present, record.id


def test_every_question_has_a_truth_to_compare_with(records: list[Record]) -> None:
    assert all(record.gold is not None for record in records)


def test_evidence_stands_where_it_is_said_to(name: str, records: list[Record]) -> None:
    for record in records[::10]:
        folder = scope_of(record, DATA / FILES[name]).folder
        for evidence in record.gold_evidence[:5]:
            text = (folder / f"{evidence.document}.txt").read_bytes().decode("utf-8")
            assert text.startswith(evidence.text[:24], evidence.start), record.id


def test_a_question_on_one_database_is_asked_over_it_alone() -> None:
    for record in load(DATA / "questions" / "spiderqa_dev.jsonl"):
        scope = scope_of(record, DATA / FILES["spiderqa_dev"])
        assert scope.names == frozenset(record.gold_documents)
