from dataclasses import replace
from typing import Any

import pytest

from agent.records.record import Record
from agent.records.record_replies import ExtractReply
from agent.records.record_schema import CellValue, Kind
from tests.tools.records.league import record as league_record
from tests.tools.records.league import table
from tools.records.reply_checking import (
    Task,
    check_reply,
    corrected,
    place_quote,
    put_together,
    settle,
)

SHIP = table("ship", id="integer", name="text", ports="text *")
LEASE = table("lease", grain="document", rent="number GBP", city="text", dogs="boolean")
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


def task(text: str, kind: Kind) -> Task:
    return Task(document="d", number=0, text=text, part=(0, len(text)), kinds=(kind,))


def test_a_quote_is_found_in_its_own_row_though_it_stands_in_others() -> None:
    told = reply(
        *(("ship", f"Ship record {n}", [("ports", "Hull", "ports are Hull")]) for n in (1, 2, 12))
    )
    found = check_reply(told, task(ROWS, SHIP))
    lines = [ROWS.count("\n", 0, record.cells[0].start) for record in found.records.values()]
    assert lines == [0, 1, 11]


def test_all_values_of_a_list_are_kept_and_the_first_of_any_other() -> None:
    cells = [
        ("ports", "Hull", "ports are Hull and Goole"),
        ("ports", "Goole", "ports are Hull and Goole"),
        ("name", "S1", "name is S1"),
        ("name", "S2", "name is S2"),
    ]
    found = check_reply(reply(("ship", "Ship record 1", cells)), task(ROWS, SHIP))
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
    found = check_reply(reply(("lease", "", [cell])), task(LEASE_TEXT, LEASE))
    assert found.records[1].cells == ()
    (refusal,) = found.refusals
    assert (refusal.record, refusal.attribute, refusal.value) == (1, "rent", cell[1])
    assert reason in refusal.reason
    (record,) = settle(found)
    assert record.cells[0].value is None
    assert record.cells[0].reason == refusal.reason


def test_what_the_name_or_a_field_says_is_quoted_from_there() -> None:
    cells = [("rent", "1200", "Paid: 1,200"), ("dogs", "yes", "dogs"), ("city", "Hull", "hull")]
    of = replace(task("No text.", LEASE), document="dogs/hull_2.txt", fields={"Sum": "Paid: 1,200"})
    found = check_reply(reply(("lease", "", cells)), of)
    told = [(each.value, each.quote, each.start) for each in found.records[1].cells]
    assert told == [(1200.0, "", None), (True, "", None), ("Hull", "", None)]
    within = check_reply(reply(("lease", "", [("dogs", "yes", "dog")])), of)
    assert "do not stand" in within.refusals[0].reason


def test_what_the_schema_does_not_have_is_named_and_left_out() -> None:
    told = reply(("boat", "", []), ("lease", "", [("pets", "no", "flat"), ("city", " ", "x")]))
    found = check_reply(told, task(LEASE_TEXT, LEASE))
    assert list(found.records) == [2]
    assert found.records[2].cells == ()
    assert len(found.notes) == 2


def test_only_values_that_were_refused_are_corrected() -> None:
    told = reply(
        ("lease", "", [("rent", "a lot", "rent"), ("city", "Hull", "Hull")]),
        ("lease", "", [("city", "Rome", "in Rome")]),
    )
    refused = check_reply(told, task(LEASE_TEXT, LEASE))
    better = reply(
        ("lease", "", [("rent", "1200", "£1,200"), ("city", "York", "Hull")]), ("lease", "", [])
    )
    found = corrected(refused, better, task(LEASE_TEXT, LEASE))
    assert [each.value for each in found.records[1].cells] == ["Hull", 1200.0]
    assert [each.attribute for each in found.refusals] == ["city"]
    assert settle(found)[1].cells[0].original == "Rome"


def test_an_inexact_quote_is_located_and_shown_as_the_text_has_it() -> None:
    span = place_quote("the Rent is £1,200 a  month", LEASE_TEXT, (0, 20), (0, len(LEASE_TEXT)))
    assert span is not None
    assert LEASE_TEXT[slice(*span)] == "The rent is £1,200 a month"
    assert place_quote("", LEASE_TEXT, (0, 9), (0, 9)) is None


HOTEL = table("hotel", grain="document", rooms="integer", city="text", amenities="text *")
CUP = table("cup", grain="document", year="integer")
ROOM = table("room", beds="integer", floor="integer")


def record(kind: str, label: str = "", **values: CellValue) -> Record:
    return league_record(kind, values, label=label)


def values(one: Record) -> list[tuple[str, CellValue]]:
    return [(cell.attribute, cell.value) for cell in one.cells]


def test_the_parts_of_a_document_make_one_record_with_all_values_of_a_list() -> None:
    parts = [[record("hotel", rooms=20)], [record("hotel", "The Inn", city="Hull")], []]
    parts += [[record("hotel", amenities=name)] for name in ("pool", "bar", "Pool")]
    (whole,), notes = put_together((HOTEL,), parts)
    told = [("rooms", 20), ("city", "Hull"), ("amenities", "pool"), ("amenities", "bar")]
    assert (values(whole), whole.label, notes) == (told, "The Inn", ())


def test_a_document_is_one_record_of_the_kind_of_which_it_states_most() -> None:
    parts = [[record("cup", year=1990)], [record("hotel", rooms=2, city="Hull")]]
    (whole,), notes = put_together((HOTEL, CUP), parts)
    assert whole.kind == "hotel"
    assert "what it states as a cup" in notes[0]


def test_a_row_cut_by_a_border_is_joined_and_others_are_not() -> None:
    parts = [
        [record("room", "Room 1", beds=1), record("room", "Room 2", beds=2)],
        [record("room", "Room 2", floor=3), record("room", "Room 3", beds=3)],
        [record("room", "Room 3", beds=9)],
    ]
    rows, _ = put_together((ROOM,), parts)
    assert [each.label for each in rows] == ["Room 1", "Room 2", "Room 3", "Room 3"]
    assert values(rows[1]) == [("beds", 2), ("floor", 3)]
