"""What clauses state of the attributes of a schema that a person may have written."""

import pytest

from agent.records.induction import SampleDocument
from agent.records.record_schema import Attribute, Kind
from tests.agent.reasoners.rules.records.small_documents import cells_of, kinds_in, read, sample

CLINIC = Kind(
    name="clinic",
    attributes=(
        Attribute(name="pharmacy", type="boolean", labels=("Pharmacy",)),
        Attribute(name="night_ward", type="boolean", labels=("Ward for the night",)),
        Attribute(name="services", type="text", many=True, labels=("Services", "Treatments")),
        Attribute(name="bed_price", type="number", unit="EUR", labels=("Price of a bed per day",)),
        Attribute(name="budget", type="number", unit="EUR", labels=("Budget",)),
        Attribute(name="rating", type="number", unit="/10", labels=("Patient rating",)),
        Attribute(name="doctors", type="integer", labels=("Doctors",)),
    ),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The clinic has a pharmacy on the ground floor.", {"pharmacy": "yes"}),
        ("There is no pharmacy at Elm House.", {"pharmacy": "no"}),
        ("A pharmacy is the one thing it lacks.", {"pharmacy": "no"}),
        ("It does without a pharmacy, but it runs a night ward.",
         {"pharmacy": "no", "night_ward": "yes"}),
        ("A pharmacy may open next year.", {}),
        ("Another clinic runs a pharmacy.", {}),
        ("It has a pharmacy. There is no pharmacy.", {}),
        ("Among the services of the house are dentistry, eye care and x-rays.",
         {"services": ["dentistry", "eye care", "x-rays"]}),
        ("The treatments are physiotherapy and massage.",
         {"services": ["physiotherapy", "massage"]}),
        ("Whoever pays 90 euros a day gets a bed for that price.", {"bed_price": "90"}),
        ("Parking costs 3 euros an hour, a strain on every budget.", {}),
        ("A tenth of the budget, 12,000 euros, was kept.", {"budget": "12,000"}),
        ("Patients rate it 8.1/10.", {"rating": "8.1/10"}),
        ("Patients rate it 8.1 out of 10.", {"rating": "8.1 out of 10"}),
        ("Patients waited 8 weeks.", {}),
        ("It has 12 doctors.", {"doctors": "12"}),
        ("It saw 3 doctors come. It saw 4 doctors go. It saw 5 doctors stay.", {}),
    ],
)  # fmt: skip
def test_a_clause_states_what_its_words_call(text: str, expected: dict[str, object]) -> None:
    document = sample("elm-house", text)
    found: dict[str, list[str]] = {}
    for record in read(document, [CLINIC]).records:
        for cell in record.cells:
            assert cell.quote in text
            found.setdefault(cell.attribute, []).append(cell.value)
    listed = {"services"}
    assert {k: v if k in listed else v[0] for k, v in found.items()} == expected


def test_a_paragraph_is_no_line_of_pairs() -> None:
    text = "A pharmacy is needed there. Nobody was asked what it costs and what is lost."
    assert all(len(each.get("pharmacy", "")) < 5 for each in cells_of(sample("d", text), [CLINIC]))


@pytest.mark.parametrize(
    ("said", "denied", "name"),
    [
        ("The flat has a balcony.", "There is no balcony at the flat.", "balcony"),
        ("The vessel carries a crane.", "The vessel sails without a crane.", "crane"),
        ("The course ends with a written exam.", "The course has no written exam.", "written_exam"),
    ],
)
def test_what_some_have_and_others_deny_is_yes_or_no(said: str, denied: str, name: str) -> None:
    documents = [
        sample(f"d{at}", f"Owner: Ann {at}\nTown: Riga {at}\n\n{denied if at % 2 else said}\n")
        for at in range(8)
    ]
    (kind,) = kinds_in(documents)
    attribute = kind.attribute(name)
    assert attribute is not None
    assert attribute.type == "boolean"
    told = [cells_of(each, [kind])[0][name] for each in documents]
    assert told == ["yes", "no"] * 4


def test_what_nobody_denies_is_no_attribute() -> None:
    documents = [
        sample(f"d{at}", f"Owner: Ann {at}\nTown: Riga {at}\n\nThe flat has a balcony.\n")
        for at in range(8)
    ]
    (kind,) = kinds_in(documents)
    assert all(each.type != "boolean" for each in kind.attributes)


def notices(depths: dict[str, str]) -> list[SampleDocument]:
    """Return short notices of wells in which years stand beside what they date."""
    return [
        sample(name, f"Notice of the well with field mark {name}.\n\nIn 2031, {name} {said}.\n")
        for name, said in depths.items()
    ]


DEPTHS = {
    "KAL": "had a depth of 310 m",
    "TOR": "had a depth of 205 m",
    "VIM": "had a depth of 97 m",
}


def test_few_documents_that_all_state_one_fact_have_a_structure() -> None:
    (kind,) = kinds_in(notices({**DEPTHS, "OST": "had a depth of 51 m"}))
    attributes = {each.name: each.type for each in kind.attributes}
    assert attributes["depth"] == "integer"
    assert attributes["field_mark"] == "text"


def test_a_fact_that_one_of_few_documents_lacks_is_taken_for_chance() -> None:
    said = [f"The well {each}." for each in DEPTHS.values()]
    documents = [sample(f"w{n}", text) for n, text in enumerate([*said, "The well was dry."])]
    assert kinds_in(documents) == []
    assert kinds_in(documents[:3]) != []


def test_two_documents_show_nothing_by_one_fact() -> None:
    assert kinds_in(notices({name: DEPTHS[name] for name in ("KAL", "TOR")})) == []
