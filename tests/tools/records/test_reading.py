from typing import Any

import pytest

from agent.records.record_replies import ExtractReply
from agent.records.record_schema import Attribute, Kind
from tools.records.places import place_quote, windows
from tools.records.reading import Reading, Source, mend, read, settle

SHIP = Kind(
    name="ship",
    grain="row",
    attributes=(
        Attribute(name="id", type="integer"),
        Attribute(name="name", type="text"),
        Attribute(name="ports", type="text", many=True),
    ),
)
LEASE = Kind(
    name="lease",
    attributes=(
        Attribute(name="rent", type="number", unit="GBP"),
        Attribute(name="city", type="text"),
    ),
)
ROWS = "".join(
    f"Ship record {n}: id is {n}, name is S{n} and ports are Hull and Goole.\n"
    for n in range(1, 13)
)


def reply(*records: tuple[str, str, list[tuple[str, str, str]]]) -> ExtractReply:
    told: list[dict[str, Any]] = [
        {
            "kind": kind,
            "label": label,
            "cells": [
                {"attribute": name, "value": value, "unit": None, "quote": quote}
                for name, value, quote in cells
            ],
        }
        for kind, label, cells in records
    ]
    return ExtractReply.model_validate({"records": told})


def source(text: str, **more: Any) -> Source:
    return Source(document="d", text=text, part=(0, len(text)), **more)


def test_a_quote_is_found_in_its_own_row_though_it_stands_in_others() -> None:
    told = reply(
        *(("ship", f"Ship record {n}", [("ports", "Hull", "ports are Hull")]) for n in (1, 2, 12))
    )
    found = read(told, (SHIP,), source(ROWS))
    lines = [ROWS.count("\n", 0, record.cells[0].start) for record in found.records.values()]
    assert lines == [0, 1, 11]


def test_a_number_is_not_found_within_a_longer_one() -> None:
    told = reply(("ship", "Ship record 1", [("id", "1", "id is 1")]))
    (record,) = read(told, (SHIP,), source(ROWS)).records.values()
    assert record.cells[0].quote == "id is 1"
    assert ROWS[record.cells[0].end or 0] == ","


def test_a_row_without_a_label_begins_at_its_longest_quote() -> None:
    spans = windows(
        reply(
            ("ship", "", [("name", "S3", "name is S3"), ("id", "3", "id is 3")]),
            ("ship", "", [("name", "S5", "name is S5")]),
        ).records,
        ROWS,
        0,
        len(ROWS),
    )
    assert [ROWS[start:].split()[2] for start, _ in spans] == ["S3", "S5"]
    assert spans[0][1] == spans[1][0]


def test_all_values_of_a_list_are_kept_and_the_first_of_any_other() -> None:
    cells = [
        ("ports", "Hull", "ports are Hull and Goole"),
        ("ports", "Goole", "ports are Hull and Goole"),
        ("name", "S1", "name is S1"),
        ("name", "S2", "name is S2"),
    ]
    found = read(reply(("ship", "Ship record 1", cells)), (SHIP,), source(ROWS))
    assert [each.value for each in found.records[1].cells] == ["Hull", "Goole", "S1"]
    assert found.notes == ("ship.name: 'S1' is kept, 'S2' is also stated",)


LEASE_TEXT = "The rent is £1,200 a month for the flat in Hull."


@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        (("rent", "1200", "rent is £9,900"), "do not stand in the text"),
        (("rent", "1200", ""), "no quote"),
        (("rent", "a lot", "rent is £1,200"), "a lot"),
    ],
    ids=["no such words", "no words", "no number"],
)
def test_what_is_not_proven_is_refused(cell: tuple[str, str, str], reason: str) -> None:
    found = read(reply(("lease", "", [cell])), (LEASE,), source(LEASE_TEXT))
    assert found.records[1].cells == ()
    (refusal,) = found.refusals
    assert (refusal.record, refusal.attribute, refusal.value) == (1, "rent", cell[1])
    assert reason in refusal.reason
    (record,) = settle(found)
    assert record.cells[0].value is None
    assert record.cells[0].reason == refusal.reason


def test_a_fact_of_the_file_needs_no_quote() -> None:
    known = source(LEASE_TEXT, fields={"Place": "Hull, Yorkshire"})
    found = read(reply(("lease", "", [("city", "hull", "")])), (LEASE,), known)
    assert found.records[1].cells[0].value == "hull"
    assert found.records[1].cells[0].start is None


def test_what_the_schema_does_not_have_is_named_and_left_out() -> None:
    told = reply(("boat", "", []), ("lease", "", [("pets", "no", "flat"), ("city", " ", "x")]))
    found = read(told, (LEASE,), source(LEASE_TEXT))
    assert list(found.records) == [2]
    assert found.records[2].cells == ()
    assert len(found.notes) == 2


def test_said_to_be_absent_is_null_without_being_refused() -> None:
    found = read(reply(("lease", "", [("rent", "n/a", "flat")])), (LEASE,), source(LEASE_TEXT))
    assert found.refusals == ()
    assert found.records[1].cells[0].value is None


def refused(text: str) -> Reading:
    told = reply(
        ("lease", "", [("rent", "a lot", "rent"), ("city", "Hull", "Hull")]),
        ("lease", "", [("city", "Rome", "in Rome")]),
    )
    return read(told, (LEASE,), source(text))


def test_only_values_that_were_refused_are_corrected() -> None:
    better = reply(
        ("lease", "", [("rent", "1200", "£1,200"), ("city", "York", "Hull")]),
        ("lease", "", []),
    )
    found = mend(refused(LEASE_TEXT), better, (LEASE,), source(LEASE_TEXT))
    assert [each.value for each in found.records[1].cells] == ["Hull", 1200.0]
    assert [each.attribute for each in found.refusals] == ["city"]
    assert settle(found)[1].cells[0].original == "Rome"


def test_a_correction_that_lacks_records_leaves_the_rest_refused() -> None:
    found = mend(refused(LEASE_TEXT), reply(), (LEASE,), source(LEASE_TEXT))
    assert len(found.refusals) == 2


def test_an_inexact_quote_is_located_and_shown_as_the_text_has_it() -> None:
    span = place_quote("the Rent is £1,200 a  month", LEASE_TEXT, (0, 20), (0, len(LEASE_TEXT)))
    assert span is not None
    assert LEASE_TEXT[slice(*span)] == "The rent is £1,200 a month"
    assert place_quote("", LEASE_TEXT, (0, 9), (0, 9)) is None
