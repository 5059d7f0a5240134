"""What is looked up in a collection for one question."""

import pytest

from agent.question import Interpretation
from prompts.descriptions import collection, looked_up, named_values, unknown_names, variant_pairs
from tests.prompts.examples import Bridges
from tests.tools.filters.small_corpus import SmallCorpus, papers

NAMES = papers(
    {
        "note-1": {"Author": "Jo Lee, Max Roe", "Filed": "2001-02-03", "Votes": "4"},
        "note-2": {"Author": "Jo Ann Lee", "Filed": "2011-02-03", "Votes": "40"},
    }
)
ASKED = Interpretation(text="?", entity_type="bridge")
CORPUS = SmallCorpus({"doc": ["The keepers lit a lamp, a storm broke the glass of it in it, at"]})


def test_a_field_tells_the_ends_of_its_dates_numbers_and_lists() -> None:
    notes = {
        f"note-{n}": {
            "Author": ", ".join("ABC"[: 1 + n % 3]),
            "Filed": f"200{n}-02-03",
            "Votes": f"{n}",
        }
        for n in range(6)
    }
    told = collection(papers(notes), "How many?").splitlines()
    assert told[3].endswith("half up to 2, nine in ten up to 3")
    assert "from" not in "".join(collection(NAMES, "How many?").splitlines()[3:])


BY_INSPECTOR = ASKED.model_copy(update={"entity_field": "Inspector"})


def test_unknown_names_and_variants_are_looked_up() -> None:
    told = looked_up("How many Rusty bridges did an inspector inspect?", BY_INSPECTOR, Bridges())
    assert "Rusty" in told
    assert "I. Adair / Ines Adair (Inspector); L. Moss / Lev Moss (Inspector)" in told


def test_variants_that_the_question_names_come_first() -> None:
    told = looked_up("Which inspector was Lev Moss?", BY_INSPECTOR, Bridges())
    assert told.index("L. Moss / Lev Moss") < told.index("I. Adair / Ines Adair")


def test_variants_of_names_that_make_no_difference_are_not_told() -> None:
    told = looked_up("Was Lev Moss an inspector?", ASKED, Bridges())
    assert told.endswith("names that may be spellings of one: none found")


def test_values_that_a_question_names_are_told_whole_ones_first() -> None:
    told = named_values("Which notes by Lee did Max Roe sign?", NAMES)
    assert told == "Max Roe (Author); Jo Ann Lee (Author); Jo Lee (Author)"
    assert named_values("Which notes are long?", NAMES) == "none found"


def test_neither_small_numbers_nor_what_is_still_to_come_is_a_name() -> None:
    notes = papers(
        {
            "note-1": {"Series": "Volume 2"},
            "note-2": {"Series": "TODO: ask Jo Lee"},
            "note-3": {"Series": "Reports of 2019"},
        }
    )
    assert named_values("Which notes of Jo Lee have 2 authors?", notes) == "none found"
    assert named_values("Which notes are of 2019?", notes) == "Reports of 2019 (Series)"


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        pytest.param("The lamp of the keepers", (), id="all known"),
        pytest.param("The lamps", (), id="another form"),
        pytest.param("The Zubrow lamp in 1890", ("Zubrow",), id="a name; numbers are left out"),
        pytest.param("Zubrow and a zubrow", (), id="the first word, and no name"),
        pytest.param("2", (), id="no word"),
    ],
)
def test_only_names_that_stand_nowhere_are_unknown(question: str, unknown: tuple[str, ...]) -> None:
    assert unknown_names(question, CORPUS) == unknown


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param("Zoe Poe", "Zoë Poe", True, id="accents"),
        pytest.param("Jo Lee", "Jo Ann Lee", True, id="a middle name"),
        pytest.param("J. Lee", "Jo Lee", True, id="an initial"),
        pytest.param("Quill & Page", "Quill and Page", True, id="an ampersand"),
        pytest.param("Hoxley Foods", "Hoxley Foods, Inc.", True, id="a legal form"),
        pytest.param("O'Neil Ltd", "ONeil Limited", True, id="an apostrophe"),
        pytest.param("Jo Lee", "Max Lee", False, id="another given name"),
        pytest.param("Jo Lee", "Jo Lind", False, id="another surname"),
        pytest.param("Lee", "Jo Lee", False, id="a surname alone"),
        pytest.param("Phase 1 trial", "Phase 2 trial", False, id="a number"),
        pytest.param("acme", "Acme", False, id="case is no spelling"),
    ],
)
def test_spellings_of_one_name_are_found_and_other_names_left_apart(
    one: str, other: str, alike: bool
) -> None:
    assert variant_pairs([one, other]) == [(one, other)] * alike
