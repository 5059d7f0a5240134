"""Spreadsheets: every row of every sheet, as it reads."""

import io
import re
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import repacked
from tools.corpus.readers.sheets import read_sheets

MADE = Path(__file__).parent / "made"
LEASES = [
    ["Lease", "Rent", "Signed"],
    ["A", 900, date(2020, 5, 1)],
    ["B", 1250.5, date(2021, 6, 2)],
]


def workbook(sheets: dict[str, list[list[Any]]], shape: Callable[[Any], object] = id) -> bytes:
    """Return an XLSX file of these rows by sheet, the last one shaped further."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"default_date_format": "yyyy-mm-dd"}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
        shape(sheet)
    return file.getvalue()


def test_rows_are_documents_with_their_columns_as_fields() -> None:
    first, second = read_sheets(workbook({"Leases": LEASES}), None)
    assert first.properties == {"Lease": "A", "Rent": "900", "Signed": "2020-05-01"}
    assert (second.key, second.title) == ("2", "B")
    assert second.text == "Lease: B\nRent: 1250.5\nSigned: 2021-06-02\n"


def test_sheets_are_told_apart_and_what_is_no_table_is_a_text() -> None:
    notes = [["Ask Ann about B."], ["She knows."]]
    found = read_sheets(workbook({"Leases": LEASES, "Notes": notes, "Empty": []}), None)
    assert [each.key for each in found] == ["Leases/1", "Leases/2", "Notes"]
    assert found[0].properties["Sheet"] == "Leases"
    assert found[2].text == "Ask Ann about B.\nShe knows.\n"


def test_a_text_has_the_workbooks_properties_and_rows_its_author() -> None:
    def shape(sheet: Any) -> None:
        sheet.write_comment("A1", "Not so.")
        sheet.insert_textbox("D4", "Boxed.")

    def told(xml: bytes) -> bytes:
        dated = re.sub(rb">\d{4}-\d\d-\d\dT[^<]*<", b">2019-03-04T05:06:07Z<", xml)
        return dated.replace(b"<dc:creator>", b"<dc:creator>Ann Lee")

    book = workbook({"Leases": LEASES, "Notes": [["Ask Ann."], ["She knows."]]}, shape)
    row, _, text = read_sheets(repacked(book, {"docProps/core.xml": told}), None)
    assert row.properties == {"Sheet": "Leases", "Workbook author": "Ann Lee", **row.row}
    assert text.properties == {"Sheet": "Notes", "Author": "Ann Lee", "Created": "2019-03-04"}
    assert row.warnings == ("parts not read: comments, text boxes",)


@pytest.mark.parametrize("suffix", ["ods", "xls"])
def test_comments_and_text_boxes_of_other_workbooks_are_told_too(suffix: str) -> None:
    def told(data: bytes) -> tuple[str, ...]:
        return read_sheets(data, None)[0].warnings

    assert told((MADE / f"remarks.{suffix}").read_bytes()) == (
        "parts not read: comments, text boxes",
    )
    assert told((MADE / "formats" / f"rooms.{suffix}").read_bytes()) == ()


def test_a_workbook_with_damaged_properties_is_read_and_says_so() -> None:
    damaged = repacked(workbook({"Leases": LEASES}), {"docProps/core.xml": lambda xml: xml[:40]})
    first, _ = read_sheets(damaged, None)
    assert first.properties["Lease"] == "A"
    assert first.warnings == ("parts not read: damaged properties",)


def test_formulas_have_their_saved_values_and_those_left_to_the_next_program_are_noted() -> None:
    rows = [["Part", "Cost"], ["bolt", 2], ["nut", 3]]
    book = workbook({"One": rows}, lambda sheet: sheet.write_formula("B3", "=B2+1", None, 3))
    assert [each.properties["Cost"] for each in read_sheets(book, None)] == ["2", "3"]
    rows = [["Item", "Cost"], ["A", "=1+2"], ["B", "=2+3"]]
    first, _ = read_sheets(workbook({"One": rows}), None)
    assert first.warnings[0].startswith("2 formulas without a saved value")


def test_an_empty_workbook_is_no_document() -> None:
    with pytest.raises(DocumentUnreadable, match="empty"):
        read_sheets(workbook({"One": []}), None)


def costs(rows: list[list[Any]], head: tuple[str, ...] = ("Item", "Cost")) -> list[str | None]:
    """Return the cost of each row that is a record; None for one that sums up others."""
    found = read_sheets(workbook({"One": [[*head], *rows]}), None)
    return [None if each.broken else each.properties.get("Cost") for each in found]


@pytest.mark.parametrize(
    ("rows", "read"),
    [
        ([["a", 2], ["b", 7], ["Total", 9]], ["2", "7", None]),
        ([["a", 2], ["b", 4], ["Average", 3]], ["2", "4", None]),
        (
            [["a", 2], ["b", 7], ["Sub-total", 9], ["c", 1], ["d", 4], ["Total", 5], ["All", 14]],
            ["2", "7", None, "1", "4", None, "14"],
        ),
        ([["a", 2], ["b", 7], ["c", 9]], ["2", "7", "9"]),
        ([["a", 2], ["b", 7], ["Total Energies", 30]], ["2", "7", "30"]),
    ],
)
def test_rows_that_sum_up_others_are_no_records(
    rows: list[list[Any]], read: list[str | None]
) -> None:
    assert costs(rows) == read


def test_what_stands_above_and_below_a_table_is_noted_and_empty_rows_are_none() -> None:
    head, foot = [["Author", "Ann"], []], [[], ["Source: ministry"], ["Seen by Bob"]]
    paid = datetime.fromisoformat("2021-06-02T09:05")
    table = [["Item", "Cost", "Paid"], [], ["a", 2, True], ["b", 7, paid]]
    found = read_sheets(workbook({"One": [*head, *table, *foot]}), None)
    assert [each.properties["Cost"] for each in found] == ["2", "7"]
    assert [each.properties["Paid"] for each in found] == ["true", "2021-06-02 09:05"]
    assert found[0].warnings == (
        "above the table of sheet 'One': Author Ann",
        "below the table of sheet 'One': Source: ministry",
        "below the table of sheet 'One': Seen by Bob",
    )


def test_merged_cells_long_numbers_and_hidden_sheets() -> None:
    numbers = [1234567890123456, 1234567890123457]
    rows = [[None, "Region", "Account"], *([None, None, each] for each in numbers)]

    def shape(sheet: Any) -> None:
        sheet.merge_range("B2:B3", "North")
        sheet.hide()

    found = read_sheets(workbook({"Shown": [], "One": rows}, shape), None)
    read = [tuple(each.properties.values()) for each in found]
    assert read == [("North", str(each)) for each in numbers]
    assert found[0].warnings == ("sheet 'One' is hidden",)


SITES = [["Site", "Visits", "Opened"], ["North", 3, date(2024, 5, 1)], ["South", 4, None]]


STAFF = [["Name", "Site", "Grade", "Since"], ["Ann", "North", 7, 2020], ["Bo", "", 5, 2021]]


@pytest.mark.parametrize("below", [STAFF, [["South"], ["East", 5, None], ["West", 6, None]]])
def test_a_sheet_that_may_hold_several_tables_is_a_text(below: list[list[Any]]) -> None:
    (found,) = read_sheets(workbook({"All": [*SITES, [], *below]}), None)
    assert found.text.startswith("Site\tVisits\tOpened\nNorth\t3")
    told = "may hold several tables and is read as a text: give each a sheet of its own"
    assert found.warnings == (f"sheet 'All' {told}",)


@pytest.mark.parametrize("odd", [["C", "n/a"], ["tbd", "open", "x"], ["C", None, "x"]])
def test_a_row_without_numbers_begins_no_table(odd: list[Any]) -> None:
    rows = [["A", 1, "x"], ["B", 2, "y"], [], odd, ["D", 4, "z"]]
    assert costs(rows, ("Item", "Cost", "State")) == ["1", "2", odd[1], "4"]


@pytest.mark.parametrize("between", [[], [[]]])
def test_the_same_names_again_go_on_with_a_table(between: list[list[Any]]) -> None:
    rows = [*SITES, *between, *SITES, ["Grand total", 14, None]]
    found = read_sheets(workbook({"All": rows}), None)
    read = [each.properties["Site"] for each in found if not each.broken]
    assert (read, len(found)) == (["North", "South"] * 2, 5)
    assert not any(each.warnings for each in found)


def test_a_number_merged_over_rows_is_noted() -> None:
    rows = [["Item", "Cost"], ["A"], ["B"]]
    book = workbook({"One": rows}, lambda sheet: sheet.merge_range("B2:B3", 100))
    first, _ = read_sheets(book, None)
    assert first.warnings == ("numbers merged over rows of sheet 'One' count in each",)


def test_an_empty_row_within_a_table_is_noted() -> None:
    rows = [*SITES, [], ["East", 5, None], ["West", 6, None]]
    found = read_sheets(workbook({"All": rows}), None)
    assert [each.properties["Visits"] for each in found] == ["3", "4", "5", "6"]
    assert found[0].warnings == ("empty rows part sheet 'All', which is read as one table",)


FIRST = "xl/worksheets/sheet1.xml"


@pytest.mark.parametrize("value", [b"<v></v>", b"<v/>", b""])
def test_a_formula_that_was_never_calculated_is_noted(value: bytes) -> None:
    book = workbook({"All": SITES})
    formula = b"<f>1+2</f>" + value
    changed = repacked(book, {FIRST: lambda sheet: sheet.replace(b"<v>3</v>", formula, 1)})
    told = "1 formula without a saved value: save it in a spreadsheet program"
    assert read_sheets(changed, None)[0].warnings[0] == told


def test_a_merged_cell_beside_the_table_harms_nothing() -> None:
    def shape(sheet: Any) -> None:
        sheet.merge_range("H1:H2", "")
        sheet.merge_range("A5:B9", "")

    (found,) = read_sheets(workbook({"One": [row[:2] for row in SITES[:2]]}, shape), None)
    assert found.properties == {"Site": "North", "Visits": "3"}


def test_the_names_of_a_table_with_an_index_are_found() -> None:
    assert costs([[0, "A", 5], [1, "B", 7]], ("", "Item", "Cost")) == ["5", "7"]


def test_rows_alike_are_kept_where_no_row_is_names() -> None:
    found = read_sheets(workbook({"One": [["a", 1], ["b", 2], ["a", 1], ["c", 3]]}), None)
    assert len(found) == 4


def priced(formats: list[str]) -> bytes:
    """Return a workbook with a price in each number format, and their total in the first."""
    file = io.BytesIO()
    with xlsxwriter.Workbook(file) as book:
        sheet = book.add_worksheet("One")
        sheet.write_row(0, 1, ["Item", "Price"])
        looks = [book.add_format({"num_format": each}) for each in formats]
        for row, look in enumerate(looks, start=1):
            sheet.write(row, 1, f"item {row}")
            sheet.write(row, 2, 1.5, look)
        sheet.write(row + 1, 1, "Total")
        sheet.write(row + 1, 2, 1.5 * len(formats), looks[0])
    return file.getvalue()


_MONEY = {
    '#,##0.00 "EUR"': "1.5 EUR",
    "[$$-409]#,##0.00": "1.5 $",
    "[$US$-409]#,##0.00": "1.5 USD",
    '_-* #,##0.00\\ "€"_-;-* 0.00\\ "€"_-': "1.5 €",
    "#,##0\\ \\k\\r": "1.5 kr",
    "[$zł-415]0": "1.5 zł",
    "[$₺-41F]0.00": "1.5 ₺",
    '0.0,"k"': "1.5",
    "0%": "1.5",
    "[$-409]0.00": "1.5",
    "General": "1.5",
}


@pytest.mark.parametrize("place", [rb"", rb' r="C\d+"'], ids=["cells by place", "without one"])
def test_numbers_have_the_currency_that_their_formats_show(place: bytes) -> None:
    book = repacked(priced([*_MONEY]), {FIRST: lambda sheet: re.sub(place, b"", sheet)})
    *found, total = read_sheets(book, None)
    assert [each.properties["Price"] for each in found] == [*_MONEY.values()]
    assert total.broken
