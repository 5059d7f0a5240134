from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.corpus.fields.items import field_value
from tools.corpus.fields.numbers import read_together
from tools.corpus.fields.table import dump_values, join_fields


def test_a_number_is_read_by_the_marks_of_its_field_however_its_key_is_spelt() -> None:
    read = read_together(
        [
            {"Rent": field_value("1.200 €"), "Mass": field_value("1.200 kg")},
            {"rent": field_value("2.350,50 €"), "Mass": field_value("0.5 kg")},
        ]
    )
    assert [values.popitem()[1].number for values in read] == [1.2, 0.5]
    assert [values.popitem()[1].number for values in read] == [1200.0, 2350.5]


def test_a_number_that_may_be_thousands_is_none() -> None:
    (values,) = read_together([{"Rent": field_value("1.200")}])
    assert values["Rent"].number is None


@pytest.mark.parametrize("more", ["2.350,50 €", "2,350.50 €", "none", "lot 7"])
def test_fields_joined_again_with_others_equal_those_joined_at_once(
    tmp_path: Path, more: str
) -> None:
    raws = ["1.200 €", "950 €", "1e999", "2014-09-29", more]
    written = [dump_values({"Rent": field_value(raw), "Kind": field_value("a")}) for raw in raws]

    def joined(values: Sequence[str]) -> tuple[list[str], bytes]:
        return join_fields(values, tmp_path / "fields.json", tmp_path / "values.arrow"), (
            tmp_path / "fields.json"
        ).read_bytes()

    before, _ = joined(written[:-1])
    assert joined([*before, written[-1]]) == joined(written)
