"""The columns by which a kind's records are known: no two records share a value of them."""

from collections.abc import Mapping

from agent.records.record_schema import Attribute, TableFacts, Tables

__all__ = ("identifying",)


def identifying(tables: Tables) -> Mapping[str, tuple[str, ...]]:
    """Return by kind the columns that identify a record: what others refer to, a code, a name.

    They are stated by every row, each with a value of its own. Of those that no link refers to,
    the first whole number without a unit and the first text count: later ones are measures or
    remarks that differ by chance.
    """
    targets = {(each.to_kind, each.to_attribute) for each in tables.schema.links}
    return {
        facts.kind: tuple(dict.fromkeys(_identifying(kind.attributes, facts, targets)))
        for facts in tables.facts
        if (kind := tables.schema.kind(facts.kind)) is not None
    }


def _identifying(
    attributes: tuple[Attribute, ...], facts: TableFacts, targets: set[tuple[str, str]]
) -> list[str]:
    unique = [each for each in attributes if _is_unique(each, facts)]
    referred = [each.name for each in unique if (facts.kind, each.name) in targets]
    others = [each for each in unique if each.name not in referred]
    whole = [each.name for each in others if each.type == "integer" and each.unit is None]
    text = [each.name for each in others if each.type == "text"]
    return [*referred, *whole[:1], *text[:1]]


def _is_unique(attribute: Attribute, facts: TableFacts) -> bool:
    column = facts.column(attribute.name)
    return (
        not attribute.many
        and column is not None
        and column.filled == column.distinct == facts.rows
        and facts.rows > 1
    )
