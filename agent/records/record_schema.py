"""The schema of a collection's records (S-RAG, 3.2.1, with lists and links), and its tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from agent.value import Value

AttributeType = Literal["text", "integer", "number", "boolean", "date", "time"]
"""time: a time of day (`14:05`), or a day with its time (`2018-03-21 14:05:30`)."""
DATED = frozenset({"date", "time"})
"""Types whose values are ISO texts, compared by the precision that both have."""
RecordGrain = Literal["document", "row"]
CellValue = str | int | float | bool | None
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]


class Part(Value):
    """A part of a schema or a query, documented by its fields where a model reads its form."""

    model_config = ConfigDict(use_attribute_docstrings=True)


class Attribute(Part):
    """What records of one kind state, each for itself."""

    name: Name
    """Unique in its kind: `training_hours`."""
    type: AttributeType
    """What its values are, once they are normalised."""
    description: str = ""
    """What it means, so exactly that two readers would write the same value."""
    unit: str | None = None
    """The one unit that every value is converted to: `USD`, `hours`, `%`; null without one."""
    examples: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    """How documents call it: `hours of training`."""
    many: bool = False
    """Whether one record states several values, as a list of amenities does."""
    field: str | None = None
    """The metadata field that holds it, where each document is one record: code copies it there."""
    judged: bool = False
    """Whether a reader judges it by the text and the description; else it is copied."""


DOCUMENT = Attribute.model_construct(name="_document", type="text")
"""What every row has besides its kind's attributes: the name of its document."""


class Kind(Part):
    """What one record is about: a hotel, an invoice, a player."""

    name: Name
    """One noun in the singular."""
    description: str = ""
    grain: RecordGrain = "document"
    """`document`: each document is one record; `row`: a document holds many."""
    attributes: tuple[Attribute, ...] = ()
    documents: tuple[str, ...] = ()
    """Some documents of this kind; another document is of the kind whose ones it is most like."""

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute of that name."""
        return next((each for each in self.attributes if each.name == name), None)


class Link(Part):
    """Records of one kind refer to those of another that bear the same value."""

    kind: Name
    attribute: Name
    """`team_id` of a player."""
    to_kind: Name
    to_attribute: Name
    """Unique there: `id` of a team."""


class MixedUnits(Part):
    """A column of numbers whose values are in several units."""

    kind: Name
    attribute: Name
    units: tuple[str, ...]
    """The most frequent first; empty for values that have none."""


class Schema(Part):
    """Every kind of record in a collection."""

    version: Literal[1] = 1
    kinds: tuple[Kind, ...] = ()
    links: tuple[Link, ...] = ()
    mixed: tuple[MixedUnits, ...] = ()
    """Found in the tables, never declared: what may not be computed with as if it had one unit."""

    def units_of(self, kind: str, attribute: str) -> MixedUnits | None:
        """Return the units of a column that has several."""
        wanted = (kind, attribute)
        return next((each for each in self.mixed if (each.kind, each.attribute) == wanted), None)

    def kind(self, name: str) -> Kind | None:
        """Return the kind of that name."""
        return next((each for each in self.kinds if each.name == name), None)

    def attribute(self, kind: str, name: str) -> Attribute | None:
        """Return an attribute of a kind, if there are both."""
        found = self.kind(kind)
        return found.attribute(name) if found else None


class ColumnFacts(Value):
    """Statistics of one column (S-RAG, appendix D)."""

    attribute: str
    filled: int
    """Rows (for a list attribute: values) that are not null."""
    nonzero: int | None = None
    """How many of them are neither zero, empty nor false; None where that was not counted."""
    distinct: int
    mean: float | None = None
    """Of numbers in one unit only, as are least and most; dates have least and most too."""
    least: CellValue = None
    most: CellValue = None
    values: tuple[tuple[CellValue, int], ...] = ()
    """The most frequent values with their rows, at most 50, for text and booleans."""
    units: tuple[tuple[str, int], ...] = ()
    """Of numbers for which the schema names no unit: the units they are written in with how many
    values, the most frequent first, empty for none; () where no value has one."""


class TableFacts(Value):
    """Statistics of one kind's table."""

    kind: str
    rows: int
    documents: int
    """From how many documents the rows come."""
    columns: tuple[ColumnFacts, ...]

    def column(self, attribute: str) -> ColumnFacts | None:
        """Return the statistics of a column, of the documents' names too."""
        if attribute == DOCUMENT.name:
            return ColumnFacts(attribute=attribute, filled=self.rows, distinct=self.documents)
        return next((each for each in self.columns if each.attribute == attribute), None)


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables as a reasoner may know them."""

    schema: Schema
    """Kinds, attributes and links, inferred links among them."""
    facts: Sequence[TableFacts]

    def table(self, kind: str) -> TableFacts | None:
        """Return the statistics of a kind's table."""
        return next((each for each in self.facts if each.kind == kind), None)

    def held(self, kind: str, name: str) -> tuple[int, int]:
        """Return how many rows state a column, and how many there are; all for a filled list."""
        table = self.table(kind)
        held = table.column(name) if table else None
        if table is None or held is None or not held.filled:
            return 0, table.rows if table else 0
        attribute = self.schema.attribute(kind, name)
        return (table.rows if attribute and attribute.many else held.filled), table.rows
