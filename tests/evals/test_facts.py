from collections.abc import Callable
from typing import Any

import pytest

from agent.answer import Answer
from agent.evidence import Entity
from evals.questions import Record
from evals.scores import final_accuracy, numbers_in, process_accuracy

RecordOf = Callable[..., Record]
AnswerOf = Callable[..., Answer]

TEXTS = {"a": "Acme had sales of 1,200.00 in 2021.", "b": "Bolt had sales of 900 in 2021."}
FACTS = ["Company [Acme] had sales of $1,200 in 2021", "Company [Bolt] had sales of $900 in 2021"]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("$1,944,165,000.00 in 2021", (1944165000.0, 2021.0)),
        ("a loss of -$958,000.00", (-958000.0,)),
        ("−0.40% and 4.79%", (-0.4, 4.79)),
        ("PEP484, v1.2.3 and 10,5x", ()),
    ],
    ids=["currency", "negative", "percent", "parts-of-words"],
)
def test_numbers_are_read_without_their_signs_and_separators(
    text: str, numbers: tuple[float, ...]
) -> None:
    assert numbers_in(text) == numbers


def test_a_fact_is_extracted_where_its_numbers_are_cells_of_the_document_that_states_them() -> None:
    cells = {"a": [1200.0, 2021.0], "b": [2021.0]}
    assert process_accuracy(FACTS, TEXTS, cells) == 0.5


def test_a_number_in_another_documents_record_does_not_count() -> None:
    assert process_accuracy(FACTS[:1], TEXTS, {"b": [1200.0, 2021.0]}) == 0.0


def test_a_number_that_no_document_states_was_computed_and_is_not_asked_for() -> None:
    cells = {"a": [1200.0, 2021.0]}
    fact = "Company [Acme] had sales of $1,200 in 2021, 35.59% more than before"
    assert process_accuracy([fact], TEXTS, cells) == 1.0


def test_without_a_stated_number_nothing_is_measured() -> None:
    assert process_accuracy(["Acme grew by 77.1%"], TEXTS, {}) is None


def _asked(record_of: RecordOf, final: str) -> Record:
    return record_of(answer=["KE", "CURV"], gold_documents=["d"], final_answer=final)


@pytest.mark.parametrize(
    ("final", "values", "right"),
    [
        ("the most: [KE], [CURV]", (None, None), True),
        ("[KE]: 78.64%\n[CURV]: 267.68%", (0.786444, 2.67676), True),
        ("[KE]: 78.64%\n[CURV]: 267.68%", (78.6444, 267.676), True),
        ("[KE]: 78.64%\n[CURV]: 267.68%", (0.77, 2.67676), False),
        ("[KE]: 40.57%\n[CURV]: 267.68%", (0.41, 2.68), True),
        ("[KE]: 0.8231\n[CURV]: 0.5500", (0.82, 0.55), True),
        ("[KE]: 0.8231\n[CURV]: 0.5500", (0.8, 0.55), False),
        ("[KE]: 1.26\n[CURV]: 0.5500", (1.0, 0.55), False),
        ("[KE]: $1,239,000.00\n[CURV]: $7.00", (1239000, 7), True),
        ("[KE]: 0.5871\n[CURV]: 7", (None, 7), False),
    ],
    ids=[
        "names-only",
        "fractions",
        "percent",
        "another",
        "rounded-percent",
        "rounded",
        "too-rounded",
        "whole",
        "money",
        "no-value",
    ],
)
def test_a_final_answer_needs_the_items_and_their_values(
    record_of: RecordOf,
    answer_of: AnswerOf,
    final: str,
    values: tuple[Any, Any],
    right: bool,
) -> None:
    entities = (Entity(name="Ke", value=values[0]), Entity(name="CURV", value=values[1]))
    answer = answer_of(entities=entities, value=2)
    assert final_accuracy(_asked(record_of, final), answer) is right


def test_an_item_too_many_is_wrong(record_of: RecordOf, answer_of: AnswerOf) -> None:
    names = ("KE", "CURV", "BBY")
    answer = answer_of(entities=tuple(Entity(name=name) for name in names), value=3)
    assert final_accuracy(_asked(record_of, ""), answer) is False


def test_no_answer_is_wrong_and_counts_of_documents_are_not_measured(
    record_of: RecordOf, answer_of: AnswerOf
) -> None:
    assert final_accuracy(_asked(record_of, ""), None) is False
    documents = record_of(answer=["d"], gold_documents=["d"])
    assert final_accuracy(documents, answer_of(["d"])) is None
