"""Questions for single mentions are told from questions for the documents that have one."""

import pytest

from agent.interpretation import interpretation_from
from agent.question import Interpretation, atoms
from agent.reasoners.rules.reading.interpret import read_question
from agent.reasoners.rules.reading.places import places_asked
from tests.agent.reasoners.rules.papers import TICKETS


def read(question: str) -> Interpretation:
    names = [field.name for field in TICKETS.fields]
    return interpretation_from(read_question(question, TICKETS), names)


@pytest.mark.parametrize(
    ("question", "terms", "fields"),
    [
        ("How many times is Linux mentioned?", ["Linux"], []),
        ("How often has Linux been mentioned in the open tickets?", ["Linux"], ["Status"]),
        (
            "How many times does the word kernel occur in tickets filed in 2016?",
            ["kernel"],
            ["Filed"],
        ),
        ("How many mentions of Linux or BSD are there?", ["Linux", "BSD"], []),
        ("What is the total number of occurrences of “deadlock”?", ["deadlock"], []),
        ("In the open tickets, how often is Linux cited?", ["Linux"], ["Status"]),
        ("How often do open tickets refer to Linux?", ["Linux"], ["Status"]),
    ],
)
def test_single_mentions_are_summed(question: str, terms: list[str], fields: list[str]):
    reading = read(question)
    counted = [each for each in atoms(reading.conditions) if each.terms]
    tested = [each.predicate.field for each in atoms(reading.conditions) if each.predicate]
    assert reading.operation == "sum"
    assert reading.measure is not None
    assert reading.measure.places == tuple(each.id for each in counted)
    assert ([each.terms[0] for each in counted], tested) == (terms, fields)


@pytest.mark.parametrize(
    "question",
    [
        "In how many tickets is Linux mentioned?",
        "How many tickets mention Linux?",
        "How many times was a ticket reopened?",
        "How many references do the open tickets have?",
    ],
)
def test_other_counts_are_of_documents(question: str):
    assert read(question).operation == "count"


def test_the_document_that_mentions_it_most_often_is_the_first_by_its_mentions():
    reading = read("Which ticket mentions Linux the most often?")
    assert (reading.operation, reading.k, reading.ascending) == ("top_k", 1, False)
    assert reading.measure is not None
    assert reading.measure.places


@pytest.mark.parametrize(
    ("question", "span"),
    [
        ("How often is Linux mentioned in the tickets?", "How often"),
        ("How often is Linux mentioned in the tickets altogether?", ""),
        ("How often is Linux mentioned in each document?", ""),
        ("How many occurrences of Linux are there?", ""),
    ],
)
def test_only_some_wordings_leave_open_what_counts_once(question: str, span: str):
    asked = places_asked(question)
    assert asked is not None
    assert asked.span == span


def test_the_unambiguous_wordings_are_read_back_alike():
    asked = places_asked("How often is Linux mentioned in the open tickets?")
    assert asked is not None
    assert read(asked.mentions).measure == read("How often do open tickets cite Linux?").measure
    assert read(asked.documents).operation == "count"
