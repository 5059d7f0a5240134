"""Labels that the collection neither defines nor shows."""

import pytest

from agent.corpus_view import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.unknown_labels import unknown_labels
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

CORPUS: CorpusView = SmallCorpus(["The keepers of Holm lit damaged lamps.", "Jars were found."])
READING = Interpretation(text="", entity_type="lamp")


def spans(question: str) -> list[str]:
    return [each.span for each in unknown_labels(Doubt.of(question, READING, CORPUS))]


def test_a_name_that_stands_nowhere_is_asked_about() -> None:
    assert spans("How many damaged Zubrowka lamps were found?") == ["Zubrowka"]


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("How many damaged lamps of Holm were found?", id="a known name"),
        pytest.param("Who lit lamps?", id="no name"),
        pytest.param("How many Zubrowka songs came out?", id="about something else altogether"),
        pytest.param("Tell a joke about Zubrowka", id="no question for items"),
    ],
)
def test_other_questions_are_left_alone(question: str) -> None:
    assert spans(question) == []
