import pytest

from agent.reasoners.rules.records.querying.assembling import Condition, Unlinked, assemble
from agent.reasoners.rules.records.querying.paths import Paths
from agent.records.query_plan import AnyTest, Column, Compare, NotTest, Related
from agent.records.record_schema import Attribute, Kind, Link, Schema

KINDS = tuple(
    Kind(name=name, attributes=(Attribute(name="x", type="text"),))
    for name in ("crew", "voyage", "port", "lamp")
)
PATHS = Paths(
    Schema(
        kinds=KINDS,
        links=(
            Link(kind="voyage", attribute="x", to_kind="crew", to_attribute="x"),
            Link(kind="voyage", attribute="x", to_kind="port", to_attribute="x"),
        ),
    )
)


def equal(kind: str, value: str) -> Compare:
    return Compare(left=Column(kind=kind, attribute="x"), comparator="=", value=value)


def put(*conditions: Condition) -> object:
    return assemble("crew", conditions, PATHS, ())


def test_conditions_on_one_other_kind_are_about_the_same_row() -> None:
    test = put(Condition("voyage", 0), Condition("port", 1, equal("port", "Riga")))
    port = Related(kind="port", where=equal("port", "Riga"))
    assert test == Related(kind="voyage", where=port)


def test_two_values_of_one_column_are_about_two_rows() -> None:
    test = put(
        Condition("port", 0, equal("port", "Riga")), Condition("port", 1, equal("port", "Oslo"))
    )
    assert getattr(test, "is_a", "") == "all"
    assert len(getattr(test, "parts", ())) == 2


def test_a_negation_leaves_no_linked_row() -> None:
    test = put(Condition("port", 0, equal("port", "Riga"), scope=1))
    assert isinstance(test, Related)
    assert (test.at_least, test.at_most) == (0, 0)


def test_a_negation_of_own_columns_is_a_negated_test() -> None:
    assert put(Condition("crew", 0, equal("crew", "A"), scope=1)) == NotTest(
        part=equal("crew", "A")
    )


def test_a_negation_before_alternatives_denies_every_one() -> None:
    test = put(
        Condition("crew", 0, equal("crew", "A"), scope=1, group=1),
        Condition("crew", 1, equal("crew", "B"), scope=1, group=1),
    )
    assert test == NotTest(part=AnyTest(parts=(equal("crew", "A"), equal("crew", "B"))))


def test_rows_farther_away_are_counted_themselves() -> None:
    test = put(Condition("port", 0, at_least=2))
    assert test == Related(kind="port", at_least=2)


def test_a_kind_without_a_link_is_reported() -> None:
    with pytest.raises(Unlinked) as found:
        put(Condition("lamp", 0))
    assert found.value.kind == "lamp"
