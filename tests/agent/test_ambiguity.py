import pytest

from agent.ambiguity import Option, lost, option_named, option_number
from agent.question import Condition, Interpretation, Predicate

SAID = (
    "2", "2.", "2)", "(2)", "[2]", "#2", "option 2", "Option #2", "no. 2", "No 2", "nr. 2",
    "number 2", "answer: 2", "choice (2)", "\uff12", "\uff08\uff12\uff09", "\u0662",
)  # fmt: skip
WORDS = (
    "", "two", "2 or more", "at least 2", "2.5", "2%", "2019-02", "the second half", "a2", "no",
    "the 2 largest", "option", "not the second", "1 and 2", "\u00b2", "2 years",
)  # fmt: skip
READ = Interpretation(
    text="How many reports of at least 5 pages?",
    entity_type="report",
    conditions=Condition(
        id="c1",
        text="was written in or after 2021-03",
        predicate=Predicate(field="Written", comparison="at_least", values=("2021-03",)),
    ),
)


@pytest.mark.parametrize("text", [*SAID, *WORDS])
def test_the_second_is_said_and_all_else_is_words(text: str) -> None:
    assert option_number(text) == (2 if text in SAID else None)


def _options(*labels: str) -> list[Option]:
    return [Option(label=each, meaning=f"How many, {each}?", estimate="4") for each in labels]


@pytest.mark.parametrize(
    ("labels", "text", "number"),
    [
        (("a1", "a2"), "a1", 1),
        (("a1", "a2"), "a1: How many, a1?", 1),
        (("a1", "a2"), "a2: How many, a2? (4)", 2),
        (("a1", "a2"), "only a1", None),
        (("Last", "First"), "first", 2),
        (("2018", "2019"), "2019", 2),
        (("2", "1"), "2", 2),
        (("", ""), "", None),
        (("same", "same"), "same", None),
        ((), "2", 2),
        (("a", "b"), "7", 7),
    ],
)
def test_a_whole_reply_names_an_option(
    labels: tuple[str, ...], text: str, number: int | None
) -> None:
    assert option_named(text, _options(*labels)) == number


@pytest.mark.parametrize(
    ("reply", "missing"),
    [
        ("at least 5", ()),
        ("from 2021-03 on", ()),
        ("at least 7 pages, since 2021-03", ("7",)),
        ("the last 3 years", ()),
        ("a1, of the 5th", ()),
        ('only "final" ones', ("final",)),
        ("the ‘report’ itself", ()),
        ("I don't know", ()),
        ("2,021,000 pages", ("2021000",)),
    ],
)
def test_numbers_and_quoted_words_are_looked_for_but_in_no_assumption(
    reply: str, missing: tuple[str, ...]
):
    assumed = READ.model_copy(update={"assumptions": (f"you said: {reply}, 15",)})
    assert lost(reply, READ) == lost(reply, assumed) == missing


@pytest.mark.parametrize(
    ("reply", "value"), [("20,000", "20000"), ("20000", "20,000"), ("1’200’000", "1200000")]
)
def test_a_number_is_held_however_its_thousands_are_parted(reply: str, value: str):
    held = Interpretation(text=f"with more than {value} characters", entity_type="report")
    assert lost(f"over {reply}", held) == ()
