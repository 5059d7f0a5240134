from collections.abc import Callable

import pytest

from agent.records.induction import SampleDocument
from tests.agent.reasoners.rules.records.small_documents import (
    CITIES,
    PEOPLE,
    cells_of,
    incidents,
    invoices,
    kinds_in,
    leases,
    profiles,
    read,
    sample,
    villas,
)


def types_of(documents: list[SampleDocument], kind: str) -> dict[str, tuple[str, str | None]]:
    found = {each.name: each for each in kinds_in(documents)}
    return {each.name: (each.type, each.unit) for each in found[kind].attributes}


def test_a_lease_has_its_header_and_what_its_clauses_state() -> None:
    assert types_of(leases(), "lease_agreement") == {
        "tenant": ("text", None),
        "commencement_date": ("date", None),
        "monthly_rent": ("integer", "USD"),
        "pets_allowed": ("boolean", None),
        "security_deposit": ("integer", "USD"),
        "notice": ("integer", "days"),
    }
    [cells] = cells_of(leases()[2], kinds_in(leases()))
    assert cells["security_deposit"] == "$1,680"
    assert cells["notice"] == "90"


def test_an_incident_is_one_record_and_its_timeline_rows_that_know_it() -> None:
    kinds = kinds_in(incidents())
    assert [(kind.name, kind.grain) for kind in kinds] == [
        ("incident_report", "document"),
        ("timeline", "row"),
    ]
    own, *rows = cells_of(incidents()[3], kinds)
    assert own["duration"] == "29 minutes"
    assert own["customers"] == "53"
    assert [row["event"] for row in rows] == ["Alarm", "Fixed"]
    assert {row["incident_report"] for row in rows} == {"103"}


def test_lines_set_in_columns_are_rows_under_an_invoice() -> None:
    kinds = kinds_in(invoices())
    assert [kind.name for kind in kinds] == ["invoice", "invoice_entry"]
    own, bolts, _ = cells_of(invoices()[1], kinds)
    assert own == {
        "invoice_no": "INV-1001",
        "customer": PEOPLE[1],
        "total": "EUR 101.50",
        "tax": "EUR 6.10",
    }
    assert bolts == {"item": "Bolts", "qty": "3", "price": "1.20", "invoice_no": "INV-1001"}


def test_what_is_stated_for_several_years_is_a_row_a_year() -> None:
    kinds = kinds_in(profiles())
    assert [kind.name for kind in kinds] == ["company_profile", "company_profile_year"]
    _, *years = cells_of(profiles()[0], kinds)
    assert [(year["year"], year["revenue"], year["people"]) for year in years] == [
        ("2021", "4 million", "7"),
        ("2022", "7 million", "8"),
        ("2023", "10 million", "9"),
    ]
    assert all(year["company_profile"] == "Lisbon Ltd" for year in years)


def test_prose_of_differing_words_is_read_by_the_words_beside_its_values() -> None:
    kinds = kinds_in(villas())
    [kind] = kinds
    assert {"located", "rooms"} <= {each.name for each in kind.attributes}
    for at, villa in enumerate(villas()):
        [cells] = cells_of(villa, kinds)
        assert cells["rooms"] == str(10 + at)
        assert cells["located"] == CITIES[at]


@pytest.mark.parametrize("make", [leases, incidents, invoices, profiles, villas])
def test_every_quote_stands_in_the_text_and_holds_the_value(
    make: Callable[[], list[SampleDocument]],
) -> None:
    documents = make()
    kinds = kinds_in(documents)
    for document in documents:
        for record in read(document, kinds).records:
            for cell in record.cells:
                assert cell.quote in document.text
                assert not cell.quote or cell.value in cell.quote


def test_prose_without_a_frame_has_no_schema() -> None:
    texts = (
        "The rain fell on the roofs. Nobody spoke of it: this is what people do.",
        "She said: I am late. Then the door closed, and the light was gone.",
        "A long road leads north; at its end is a house that no one owns.",
    )
    assert kinds_in([sample(f"t{at}", text) for at, text in enumerate(texts)]) == []


def test_rows_of_one_name_are_one_kind_where_their_columns_agree_and_two_where_not() -> None:
    def rows(pairs: str) -> str:
        return "\n".join(f"Student record {at}: {pairs.format(at)}." for at in range(5))

    alike = [sample(each, rows("name is " + each + "{0}, age is 2{0}")) for each in ("Ann", "Bo")]
    unlike = sample("c", rows("locker is L{0}, dorm is D{0} and fee is {0}0"))
    kinds = kinds_in([*alike, unlike])
    assert [[each.name for each in kind.attributes] for kind in kinds] == [
        ["name", "age"],
        ["locker", "dorm", "fee"],
    ]
    told = [{each.kind for each in read(one, kinds).records} for one in (*alike, unlike)]
    assert told == [{kinds[0].name}, {kinds[0].name}, {kinds[1].name}]
    assert [kind.name for kind in kinds_in(alike[:1])] == ["student"]
