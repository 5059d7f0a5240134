import pytest

from agent.ambiguity import Turn
from agent.errors import QuestionError
from agent.interpretation import interpretation_from
from agent.question import Interpretation
from agent.reasoners.rules.reading.followup import continued, without_opener
from agent.reasoners.rules.reading.interpret import interpret, read_question
from agent.replies import InterpretReply
from tests.agent.reasoners.rules.papers import TICKETS, WARDS


def _turns(*questions: str) -> list[Turn]:
    reading = Interpretation(text="…", entity_type="ticket")
    return [Turn(question=question, interpretation=reading) for question in questions]


@pytest.mark.parametrize(
    ("asked", "fragment", "whole"),
    [
        (
            ("How many tickets mention the law of Texas?",),
            "and of New York?",
            "How many tickets mention the law of New York?",
        ),
        (
            ("How many tickets mention Oslo?", "what about Bergen?"),
            "and Tromsø?",
            "How many tickets mention Tromsø?",
        ),
        (
            ("How many tickets from 2019 mention Oslo?",),
            "how about 2021?",
            "How many tickets from 2021 mention Oslo?",
        ),
    ],
    ids=["after its preposition", "after another fragment", "a number for a number"],
)
def test_a_name_takes_the_place_of_the_last_one_of_its_kind(
    asked: tuple[str, ...], fragment: str, whole: str
) -> None:
    reply = continued(fragment, _turns(*asked), TICKETS, read_question)
    expected = read_question(whole, TICKETS)
    assert reply is not None
    assert (reply.conditions, reply.logic) == (expected.conditions, expected.logic)
    assert any(f"“{whole}”" in each for each in reply.assumptions)


def test_the_opener_of_a_follow_up_is_no_part_of_the_question() -> None:
    assert without_opener("And what about the open ones?") == "the open ones?"
    assert without_opener("How many tickets are open?") == "How many tickets are open?"


def _talk(*questions: str) -> InterpretReply:
    """Ask one after another; return how the last one is read."""
    turns: list[Turn] = []
    for question in questions:
        reply = interpret({"question": question, "conversation": tuple(turns), "corpus": WARDS})
        reading = interpretation_from(reply, [each.name for each in WARDS.fields])
        turns.append(Turn(question=question, interpretation=reading))
    return reply


def _tests(reply: InterpretReply) -> set[tuple[str | None, str, tuple[str, ...]]]:
    return {(each.field, each.comparison or "", tuple(each.values)) for each in reply.conditions}


SURGERY = ("Ward", "is", ("Surgery",))
MEDICINE = ("Ward", "is", ("Medicine",))
FIRST = "How many patients on the Surgery ward are older than 40?"


@pytest.mark.parametrize(
    ("questions", "tests"),
    [
        ((FIRST, "And on the Medicine ward?"), {MEDICINE, ("Age", "more_than", ("40",))}),
        ((FIRST, "And over 60?"), {SURGERY, ("Age", "more_than", ("60",))}),
        ((FIRST, "What about Medicine?"), {MEDICINE, ("Age", "more_than", ("40",))}),
        (
            (FIRST, "And over 60?", "What about Medicine?"),
            {MEDICINE, ("Age", "more_than", ("60",))},
        ),
        ((FIRST, "only those under 30"), {SURGERY, ("Age", "less_than", ("30",))}),
    ],
)
def test_what_a_piece_does_not_say_anew_still_holds(
    questions: tuple[str, ...], tests: set[tuple[str, str, tuple[str, ...]]]
) -> None:
    reply = _talk(*questions)
    assert _tests(reply) == tests
    assert reply.operation == "count"


def test_a_piece_is_measured_as_the_question_before_was() -> None:
    reply = _talk("What is the average bill on the Surgery ward?", "And on the Medicine ward?")
    assert (reply.operation, reply.measure and reply.measure.field) == ("avg", "Bill")
    assert _tests(reply) == {MEDICINE}


def test_another_measure_is_taken_of_the_same_documents() -> None:
    reply = _talk("What is the average bill on the Surgery ward?", "And the highest age?")
    assert (reply.operation, reply.measure and reply.measure.field) == ("max", "Age")
    assert _tests(reply) == {SURGERY}


def test_the_items_behind_a_number_can_be_asked_for() -> None:
    reply = _talk(FIRST, "Which ones?")
    assert reply.operation == "list"
    assert _tests(reply) == {SURGERY, ("Age", "more_than", ("40",))}


def test_a_reason_cannot_be_asked_for_in_a_conversation_either() -> None:
    with pytest.raises(QuestionError, match="counted or listed"):
        _talk(FIRST, "And why?")


@pytest.mark.parametrize(
    ("asked", "fragment", "texts"),
    [
        ("How many patients have diabetes?", "And hypertension?", ["have hypertension"]),
        (
            "How many patients with diabetes are on the Surgery ward?",
            "what about asthma?",
            ["with asthma", "Ward is Surgery"],
        ),
        (
            "How many patients are on the Surgery ward?",
            "And asthma?",
            ["Ward is Surgery", "asthma"],
        ),
    ],
    ids=["swapped", "swapped beside a field", "added where nothing is alike"],
)
def test_a_bare_noun_takes_the_place_of_what_the_condition_was_about(
    asked: str, fragment: str, texts: list[str]
) -> None:
    assert [each.text for each in _talk(asked, fragment).conditions] == texts
