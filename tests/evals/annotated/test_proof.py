import pytest

from agent.question import Condition
from evals.annotated.proof import assign, labels_of
from evals.questions import GoldCondition, GoldEvidence

RED = GoldCondition(text="is painted red", label="R", pattern=r"\bred\b")
BLUE = GoldCondition(text="is painted blue", label="B", pattern=r"\bblue\b")


def _atom(name: str, text: str) -> Condition:
    return Condition(id=name, text=text)


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


def test_an_atom_stands_for_the_condition_that_it_was_made_of() -> None:
    atoms = [_atom("c1", "is painted blue"), _atom("c2", "painted red")]
    assert assign(atoms, (RED, BLUE)) == {"c1": {1}, "c2": {0}}


def test_one_atom_alone_does_not_stand_for_the_conditions_of_others() -> None:
    assert assign([_atom("c2", "is painted blue")], (RED, BLUE)) == {"c2": {1}}


def test_an_atom_of_no_condition_stands_for_all() -> None:
    assert assign([_atom("measure", "states the length")], (RED, BLUE)) == {"measure": {0, 1}}
