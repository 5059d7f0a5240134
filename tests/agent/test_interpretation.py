from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.ambiguity import Change
from agent.corpus_view import Field
from agent.errors import MalformedReply
from agent.interpretation import (
    alike,
    changed,
    interpretation_from,
    numbered,
    order_of,
    parse_logic,
    spelt_out,
    together,
    union,
)
from agent.question import (
    AllOf,
    AnyOf,
    Condition,
    Interpretation,
    Measure,
    Node,
    Not,
    Predicate,
    Quota,
    atoms,
    verdict,
)
from agent.replies import InterpretReply
from tests.graphs.replies import atom, interpreted, measured

FIELDS = ("Inspected", "Inspector")
C = {name: Condition(id=name, text=name) for name in ("c1", "c2", "c3")}
DOG = Condition(id="a", text="allows a dog")
CAT = Condition(id="a", text="allows a cat")
MAY = Condition(id="z", text="signed in May")
LEASE = Interpretation(text="", entity_type="lease")


def trees(leaves: Sequence[Condition]) -> st.SearchStrategy[Node]:
    return st.recursive(
        st.sampled_from(leaves),
        lambda inner: st.one_of(
            inner.map(lambda part: Not(part=part)),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: AllOf(parts=tuple(parts))),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: AnyOf(parts=tuple(parts))),
        ),
        max_leaves=8,
    )


AGE = measured("age in years", unit="years")


def read(logic: str = "", **told: Any) -> Interpretation:
    told = {"restated": "How many reports are there?", "entity_type": "report", **told}
    reply = interpreted(logic, **told)
    return interpretation_from(InterpretReply.model_validate(reply), FIELDS)


def test_everything_that_was_replied_is_taken_over() -> None:
    test = Predicate(field="Inspected", comparison="between", values=("2019", "2021"))
    asked = Condition(id="c1", text="is new", counts=("x",), excludes=("y",), terms=("z",))
    whole = Interpretation(
        text="How many reports are there?",
        entity_type="report",
        grain="entity",
        entity_field="Inspector",
        conditions=AllOf(
            parts=(asked, Not(part=Condition(id="c2", text="is dated", predicate=test)))
        ),
        operation="top_k",
        measure=Measure(text="age in years", field="Inspected", of="length", unit="years"),
        k=3,
        ascending=True,
        quota=Quota(at_least=2, at_most=4),
        show=("Inspected",),
        assumptions=("Drafts are reports.",),
    )
    order = order_of(whole).model_copy(update={"entity_field": "INSPECTOR"})
    assert interpretation_from(order, FIELDS) == whole


@pytest.mark.parametrize(
    ("told", "predicate"),
    [
        ({"values": ["A", "B"]}, Predicate(field="Inspector", comparison="is", values=("A", "B"))),
        ({"values": []}, Predicate(field="Inspector", comparison="exists")),
        (
            {"comparison": "at_least", "values": ["2"], "of": "length"},
            Predicate(field="Inspector", comparison="at_least", values=("2",), of="length"),
        ),
    ],
    ids=["values without comparison", "field alone", "length"],
)
def test_a_field_makes_a_predicate(told: dict[str, object], predicate: Predicate) -> None:
    reading = read(conditions=[atom("c1", field="inspector", **told)])
    assert isinstance(reading.conditions, Condition)
    assert reading.conditions.predicate == predicate


def test_an_empty_name_of_a_field_and_a_quota_that_one_document_meets_are_none():
    names = ("entity_field", "group_by", "alias_field")
    empty = read(conditions=[atom("c1", field="")], show=[""], **dict.fromkeys(names, ""))
    assert empty == read(conditions=[atom("c1")])
    assert read(quota={"at_least": 1, "at_most": None, "every": False}).quota is None


@pytest.mark.parametrize("operation", ["sum", "avg", "min", "max", "median", "top_k"])
def test_a_numeric_operation_needs_a_measure(operation: str) -> None:
    with pytest.raises(MalformedReply, match=f"'{operation}' needs a measure"):
        read(operation=operation)
    assert read(operation=operation, measure=AGE).operation == operation


UNUSABLE = {
    "field of a condition": (
        {"conditions": [atom("c1", field="Author", values=["A"])]},
        r"no field 'Author'; it has \['Inspected', 'Inspector', 'document name', 'document t",
    ),
    "field of the entities":
        ({"entity_field": "Author"}, r"no field 'Author'; it has \['Inspected', 'Inspector'\]"),
    "field of the measure":
        ({"operation": "sum", "measure": measured("age", field="Age")}, "no field 'Age'"),
    "field of the groups": ({"operation": "group_by", "group_by": "City"}, "no field 'City'"),
    "no groups": ({"operation": "group_by"}, "needs the field to group by"),
    "no places": ({"operation": "top_k", "measure": AGE, "k": 0}, "k is 0; it must be at least 1"),
    "same id": ({"conditions": [atom("c1"), atom("c1")]}, "same id"),
    "no value": (
        {"conditions": [atom("c1", field="Inspected", comparison="is")]},
        "'c1': 'is' needs a value",
    ),
    "half a range": (
        {"conditions": [atom("c1", field="Inspected", comparison="between", values=["1"])]},
        "'c1': 'between' needs two values",
    ),
    "quota of documents":
        ({"quota": {"at_least": 2, "at_most": None, "every": False}}, "grain 'entity'"),
    "crossed quota": (
        {"grain": "entity", "quota": {"at_least": 3, "at_most": 2, "every": False}},
        "at least 3, at most 2",
    ),
    "field to show": ({"show": ["Weight"]}, "no field 'Weight'"),
    "ranked groups": (
        {"operation": "top_k", "measure": AGE, "group_by": "Inspector"},
        "ranked by group_by and k",
    ),
    "no groups at all": (
        {"operation": "count", "group_by": "Inspector", "k": 0},
        "k is 0; it must be at least 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("told", "complaint"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_unusable_reply_says_what_is_wrong(told: dict[str, object], complaint: str) -> None:
    with pytest.raises(MalformedReply, match=complaint):
        read(**told)


def wanting_all(*values: str) -> InterpretReply:
    wanted = atom("c1", field="INSPECTOR", comparison="has_all", values=list(values))
    return InterpretReply.model_validate(interpreted("c1", wanted))


def inspectors(distinct: int) -> Field:
    values = (("Ann", 3), ("Bo", 1))
    return Field(name="Inspector", type="list", documents=3, distinct=distinct, values=values)


def test_having_all_without_values_is_having_every_item_of_a_field_that_can_be_listed() -> None:
    assert spelt_out(wanting_all(), [inspectors(2)]).conditions[0].values == ["Ann", "Bo"]
    assert spelt_out(wanting_all("Bo"), [inspectors(2)]).conditions[0].values == ["Bo"]
    with pytest.raises(MalformedReply, match="has 900 items"):
        spelt_out(wanting_all(), [inspectors(900)])


def test_what_is_asked_of_several_documents_is_not_kept_apart_in_each() -> None:
    asked = {
        "merge": "document",
        "grain": "entity",
        "entity_type": "inspector",
        "entity_field": "Inspector",
    }
    wanted = {"at_least": 3, "at_most": None, "every": False}
    assert read(**asked).merge == "document"
    assert read(**asked, quota=wanted).merge == "alias"
    assert read(**asked, across=True).merge == "alias"


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


BAD = {
    "unknown id": ("c1 and c9", "'c9'"),
    "unused condition": ("c1 and c2", "c3"),
    "open parenthesis": ("(c1 and c2 and c3", "never closed"),
    "no operator": ("c1 c2 c3", "invalid syntax"),
    "number": ("c1 and c2 and 3", "'3' is no id"),
    "deep": ("not " * 9000 + "c1", "cannot be read"),
}


@pytest.mark.parametrize(("expression", "complaint"), BAD.values(), ids=BAD)
def test_a_bad_expression_says_what_is_wrong(expression: str, complaint: str):
    with pytest.raises(MalformedReply, match=complaint):
        parse_logic(expression, C)


@pytest.mark.parametrize(
    ("tree", "value"),
    [
        (None, True),
        (AllOf(parts=()), True),
        (AnyOf(parts=()), False),
        (AllOf(parts=(C["c1"], C["c2"])), False),
        (AnyOf(parts=(C["c1"], C["c2"])), True),
        (Not(part=C["c2"]), True),
        (Not(part=AllOf(parts=(C["c1"], Not(part=C["c2"])))), False),
    ],
    ids=["none", "empty and", "empty or", "and", "or", "not", "nested"],
)
def test_a_tree_is_evaluated_by_its_connectives(tree: Node | None, value: bool) -> None:
    assert verdict(tree, lambda atom: atom.id == "c1") is value


@given(
    trees(list(C.values())),
    st.fixed_dictionaries({name: st.sampled_from([True, False, None]) for name in C}),
)
def test_a_verdict_holds_under_every_completion(tree: Node, truth: dict[str, bool | None]):
    decided = verdict(tree, lambda atom: truth[atom.id])
    outcomes = set()
    for bits in range(8):
        filled = {
            name: known if known is not None else bool(bits >> place & 1)
            for place, (name, known) in enumerate(truth.items())
        }
        outcomes.add(verdict(tree, lambda atom, filled=filled: filled[atom.id]))
    if decided is not None:
        assert outcomes == {decided}


def reading(node=None, **changes: object) -> Interpretation:
    return LEASE.model_copy(update={"conditions": node, **changes})


def test_names_words_and_whether_it_is_listed_make_no_difference_but_conditions_and_sums_do():
    named = reading(DOG.model_copy(update={"id": "x"}), text="dogs?", assumptions=("so",))
    assert alike(reading(DOG), named)
    assert not alike(reading(DOG), reading(CAT))
    assert not alike(reading(DOG), reading(Not(part=DOG)))
    assert alike(reading(DOG, operation="list"), reading(DOG, operation="count"))
    assert not alike(reading(DOG), reading(DOG, operation="sum"))


def test_a_condition_in_new_words_has_their_lists_and_what_they_contradict_is_dropped():
    old = DOG.model_copy(update={"counts": ("a puppy", "a guide dog"), "excludes": ("a cat",)})
    before = reading(old, assumptions=("Old leases count.", "Dogs of guests count."))
    own = Change(condition="a", text="allows a dog of one's own", counts=("a puppy",))
    made = changed(before, own.model_copy(update={"drops": ("dogs of guests count", "else")}))
    (condition,) = made.conditions
    assert condition.text == "allows a dog of one's own"
    assert (condition.counts, condition.excludes) == (["a puppy"], [])
    assert made.assumptions == ["Old leases count."]
    assert changed(before, Change(merge="wide", drops=("Old leases count",))).assumptions == [
        "Dogs of guests count."
    ]
    with pytest.raises(MalformedReply, match="no condition 'c9'"):
        changed(before, Change(condition="c9", text="allows a dog"))
    with pytest.raises(MalformedReply, match="nothing says what counts for a"):
        changed(before, Change(condition="a", text="allows a snake"))


def test_new_words_change_no_condition_that_spellings_or_a_field_decide():
    after = Predicate(field="Signed", comparison="more_than", values=("2022",))
    said = DOG.model_copy(update={"terms": ("dog", "dogs")})
    signed = MAY.model_copy(update={"predicate": after})
    for old, values in ((said, ()), (signed, ("2022",))):
        with pytest.raises(MalformedReply, match="leave what decides it"):
            changed(reading(old), Change(condition=old.id, text="other words", values=values))
    later = Change(condition="z", text="signed after 2023", values=("2023",))
    (made,) = changed(reading(signed), later).conditions
    assert (made.comparison, made.values) == ("more_than", ["2023"])


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
    assert [[atom.id for atom in atoms(each.conditions)] for each in both] == [["c1"], ["c2", "c1"]]


def test_beside_a_reading_without_conditions_every_entity_matters_and_what_both_grant_holds():
    granted = ("Old leases count.", "Dogs of guests count.")
    one, other = reading(DOG, assumptions=granted), reading(None, assumptions=granted[:1])
    whole = union(numbered([one, other]))
    assert verdict(whole.conditions, lambda _: False)
    assert [atom.text for atom in atoms(whole.conditions)] == ["allows a dog"]
    assert whole.assumptions == granted[:1]


@given(st.lists(trees([DOG, CAT, MAY]), min_size=1, max_size=4), st.data())
def test_the_union_holds_where_any_reading_holds(found, data):
    shared = numbered([reading(each) for each in found])
    names = {atom.id for each in shared for atom in atoms(each.conditions)}
    truth = {name: data.draw(st.booleans()) for name in sorted(names)}
    told = [verdict(each.conditions, lambda atom: truth[atom.id]) for each in shared]
    assert verdict(union(shared).conditions, lambda atom: truth[atom.id]) == any(told)
