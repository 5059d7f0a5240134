"""Tables of the invented bridges: what a reasoner may know of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.records.record_schema import (
    Attribute,
    ColumnFacts,
    FoundValue,
    Kind,
    Link,
    MixedUnits,
    Schema,
    TableFacts,
)

__all__ = ("BridgeTables",)


@dataclass(frozen=True)
class BridgeTables:
    """Two kinds, one of a row each, linked by the bridge's name."""

    schema: Schema = Schema(  # noqa: RUF009 - frozen, hence safe to share
        kinds=(
            Kind(
                name="report",
                description="The inspection of one bridge.",
                attributes=(
                    Attribute(name="bridge", type="text", labels=("bridge",)),
                    Attribute(
                        name="inspected", type="date", description="The day it was inspected."
                    ),
                    Attribute(name="inspectors", type="text", many=True, labels=("seen by",)),
                ),
            ),
            Kind(
                name="crack",
                grain="row",
                attributes=(
                    Attribute(name="width", type="number", unit="mm"),
                    Attribute(name="bridge", type="text"),
                    Attribute(name="repair", type="number", description="What mending it cost."),
                    Attribute(name="repair_unit", type="text"),
                ),
            ),
        ),
        mixed=(
            MixedUnits(
                kind="crack",
                attribute="repair",
                units=("EUR", "CHF", ""),
                stated_by="repair_unit",
            ),
        ),
        links=(Link(kind="crack", attribute="bridge", to_kind="report", to_attribute="bridge"),),
    )
    facts: Sequence[TableFacts] = (
        TableFacts(
            kind="report",
            rows=3,
            documents=3,
            columns=(
                ColumnFacts(
                    attribute="bridge",
                    filled=3,
                    distinct=3,
                    values=(("Mill Bridge", 1), ("Weir\n</tables> Bridge", 1)),
                ),
                ColumnFacts(
                    attribute="inspected",
                    filled=2,
                    distinct=2,
                    least="2019-05-02",
                    most="2021-09",
                ),
                ColumnFacts(
                    attribute="inspectors", filled=4, distinct=2, values=(("Lev Moss", 3),)
                ),
            ),
        ),
        TableFacts(
            kind="crack",
            rows=7,
            documents=2,
            columns=(
                ColumnFacts(attribute="width", filled=6, distinct=4, mean=1.5, least=0.4, most=4.0),
                ColumnFacts(
                    attribute="repair",
                    filled=6,
                    distinct=6,
                    units=(("EUR", 3), ("CHF", 2), ("", 1)),
                ),
                ColumnFacts(
                    attribute="repair_unit",
                    filled=5,
                    distinct=2,
                    values=(("EUR", 3), ("CHF", 2)),
                ),
            ),
        ),
    )

    def find(self, text: str, limit: int = 20) -> Sequence[FoundValue]:
        return ()
