import json

import pytest

from tools.corpus.readers.rows import read_csv, read_json, read_json_lines


@pytest.mark.parametrize(
    "table",
    [
        "Ann,61.5,2021-03-01\nBob,70,2022-04-02\nCid,,2022-05-02\n",
        "7,Ann,300\n8,Bob,250\n9,Cid,410\n",
    ],
    ids=["a date", "numbers"],
)
def test_a_first_row_of_values_is_a_row_and_told(table: str) -> None:
    extracted = read_csv(table.encode(), None)
    assert len(extracted) == 3
    assert extracted[0].text.startswith("column_1: ")
    assert any("first row" in warning for warning in extracted[0].warnings)


@pytest.mark.parametrize(
    "header",
    ["Name,Age,Start", "City,2019,2020", "Score,50,90", "Name,,", "Id,3D,Start", "1,2,3"],
)
def test_a_first_row_that_may_be_names_is_a_header(header: str) -> None:
    extracted = read_csv(f"{header}\nAnn,30,40\nBob,31,42\n".encode(), None)
    assert len(extracted) == 2
    assert not extracted[0].warnings


@pytest.mark.parametrize("line", ["sep=;\r\n", '\ufeff"sep=|"\n', "SEP=\t\n", "sep=,,\n"])
def test_a_first_line_may_state_the_separator(line: str) -> None:
    mark = line.partition("=")[2][0]
    table = f"{line}Name{mark}Notes{mark}Fee\nAnn{mark}a;b, c{mark}3\n"
    if mark in ";,":
        table = table.replace("a;b, c", '"a;b, c"')
    (row,) = read_csv(table.encode(), None)
    assert row.properties == {"Name": "Ann", "Notes": "a;b, c", "Fee": "3"}


def test_every_long_column_is_text_and_the_others_are_fields() -> None:
    long, other = "Hemp is strong. " * 20, "Rope frays. " * 20
    table = f"city,facts,remarks\nGhent,{long},{other}\nAalst,{long},\n"
    first, second = read_csv(table.encode(), None)
    assert first.text == f"facts\n\n{long.strip()}\n\nremarks\n\n{other.strip()}"
    assert second.text == f"facts\n\n{long.strip()}"
    assert (first.properties, second.properties) == ({"city": "Ghent"}, {"city": "Aalst"})


def test_nested_values_of_a_record_are_fields_by_dotted_key() -> None:
    record = {
        "id": "A-1",
        "versions": {"patched": "1.2", "affected": [1, 1.1]},
        "credits": [{"name": "Ann"}, {"name": "Bob"}],
        "open": True,
        "none": None,
    }
    for read, written in ((read_json_lines, json.dumps(record)), (read_json, json.dumps([record]))):
        (found,) = read(written.encode(), None)
        assert found.properties == {
            "id": "A-1",
            "versions.patched": "1.2",
            "versions.affected": "1; 1.1",
            "credits.name": "Ann; Bob",
            "open": "true",
        }


@pytest.mark.parametrize("table", ['a,b\n1,"x\n2,y\n', 'a,b\n1,"x\n2,"y"\n'])
def test_rows_that_a_quote_joins_are_told(table: str) -> None:
    (extracted,) = read_csv(table.encode(), None)
    assert "rows may have run together" in extracted.warnings[0]
    assert not read_csv(b'a,b\n5",x\n"6"" or 7""",y\n', None)[0].warnings


@pytest.mark.parametrize(
    ("prices", "total", "label", "is_total"),
    [
        (["33.33"] * 3, "100.00", "Total", True),
        (["33,33 €"] * 3, "100,00 €", "Sum", True),
        (["33"] * 3, "100", "Total", True),
        (["33.33"] * 3, "100.03", "Total", False),
        (["33.33"] * 3, "100.00", "Sumatra", False),
        (["33.33"] * 3, "100.00", "", False),
        (["1", "1"], "3", "Total wine", False),
        (["9.99"] * 1000, "9993.00", "Total", False),
        (["9.99"] * 1000, "9990.20", "Total", True),
    ],
)
def test_a_total_is_one_of_parts_as_they_are_rounded(
    prices: list[str], total: str, label: str, is_total: bool
) -> None:
    rows = [f"{name};{price}" for name, price in [*enumerate(prices), (label, total)]]
    found = read_csv("\n".join(["Item;Price", *rows]).encode(), None)
    assert [bool(each.broken) for each in found] == [False] * len(prices) + [is_total]
