import json
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QuestionError
from evals.questions import load
from tests.evals.question_files import record_of

PLAIN = {"id": "a", "question": "How many?", "variant": "body"}
FINANCE_BENCH = {
    "financebench_id": "id_1",
    "question": "What was the 2021 margin of Ammer?",
    "answer": "12.5%",
    "evidence": [{"doc_name": "AMMER_2021_10K", "evidence_text": "It was 12.5%."}],
}
MUSIQUE = {
    "id": "2hop__1_2",
    "question": "Where was the builder of the bridge born?",
    "question_decomposition": [{"id": 1}, {"id": 2}],
    "answer": "Graz",
    "answer_aliases": ["Graz, Austria"],
    "paragraphs": [
        {"title": "Ida", "paragraph_text": "She is from Graz.", "is_supporting": True},
        {"title": "Tower", "paragraph_text": "It is tall.", "is_supporting": False},
    ],
}


def test_rows_of_published_sets_are_read_too_and_unknown_keys_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, (PLAIN, FINANCE_BENCH, MUSIQUE))), encoding="utf-8")
    plain, money, hops = load(path)
    assert plain.id == "a"
    assert (money.id, money.final_answer, money.number) == ("id_1", "12.5%", None)
    assert (hops.final_answer, hops.gold_documents) == ("Graz or Graz, Austria", ("Ida",))
    assert [each.gold_evidence[0].text for each in (money, hops)] == [
        "It was 12.5%.",
        "She is from Graz.",
    ]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "holds no question", id="empty"),
        pytest.param("caf\udce9", "cannot read the questions.*utf-8", id="not UTF-8"),
        pytest.param("{", "line 1", id="not JSON"),
        pytest.param('{"id": "a"}', "question", id="no question"),
        pytest.param('{"financebench_id": "a"}', "KeyError", id="cut row of a published set"),
        pytest.param('{"id":"a","question":"?"}\n' * 2, "two questions", id="same id"),
    ],
)
def test_an_unusable_file_says_why(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(QuestionError, match=told):
        load(path)


A, AB = {"answer": ["a"], "answer_count": 1}, {"gold_documents": ["a", "b"]}
COMPARED = {
    "documents": (A | AB, "documents", 1),
    "none": ({"answer": [], "answer_count": 0}, "documents", 0),
    "names": ({"answer": ["Ohio", "Utah"], "gold_documents": ["a"]}, "names", 2),
    "count": ({"answer_count": 7, "gold_documents": ["a"]}, "number", 7),
    "value over documents": (A | AB | {"answer_value": 2.5}, "documents", 2.5),
}


@pytest.mark.parametrize(("fields", "target", "gold"), COMPARED.values(), ids=COMPARED)
def test_what_an_answer_is_compared_as(fields: dict[str, Any], target: str, gold: float) -> None:
    record = record_of(**fields)
    assert (record.target, record.number) == (target, gold)
