from functools import partial

import pytest

from agent.evidence import Finding
from agent.question import Condition, Interpretation, Measure, Predicate, atoms
from graphs.answering.quantities import added_up, mixed_units
from tests.built import built_once
from tests.graphs.searching import corpus_of
from tools.computation import Quantity
from tools.corpus.corpus import Corpus
from tools.decisions import with_bare_limits

RENTS = ("EUR 900", "1,200 EUR", "USD 2,000", "CHF 5,500", "EUR 6,300", "USD 400")
WEIGHTS = ("5 kg", "900 g", "2 kg", "12 kg", "400 g", "7 kg")
TERMS = ("1 month", "2 months", "12 months", "3 months", "6 months", "24 months")
SHARES = ("5%", "12 %", "0.07", "90%", "3%", "8%")


TEXT = "Tenant: T{}\nRent: {}\nWeight: {}\nTerm: {}\nShare: {}\n"
ROWS = zip(range(6), RENTS, WEIGHTS, TERMS, SHARES, strict=True)
leases = built_once(partial(corpus_of, {f"lease-{row[0]}": TEXT.format(*row) for row in ROWS}))


@pytest.mark.parametrize(
    ("field", "units"),
    [
        ("Rent", {"Rent": ("EUR", "USD", "CHF")}),
        ("Weight", {"Weight": ("kg", "g")}),
        ("Term", {}),
        ("Share", {"Share": ("%", "")}),
    ],
    ids=["currencies", "convertible", "one unit in two spellings", "shares and fractions"],
)
def test_a_field_is_computed_with_only_in_one_unit(
    leases: Corpus, field: str, units: dict[str, tuple[str, ...]]
) -> None:
    reading = Interpretation(
        text="", entity_type="lease", operation="avg", measure=Measure(text=field, field=field)
    )
    assert mixed_units(reading, leases) == units


@pytest.mark.parametrize(
    ("field", "written", "limit"),
    [
        ("Term", "3 months", "3"),
        ("Share", "8 %", "8"),
        ("Rent", "EUR 1,200", "1,200"),
        ("Rent", "GBP 900", "GBP 900"),
        ("Term", "3 weeks", "3 weeks"),
        ("Term", "3", "3"),
    ],
)
def test_a_limit_is_compared_without_the_unit_that_its_field_has(
    leases: Corpus, field: str, written: str, limit: str
) -> None:
    test = Predicate(field=field, comparison="at_least", values=(written,))
    atom = Condition(id="c1", text="", predicate=test)
    reading = Interpretation(text="", entity_type="lease", conditions=atom)
    (bare,) = atoms(with_bare_limits(leases, reading).conditions)
    assert bare.predicate is not None
    assert bare.predicate.values == (limit,)


def test_a_comparison_takes_numbers_and_a_test_of_presence_does_not(leases: Corpus) -> None:
    def found(predicate: Predicate) -> dict[str, tuple[str, ...]]:
        atom = Condition(id="c1", text="rent", predicate=predicate)
        return mixed_units(Interpretation(text="", entity_type="lease", conditions=atom), leases)

    assert "Rent" in found(Predicate(field="Rent", comparison="more_than", values=("5000",)))
    assert not found(Predicate(field="Rent", comparison="exists", values=("true",)))


def test_amounts_add_up_each_as_often_as_one_passage_states_it() -> None:
    def paid(chunk: int, start: int, value: float, unit: str = "EUR") -> Finding:
        place = {"chunk": chunk, "document": "letter", "start": start, "end": start + 3}
        told = {"condition": "c1", "entity": "letter", "quote": "paid", "value": value}
        return Finding.model_validate(place | told | {"unit": unit})

    told = [paid(0, 5, 25), paid(0, 40, 25), paid(0, 60, 75), paid(2, 120, 10)]
    assert added_up(told) == [Quantity(135, "EUR")]
    assert added_up([*told, paid(3, 200, 4, "boxes")])[1:] == [Quantity(4, "boxes")]
    assert added_up([*told, paid(1, 90, 75)]) == [Quantity(135, "EUR"), Quantity(210, "EUR")]
    assert added_up([]) == []
