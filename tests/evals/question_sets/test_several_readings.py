import json
from pathlib import Path
from typing import Any

from evals.question_sets.several_readings import build_readings
from tests.built import write

FEES = "Acme Rail reported a yearly track fee of {} US dollars.\n"
NORTH = '1. "Territory" means the northern counties of Norway.\n\n'
CONTRACTS = {
    "north.txt": NORTH + FEES.format("12,000"),
    "south.txt": '1. "Territory" means all ports south of Lisbon.\n\n' + FEES.format("15,500"),
    "copy.txt": NORTH + '"Seal" means one in wax.\n',
    "alike.txt": '1. "Vessel" means any ship under its flag.\n',
    "other.txt": '1. "Vessel" means any ship under its flag.\n',
}


def _questions(folder: Path, documents: dict[str, str]) -> list[dict[str, Any]]:
    source = write(folder / "box/docs", documents)
    build_readings([source], folder / "set", print, most=9, seed=0)
    lines = (folder / "set/questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_what_documents_state_differently_is_asked_with_every_reading_proven(
    tmp_path: Path,
) -> None:
    asked = {each["question"]: each for each in _questions(tmp_path, CONTRACTS)}
    several = {text for text, each in asked.items() if len(each["readings"]) > 1}
    fee = "Which number stands in “Acme Rail reported a yearly track fee of … US dollars”?"
    assert several == {"What does “Territory” mean?", fee}
    assert set(asked) - several == {"What does “Seal” mean?"}  # a control; vessels are all alike
    territory = asked["What does “Territory” mean?"]
    answers = [each["answer"] for each in territory["readings"]]
    assert answers == [["the northern counties of Norway"], ["all ports south of Lisbon"]]
    assert territory["readings"][1]["rewritten"] == "What does “Territory” mean in south?"
    places = [(each["condition"], each["document"]) for each in territory["gold_evidence"]]
    assert places == [("1", "copy"), ("1", "north"), ("2", "south")]
    for each in (place for one in asked.values() for place in one["gold_evidence"]):
        text = (tmp_path / f"set/box-docs/{each['document']}.txt").read_text(encoding="utf-8")
        assert text[each["start"] : each["end"]] == each["text"]


def test_a_topic_of_several_titles_asks_for_a_field(tmp_path: Path) -> None:
    page = "Title: {0} of barges\nStatus: {1}\nEditor: N/A\n\n" + "A barge: barges, barges. " * 9
    pages = {"a.txt": page.format("Painting", "Draft"), "b.txt": page.format("Sinking", "Final")}
    (asked,) = [each for each in _questions(tmp_path, pages) if len(each["readings"]) > 1]
    assert asked["question"] == "Which “Status” does the document about “barges” state?"
    rewritten = [each["rewritten"] for each in asked["readings"]]
    assert rewritten[0] == "Which “Status” does a (Painting of barges) state?"
