from functools import partial
from typing import Any

import pytest

from agent.errors import QuestionError
from agent.predicates import NAME_FIELD
from agent.replies import InterpretReply
from evals.annotated.interpreting import interpreted, interpreted_reading, is_annotated
from evals.questions import AnnotatedReading, Record
from tests.built import built, built_once
from tests.evals.question_files import record_of
from tools.corpus.corpus import Corpus

HEAD = "Author: {}\nStatus: {}\nColour: {}\nCreated: {}\n\n{}\n"
ANN, BO = "Ann Lee <ann@x.org>", "Bo Day <bo@x.org>"
BARNS = {
    "barn-1.txt": HEAD.format(ANN, "Built", "red, blue", "1990-02-01", "It has a Velux window."),
    "barn-2.txt": HEAD.format(BO, "Planned", "red", "1991-03-01", "It has velux windows."),
    "barn-3.txt": HEAD.format(f"{ANN}, {BO}", "Built", "blue", "1995-04-01", "Plain."),
}
barns = built_once(partial(built, BARNS))


def _asked(*texts: str, **changed: Any) -> Record:
    told = {
        "entity_type": "barn (document)",
        "aggregation": "count",
        "logic": "AND",
        "conditions": [{"text": each} for each in texts],
        "answer": ["barn-1"],
        "gold_documents": ["barn-1"],
    }
    return record_of(**(told | changed))


def _tests(reply: InterpretReply) -> list[tuple[str | None, str | None, list[str]]]:
    return [(each.field, each.comparison, each.values) for each in reply.conditions]


@pytest.mark.parametrize(
    ("text", "test"),
    [
        ("Status is Built or Planned (header)", ("Status", "is", ["Built", "Planned"])),
        ("Colour includes Red", ("Colour", "is", ["Red"])),
        ("Ann Lee is an author", ("Author", "is", ["Ann Lee"])),
        ("Lee is an author", ("Author", "contains", ["Lee"])),
        ("Created in 1990", ("Created", "is", ["1990"])),
        ("Created >= 1991", ("Created", "at_least", ["1991"])),
        ("Created between 1990 and 1991", ("Created", "between", ["1990", "1991"])),
        ("has a Status header", ("Status", "exists", [])),
        ("barn number between 1 and 2", (NAME_FIELD, "between", ["1", "2"])),
        ("Weight is 5", (None, None, [])),
        ("is said to be old", (None, None, [])),
    ],
)
def test_a_condition_is_of_a_field_where_its_annotation_names_one(
    text: str, test: tuple[str | None, str | None, list[str]], barns: Corpus
) -> None:
    assert _tests(interpreted(_asked(text), barns)) == [test]


@pytest.mark.parametrize(
    ("condition", "terms"),
    [
        ({"text": "mentions Velux", "pattern": r"\b[Vv]elux\b"}, ["velux"]),
        ({"text": "mentions slate", "pattern": r"\bslate\b"}, ["slate"]),
        ({"text": "mentions the Velux (body)"}, ["Velux"]),
        ({"text": "tells of Velux"}, []),
    ],
)
def test_a_mention_is_spelt_as_its_pattern_is_in_the_documents(
    condition: dict[str, str], terms: list[str], barns: Corpus
) -> None:
    reply = interpreted(_asked(conditions=[condition]), barns)
    assert reply.conditions[0].terms == terms


@pytest.mark.parametrize(
    ("logic", "negated", "joined"),
    [
        ("AND", False, "c1 and c2 and c3"),
        ("OR", False, "c1 or c2 or c3"),
        ("AND NOT", True, "c1 and c2 and not c3"),
        ("AND(OR)", False, "(c1 or c2) and (c3)"),
        ("c1 and (c2 or c3)", False, "c1 and (c2 or c3)"),
    ],
)
def test_conditions_are_joined_as_annotated(
    logic: str, joined: str, barns: Corpus, *, negated: bool
) -> None:
    texts: list[dict[str, object]] = [{"text": each} for each in ("Status is A", "Status is B")]
    conditions = [*texts, {"text": "is old", "negated": negated}]
    assert interpreted(_asked(conditions=conditions, logic=logic), barns).logic == joined


@pytest.mark.parametrize(
    ("numbers", "measured"),
    [
        ({"barn-1": 1, "barn-3": 2}, ("Author", "length")),
        ({"barn-1": 7, "barn-3": 9}, (None, "value")),
    ],
)
def test_a_field_is_measured_where_it_holds_the_annotated_numbers(
    numbers: dict[str, int], measured: tuple[str | None, str], barns: Corpus
) -> None:
    told = {"aggregation": "avg", "per_document_value": numbers, "answer_value": 1}
    measure = interpreted(_asked("Status is Built", **told), barns).measure
    assert (measure.field, measure.of) == measured


@pytest.mark.parametrize(
    "changed",
    [
        {"conditions": []},
        {"conditions": [{"text": "see SQL", "sql": "SELECT 1"}]},
        {"conditions": [{"text": "document set given in gold_documents"}]},
        {"aggregation": "avg"},
    ],
)
def test_a_question_without_annotation_says_so(changed: dict[str, Any], barns: Corpus) -> None:
    with pytest.raises(QuestionError, match="has no annotated conditions"):
        interpreted(_asked("Status is Built", **changed), barns)


def test_a_reading_counts_the_documents_it_names(barns: Corpus) -> None:
    readings = [
        {"rewritten": "How many barns are red?", "answer": ["barn-1", "barn-2"]},
        {"rewritten": "How many barns are green?", "answer": []},
    ]
    record = _asked(ambiguity=["C1"], readings=readings)
    red, green = (interpreted_reading(record, each, barns) for each in record.readings)
    assert is_annotated(record)
    assert _tests(red) == [(NAME_FIELD, "is", ["barn-1", "barn-2"])]
    assert _tests(green) == [(NAME_FIELD, "exists", ["false"])]


def test_a_reading_that_names_only_some_documents_is_not_annotated(barns: Corpus) -> None:
    reading = AnnotatedReading(rewritten="How many?", answer=("barn-1",), answer_count=80)
    record = _asked(ambiguity=["A1"], readings=[reading.model_dump()])
    assert not is_annotated(record)
    with pytest.raises(QuestionError, match="has no annotated conditions"):
        interpreted_reading(record, reading, barns)
