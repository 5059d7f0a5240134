"""Bounds are exactly what any outcome of the undecided could make of the count."""

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.question import AllOf, AnyOf, Condition, Node, Not, atoms, holds
from tools.bounds import bounds, open_conditions, possible_truths

A, B, C = (Condition(id=name, text="") for name in "abc")


@pytest.mark.parametrize(
    ("tree", "expected"),
    [
        (None, (3, 3)),
        (A, (1, 2)),
        (Not(part=A), (1, 2)),
        (AllOf(parts=(A, B)), (0, 2)),
        (AnyOf(parts=(A, B)), (2, 2)),
        (AnyOf(parts=(A, Not(part=A))), (3, 3)),
        (AllOf(parts=(A, Not(part=A))), (0, 0)),
    ],
    ids=["none", "atom", "not", "and", "or", "always", "never"],
)
def test_counts_are_bounded_by_what_may_turn_true(
    tree: Node | None, expected: tuple[int, int]
) -> None:
    truth = {"x": {"a": True}, "y": {"b": True}, "z": {"a": False}}
    undecided = {"x": {"a", "b"}, "y": {"a"}}
    assert bounds(tree, truth, undecided) == expected


def test_entities_seen_only_in_undecided_chunks_are_possible() -> None:
    assert bounds(A, {"x": {"a": True}}, {"y": ["a"], "z": ["b"]}) == (1, 2)


def test_entities_yet_unnamed_widen_the_upper_bound() -> None:
    assert bounds(A, {"x": {"a": True}}, {}, unnamed=4) == (1, 5)


def test_undecided_chunks_open_conditions_of_their_documents() -> None:
    document = {0: "x", 1: "x", 2: "y"}.__getitem__
    assert open_conditions({"a": [0, 1], "b": [1, 2], "c": []}, document) == {
        "x": frozenset("ab"),
        "y": frozenset("b"),
    }


TREES: st.SearchStrategy[Node] = st.recursive(
    st.sampled_from([A, B, C]),
    lambda inner: (
        st.builds(lambda part: Not(part=part), inner)
        | st.lists(inner, max_size=3).map(lambda parts: AllOf(parts=tuple(parts)))
        | st.lists(inner, max_size=3).map(lambda parts: AnyOf(parts=tuple(parts)))
    ),
    max_leaves=8,
)


def _among(chosen: set[str]) -> Callable[[Condition], bool]:
    return lambda atom: atom.id in chosen


@given(TREES, st.sets(st.sampled_from("abc")), st.sets(st.sampled_from("abc")))
def test_possible_truths_equal_all_assignments(tree: Node, true: set[str], open_: set[str]) -> None:
    free = sorted(open_ - true)
    outcomes = set()
    for values in product([False, True], repeat=len(free)):
        chosen = true | {name for name, value in zip(free, values, strict=True) if value}
        outcomes.add(holds(tree, _among(chosen)))
    assert possible_truths(tree, true, set(free)) == outcomes
    assert {atom.id for atom in atoms(tree)} <= set("abc")
