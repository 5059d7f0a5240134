"""What the lexical reader offers where it declines: the question with one change."""

from collections.abc import Sequence

import pytest

from agent.errors import QuestionError
from agent.reasoners.lexical.assembly import interpretation_of
from agent.reasoners.lexical.offers import offers
from agent.reasoners.lexical.vocabulary import Vocabulary
from tests.agent.reasoners.lexical.collections_asked import collection

_CLAIM = (
    "Type: claim\nTown: {}\nOpened: {}\nClosed: {}\nFee: {}\nWorkers: {}\nGuests: {}\n\n"
    "The roof of the house leaked.\n"
)
CLAIMS = {
    "claims/one.txt": _CLAIM.format("York", "2021-03-01", "2022-05-01", "EUR 120", 3, 7),
    "claims/two.txt": _CLAIM.format("York", "2022-04-01", "2023-02-01", "£90", 5, 9),
    "claims/six.txt": _CLAIM.format("Leeds", "2023-01-09", "2023-06-01", "EUR 75", 8, 2),
    "letters/claim_york.txt": "Town: York\n\nThe roof is dry again.\n",
}


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return Vocabulary(collection("claims", CLAIMS, tmp_path_factory.mktemp("claims")))


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("Which documents in York annoyed?", ["Which documents in York"]),
        ("Which documents in York annoyed the neighbours?", []),
        ("Which documents in York are not boring?", []),
        ("Which documents annoyed?", []),
        ("highest fee in York?", ["highest fee in York in EUR", "highest fee in York in GBP"]),
        (
            "Which documents in York are from 2022?",
            [f"Which documents in York are whose {each} is 2022" for each in ("Opened", "Closed")],
        ),
        ("How many claims in York?", ["How many documents whose Type is claim in York"]),
        ("average working people by town", ["average Workers by town"]),
        ("average price by town", []),
        ("Wie viele Briefe gibt es in York?", []),
    ],
    ids=["left out", "two words", "denied", "only the kind left", "unit", "one of two fields",
         "kind half told", "field called alike", "none called alike", "language"],
)  # fmt: skip
def test_one_change_is_offered_where_it_is_read_for_certain(
    question: str, offered: Sequence[str], vocabulary: Vocabulary
) -> None:
    with pytest.raises(QuestionError):
        interpretation_of(question, vocabulary)
    assert sorted(offers(question, vocabulary)) == sorted(offered)
