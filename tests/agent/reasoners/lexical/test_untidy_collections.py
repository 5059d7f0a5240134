"""Collections as people keep them: several currencies, variants of names, kinds half told."""

from pathlib import Path

import pytest

from agent.errors import QuestionError
from tests.agent.reasoners.lexical.collections_asked import asked, collection
from tools.corpus.corpus import Corpus

LOAN = "Type: loan agreement\nItem: {item}\nValue: {value}\nSigned by: {signed}\n\nIt is lent.\n"
LOANS = {
    "loan-jug.txt": LOAN.format(item="Jug", value="£9,750", signed="Miriam Okafor"),
    "loan-map.txt": LOAN.format(item="Map", value="EUR 18.500,00", signed="M. Okafor"),
    "loan-oil.txt": LOAN.format(item="Oil", value="EUR 120,000", signed="Dr Tomas Weiss"),
    "loan-pot.txt": LOAN.format(item="Pot", value="£250", signed="Okafor"),
    "loan-sea.txt": "The sea piece goes to the school for a year and is worth a great deal.\n",
    "check-jug.txt": "Report: Condition report\nSeen by: A. Ray\nDamp: 50 %\n\nNo moths.\n",
    "check-map.txt": "Report: Condition report\nSeen by: Ann Ray\nDamp: 55 %\n\nMoths found.\n",
}


@pytest.fixture(scope="module")
def loans(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return collection("loans", LOANS, tmp_path_factory.mktemp("loans"))


@pytest.mark.parametrize(
    ("question", "value", "bounds"),
    [
        ("Total value of the loan agreements in euro", 138_500, None),
        ("loan agreements with a value above £500", 1, (1, 2)),
        ("How many loan agreements did Miriam Okafor sign?", 3, (3, 4)),
        ("How many loan agreements are there?", 5, (5, 7)),
        ("average damp of the condition reports", 52.5, None),
        ("How many condition reports mention moths?", 2, (2, 2)),
    ],
)
def test_what_a_collection_states_untidily_is_told_with_bounds_that_hold(
    question: str, value: float, bounds: tuple[int, int] | None, loans: Corpus, tmp_path: Path
) -> None:
    answer = asked(question, loans, tmp_path)
    assert (answer.value, answer.bounds) == (value, bounds)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("total value of the loan agreements", "several units (EUR, GBP)"),
        ("loan agreements with a value above 500", "'Value' is in EUR and GBP"),
        ("Which loan agreements are not signed by Okafor and have no value?", "no fields at all"),
        ("How many loan agreements have no value?", "no fields at all"),
    ],
)
def test_what_would_mix_or_guess_is_declined(
    question: str, words: str, loans: Corpus, tmp_path: Path
) -> None:
    with pytest.raises(QuestionError) as raised:
        asked(question, loans, tmp_path)
    assert words in str(raised.value)
