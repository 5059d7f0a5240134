import pytest

from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.mending import mended
from tests.agent.reasoners.rules.papers import TICKETS, Papers
from tests.agent.reasoners.rules.small_corpus import SmallLexicon


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many tickets are critcal?", "How many tickets are critical?"),
        ("Which tickets have severty minor?", "Which tickets have severity minor?"),
        ("Which tickets mention criticol Becket?", "Which tickets mention critical Becket?"),
        ("How many critical tickets?", "How many critical tickets?"),
    ],
)
def test_slips_are_mended_by_the_labels(question: str, expected: str) -> None:
    assert mended(question, Labels.of(TICKETS), SmallLexicon(["a ticket"]))[0] == expected


CITIES = Papers({f"r{at}": {"City": ("Zürich", "Lyon", "Ödön")[at % 3]} for at in range(9)})


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many reports from Zurich?", "How many reports from Zürich?"),
        ("How many reports from ODON?", "How many reports from ÖDÖN?"),
        ("How many reports from Lyön?", "How many reports from Lyon?"),
    ],
)
def test_accents_are_those_of_the_corpus(question: str, expected: str) -> None:
    assert mended(question, Labels.of(CITIES), SmallLexicon([]))[0] == expected
    kept = mended(question, Labels.of(CITIES), SmallLexicon(["zurich odon lyön"]))[0]
    assert kept == question


def test_a_word_that_the_texts_use_stays() -> None:
    question = "Which tickets mention a critcal?"
    assert mended(question, Labels.of(TICKETS), SmallLexicon(["critcal"])) == (question, [])


NAMED = Papers(
    {
        f"report-{number}": {
            "Author": ("Mary Jones", "Clark Mentin", "Moss Pages")[number % 3],
            "Office": ("Recant", "Everly", "Manly")[number % 3],
        }
        for number in range(9)
    }
)


@pytest.mark.parametrize(
    "question",
    [
        "How many reports mention delivery?",
        "In how many reports is it said?",
        "Please tell me how many recent reports there are",
        "Which reports mention every delivery?",
        "Find reports with most mentions, in each month of every year",
        "List the reports of as many authors",
    ],
)
def test_the_words_that_any_question_uses_stay(question: str) -> None:
    assert mended(question, Labels.of(NAMED), SmallLexicon(["delivery"])) == (question, [])


def test_an_unknown_word_behind_the_opening_is_still_mended() -> None:
    text, changes = mended("How many reports by mery?", Labels.of(NAMED), SmallLexicon([]))
    assert (text, changes) == ("How many reports by mary?", [("mery", "mary")])
