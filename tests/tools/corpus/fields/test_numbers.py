from tools.corpus.fields.items import field_value
from tools.corpus.fields.numbers import read_together


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
