"""What the lexical reader offers where it declines: its own words, and what they leave out."""

from collections.abc import Mapping

import pytest

from agent.errors import QuestionError
from agent.reasoners.lexical.assembly import interpretation_of
from agent.reasoners.lexical.offers import offers
from agent.reasoners.lexical.vocabulary import Vocabulary
from tools.corpus.corpus import Corpus


@pytest.mark.parametrize(
    ("name", "question", "offered"),
    [
        (
            "permits",
            "Which refused permits in Harbour annoyed the neighbours?",
            {
                "which permits whose decision is refused and whose district is Harbour": (
                    "leaves out “annoyed”, “the neighbours”"
                )
            },
        ),
        (
            "permits",
            "How many permits in Harbour or Westpark are not boring?",
            {
                "how many permits whose district is Harbour or whose district is Westpark": (
                    "leaves out “not boring”"
                )
            },
        ),
        (
            "permits",
            "average takings by district",
            {
                "the average attendance of the documents by district": (
                    "takes “takings” as “attendance”"
                ),
                "the average fee_eur of the documents by district": "takes “takings” as “fee_eur”",
            },
        ),
        (
            "assets",
            "average price of the vessels",
            {
                "the average Cost of the documents whose Category is Vessel": (
                    "takes “price” as “Cost”"
                )
            },
        ),
        ("permits", "Which permits annoyed the neighbours?", {}),
        ("permits", "Wie viele Genehmigungen gibt es?", {}),
    ],
    ids=["left out", "denied", "one of two fields", "field", "only the kind left", "language"],
)
def test_offers_are_read_for_certain_and_say_what_they_change(
    name: str, question: str, offered: Mapping[str, str], corpora: Mapping[str, Corpus]
) -> None:
    vocabulary = Vocabulary(corpora[name])
    with pytest.raises(QuestionError):
        interpretation_of(question, vocabulary)
    found = offers(question, vocabulary)
    assert {each.meaning: each.changes for each in found} == offered
    for each in found:
        read = interpretation_of(each.meaning, vocabulary)
        assert all(atom.field or atom.terms for atom in read.conditions)
