"""Items that every document has, that several have, and what is shown beside them."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.answer import Answer
from agent.policy import Policy
from agent.question import Quota
from graphs.answering.matches import between, has_item
from tests.built import built_once
from tests.graphs.replies import atom, interpreted, measured
from tests.graphs.searching import Case, answer_of, bounds_of, corpus_of, ran
from tests.integration.asking import names
from tools.corpus.corpus import Corpus

KEEPERS = {
    "anna": "Sheet: Keeper\nName: Anna\nPier: North\nTools: lamp, rope, axe\nPay: 10\n"
    "Since: 2019-04-01\n",
    "bo": "Sheet: Keeper\nName: Bo\nPier: North\nTools: rope, lamp\nPay: 20\nSince: 2019-06-30\n",
    "cora": "Sheet: Keeper\nName: Cora\nPier: South\nTools: Rope\nPay: 60\nSince: 2021-01-02\n",
    "boat": "Sheet: Boat\nName: Gull\nPier: South\n",
    "lamp": "Sheet: Tool\nName: lamp\nKeepers: Anna, Bo\n",
    "rope": "Sheet: Tool\nName: rope\nKeepers: Anna, Bo, Cora\n",
}
OPEN = Policy(route="text")
corpus = built_once(partial(corpus_of, KEEPERS))


KEEPER = atom("c1", field="Sheet", comparison="is", values=["Keeper"])


def quota(**told: object) -> dict[str, object]:
    return {"at_least": 1, "at_most": None, "every": False, **told}


def asked(corpus: Corpus, *conditions: dict[str, Any], **told: Any) -> Answer:
    logic = " and ".join(each["id"] for each in conditions)
    reading = interpreted(logic, *conditions, **told)
    return answer_of(ran(corpus, Case(relevant={}, reading=reading), OPEN))


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        (None, ["axe", "lamp", "rope"]),
        (quota(every=True), ["rope"]),
        (quota(at_least=2), ["lamp", "rope"]),
        (quota(at_most=1), ["axe"]),
        (quota(at_least=2, at_most=2), ["lamp"]),
    ],
    ids=["any", "every", "at least two", "at most one", "two"],
)
def test_items_are_those_in_as_many_documents_as_wanted(
    wanted: Mapping[str, object] | None, expected: list[str], corpus: Corpus
) -> None:
    told = {"entity_field": "Tools", "entity_type": "tool", "grain": "entity", "quota": wanted}
    answer = asked(corpus, KEEPER, **told)
    assert names(answer) == expected
    assert (answer.value, answer.bounds) == (len(expected), (len(expected), len(expected)))


def test_the_fields_wanted_are_shown_beside_each_item(corpus: Corpus) -> None:
    answer = asked(corpus, KEEPER, operation="list", show=["Tools", "Pier"])
    shown = {each.name: dict(each.shown) for each in answer.entities}
    assert shown["bo"] == {"Tools": ("rope", "lamp"), "Pier": ("North",)}
    told = {"entity_field": "Tools", "entity_type": "tool", "grain": "entity", "show": ["Pier"]}
    answer = asked(corpus, KEEPER, **told)
    assert {each.name: each.shown["Pier"] for each in answer.entities} == {
        "axe": ("North",),
        "lamp": ("North",),
        "rope": ("North", "South"),
    }


@pytest.mark.parametrize(
    ("operation", "first", "expected"),
    [
        ("avg", {}, {"South": 60, "North": 15}),
        ("sum", {}, {"South": 60, "North": 30}),
        ("count", {}, {"North": 2, "South": 1}),
        ("group_by", {}, {"North": 2, "South": 1}),
        ("count", {"k": 1}, {"North": 2}),
        ("count", {"k": 1, "ascending": True}, {"South": 1}),
        ("avg", {"k": 1}, {"South": 60}),
    ],
)
def test_a_field_to_group_by_gives_a_result_for_each_or_the_first_of_its_values(
    operation: str, first: dict[str, object], expected: dict[str, int], corpus: Corpus
) -> None:
    told = {"operation": operation, "group_by": "Pier", "measure": measured("pay", field="Pay")}
    answer = asked(corpus, KEEPER, **told, **first)
    assert isinstance(answer.value, dict)
    assert list(answer.value.items()) == list(expected.items())


@pytest.mark.parametrize(
    ("values", "expected"),
    [(["axe", "lamp"], {"lamp": 2, "axe": 1}), (["lamp"], {"lamp": 2, "rope": 2, "axe": 1})],
    ids=["how many axes and how many lamps", "what stands beside lamps"],
)
def test_of_values_that_conditions_name_no_others_are_groups(
    values: list[str], expected: dict[str, int], corpus: Corpus
) -> None:
    tools = atom("c2", field="Tools", comparison="is", values=values)
    answer = asked(corpus, KEEPER, tools, operation="group_by", group_by="Tools")
    assert answer.value == expected


def test_a_field_of_dates_gives_a_result_for_each_of_their_years_or_months(
    corpus: Corpus,
) -> None:
    years = asked(corpus, KEEPER, operation="group_by", group_by="Since by year")
    assert years.value == {"2019": 2, "2021": 1}
    assert isinstance(years.value, dict)
    assert [*years.value] == ["2019", "2021"]
    months = asked(corpus, KEEPER, operation="group_by", group_by="since by month")
    assert isinstance(months.value, dict)
    assert [*months.value] == ["2019-04", "2019-06", "2021-01"]


@pytest.mark.parametrize(
    ("ascending", "expected"), [(False, [("South", 60.0)]), (True, [("North", 10.0)])]
)
def test_items_are_ranked_by_the_outermost_number_of_their_documents(
    ascending: bool, expected: list[tuple[str, float]], corpus: Corpus
) -> None:
    pay = measured("pay", field="Pay", unit="EUR")
    told = {"operation": "top_k", "k": 1, "ascending": ascending, "measure": pay}
    answer = asked(corpus, KEEPER, entity_field="Pier", **told)
    assert [(each.name, each.value) for each in answer.entities] == expected
    assert (answer.value, answer.unit, answer.entities[0].unit) == (1, None, "EUR")
    assert any(f"Pay: {expected[0][1]:.0f}" in one.quote for one in answer.entities[0].evidence)


LETTERS = {f"letter-{n}": f"Town: York\n\nThe firm wrote this letter number {n}." for n in range(3)}


@pytest.mark.parametrize(
    ("wanted", "expected", "bounds"),
    [
        (quota(every=True), ["Ashgrove"], (1, 1)),
        (quota(at_least=2), ["Ashgrove", "Brickwell"], (2, 2)),
    ],
    ids=["every", "at least two"],
)
def test_names_in_texts_are_those_in_as_many_documents_as_wanted(
    wanted: Mapping[str, object],
    expected: list[str],
    bounds: tuple[int, int],
    tmp_path: Path,
) -> None:
    firms = {0: ["Ashgrove", "Brickwell"], 1: ["Ashgrove", "Brickwell"], 2: ["Ashgrove", "Lomax"]}
    told = {"grain": "entity", "entity_type": "firm", "operation": "list", "quota": wanted}
    case = Case(
        relevant={"c1": frozenset(firms)},
        reading=interpreted("c1", **told),
        named=lambda chunk: firms[chunk],
    )
    answer = answer_of(ran(corpus_of(LETTERS, tmp_path), case, OPEN))
    assert (names(answer), answer.bounds) == (expected, bounds)


DOCUMENTS = st.frozensets(st.integers(0, 5))


@given(
    having=DOCUMENTS,
    sure=DOCUMENTS,
    more=DOCUMENTS,
    wanted=st.builds(
        Quota,
        at_least=st.integers(1, 3),
        at_most=st.none() | st.integers(1, 4),
        every=st.booleans(),
    ),
    data=st.data(),
)
def test_a_verdict_holds_whichever_open_documents_match(
    having: frozenset[int],
    sure: frozenset[int],
    more: frozenset[int],
    wanted: Quota,
    data: st.DataObject,
) -> None:
    told = has_item(having, wanted, sure, sure | more)
    matching = sure | data.draw(st.frozensets(st.sampled_from(sorted(more)))) if more else sure
    if told is not None:
        assert has_item(having, wanted, matching, matching) is told
    assert has_item(having, wanted, matching, matching) is not None


def test_names_that_may_be_one_can_meet_a_quota_together() -> None:
    both = frozenset((0, 1))
    met = partial(has_item, quota=Quota(at_least=2), sure=both, perhaps=both)
    assert between({"a": [0], "b": [1]}, [["a"], ["b"]], met) == (0, 0)
    assert between({"a": [0], "b": [1]}, [["a", "b"]], met) == (0, 1)


SHEETS = (
    ("Ada", "cutter"), ("Ada", "saw"), ("Ben", "saw"), ("Ben", "drill"), ("Cleo", "cutter"),
    ("Dora", "drill"), ("Emil", "saw"), ("Emil", "cutter"), ("Gil", "saw"), ("Gil", "Saw"),
    ("Ada", "drill"),
)  # fmt: skip
"""Who owns which tool, a document each."""


sheets = built_once(
    partial(
        corpus_of,
        {
            f"sheet-{number:02}": f"Owner: {owner}\nTool: {tool}\n\nIt hangs on wall {number}.\n"
            for number, (owner, tool) in enumerate(SHEETS)
        },
    )
)
TOOLS = {
    name: atom(name, field="Tool", comparison="is", values=[tool])
    for name, tool in (("c1", "cutter"), ("c2", "drill"), ("c3", "saw"))
}
OWNERS = {"entity_field": "Owner", "entity_type": "owner", "grain": "entity", "across": True}


@pytest.mark.parametrize(
    ("logic", "owners"),
    [
        ("c1", ["Ada", "Cleo", "Emil"]),
        ("not c1", ["Ben", "Dora", "Gil"]),
        ("not ( c1 or c2 )", ["Gil"]),
        ("c1 and not c2", ["Cleo", "Emil"]),
        ("c1 and c3", ["Ada", "Emil"]),
    ],
)
def test_what_is_said_of_a_thing_is_said_of_all_its_documents(
    logic: str, owners: list[str], sheets: Corpus
) -> None:
    conditions = [TOOLS[name] for name in TOOLS if name in logic]
    reading = interpreted(logic, *conditions, **OWNERS)
    answer = answer_of(ran(sheets, Case(relevant={}, reading=reading), OPEN))
    assert names(answer) == owners
    assert (answer.value, answer.bounds) == (len(owners), (len(owners), len(owners)))


def test_what_any_document_of_a_thing_may_still_say_is_open(sheets: Corpus) -> None:
    rusty = atom("c2", text="is rusty")
    reading = interpreted("c3 and not c2", TOOLS["c3"], rusty, **OWNERS)
    whole = answer_of(ran(sheets, Case(relevant={}, reading=reading), OPEN))
    assert names(whole) == ["Ada", "Ben", "Emil", "Gil"]
    assert whole.bounds == (4, 4)
    drill_of_ben = frozenset({3})
    unread = Case(relevant={}, reading=reading, broken=drill_of_ben)
    low, high = bounds_of(ran(sheets, unread, OPEN))
    assert low <= 3 < high == 4
