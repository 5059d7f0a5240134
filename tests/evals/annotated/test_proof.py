import pytest

from evals.annotated.proof import labels_of
from evals.questions import GoldCondition, GoldEvidence

RED = GoldCondition(text="is painted red", label="R", pattern=r"\bred\b")
BLUE = GoldCondition(text="is painted blue", label="B", pattern=r"\bblue\b")


def _evidence(text: str, condition: str | None = None) -> GoldEvidence:
    return GoldEvidence(document="a", start=0, end=len(text), text=text, condition=condition)


@pytest.mark.parametrize(
    ("evidence", "labels"),
    [
        pytest.param(_evidence("red walls", "B"), {1}, id="its label goes first"),
        pytest.param(_evidence("red walls"), {0}, id="a pattern that matches"),
        pytest.param(_evidence("red and blue walls"), {0, 1}, id="two patterns match"),
        pytest.param(_evidence("crimson walls"), {0, 1}, id="nothing tells: all"),
        pytest.param(_evidence("red walls", "unknown"), {0}, id="an unknown label"),
    ],
)
def test_evidence_belongs_to_conditions(evidence: GoldEvidence, labels: set[int]) -> None:
    assert set(labels_of(evidence, (RED, BLUE))) == labels
