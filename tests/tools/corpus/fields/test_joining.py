from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import isfinite
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.corpus_view import FieldValue
from tools.corpus.fields.catalogue import catalogue, read_together
from tools.corpus.fields.field_table import FieldTable, write_fields
from tools.corpus.fields.field_values import field_value, save_rows, value_rows
from tools.corpus.layout import Generation

Fields = dict[str, FieldValue]

KEYS = st.sampled_from(["Rent", "rent", "RENT!", "Kind", "Straße", "", "!"])
VALUES = st.builds(
    field_value,
    st.sampled_from(
        [
            "1.200 €",
            "2.350,50 €",
            "0.5",
            "950",
            "none",
            "N/A",
            "1.5e999",
            "2014-09-29",
            "a, B; A",
            "",
        ]
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
        (str(last), first - half, stop - half) if first >= half else (str(every), first, stop)
        for first, stop in pairwise(bounds)
    ]
    generation = Generation(place)
    write_fields(pieces, generation)
    return FieldTable.load(generation.fields, generation.values, generation.written)


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


@pytest.mark.parametrize("more", ["2.350,50 €", "2,350.50 €", "none", "lot 7"])
def test_fields_joined_again_with_others_equal_those_joined_at_once(
    tmp_path: Path, more: str
) -> None:
    raws = ["1.200 €", "950 €", "1e999", "1.5e999", "2014-09-29", more]
    documents = [{"Rent": field_value(raw), "Kind": field_value("a")} for raw in raws]
    parts = [Generation(tmp_path / name) for name in ("before", "part", "again", "at once")]
    for each in parts:
        each.root.mkdir()
    before, part, again, at_once = parts
    save_rows(value_rows(documents), part.written)
    end = len(documents)
    write_fields([(str(part.written), 0, end - 1)], before)
    write_fields([(str(before.written), 0, end - 1), (str(part.written), end - 1, end)], again)
    write_fields([(str(part.written), 0, end)], at_once)

    for name in ("fields.json", "values.arrow", "documents.fields.arrow"):
        assert (again.root / name).read_bytes() == (at_once.root / name).read_bytes()
