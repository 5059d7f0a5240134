import os
import re
from pathlib import Path

import pytest

from agent.reasoners.rules.records.extract import extract
from agent.reasoners.rules.records.induce import induce
from agent.records.induction import Extract, SampleDocument
from agent.records.record_replies import ExtractReply, InduceReply
from agent.records.record_schema import Attribute, Kind

ROOT = Path(__file__).parents[5]
DATA = Path(os.environ.get("HEADCOUNT_DATA", ROOT / "../shared/data"))
DATABASES = DATA / "spiderqa/dev/docs"

pytestmark = pytest.mark.skipif(
    not DATABASES.is_dir(), reason="the shared data is not here: set HEADCOUNT_DATA"
)


def sample(path: Path) -> SampleDocument:
    return SampleDocument(name=path.stem, extracts=(Extract(text=path.read_text()),))


def induced(*documents: SampleDocument) -> InduceReply:
    return induce({"documents": documents, "questions": (), "schema": None, "disagreements": ()})


def kinds_of(reply: InduceReply) -> tuple[Kind, ...]:
    return tuple(
        Kind(
            name=kind.name,
            grain=kind.grain,
            attributes=tuple(Attribute(**each.model_dump()) for each in kind.attributes),
        )
        for kind in reply.kinds
    )


def read(document: SampleDocument, kinds: tuple[Kind, ...]) -> ExtractReply:
    return extract({"kinds": kinds, "document": document.name, "text": document.text})


@pytest.mark.parametrize("name", ["battle_death", "wedding", "dog_kennels", "college_1"])
def test_every_rendered_row_is_one_record(name: str) -> None:
    document = sample(DATABASES / f"{name}.txt")
    reply = read(document, kinds_of(induced(document)))
    rows = re.findall(r"^[^:\n]+ record \d+: (.*)\.$", document.text, re.MULTILINE)
    assert len(reply.records) == len(rows)
    for row, record in zip(rows, reply.records, strict=True):
        assert all(cell.quote in row for cell in record.cells)
        stated = sum(len(cell.quote) for cell in record.cells)
        joints = 2 * (len(record.cells) - 2) + len(" and ") if len(record.cells) > 1 else 0
        assert stated + joints == len(row), "every character belongs to a cell or a joint"


def test_each_table_is_a_kind() -> None:
    document = sample(DATABASES / "battle_death.txt")
    kinds = {kind.name: kind for kind in kinds_of(induced(document))}
    assert set(kinds) == {"battle", "ship", "death"}
    assert [each.name for each in kinds["death"].attributes] == [
        "caused_by_ship_id",
        "id",
        "note",
        "killed",
        "injured",
    ]
    assert kinds["death"].attributes[3].type == "integer"


SHEETS = DATA / "mudabench_facts/docs"


def test_every_fact_sentence_of_a_frame_is_a_cell() -> None:
    documents = [sample(path) for path in sorted(SHEETS.glob("*.txt"))]
    samples = documents[::8]
    shown = "\n".join(each.text for each in samples)
    kinds = kinds_of(induced(*samples))
    assert [kind.grain for kind in kinds] == ["document"]
    for document in documents:
        facts = re.findall(
            r" (\S+) reported (.+) of (-?[\d.,]+\d)( US dollars)?\.$", document.text, re.MULTILINE
        )
        [record] = read(document, kinds).records
        stated = {(cell.value, cell.unit) for cell in record.cells}
        known = [each for each in facts if f" reported {each[1]} of " in shown]
        assert {(value, unit.strip() or None) for *_, value, unit in known} <= stated
        assert {"stock_symbol", "fiscal_year"} <= {cell.attribute for cell in record.cells}


def test_contracts_show_next_to_nothing_and_prose_nothing() -> None:
    contracts = [sample(path) for path in sorted((DATA / "cuad/dev/docs").glob("*.txt"))[:12]]
    assert sum(len(kind.attributes) for kind in kinds_of(induced(*contracts))) <= 2
    bodies = [sample(path) for path in sorted((DATA / "peps/docs_body").glob("*.txt"))[::60]]
    assert sum(len(kind.attributes) for kind in kinds_of(induced(*bodies))) <= 2
