"""Records of the leases of these tests, as somebody read them: deposit, city, lift, and a ban."""

import re
from collections.abc import Collection

from agent.records.query_plan import AllTests, Column, Compare, Query
from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, Kind, Schema
from graphs.records.filling import digest_of
from tools.corpus.corpus import Corpus
from tools.records.record_store import RecordStore

LEASE = Kind(
    name="lease",
    description="A flat that is let.",
    attributes=(
        Attribute(name="city", type="text"),
        Attribute(name="deposit", type="integer", unit="GBP"),
        Attribute(name="floor", type="integer"),
    ),
)


def keep_records(
    corpus: Corpus,
    *,
    without: Collection[int] = (),
    cityless: Collection[int] = (),
    outdated: Collection[int] = (),
    unit: str = "GBP",
) -> None:
    """Put a record of each lease beside the corpus; none states a floor.

    Args:
        corpus: the leases.
        without: the leases that were not read.
        cityless: the leases whose record states no city.
        outdated: the leases whose text has changed since.
        unit: of the deposit.
    """
    store = RecordStore(corpus.path / "records" / "records.sqlite")
    attributes = tuple(
        each.model_copy(update={"unit": unit}) if each.unit else each for each in LEASE.attributes
    )
    kind = LEASE.model_copy(update={"attributes": attributes})
    store.write_schema(Schema(kinds=(kind,)))
    for number, name in enumerate(corpus.documents):
        if number in without:
            continue
        text = corpus.document_text(number)
        cells = [_cell(text, "deposit", r"The deposit is (\d+) pounds")]
        if number not in cityless:
            cells.append(_cell(text, "city", r"City: (\w+)"))
        record = Record(kind="lease", document=name, cells=tuple(cells), by="careful")
        digest = "another" if number in outdated else digest_of(corpus, number)
        store.put(name, digest, [record])
    store.close()


def _cell(text: str, attribute: str, pattern: str) -> Cell:
    found = re.search(pattern, text)
    assert found is not None
    value = found.group(1)
    return Cell(
        attribute=attribute,
        value=int(value) if value.isdigit() else value,
        original=value,
        quote=found.group(),
        start=found.start(),
        end=found.end(),
    )


def column(attribute: str) -> Column:
    return Column(kind="lease", attribute=attribute)


def in_city(name: str) -> Compare:
    return Compare(left=column("city"), comparator="=", value=name)


DEAR = Compare(left=column("deposit"), comparator=">", value=1000)


def count_of(*tests: Compare) -> Query:
    return Query(kind="lease", operation="count", where=AllTests(parts=tests) if tests else None)


def reply(plan: Query | None = None, **told: object) -> dict[str, object]:
    """Return what a reasoner replies that knows the tables."""
    given = {"why": "the leases that pass", "answerable": plan is not None, "missing": "the tables"}
    return given | {"plan": plan and plan.model_dump(), "sql": None} | told
