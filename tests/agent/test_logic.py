import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import MalformedReply
from agent.logic import parse_logic
from agent.question import AllOf, AnyOf, Condition, Node, Not, atoms, holds, verdict

C = {name: Condition(id=name, text=name) for name in ("c1", "c2", "c3")}


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        ("c1 and c2 and c3", AllOf(parts=(C["c1"], C["c2"], C["c3"]))),
        ("c1 or c2 and not c3", AnyOf(parts=(C["c1"], AllOf(parts=(C["c2"], Not(part=C["c3"])))))),
        ("(c1 OR c2) AND c3", AllOf(parts=(AnyOf(parts=(C["c1"], C["c2"])), C["c3"]))),
        ("", AllOf(parts=(C["c1"], C["c2"], C["c3"]))),
    ],
    ids=["and", "precedence", "parentheses and case", "empty joins by and"],
)
def test_an_expression_becomes_its_tree(expression: str, tree: Node):
    assert parse_logic(expression, C) == tree


@pytest.mark.parametrize(
    ("expression", "complaint"),
    [
        ("c1 and c9", "'c9'"),
        ("c1 and c2", "c3"),
        ("(c1 and c2 and c3", "parenthesis"),
        ("c1 c2 c3", "should end"),
        ("c1 and c2 and ?", "character"),
        ("c1 and c2 and", "the end"),
    ],
    ids=["unknown id", "unused condition", "open parenthesis", "no operator", "character", "cut"],
)
def test_a_bad_expression_says_what_is_wrong(expression: str, complaint: str):
    with pytest.raises(MalformedReply, match=complaint):
        parse_logic(expression, C)


def _trees() -> st.SearchStrategy[Node]:
    leaves = st.sampled_from(sorted(C)).map(lambda name: C[name])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(lambda node: Not(part=node)),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: AllOf(parts=tuple(parts))),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(parts=tuple(parts))),
        ),
        max_leaves=8,
    )


@given(_trees(), st.fixed_dictionaries({name: st.sampled_from([True, False, None]) for name in C}))
def test_a_verdict_holds_under_every_completion(tree: Node, truth: dict[str, bool | None]):
    decided = verdict(tree, lambda atom: truth[atom.id])
    outcomes = set()
    for bits in range(8):
        filled = {
            name: known if known is not None else bool(bits >> place & 1)
            for place, (name, known) in enumerate(truth.items())
        }
        outcomes.add(holds(tree, lambda atom, filled=filled: filled[atom.id]))
    if decided is not None:
        assert outcomes == {decided}


@given(_trees())
def test_atoms_are_all_conditions_of_the_tree(tree: Node):
    assert {atom.id for atom in atoms(tree)} <= set(C)
    assert list(atoms(tree))
