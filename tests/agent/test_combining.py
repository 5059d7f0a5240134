"""Readings side by side: what is the same, what one search serves, what it has to find."""

from hypothesis import given
from hypothesis import strategies as st

from agent.combining import alike, numbered, together, union
from agent.question import AllOf, AnyOf, Condition, Interpretation, Measure, Not, atoms, holds

DOG = Condition(id="a", text="allows a dog")
CAT = Condition(id="a", text="allows a cat")
LEASE = Interpretation(text="", entity_type="lease")


def reading(node=None, **changes: object) -> Interpretation:
    return LEASE.model_copy(update={"conditions": node, **changes})


conditions = st.sampled_from([DOG, CAT, Condition(id="z", text="signed in May")])
trees = st.recursive(
    conditions,
    lambda inner: st.one_of(
        inner.map(lambda part: Not(part=part)),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: AllOf(parts=tuple(parts))),
        st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(parts=tuple(parts))),
    ),
    max_leaves=6,
)


def test_names_and_words_make_no_difference_but_conditions_do():
    named = reading(DOG.model_copy(update={"id": "x"}), text="dogs?", assumptions=("so",))
    assert alike(reading(DOG), named)
    assert not alike(reading(DOG), reading(CAT))
    assert not alike(reading(DOG), reading(Not(part=DOG)))


def test_a_list_and_a_count_of_the_same_are_executed_alike():
    assert alike(reading(DOG, operation="list"), reading(DOG, operation="count"))
    assert not alike(reading(DOG), reading(DOG, operation="sum"))


def test_one_search_serves_different_conditions_but_not_different_units():
    assert together(reading(DOG), reading(CAT))
    assert together(reading(DOG), reading(None))
    assert not together(reading(DOG), reading(DOG, grain="entity"))
    assert not together(reading(DOG), reading(DOG, measure=Measure(text="rent")))
    people = reading(DOG, grain="entity", entity_type="tenant")
    assert not together(people, people.model_copy(update={"entity_type": "landlord"}))
    assert not together(people, people.model_copy(update={"merge": "exact"}))


def test_equal_conditions_get_one_name_and_different_ones_two():
    both = numbered([reading(DOG), reading(AllOf(parts=(CAT, DOG)))])
    assert [[atom.id for atom in atoms(each.conditions)] for each in both] == [
        ["c1"],
        ["c2", "c1"],
    ]


def test_readings_with_the_same_conditions_are_searched_as_the_first():
    first = reading(DOG, operation="count")
    assert union([first, reading(DOG, operation="list")]) == first


def test_a_reading_without_conditions_makes_every_entity_matter():
    whole = union(numbered([reading(DOG), reading(None)]))
    assert holds(whole.conditions, lambda _: False)
    assert [atom.text for atom in atoms(whole.conditions)] == ["allows a dog"]


@given(st.lists(trees, min_size=1, max_size=4), st.data())
def test_the_union_holds_where_any_reading_holds(found, data):
    shared = numbered([reading(each) for each in found])
    names = {atom.id for each in shared for atom in atoms(each.conditions)}
    truth = {name: data.draw(st.booleans()) for name in sorted(names)}
    told = [holds(each.conditions, lambda atom: truth[atom.id]) for each in shared]
    assert holds(union(shared).conditions, lambda atom: truth[atom.id]) == any(told)


@given(trees, trees)
def test_alike_is_an_equivalence_of_renamed_trees(one, other):
    assert alike(reading(one), numbered([reading(one)])[0])
    assert alike(reading(one), reading(other)) == alike(reading(other), reading(one))
