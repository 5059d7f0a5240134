"""How far a negation or a quantifier reaches."""

import pytest

from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.scope import negations
from agent.reasoners.rules.ambiguity.universal import universals
from tests.agent.reasoners.rules.papers import TICKETS, Papers

BARE = Papers({f"hive-{number}": {} for number in range(4)})


def spans(question: str) -> list[str]:
    corpus = TICKETS if "ticket" in question else BARE
    doubt = Doubt.of(question, corpus.read(question), corpus)
    return [each.span for look in (negations, universals) for each in look(doubt)]


@pytest.mark.parametrize(
    ("question", "span"),
    [
        pytest.param(
            "How many tickets do not have a sponsor and a license?",
            "do not have a sponsor and a license",
            id="not A and B",
        ),
        pytest.param(
            "How many tickets are not open or minor?", "are not open or minor", id="not A or B"
        ),
        pytest.param(
            "How many hives lack a queen and a drone?", "lack a queen and a drone", id="lack"
        ),
        pytest.param(
            "How many hives without a roof and a stand are painted?",
            "without a roof and a stand",
            id="without",
        ),
        pytest.param(
            "How many keepers did not pass at least two tests?", "not pass at least", id="a number"
        ),
        pytest.param("How many hives show that all queens are not marked?", "all queens are not",
                     id="all not"),
        pytest.param(
            "How many open and network or printing tickets are there?",
            "open and network or printing",
            id="and with or",
        ),
        pytest.param("Which plants does every hive visit?", "does every hive visit", id="does"),
        pytest.param("Show the tools each keeper uses.", "each keeper uses", id="what each uses"),
        pytest.param("Give me the colour of every hive.", "of every hive", id="of every"),
        pytest.param("What mites are there for all hives?", "for all hives", id="for all"),
    ],
)  # fmt: skip
def test_an_open_scope_is_found(question: str, span: str) -> None:
    assert spans(question) == [span]


@pytest.mark.parametrize(
    "question",
    [
        "How many tickets are neither open nor minor?",
        "How many tickets are not open?",
        "How many tickets do not have both a sponsor and a license?",
        "How many tickets are not open and have a sponsor?",
        "How many hives do not have a queen but have a roof?",
        "How many contracts cap a fee but do not set a price or a term?",
        "For each hive, list the plants.",
        "Which plants are common to all hives?",
        "How many hives were visited every day?",
        "How many hives use every plant?",
        "How many plants does each hive visit?",
        "What is the average weight of all hives?",
        "Which plants do all hives visit alike?",
    ],
)
def test_settled_scopes_are_left_alone(question: str) -> None:
    assert spans(question) == []
