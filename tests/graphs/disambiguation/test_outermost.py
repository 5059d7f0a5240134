"""Limits can be as loose as the middle of what there is, and as tight as the last time."""

import pytest

from agent.ambiguity import Ambiguity, Reading
from agent.question import AllOf, Comparison, Condition, Interpretation, Predicate, atoms
from agent.taxonomy import AmbiguityCode
from graphs.disambiguation.outermost import outermost
from tests.graphs.searching import corpus_of
from tools.corpus.corpus import Corpus

VOTES = "How many open tickets have at least {} votes?"
FILED = "How many open tickets were filed {} {}?"
SAID = {"at_least": "since", "at_most": "until"}


@pytest.fixture(scope="module")
def tickets(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """Build tickets filed from 2015 to 2019, with 0 to 46 votes."""
    texts = {
        f"ticket-{at:03}": f"Status: Open\nFiled: 20{15 + at % 5}-0{1 + at % 9}-11\n"
        f"Votes: {2 * at}\n\nIt is number {at}.\n"
        for at in range(24)
    }
    return corpus_of(texts, tmp_path_factory.mktemp("tickets"))


def votes(number: int) -> Reading:
    return read(VOTES.format(number), "Votes", "at_least", str(number))


def filed(comparison: Comparison, year: int) -> Reading:
    return read(FILED.format(SAID[comparison], year), "Filed", comparison, str(year))


def read(question: str, field: str, comparison: Comparison, value: str) -> Reading:
    told = (("Status", "is", "Open"), (field, comparison, value))
    atoms = tuple(
        Condition(
            id=f"c{at}",
            text=f"{name} is {how.replace('_', ' ').removeprefix('is')} {limit}".replace("  ", " "),
            predicate=Predicate(field=name, comparison=how, values=(limit,)),
        )
        for at, (name, how, limit) in enumerate(told, start=1)
    )
    reading = Interpretation(
        text=question, entity_type="ticket", conditions=AllOf(parts=atoms), operation="count"
    )
    return Reading(label=question, question=question, interpretation=reading)


def guessed(code: AmbiguityCode, *readings: Reading) -> Ambiguity:
    return Ambiguity(code=code, span="?", why="", readings=readings)


def limits(reading: Interpretation | None) -> list[str]:
    assert reading is not None
    return [each.text for each in atoms(reading.conditions)]


@pytest.mark.parametrize(
    ("ambiguity", "question", "limit"),
    [
        (
            guessed("A1", votes(36), votes(42)),
            VOTES.format(24),
            "Votes is at least 24",
        ),
        (
            guessed("A2", filed("at_least", 2019), filed("at_least", 2018)),
            FILED.format("since", 2017),
            "Filed is at least 2017",
        ),
        (
            guessed("A2", filed("at_most", 2015), filed("at_most", 2016)),
            FILED.format("until", 2017),
            "Filed is at most 2017",
        ),
    ],
    ids=["a number", "since a year", "until a year"],
)
def test_a_limit_is_loosened_to_the_median(
    ambiguity: Ambiguity, question: str, limit: str, tickets: Corpus
) -> None:
    found = outermost(ambiguity, tickets)[0]
    assert (found.label, found.question) == (question, question)
    first = set(limits(ambiguity.readings[0].interpretation))
    assert set(limits(found.interpretation)) - first == {limit}


@pytest.mark.parametrize(
    ("ambiguity", "questions"),
    [
        (
            guessed("A2", filed("at_least", 2018), filed("at_least", 2017)),
            [FILED.format("since", 2019)],
        ),
        (
            guessed("A2", filed("at_most", 2016), filed("at_most", 2017)),
            [FILED.format("until", 2015)],
        ),
        (guessed("A1", votes(36), votes(42)), [VOTES.format(24)]),
    ],
    ids=["since a year", "until a year", "a number"],
)
def test_a_time_is_tightened_to_the_last_there_is(
    ambiguity: Ambiguity, questions: list[str], tickets: Corpus
) -> None:
    assert [each.question for each in outermost(ambiguity, tickets)] == questions


@pytest.mark.parametrize(
    "ambiguity",
    [
        guessed("A1", votes(36), votes(20)),
        guessed("A1", votes(36), filed("at_least", 2019)),
        guessed("B2", votes(36), votes(42)),
        guessed("A1", votes(36)),
    ],
    ids=["as loose already", "limits of two fields", "no limit is unclear", "one reading"],
)
def test_nothing_is_loosened_beside_one_unclear_limit(
    ambiguity: Ambiguity, tickets: Corpus
) -> None:
    assert outermost(ambiguity, tickets) == ()
