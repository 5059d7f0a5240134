"""A small corpus with headers, for tests of reading questions."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from agent.corpus_view import Field, FieldType, FieldValue
from agent.interpretation import interpretation_from
from agent.predicates import NAME_FIELD, name_value, satisfies
from agent.question import Condition, Interpretation, holds
from agent.reasoners.rules.reading.interpret import interpret

TYPES: dict[str, FieldType] = {
    "Author": "list", "Tags": "list", "Filed": "date", "Closed": "date", "Votes": "number",
    "Cook time": "number", "Age": "number", "Bill": "number",
    "Cost_per_Night": "number", "Miles": "number", "Miles to the next station": "number",
}  # fmt: skip


@dataclass
class Words:
    """A vocabulary that knows nothing."""

    counts: Mapping[str, int] = field(default_factory=dict)

    def frequency(self, word: str) -> int:
        return self.counts.get(word, 0)

    def inflections(self, word: str) -> tuple[str, ...]:
        return ()

    def spellings(self, word: str) -> tuple[str, ...]:
        return ()

    def related(self, words: Sequence[str], limit: int) -> tuple[tuple[str, float], ...]:
        return ()


class Papers:
    """Documents known by their headers alone."""

    chunk_count = 40

    def __init__(self, rows: Mapping[str, Mapping[str, str]], frequency: int = 0) -> None:
        self.documents = list(rows)
        self.lexicon = Words({"record": frequency})
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

    def read(self, question: str) -> Interpretation:
        """Read a question against the corpus."""
        reply = interpret({"question": question, "conversation": (), "corpus": self})
        return interpretation_from(reply, [*self._values, NAME_FIELD])

    def found(self, question: str) -> set[str]:
        """Return the documents whose headers satisfy the question, text conditions aside."""
        conditions = self.read(question).conditions
        return {
            name
            for index, name in enumerate(self.documents)
            if holds(conditions, partial(self._true, index))
        }

    def _true(self, index: int, atom: Condition) -> bool:
        if atom.predicate is None:
            return True
        if atom.predicate.field == NAME_FIELD:
            return satisfies(name_value(self.documents[index]), atom.predicate)
        return satisfies(self._values[atom.predicate.field].get(index), atom.predicate)


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


TICKETS = Papers(
    {
        f"ticket-{number:03}": {
            "Status": ("Open", "Closed", "In Progress")[number % 3],
            "Severity": ("critical", "minor")[number % 2],
            "Author": ("Ann Becker, Bob Castle", "Carla Diaz", "Ann Becker", "Hugo J. Lind")[
                number % 4
            ],
            "Filed": f"20{15 + number % 5}-0{1 + number % 9}-11",
            "Votes": f"{2 * number}",
            "Tags": ("network", "network, printing", "printing")[number % 3],
            "License": ("MIT", "MIT License", "BSD")[number % 3],
            **({"Duplicate-Of": f"{number - 1}"} if number % 6 == 5 else {}),
            **({"Sponsor": "Grace Kim"} if number % 4 == 1 else {}),
        }
        for number in range(24)
    }
)

WARDS = Papers(
    {
        f"patient-{number:02}": {
            "Name": f"Person {number}",
            "Age": str(20 + 3 * number),
            "Ward": ("Surgery", "Medicine", "Cardiology")[number % 3],
            "Bill": f"{100 + 57 * number}",
        }
        for number in range(12)
    }
)
