import pytest

from agent.records.record import Cell, Record
from agent.records.record_schema import Attribute, CellValue, Kind, Schema
from tools.records.schema_trial import disagreements

NUMBER = Attribute(name="tons", type="number")
TEXT = Attribute(name="flag", type="text")


def records(attribute: str, *told: tuple[CellValue, str, str | None] | None) -> list[Record]:
    return [
        Record(
            kind="ship",
            document=f"d{n}",
            cells=()
            if each is None
            else (
                Cell(
                    attribute=attribute,
                    value=each[0],
                    original=each[1],
                    unit=each[2],
                    reason="" if each[0] is not None else "no number",
                ),
            ),
        )
        for n, each in enumerate(told)
    ]


def troubles(attribute: Attribute, found: list[Record]) -> list[str]:
    schema = Schema(kinds=(Kind(name="ship", attributes=(attribute,)),))
    return [each.trouble for each in disagreements(schema, found)]


TONS = [(float(n), str(n), "t") for n in range(6)]


@pytest.mark.parametrize(
    ("attribute", "told", "expected"),
    [
        (NUMBER, TONS, []),
        (NUMBER, [None] * 30 + TONS[:1], ["empty"]),
        (NUMBER, [*TONS, *[(None, each, None) for each in ("many", "few", "some")]], ["untyped"]),
        (NUMBER, [*TONS, (None, "many", None), (None, "few", None)], []),
        (NUMBER, [(None, "many", None), (None, "few", None)], ["untyped"]),
        (NUMBER, [(3.9, "3.9", None), (3.1, "3.10", None)], ["untyped"]),
        (NUMBER, [*TONS * 3, (None, "many", None)], []),
        (NUMBER, [*TONS, (1.0, "1", "kg"), (2.0, "2", "kg"), (3.0, "3", "kg")], ["units"]),
        (NUMBER.model_copy(update={"unit": "t"}), [*TONS, *[(1.0, "1", "kg")] * 4], []),
        (TEXT, [(c, c, None) for c in ("USA", "GBR", "France", "Malta", "Spain")], ["forms"]),
        (TEXT, [(c, c, None) for c in ("Chad", "Mali", "France", "Malta", "Spain")], []),
        (TEXT, [], []),
    ],
    ids=[
        "well",
        "empty",
        "untyped",
        "two odd ones",
        "all odd",
        "versions",
        "a slip",
        "units",
        "converted",
        "forms",
        "words",
        "none",
    ],
)
def test_values_that_do_not_agree_are_found(
    attribute: Attribute, told: list[tuple[CellValue, str, str | None] | None], expected: list[str]
) -> None:
    assert troubles(attribute, records(attribute.name, *told)) == expected


def test_a_trouble_is_told_with_values_as_written_and_its_extent() -> None:
    schema = Schema(kinds=(Kind(name="ship", attributes=(NUMBER,)),))
    mixed = [*TONS, (1.0, "1", "kg"), (2.0, "2", "kg"), (3.0, "3", "kg"), None]
    (trouble,) = disagreements(schema, records("tons", *mixed))
    assert (trouble.kind, trouble.attribute) == ("ship", "tons")
    assert (trouble.filled, trouble.records) == (9, 10)
    assert trouble.values == ("1 kg", "2 kg", "0 t", "1 t")


def test_documents_in_which_nothing_was_found_are_named() -> None:
    schema = Schema(kinds=(Kind(name="ship", attributes=(NUMBER,)),))
    (trouble,) = disagreements(schema, records("tons", *TONS), ["a", "b"])
    assert (trouble.trouble, trouble.values, trouble.attribute) == ("unread", ("a", "b"), None)
