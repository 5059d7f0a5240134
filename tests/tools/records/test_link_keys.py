"""What linked columns are joined over."""

from hypothesis import given
from hypothesis import strategies as st

from agent.records.record_schema import Attribute, AttributeType, Kind, Link, Schema
from tools.records.folding import folded
from tools.records.link_keys import linked_columns, linked_keys

VALUES = st.one_of(st.text(alphabet="aAeéÉñn12 .-", max_size=4), st.integers(-20, 20))


def test_writings_of_one_value_meet() -> None:
    keys = linked_keys([["PERU", " Peru ", "Perú", "cote D'IVOIRE"]], [["Peru", "Côte d'Ivoire"]])
    assert len({keys[each] for each in ("Peru", "PERU", " Peru ", "Perú")}) == 1
    assert keys["Côte d'Ivoire"] == keys["cote D'IVOIRE"]


def test_values_that_differ_in_content_stay_apart() -> None:
    values = ["PEP 484", "PEP 585", "Q1", "Q2", "007", "7", "A-1", "A1", "か", "が", "и", "й"]
    keys = linked_keys([values], [values])
    assert len(set(keys.values())) == len(values)


def test_accents_count_where_a_column_that_is_referred_to_has_both() -> None:
    keys = linked_keys([["PEÑA", "NUNEZ", "Nunez"]], [["Peña", "Pena", "Núñez"]])
    assert keys["Peña"] == keys["PEÑA"] != keys["Pena"]
    assert keys["Núñez"] == keys["NUNEZ"]


def test_a_text_beside_numbers_is_the_number_it_writes() -> None:
    keys = linked_keys([["007", "7.50", "Q7"]], [[7, 7.5]])
    assert (keys["007"], keys["7.50"], keys["Q7"]) == (7, 7.5, "q7")


@given(st.lists(VALUES, max_size=6), st.lists(VALUES, max_size=6))
def test_texts_equal_without_case_meet_and_things_referred_to_never_merge(
    referring: list[str | int], referred: list[str | int]
) -> None:
    keys = linked_keys([referring], [referred])
    texts = [each for each in (*referring, *referred) if isinstance(each, str)]
    for one in texts:
        for other in texts:
            assert keys[one] == keys[other] or folded(one) != folded(other)
    if len(texts) == len(referring) + len(referred):
        things = [each for each in referred if isinstance(each, str)]
        assert len({keys[each] for each in things}) == len({folded(each) for each in things})


def linked(types: list[AttributeType], links: list[tuple[int, int]]) -> Schema:
    kinds = tuple(
        Kind(name=f"k{n}", attributes=(Attribute(name="a", type=each),))
        for n, each in enumerate(types)
    )
    found = tuple(
        Link(kind=f"k{one}", attribute="a", to_kind=f"k{other}", to_attribute="a")
        for one, other in links
    )
    return Schema(kinds=kinds, links=found)


def test_columns_that_links_connect_share_their_keys_and_numbers_need_none() -> None:
    schema = linked(
        ["text", "text", "text", "integer", "integer", "text", "text"],
        [(0, 1), (3, 4), (5, 6), (2, 1)],
    )
    first, second = linked_columns(schema)
    assert first.columns == (("k5", "a"), ("k6", "a"))
    assert second.columns == (("k0", "a"), ("k1", "a"), ("k2", "a"))
    assert second.referred == {("k1", "a")}


def test_a_link_to_no_attribute_joins_nothing() -> None:
    schema = linked(["text", "text"], [])
    nowhere = Link(kind="k0", attribute="b", to_kind="k1", to_attribute="a")
    assert linked_columns(schema.model_copy(update={"links": (nowhere,)})) == ()
