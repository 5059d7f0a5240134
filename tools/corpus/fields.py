"""The metadata fields on disk: the catalogue, and each document's values as JSON."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from pydantic import TypeAdapter

from agent.corpus import Field, FieldValue
from tools.corpus.catalogue import AMOUNTS, catalogue, fold
from tools.corpus.collection import uncollected
from tools.corpus.field_numbers import read_together
from tools.placeholders import is_placeholder

__all__ = ("FieldTable", "dump_values", "join_fields", "load_values", "stated_values")

_VALUES: TypeAdapter[dict[str, FieldValue]] = TypeAdapter(dict[str, FieldValue])
_CATALOGUE: TypeAdapter[tuple[Field, ...]] = TypeAdapter(tuple[Field, ...])


class FieldTable:
    """The fields of a corpus and their values by document."""

    def __init__(self, fields: tuple[Field, ...], written: Sequence[str]) -> None:
        self.fields = fields
        """The catalogue, most widespread first."""
        self._written = written
        self._columns: dict[str, dict[int, FieldValue]] | None = None

    @classmethod
    def load(cls, path: Path, written: Sequence[str]) -> "FieldTable":
        """Read the catalogue; `written` holds each document's values as JSON."""
        return cls(_CATALOGUE.validate_json(path.read_bytes()), written)

    def find(self, name: str) -> Field | None:
        """Return the field of that name, whatever its case, spaces and hyphens."""
        asked = fold(name)
        return next((field for field in self.fields if fold(field.name) == asked), None)

    def of(self, document: int) -> dict[str, FieldValue]:
        """Return one document's values by key as it writes them."""
        return load_values(self._written[document])

    def values(self, name: str) -> Mapping[int, FieldValue]:
        """Return a field's values by document index; empty where there is no such field."""
        if self._columns is None:
            amounts = {fold(field.name) for field in self.fields if field.type in AMOUNTS}
            self._columns = _columns(self._written, amounts)
        return self._columns.get(fold(name), {})


def dump_values(fields: Mapping[str, FieldValue]) -> str:
    """Return one document's values as JSON."""
    return _VALUES.dump_json(dict(fields)).decode()


def load_values(written: str) -> dict[str, FieldValue]:
    """Return one document's values from JSON."""
    return _VALUES.validate_json(written)


def join_fields(written: Sequence[str], path: Path) -> list[str]:
    """Write the catalogue of the documents' fields; return each document's values as JSON.

    The numbers of a field are read together: a document of which they change nothing keeps its
    JSON.
    """
    with uncollected():
        given = [load_values(each) for each in written]
        read = read_together(given)
        fields, _ = catalogue(read)
    path.write_bytes(_CATALOGUE.dump_json(fields))
    every = zip(written, given, read, strict=True)
    return [kept if old is new else dump_values(new) for kept, old, new in every]


def stated_values(written: str, amounts: Collection[str]) -> dict[str, FieldValue]:
    """Return one document's values by folded key; of two spellings the first counts.

    Args:
        written: as JSON.
        amounts: the folded names of the fields in which `none` is no value.
    """
    values: dict[str, FieldValue] = {}
    for key, value in load_values(written).items():
        values.setdefault(fold(key), value)
    return {
        key: value
        for key, value in values.items()
        if key not in amounts or not is_placeholder(value.raw, amounts=True)
    }


def _columns(written: Sequence[str], amounts: Collection[str]) -> dict[str, dict[int, FieldValue]]:
    """Turn documents of values into fields of values."""
    columns: dict[str, dict[int, FieldValue]] = {}
    for document, each in enumerate(written):
        for key, value in stated_values(each, amounts).items():
            columns.setdefault(key, {})[document] = value
    return columns
