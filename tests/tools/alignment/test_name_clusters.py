"""Names are merged into entities, never across names that contradict each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.alignment import merge
from tools.alignment.name import parsed

NAMES = [
    "J. Smith", "John Smith", "Jane Smith", "Smith", "Windows", "Windows 95", "Windows 98",
    "Initech", "Initech LLC", "Initech GmbH", "Korea", "North Korea", "South Korea", "DPRK",
    "Istanbul", "Constantinople",
]  # fmt: skip


@pytest.mark.parametrize(
    ("counts", "name"),
    [
        ({"WHO": 3, "World Health Organization": 2}, "WHO"),
        ({"WHO": 2, "World Health Organization": 2}, "World Health Organization"),
        ({"ab": 1, "aa": 1}, "aa"),
    ],
    ids=["most frequent", "then longest", "then first"],
)
def test_an_entity_goes_by_its_best_name(counts: dict[str, int], name: str) -> None:
    first, second = counts
    (cluster,) = merge(counts, [(first, second)]).clusters
    assert cluster.name == name
    assert set(cluster.aliases) == set(counts) - {name}


def test_a_confirmed_pair_with_different_numbers_is_refused() -> None:
    merged = merge({"PEP 484": 1, "PEP 585": 1}, (), [("PEP 585", "PEP 484")])
    assert len(merged.clusters) == 2
    assert merged.refused == (("PEP 484", "PEP 585"),)


def test_versions_are_one_where_the_person_said_so() -> None:
    pair = ("Windows 95", "Windows 98")
    assert len(merge(dict.fromkeys(pair, 1), (), [pair], wide=True).clusters) == 1


@pytest.mark.parametrize(
    ("middle", "ends"),
    [
        ("J. Smith", ("John Smith", "Jane Smith")),
        ("Initech", ("Initech LLC", "Initech GmbH")),
        ("Korea", ("North Korea", "South Korea")),
        ("Windows", ("Windows 1995", "Windows 1998")),
    ],
)
def test_a_name_between_two_that_contradict_joins_one_only(
    middle: str, ends: tuple[str, str]
) -> None:
    counts = {middle: 1, ends[0]: 1, ends[1]: 5}
    merged = merge(counts, (), [(middle, end) for end in ends])
    assert [set(each.aliases) for each in merged.clusters if each.aliases] == [{middle}]
    assert [each.name for each in merged.clusters if each.aliases] == [ends[1]]
    assert len(merged.refused) == 1


PAIRS = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=20)


@given(PAIRS)
def test_every_name_is_in_one_entity_and_numbers_never_mix(told: list[tuple[str, str]]) -> None:
    merged = merge(dict.fromkeys(NAMES, 1), (), told)
    entities = [(each.name, *each.aliases) for each in merged.clusters]
    assert sorted(name for members in entities for name in members) == sorted(NAMES)
    for members in entities:
        assert not {"Windows 95", "Windows 98"} <= set(members)
        assert not {"John Smith", "Jane Smith"} <= set(members) or {
            frozenset(pair) for pair in told
        } >= {frozenset(("John Smith", "Jane Smith"))}
        assert len({parsed(name).numbers for name in members}) == 1
