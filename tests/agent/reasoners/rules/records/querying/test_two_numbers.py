"""Ratios, differences, shares, commonest values and amounts over one kind of document."""

from collections.abc import Callable

import pytest

from agent.records.record_replies import QueryReply
from agent.records.record_schema import Tables

Ask = Callable[[str, Tables], QueryReply]
Told = Callable[[QueryReply], str]

SAME = {
    "What is the most common city among hotels?": "Which city has the most hotels?",
    "Which city occurs most often among hotels?": "Which city has the most hotels?",
    "Among hotels with a pool, which hotel has the highest rating?":
        "Which hotel with a pool has the highest rating?",
    "Adding up all hotels in Lisbon, what is the total number of rooms?":
        "What is the total number of rooms of hotels in Lisbon?",
    "On average, what is the rating of hotels in Lisbon?":
        "What is the average rating of hotels in Lisbon?",
    "How many hotels have more than forty-four rooms?": "How many hotels have more than 44 rooms?",
    "How many hotels have more than 1.2k rooms?": "How many hotels have more than 1200 rooms?",
    "How many hotels have no pool and have more than 40 rooms?":
        "How many hotels have more than 40 rooms and do not have a pool?",
}  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME.items(), ids=list(SAME))
def test_other_words_make_the_same_plan(
    one: str, other: str, hotels: Tables, ask: Ask, told: Told
) -> None:
    first, second = ask(one, hotels), ask(other, hotels)
    assert second.answerable
    assert sorted(told(first)) == sorted(told(second))


@pytest.mark.parametrize(
    "question",
    [
        "What is the ratio of hotels with a pool to hotels in Lisbon?",
        "What is the number of hotels with a pool divided by the number of hotels in Lisbon?",
    ],
)
def test_a_ratio_divides_one_count_by_another(
    question: str, hotels: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, hotels)) == (
        "count() hotel[has_pool = True] / count() hotel[city = 'Lisbon']"
    )


@pytest.mark.parametrize(
    "question",
    [
        "How many more hotels with a pool than hotels in Lisbon are there?",
        "By how much does the number of hotels with a pool exceed the number of hotels in Lisbon?",
    ],
)
def test_a_difference_takes_one_count_from_another(
    question: str, hotels: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, hotels)) == (
        "count() hotel[has_pool = True] - count() hotel[city = 'Lisbon']"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What share of the hotels in Lisbon have a pool?",
        "Of all hotels in Lisbon, what fraction are hotels with a pool?",
    ],
)
def test_a_share_is_of_those_with_the_conditions_of_the_whole(
    question: str, hotels: Tables, ask: Ask, told: Told
) -> None:
    assert told(ask(question, hotels)) == (
        "count() hotel[city = 'Lisbon' and has_pool = True] / count() hotel[city = 'Lisbon']"
    )


@pytest.mark.parametrize(
    "question",
    [
        "What is the ratio of hotels with a helipad to hotels in Lisbon?",
        "How many more hotels with a pool than motels are there?",
        "What share of the hotels in Lisbon offer helicopters?",
    ],
)
def test_two_numbers_of_which_one_is_unknown_are_not_given_as_one(
    question: str, hotels: Tables, ask: Ask
) -> None:
    reply = ask(question, hotels)
    assert not reply.answerable
    assert reply.missing
