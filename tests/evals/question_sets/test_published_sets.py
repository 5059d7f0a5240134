"""Two published forms; the rows are made up."""

import json
from pathlib import Path

import pytest

from agent.errors import QuestionError
from evals.question_sets.published_sets import build_published
from evals.questions import load

FINANCE = {
    "financebench_id": "id_1",
    "question": "What was the 2021 margin of Ammer?",
    "question_type": "metrics-generated",
    "answer": "12.5%",
    "doc_name": "AMMER_2021_10K",
    "evidence": [
        {"doc_name": "AMMER_2022_10K", "evidence_text": "It was 12.5%.", "evidence_page_num": 3}
    ],
}
HOPS = {
    "id": "2hop__1_2",
    "question": "Where was the builder of the bridge born?",
    "question_decomposition": [{"id": 1}, {"id": 2}],
    "answer": "Graz",
    "answer_aliases": ["Graz, Austria"],
    "answerable": True,
    "paragraphs": [
        {"idx": 0, "title": "Bridge", "paragraph_text": "Ida built it.", "is_supporting": True},
        {"idx": 1, "title": "Tower", "paragraph_text": "It is tall.", "is_supporting": False},
    ],
}


def _written(folder: Path, *rows: object) -> Path:
    place = folder / "published.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return place


def test_both_forms_are_read_as_questions(tmp_path: Path) -> None:
    unanswerable = HOPS | {"id": "2hop__3_4", "answerable": False}
    given = _written(tmp_path, FINANCE, HOPS, unanswerable)
    assert build_published(given, tmp_path / "set") == (2, 2)
    money, hops = load(tmp_path / "set" / "questions.jsonl")
    assert money.gold_documents == ("AMMER_2021_10K", "AMMER_2022_10K")
    assert (money.final_answer, money.number) == ("12.5%", None)
    assert (hops.final_answer, hops.difficulty) == ("Graz or Graz, Austria", "2 hops")
    (gold,) = hops.gold_documents
    text = (tmp_path / "set" / "docs" / f"{gold}.txt").read_text(encoding="utf-8")
    assert text == "Bridge\n\nIda built it.\n" == hops.gold_evidence[0].text


def test_another_form_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match=r"neither .* KeyError\('paragraphs'\)"):
        build_published(_written(tmp_path, {"id": "1"}), tmp_path / "set")
    assert not (tmp_path / "set").exists()
