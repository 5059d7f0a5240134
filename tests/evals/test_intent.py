from collections.abc import Callable

import pytest

from agent.ambiguity import Option
from evals.intent import Intent

ASKED = "How many reports have many authors?"
MEANT = "How many reports have at least 5 authors?"


def options(*meanings: str) -> tuple[Option, ...]:
    return tuple(Option(label=f"reading {at}", meaning=each) for at, each in enumerate(meanings))


def intent(
    asked: str = ASKED, meant: str = MEANT, comes: Callable[[str], bool | None] | None = None
) -> Intent:
    return Intent(asked=asked, meant=meant, comes=comes)


def test_an_option_whose_answer_is_the_one_in_mind_is_chosen() -> None:
    told = options("Which are big?", "Which are long?", "Which are wide?")
    assert intent(comes=lambda question: "long" in question).option(told) == 1


def test_of_several_such_options_the_nearest_in_words_is_chosen() -> None:
    told = options("How many have five writers?", "How many reports have at least 5 authors?")
    assert intent(comes=lambda _: True).option(told) == 1


@pytest.mark.parametrize("comes", [None, lambda _: None], ids=["no trying", "not known"])
def test_a_number_in_mind_decides(comes: Callable[[str], bool | None] | None) -> None:
    told = options(
        "How many reports have at least 3 authors?", "How many reports have at least 5 authors?"
    )
    assert intent(comes=comes).option(told) == 1


def test_an_option_with_another_number_is_never_chosen() -> None:
    told = options(
        "How many reports have at least 3 authors?", "How many reports have at least 4 authors?"
    )
    assert intent().option(told) is None


def test_an_option_that_settles_a_part_is_chosen_although_its_answer_differs() -> None:
    told = options(
        "How many reports since 2021 have many authors?",
        "How many reports since 2024 have many authors?",
    )
    wanted = intent(
        asked="How many recent reports have many authors?",
        meant="How many reports since 2024 have at least 5 authors?",
        comes=lambda _: False,
    )
    assert wanted.option(told) == 1


def test_without_numbers_the_words_that_the_question_lacks_decide() -> None:
    told = options(
        "How many closed reports and all letters are there?",
        "How many closed reports and closed letters are there?",
    )
    wanted = intent(
        asked="How many closed reports and letters are there?",
        meant="How many are closed reports, or letters of all kinds?",
    )
    assert wanted.option(told) == 0


def test_an_option_that_was_tried_and_differs_is_not_chosen_for_its_words() -> None:
    told = options("How many reports have authors of all kinds?")
    wanted = intent(meant="How many reports have authors of all kinds?", comes=lambda _: False)
    assert wanted.option(told) is None


def test_options_that_are_equally_near_are_left() -> None:
    told = options(MEANT, MEANT)
    assert intent().option(told) is None


@pytest.mark.parametrize(
    ("estimates", "expected"),
    [(("81", "17"), 1), (("about 17", "about 81"), None), (("81", "16"), None), (("", ""), None)],
    ids=["told exactly", "told about", "none is it", "not told"],
)
def test_what_an_option_would_come_to_decides(
    estimates: tuple[str, str], expected: int | None
) -> None:
    told = tuple(Option(label="", meaning="How many?", estimate=estimate) for estimate in estimates)
    assert Intent(asked=ASKED, meant="With a big team?", number=17).option(told) == expected


def test_nothing_is_chosen_from_nothing() -> None:
    assert intent().option(()) is None


@pytest.mark.parametrize(
    ("asked", "meant", "expected"),
    [
        (ASKED, MEANT, "at least 5"),
        (
            "Which are old?",
            "Which were made before 1900 in Rome?",
            "were made before 1900 in Rome?",
        ),
        ("Which are old?", "Which are old?", "Which are old?"),
    ],
    ids=["one place", "the end", "no difference"],
)
def test_the_difference_is_what_the_question_left_out(
    asked: str, meant: str, expected: str
) -> None:
    assert intent(asked=asked, meant=meant).difference == expected


@pytest.mark.parametrize(
    ("meant", "place"),
    [
        pytest.param("Which recent maps were drawn before 2012?", None, id="a near miss is none"),
        pytest.param("Which maps drawn up to 2012 show Turku?", 0, id="a part of what is meant"),
    ],
)
def test_an_option_that_comes_to_something_else_settles_at_most_a_part(
    meant: str, place: int | None
) -> None:
    told = options("Which recent maps were drawn up to 2012?")
    asked = "Which recent maps were drawn early?"
    assert intent(asked, meant, lambda _: False).option(told) == place
