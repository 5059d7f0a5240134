"""Ambiguities are found where they are, and nowhere else."""

import json
import os
from pathlib import Path

import pytest

from agent.reasoners.rules.ambiguity.classify import classify
from agent.replies import FoundAmbiguity
from tests.agent.reasoners.rules.papers import TICKETS, Papers

BARE = Papers({f"contract-{number}": {} for number in range(6)})
NAMES = Papers(
    {
        f"note-{number}": {"Author": name, "Filed": f"200{number}-01-02", "Status": "Open"}
        for number, name in enumerate(
            ["Jo Lee", "Jo Ann Lee", "Max Roe", "Zoë Poe", "Zoe Poe", "Max Roe", "Max Roe"]
        )
    }
)


def found(question: str, corpus: Papers = TICKETS) -> list[FoundAmbiguity]:
    reading = corpus.read(question)
    reply = classify(
        {"question": question, "interpretation": reading, "corpus": corpus, "coherence": None}
    )
    return reply.ambiguities


@pytest.mark.parametrize(
    ("question", "code"),
    [
        ("How many tickets have many authors?", "A1"),
        ("How many long tickets are open?", "A1"),
        ("How many tickets were filed recently?", "A2"),
        ("How many tickets were filed around 2016?", "A2"),
        ("How many tickets were closed in the last few years?", "A2"),
        ("How many tickets do not have a sponsor and a license?", "B1"),
        ("How many tickets are not open or minor?", "B1"),
        ("How many open network and printing tickets are there?", "B2"),
        ("How many tickets with a sponsor from 2016 are open?", "B2"),
        ("How many times is Linux mentioned?", "C1"),
        ("How many complaints did the open tickets receive?", "C1"),
    ],
)
def test_an_ambiguity_is_found(question: str, code: str) -> None:
    assert [each.code for each in found(question)] == [code]


@pytest.mark.parametrize(
    "question",
    ["How many different people wrote notes?", "How many notes has Jo Lee written?"],
)
def test_names_with_variants_are_asked_about(question: str) -> None:
    assert [each.code for each in found(question, NAMES)] == ["C2"]


@pytest.mark.parametrize(
    ("question", "corpus"),
    [
        ("How many tickets are open?", TICKETS),
        ("How many critical tickets filed in 2016 or later are not closed?", TICKETS),
        ("How many tickets have at least three authors?", TICKETS),
        ("How many tickets are neither open nor minor?", TICKETS),
        ("How many tickets has Carla Diaz written?", TICKETS),
        ("How many distinct people authored an open ticket?", TICKETS),
        ("How many tickets list Ann Becker or Carla Diaz as an author?", TICKETS),
        ("How many contracts contain a non-compete clause?", BARE),
        ("How many contracts mention both Kotlin and Swift?", BARE),
        ("How many contracts cap a fee but do not set a price or a term?", BARE),
        ("How many notes has Max Roe written?", NAMES),
        ("How many mentions of Linux are there in total?", TICKETS),
    ],
)
def test_clear_questions_are_left_alone(question: str, corpus: Papers) -> None:
    assert found(question, corpus) == []


def test_every_ambiguity_offers_two_readings_and_shows_its_span() -> None:
    question = "How many long tickets were filed recently?"
    for each in found(question):
        assert len(each.readings) >= 2
        assert each.span in question


def test_thresholds_come_with_the_readings() -> None:
    (ambiguity,) = found("How many tickets have many authors?")
    assert [each.question for each in ambiguity.readings] == [
        "How many tickets have at least 3 authors?",
        "How many tickets have at least 5 authors?",
    ]


def test_lawyers_questions_are_clear() -> None:
    root = Path(__file__).parents[4]
    data = Path(os.environ.get("HEADCOUNT_DATA", root / "../shared/data"))
    path = data / "questions" / "cuad_dev.jsonl"
    if not path.is_file():
        pytest.skip("the shared development data is absent; set HEADCOUNT_DATA")
    questions = [json.loads(line)["question"] for line in path.read_text("utf-8").splitlines()]
    assert [each for each in questions if found(each, BARE)] == []
