"""A small corpus in memory whose documents are known by their metadata alone."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent.corpus_view import Field, FieldType, FieldValue

TYPES: dict[str, FieldType] = {"Author": "list", "Tags": "list", "Filed": "date", "Votes": "number"}
"""The fields that hold no plain text."""


@dataclass
class Words:
    """A vocabulary whose words are inflected by an `s` alone."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def frequency(self, word: str) -> int:
        return self.counts.get(word.lower(), 0)

    def inflections(self, word: str) -> tuple[str, ...]:
        root = word.lower().removesuffix("s")
        return tuple(each for each in (root, f"{root}s") if each in self.counts)

    def spellings(self, word: str) -> tuple[str, ...]:
        return ()


class Papers:
    """Documents known by their headers alone."""

    chunk_count = 40

    def __init__(self, rows: Mapping[str, Mapping[str, str]], words: Sequence[str] = ()) -> None:
        self.documents = list(rows)
        self.lexicon = Words(Counter(words))
        self._values: defaultdict[str, dict[int, FieldValue]] = defaultdict(dict)
        for index, row in enumerate(rows.values()):
            for name, raw in row.items():
                self._values[name][index] = _value(name, raw)

    @property
    def fields(self) -> tuple[Field, ...]:
        return tuple(_field(name, list(values.values())) for name, values in self._values.items())

    def field_items(self, field: str) -> Sequence[str]:
        values = self.field_values(field).values()
        return list(dict.fromkeys(item for value in values for item in value.items))

    def field_values(self, field: str) -> Mapping[int, FieldValue]:
        return self._values[field]


def _value(name: str, raw: str) -> FieldValue:
    kind = TYPES.get(name, "text")
    items = tuple(re.split(r",\s*", raw)) if kind == "list" else (raw,)
    found = re.match(r"\d+", raw)
    return FieldValue(
        raw=raw,
        items=items,
        number=float(found.group()) if kind == "number" and found else None,
        date=raw if kind == "date" else None,
        start=0,
        end=len(raw),
    )


def _field(name: str, values: Sequence[FieldValue]) -> Field:
    counts = Counter(item for value in values for item in value.items)
    return Field(
        name=name,
        type=TYPES.get(name, "text"),
        documents=len(values),
        distinct=len(counts),
        values=tuple(counts.most_common()),
    )
