"""What is looked up in a collection for one question."""

from prompts.lookup import looked_up, ranges
from tests.agent.reasoners.rules.papers import Papers
from tests.prompts.examples import Bridges

NAMES = Papers(
    {
        "note-1": {"Author": "Jo Lee, Max Roe", "Filed": "2001-02-03", "Votes": "4"},
        "note-2": {"Author": "Jo Ann Lee", "Filed": "2011-02-03", "Votes": "40"},
    }
)
BARE = Papers({"note-1": {}})


def test_ranges_tell_the_ends_of_dates_numbers_and_lists() -> None:
    told = ranges(NAMES).splitlines()
    assert told[0].startswith("- items of Author in a document: 1 to 2;")
    assert told[1].startswith("- Filed: 2001-02-03 to 2011-02-03;")
    assert told[2].startswith("- Votes: 4 to 40;")


def test_nothing_to_tell_is_said() -> None:
    assert ranges(BARE) == "(no field holds dates, numbers or lists)"


def test_unknown_words_and_variants_are_looked_up() -> None:
    told = looked_up("How many rusty bridges did Ines Adair inspect?", Bridges())
    assert "rusty" in told
    assert "I. Adair / Ines Adair (Inspector); L. Moss / Lev Moss (Inspector)" in told


def test_variants_that_the_question_names_come_first() -> None:
    told = looked_up("What did Lev Moss find?", Bridges())
    assert told.index("L. Moss / Lev Moss") < told.index("I. Adair / Ines Adair")
