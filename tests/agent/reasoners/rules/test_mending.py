import pytest

from agent.reasoners.rules.labels import Labels
from agent.reasoners.rules.mending import mended
from tests.agent.reasoners.rules.papers import TICKETS
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


def test_a_word_that_the_texts_use_stays() -> None:
    question = "Which tickets mention a critcal?"
    assert mended(question, Labels.of(TICKETS), SmallLexicon(["critcal"])) == (question, [])
