import pytest

from agent.ambiguity import Option
from agent.reasoners.rules.clarifying.limited import limited

QUESTION = "How many of the 30 thin books are lent?"


def asked(said: str, *meanings: str) -> str | None:
    options = tuple(Option(label=each, meaning=each) for each in meanings)
    return limited(QUESTION, said, options)


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("fewer than 1,200", "fewer than 1,200 pages"),
        ("120", "at most 120 pages"),
        ("90 or less", "90 or less pages"),
        ("have a page count of 60 to 90", "60 to 90 pages"),
        ("over 60 but below 90 pages", "over 60 but below 90 pages"),
        ("since 2016", None),
        ("at least 3 authors", None),
        ("2 or 9, and at least 5", None),
        ("slim ones", None),
    ],
    ids=["a comparison", "none", "one behind it", "in a phrase", "two ends", "a date",
         "of something else", "several limits", "no number"],
)  # fmt: skip
def test_a_limit_takes_the_place_of_the_options(said: str, limit: str | None) -> None:
    frame = "How many of the 30 books with a page count of {} are lent?"
    told = asked(said, *(frame.format(f"at most {each} pages") for each in (80, 50)))
    assert told == (None if limit is None else frame.format(limit))


@pytest.mark.parametrize(
    "meanings",
    [
        (),
        ("How many of the 30 books are lent?", "How many of the 30 “thin” books are lent?"),
        ("How many books of at most 80 pages?", "How many books of at most 2 cm?"),
    ],
    ids=["none", "without a limit", "of different things"],
)
def test_other_options_have_no_place_for_a_limit(meanings: tuple[str, ...]) -> None:
    assert asked("fewer than 120", *meanings) is None
