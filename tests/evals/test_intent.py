from collections.abc import Callable

import pytest

from agent.ambiguity import Clarification, Option
from agent.taxonomy import AmbiguityCode
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
        (ASKED, MEANT, "at least 5 authors"),
        ("Which are old?", "Which were made before 1900 in Rome?", "were made before 1900 in Rome"),
        ("Do any lack a cook and a menu?", "Do any lack a cook or a menu?", "or a menu"),
        ("How often is rust named?", "How many reports name rust?", "How many reports name rust"),
        ("Which are old?", "Which are old?", "Which are old?"),
    ],
    ids=["with its noun", "to the end", "to the end of a list", "its opening words", "the same"],
)
def test_a_reading_is_said_as_one_phrase(asked: str, meant: str, expected: str) -> None:
    assert intent(asked=asked, meant=meant).settled == expected


FLATS = "How many flats of 700 or more but below 1000 let on or before 1999-12-31 are there?"


@pytest.mark.parametrize(
    ("code", "span", "meanings", "expected"),
    [
        ("A1", "large", ("How many flats of at least 500?",), "700 or more but below 1000"),
        ("A1", "large", ("How many flats?",), "flats of 700 or more but below 1000"),
        ("A2", "old", (), "on or before 1999-12-31"),
        ("B2", "flats", (), "flats of 700 or more but below 1000 let on or before 1999-12-31"),
    ],
    ids=["a threshold", "what is limited where no option shows it", "a time",
         "all that was asked about"],
)  # fmt: skip
def test_what_is_asked_about_is_settled_and_no_more(
    code: AmbiguityCode, span: str, meanings: tuple[str, ...], expected: str
) -> None:
    said = intent(asked="How many old, large flats are there?", meant=FLATS)
    asked = Clarification(code=code, span=span, question="?", options=options(*meanings))
    assert said.settles(asked) == expected


@pytest.mark.parametrize(
    ("meant", "expected"),
    [
        ("How many cooks have at least 3 dates in their book and are paid?",
         "at least 3 dates in their book"),
        ("How many cooks have a page of more than 20,000 letters on it?",
         "a page of more than 20,000 letters"),
    ],
    ids=["what is counted", "a measure with its unit"],
)  # fmt: skip
def test_a_threshold_that_no_option_has_is_said_with_what_it_limits(
    meant: str, expected: str
) -> None:
    asked = Clarification(code="A1", span="busy", question="?", options=())
    assert intent(asked="How many busy cooks are paid?", meant=meant).settles(asked) == expected
