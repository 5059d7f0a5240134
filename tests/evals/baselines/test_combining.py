import pytest

from agent.question import AllOf, Condition, Interpretation, Measure, Not, Predicate
from evals.baselines.concluding import (
    MEASURE,
    NAMED,
    Stated,
    combined,
    decided_by_reading,
    unaided,
)

RUST, SHUT = Condition(id="c1", text="rusty"), Condition(id="c2", text="shut")
BOTH = Interpretation(text="?", entity_type="bridge", conditions=AllOf(parts=(RUST, SHUT)))


def _stated(name: str, condition: str, value: float | None = None) -> Stated:
    return Stated(name=name, condition=condition, passage=1, quote="q", value=value, unit=None)


def test_conditions_meet_at_the_document() -> None:
    told = [_stated("a", "c1"), _stated("b", "c1"), _stated("a", "c2"), _stated("c", "c2")]
    found = combined(BOTH, told, ["a", "b", "c"])
    assert list(found.items) == ["a"]
    assert found.computed.value == 1


def test_a_document_that_was_read_satisfies_a_negation_by_silence() -> None:
    reading = BOTH.model_copy(update={"conditions": AllOf(parts=(RUST, Not(part=SHUT)))})
    told = [_stated("a", "c1"), _stated("b", "c1"), _stated("b", "c2")]
    assert list(combined(reading, told, ["a", "b", "unread"]).items) == ["a"]
    silent = BOTH.model_copy(update={"conditions": Not(part=SHUT)})
    assert list(combined(silent, told, ["a", "b", "c"]).items) == ["a", "c"]


def test_names_in_other_spelling_are_one() -> None:
    reading = BOTH.model_copy(update={"grain": "entity"})
    told = [_stated("Mill  Bridge", "c1"), _stated("the mill bridge", "c2"), _stated("Weir", "c1")]
    assert list(combined(reading, told, ["a"]).items) == ["Mill  Bridge"]


def test_numbers_are_computed_over_what_matches() -> None:
    reading = BOTH.model_copy(
        update={"operation": "avg", "measure": Measure(text="span"), "conditions": RUST}
    )
    told = [
        _stated("a", "c1", 10.0),
        _stated("a", MEASURE, 99.0),
        _stated("b", "c1"),
        _stated("b", MEASURE, 20.0),
        _stated("c", MEASURE, 70.0),
    ]
    assert combined(reading, told, ["a", "b", "c"]).computed.value == 15


@pytest.mark.parametrize(
    ("changed", "ids"),
    [
        ({}, ["c1", "c2"]),
        ({"measure": Measure(text="span")}, ["c1", "c2", MEASURE]),
        ({"conditions": None}, [NAMED]),
    ],
    ids=["conditions", "measure", "nothing"],
)
def test_what_is_read_for(changed: dict[str, object], ids: list[str]) -> None:
    assert [each.id for each in decided_by_reading(BOTH.model_copy(update=changed))] == ids


def test_a_reader_of_passages_has_no_fields() -> None:
    field = Predicate(field="State", comparison="is", values=("shut",))
    decided = SHUT.model_copy(update={"predicate": field})
    reading = BOTH.model_copy(
        update={
            "conditions": AllOf(parts=(RUST, Not(part=decided))),
            "measure": Measure(text="span", field="Span"),
            "entity_field": "Bridge",
        }
    )
    bare = unaided(reading)
    assert bare.conditions == AllOf(parts=(RUST, Not(part=SHUT)))
    assert bare.measure == Measure(text="span")
    assert bare.entity_field is None
