from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.corpus_view import Field, FieldValue
from tools.corpus.fields.field_table import FieldTable, join_fields, names_in, write_fields
from tools.corpus.fields.field_values import field_value, save_rows, value_rows, values_of
from tools.corpus.generations import Generation


def catalogue(
    documents: Sequence[dict[str, FieldValue]],
) -> tuple[tuple[Field, ...], dict[str, str]]:
    """Return the documents' fields, and the canonical name of each key."""
    rows = value_rows(documents)
    return join_fields(rows)[0], names_in(rows)


def test_spellings_of_a_key_are_one_field_named_as_most_often() -> None:
    documents = [
        {"Python-Version": field_value("3.9")},
        {"Python-Version": field_value("3.10")},
        {"python version": field_value("3.9")},
    ]
    fields, names = catalogue(documents)
    assert names == {"Python-Version": "Python-Version", "python version": "Python-Version"}
    assert [(field.name, field.documents, field.distinct) for field in fields] == [
        ("Python-Version", 3, 2)
    ]
    assert fields[0].values == (("3.9", 2), ("3.10", 1))


def test_a_name_and_its_plural_are_one_field_where_no_document_has_both() -> None:
    one, both = field_value("Ann Ray"), field_value("Ann Ray; Bo Lee")
    fields, names = catalogue([{"Editor": one}, {"Editors": both}, {"Editor": one}])
    assert names == {"Editor": "Editor", "Editors": "Editor"}
    assert [(each.name, each.documents, each.distinct) for each in fields] == [("Editor", 3, 2)]
    fields, names = catalogue([{"Part": one, "Parts": both}, {"Part": one}])
    assert names == {"Part": "Part", "Parts": "Parts"}
    assert [each.name for each in fields] == ["Part", "Parts"]


def test_a_listed_name_stands_for_itself_with_its_address_and_without() -> None:
    value = field_value("- Ann Ray <ann@ray.example>", items=("Ann Ray <ann@ray.example>",))
    assert value.items == ("Ann Ray",)


def test_none_is_no_value_among_amounts_and_lists_but_is_one_among_words() -> None:
    rows = (
        ("$900", "pool", "oak, ash"),
        ("$1,200", "none", "none"),
        ("none", "none", "elm"),
        ("None", "gym", "None"),
    )
    names = ("Due", "Has", "Trees")
    documents = [dict(zip(names, map(field_value, row), strict=True)) for row in rows]
    fields, _ = catalogue(documents)
    assert {each.name: (each.type, each.documents, each.distinct) for each in fields} == {
        "Due": ("number", 2, 2),
        "Has": ("text", 4, 3),
        "Trees": ("list", 2, 3),
    }


def test_a_number_is_read_by_the_marks_of_its_field_however_its_key_is_spelt() -> None:
    read = read_together(
        [
            {"Rent": field_value("1.200 €"), "Mass": field_value("1.200 kg")},
            {"rent": field_value("2.350,50 €"), "Mass": field_value("0.5 kg")},
        ]
    )
    assert [values.popitem()[1].number for values in read] == [1.2, 0.5]
    assert [values.popitem()[1].number for values in read] == [1200.0, 2350.5]


def test_day_and_month_are_told_apart_by_the_other_dates_of_the_field() -> None:
    raws = ["03/04/2014", "25/12/2013", "2014-05-06", "1.2.2014"]
    read = read_together([{"Signed": field_value(raw)} for raw in raws])
    assert [each["Signed"].date for each in read] == [
        "2014-04-03",
        "2013-12-25",
        "2014-05-06",
        "2014-02-01",
    ]
    both = read_together([{"Signed": field_value(raw)} for raw in ("03/04/2014", "4/25/14", "x")])
    assert both[0]["Signed"].date == "2014"


@pytest.mark.parametrize(
    ("raws", "items"),
    [
        ([f"City {number}, ST" for number in range(9)], "City 0, ST"),
        (["Ann, Bob", "Cy", "Ann", "Dee", "Bob, Ed", "Flo", "Gus", "Hal"], ("Ann", "Bob")),
        (["Crane, bay 4", *map(str, "abcdefgh")], "Crane, bay 4"),
        (["Ann, Bob", "Cy"], ("Ann", "Bob")),
        (["[Ann, Bob]", *map(str, "abcdefgh")], ("Ann", "Bob")),
    ],
)
def test_a_comma_parts_items_where_the_field_holds_lists(
    raws: list[str], items: str | tuple[str, ...]
) -> None:
    wanted = items if isinstance(items, tuple) else (items,)
    given = {"[Ann, Bob]": ("Ann", "Bob")}
    read = read_together([{"Who": field_value(raw, items=given.get(raw))} for raw in raws])
    assert read[0]["Who"].items == wanted
    assert read_together(read) == read


Fields = dict[str, FieldValue]

KEYS = st.sampled_from(["Rent", "rent", "RENT!", "Kind", "Straße", "", "!"])
VALUES = st.builds(
    field_value,
    st.sampled_from(
        ["1.200 €", "2.350,50 €", "0.5", "none", "1.5e999", "2014-09-29", "a, B; A", ""]
    ),
    items=st.sampled_from([None, None, None, (), ("1.200",), ("STRASSE", "straße")]),
    start=st.sampled_from([None, 7]),
)
DOCUMENTS = st.lists(st.dictionaries(KEYS, VALUES, max_size=4), min_size=1, max_size=6)


def joined(documents: Sequence[Fields], cuts: Sequence[int], place: Path) -> FieldTable:
    """Join the documents from a file of all and one of the last, by turns from cut to cut."""
    every, last = place / "every.arrow", place / "last.arrow"
    half = len(documents) // 2
    save_rows(value_rows(documents), every)
    save_rows(value_rows(documents[half:]), last)
    bounds = sorted({0, *(cut % len(documents) for cut in cuts), half, len(documents)})
    pieces = [
        (last, first - half, stop - half) if first >= half else (every, first, stop)
        for first, stop in pairwise(bounds)
    ]
    generation = Generation(place)
    write_fields(pieces, generation)
    return FieldTable(generation)


def read_together(documents: Sequence[Fields]) -> list[Fields]:
    """Return the documents' values as those of the same field tell to read them."""
    rows = join_fields(value_rows(documents))[2]
    read: list[Fields] = [{} for _ in documents]
    for document, key, value in zip(rows["document"], rows["key"], values_of(rows), strict=True):
        read[document][key] = value
    return read


def bounded(fields: Fields) -> Fields:
    return {
        key: value
        if value.number is None or isfinite(value.number)
        else replace(value, number=None)
        for key, value in fields.items()
    }


@settings(max_examples=40)
@given(DOCUMENTS, st.lists(st.integers(0, 5), max_size=3))
def test_pieces_joined_tell_what_the_documents_do(documents: list[Fields], cuts: list[int]) -> None:
    read = read_together(list(map(bounded, documents)))
    fields, names = catalogue(read)
    with TemporaryDirectory() as place:
        table = joined(documents, cuts, Path(place))
        found = [table.of(document) for document in range(len(documents))]

        assert table.fields == fields
        assert [list(own.items()) for own in found] == [list(bounded(own).items()) for own in read]
        for field in fields:
            first: dict[int, FieldValue] = {}
            for document, own in enumerate(read):
                for key, value in own.items():
                    if names[key] == field.name:
                        first.setdefault(document, value)
            held = dict(table.values(field.name))
            assert len(held) == field.documents
            assert held == {document: first[document] for document in held}


def test_a_table_tells_items_once_as_written_and_nothing_of_an_unknown_field(
    tmp_path: Path,
) -> None:
    rents = [{"Rent": field_value("900")}, {"rent": field_value("1,200"), "Rent": field_value("7")}]
    topics = [{"Topic": field_value(raw)} for raw in ("Typing, Packaging", "typing, Typing, Außen")]
    table = joined([*rents, {}, *topics], (), tmp_path)
    assert list(table.items("RENT")) == ["900", "1,200"]
    assert list(table.items("Topic")) == ["Typing", "Packaging", "typing", "Außen"]
    assert (dict(table.values("Deposit")), list(table.items("Deposit"))) == ({}, [])
    empty = joined([{}], (), tmp_path)
    assert (empty.fields, dict(empty.values("Rent")), empty.of(0)) == ((), {}, {})
