import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from agent.question import (
    AllOf,
    AnyOf,
    Condition,
    Interpretation,
    Node,
    Not,
    Predicate,
    atoms,
    holds,
    verdict,
)

NAMES = ("a", "b", "c")
LEAVES = st.builds(
    Condition,
    id=st.sampled_from(NAMES),
    text=st.text(max_size=5),
    terms=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    predicate=st.none()
    | st.builds(
        Predicate,
        field=st.text(max_size=3),
        comparison=st.sampled_from(["is", "between", "exists"]),
        values=st.lists(st.text(max_size=3), max_size=2).map(tuple),
    ),
)


def _joined(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    parts = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Not, part=inner), st.builds(AllOf, parts=parts), st.builds(AnyOf, parts=parts)
    )


TREES = st.recursive(LEAVES, _joined, max_leaves=8)
A, B, C = (Condition(id=name, text=name) for name in NAMES)


@given(TREES)
def test_a_tree_survives_json(tree: Node) -> None:
    reading = Interpretation(text="?", entity_type="pier", conditions=tree)
    assert Interpretation.model_validate_json(reading.model_dump_json()) == reading
    assert Interpretation.model_validate(reading.model_dump()) == reading


@pytest.mark.parametrize(
    "conditions",
    [{"kind": "xor", "parts": []}, {"kind": "not"}, {"id": "a"}, {"kind": "and", "part": None}],
    ids=["unknown kind", "empty not", "no kind", "wrong key"],
)
def test_a_tree_of_another_form_is_refused(conditions: object) -> None:
    with pytest.raises(ValidationError):
        Interpretation.model_validate({"text": "", "entity_type": "", "conditions": conditions})


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


@given(TREES, st.fixed_dictionaries({name: st.booleans() for name in NAMES}))
def test_de_morgan_holds(tree: Node, truth: dict[str, bool]) -> None:
    def true(atom: Condition) -> bool:
        return truth[atom.id]

    assert holds(Not(part=tree), true) is not holds(tree, true)
    assert holds(Not(part=AllOf(parts=(tree, A))), true) is holds(
        AnyOf(parts=(Not(part=tree), Not(part=A))), true
    )
