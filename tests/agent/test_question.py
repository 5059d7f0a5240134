import pytest

from agent.question import (
    AllOf,
    AnyOf,
    Condition,
    Node,
    Not,
    atoms,
    holds,
    verdict,
)

NAMES = ("a", "b", "c")


A, B, C = (Condition(id=name, text=name) for name in NAMES)


def test_atoms_come_from_left_to_right_each_time_they_stand() -> None:
    tree = AnyOf(parts=(AllOf(parts=(B, Not(part=A))), C, B))
    assert [atom.id for atom in atoms(tree)] == ["b", "a", "c", "b"]
    assert list(atoms(None)) == []


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (None, True),
        (AllOf(parts=()), True),
        (AnyOf(parts=()), False),
        (AllOf(parts=(A, B)), False),
        (AnyOf(parts=(A, B)), True),
        (Not(part=B), True),
        (Not(part=AllOf(parts=(A, Not(part=B)))), False),
    ],
    ids=["none", "empty and", "empty or", "and", "or", "not", "nested"],
)
def test_a_tree_is_evaluated_by_its_connectives(tree: Node | None, value: bool) -> None:
    assert holds(tree, lambda atom: atom.id == "a") is value
    assert verdict(tree, lambda atom: atom.id == "a") is value
