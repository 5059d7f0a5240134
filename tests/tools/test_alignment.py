"""Names of one entity are merged, names that only look alike are asked about or kept apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.alignment import Cluster, candidate_pairs, merge
from tools.names import numbers, single_spaced

NAMES = [
    "Acme Inc.", "ACME, Inc", "Globex", "Globex Corporation", "Initech LLC", "Initech GmbH",
    "Initech", "PEP 484", "PEP 0484", "PEP 585", "PEP 4840", "F.B.I.", "FBI",
    "Federal Bureau of Investigation", "World Health Organization (WHO)", "WHO",
    "World Health Organisation", "John Smith", "J. Smith", "Smith, John", "Jane Doe", "C", "C++",
]  # fmt: skip
BLOCKS = candidate_pairs(NAMES)


@pytest.mark.parametrize(
    "pair",
    [
        ("ACME, Inc", "Acme Inc."),
        ("Globex", "Globex Corporation"),
        ("PEP 0484", "PEP 484"),
        ("F.B.I.", "FBI"),
        ("WHO", "World Health Organization (WHO)"),
    ],
)
def test_one_entity_by_rule_is_sure(pair: tuple[str, str]) -> None:
    assert pair in BLOCKS.sure


@pytest.mark.parametrize(
    "pair",
    [
        ("J. Smith", "John Smith"),
        ("John Smith", "Smith, John"),
        ("World Health Organisation", "World Health Organization (WHO)"),
        ("Initech", "Initech LLC"),
        ("Initech GmbH", "Initech LLC"),
        ("F.B.I.", "Federal Bureau of Investigation"),
    ],
)
def test_what_only_a_reader_can_tell_is_grey(pair: tuple[str, str]) -> None:
    assert pair in BLOCKS.grey
    assert pair not in BLOCKS.sure


@pytest.mark.parametrize(
    "pair", [("PEP 484", "PEP 585"), ("PEP 484", "PEP 4840"), ("C", "C++"), ("Jane Doe", "WHO")]
)
def test_different_things_are_not_even_asked_about(pair: tuple[str, str]) -> None:
    assert pair not in BLOCKS.sure + BLOCKS.grey


@pytest.mark.parametrize(
    "quote",
    [
        "filed with the Federal Bureau of Investigation (“FBI”) in May",
        "filed with the Federal Bureau of  Investigation (the FBI)",
        "the FBI (Federal Bureau of Investigation) says",
    ],
)
def test_a_quote_that_defines_an_acronym_makes_it_sure(quote: str) -> None:
    pair = ("FBI", "Federal Bureau of Investigation")
    assert pair in candidate_pairs(pair, quotes=[quote]).sure


def test_an_acronym_without_evidence_is_asked_about() -> None:
    pair = ("FBI", "Federal Bureau of Investigation")
    blocks = candidate_pairs(pair, quotes=["The FBI is not explained."])
    assert (blocks.sure, blocks.grey) == ((), (pair,))


def test_the_exact_rule_forgives_only_spaces() -> None:
    blocks = candidate_pairs(["Jane  Doe", "Jane Doe", "JANE DOE", "Jane\nDoe"], rule="exact")
    assert blocks.grey == ()
    clusters = merge({"Jane  Doe": 1, "Jane Doe": 2, "JANE DOE": 1, "Jane\nDoe": 1}, blocks.sure)
    assert clusters == [
        Cluster(name="JANE DOE", aliases=()),
        Cluster(name="Jane Doe", aliases=("Jane  Doe", "Jane\nDoe")),
    ]


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
    (cluster,) = merge(counts, [(first, second)])
    assert cluster.name == name
    assert set(cluster.aliases) == set(counts) - {name}


def test_a_confirmed_pair_with_different_numbers_is_not_merged() -> None:
    assert len(merge({"PEP 484": 1, "PEP 585": 1}, [("PEP 484", "PEP 585")])) == 2


def test_pairs_of_unknown_names_are_left_out() -> None:
    assert merge({"a": 1}, [("a", "b"), ("c", "d")]) == [Cluster(name="a", aliases=())]


@pytest.mark.parametrize("names", [[], ["one"], ["", " "], ["?", "!"]])
def test_few_or_empty_names_make_no_trouble(names: list[str]) -> None:
    blocks = candidate_pairs(names)
    assert len(merge(dict.fromkeys(names, 1), blocks.sure)) <= len(names)


MENTIONS = st.lists(
    st.sampled_from(NAMES)
    | st.text(alphabet="ab 1.2ÄI&", max_size=6)
    | st.sampled_from(["Acme", "acme  inc", "GLOBEX CORP", "P. E. P. 484", "World War I"]),
    max_size=14,
)


@given(MENTIONS)
def test_the_order_of_names_does_not_matter(names: list[str]) -> None:
    shuffled = sorted(names, key=lambda name: (len(name), name[::-1]))
    assert candidate_pairs(shuffled) == candidate_pairs(names)
    counts = {name: names.count(name) for name in names}
    pairs = candidate_pairs(names).sure + candidate_pairs(names).grey
    again = merge({name: counts[name] for name in shuffled}, pairs[::-1])
    assert again == merge(counts, pairs)


@given(MENTIONS)
def test_every_name_is_in_one_entity_and_numbers_never_mix(names: list[str]) -> None:
    blocks = candidate_pairs(names)
    clusters = merge(dict.fromkeys(names, 1), blocks.sure + blocks.grey)
    members = [name for cluster in clusters for name in (cluster.name, *cluster.aliases)]
    assert sorted(members) == sorted(set(names))
    for cluster in clusters:
        assert {numbers(alias) for alias in cluster.aliases} <= {numbers(cluster.name)}


@given(MENTIONS)
def test_the_exact_rule_groups_by_single_spaced_names(names: list[str]) -> None:
    blocks = candidate_pairs(names, rule="exact")
    clusters = merge(dict.fromkeys(names, 1), blocks.sure)
    assert len(clusters) == len({single_spaced(name) for name in names})
