from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import QuestionError
from evals.ambiguity.cases import Case, Dump, LeftOut, Words, parse
from evals.questions import Record

Make = Callable[..., dict[str, Any]]


def case_of(members: dict[str, Any], dumps: dict[str, str] | None = None) -> Case:
    case = parse(members).case(dumps or {})
    assert isinstance(case, Case)
    return case


def test_our_question_has_codes_and_answers(ours: Make) -> None:
    case = case_of(ours(ambiguity=["A1", "B2", "A1"]))
    assert (case.codes, case.control) == (("A1", "B2"), False)
    assert [each.number for each in case.intended] == [2, 70]
    assert isinstance(case.source, Record)
    assert case.source.corpus == "x/docs"


def test_names_count_only_where_all_are_given(ours: Make) -> None:
    assert [each.names for each in case_of(ours()).intended] == [("a", "b"), None]


@pytest.mark.parametrize(
    ("reading", "number", "names"),
    [
        ({"answer_value": 2.5, "answer_count": 7, "answer": []}, 2.5, None),
        ({"answer": ["a", "b"]}, 2, ("a", "b")),
        ({"answer_count": 0, "answer": []}, 0, ()),
        ({"answer_count": 3}, 3, None),
        ({}, None, None),
    ],
    ids=["a value", "a list alone", "nothing is right", "a count alone", "not known"],
)
def test_the_answer_is_taken_as_it_is_given(
    ours: Make, reading: dict[str, Any], number: float | None, names: tuple[str, ...] | None
) -> None:
    (meant,) = case_of(ours(readings=[{"rewritten": "?", **reading}])).intended
    assert (meant.number, meant.names, meant.answered) == (number, names, number is not None)


def test_our_control_has_no_code(ours: Make) -> None:
    assert case_of(ours(ambiguity=[], is_ambiguous=False)).control


@pytest.mark.parametrize(("kind", "code"), [("scope", "B1"), ("attachment", "B2"), ("vague", "C1")])
def test_ambrosia_has_three_of_the_kinds(ambrosia: Make, kind: str, code: str) -> None:
    case = case_of(ambrosia(ambiguity=kind))
    assert case.codes == (code,)
    assert isinstance(case.source, Dump)


def test_ambrosias_readings_are_rows_where_their_sql_runs(ambrosia: Make) -> None:
    first, second = case_of(ambrosia()).intended
    assert first.rows == (("Grand Ballroom",), ("Room A",))
    assert (first.number, second.answered) == (2, False)


def test_a_single_number_is_the_number_asked_for(ambrosia: Make) -> None:
    (meant,) = case_of(ambrosia(interpretations=[{"text": "?", "result": [[7]]}])).intended
    assert (meant.number, meant.rows) == (7, None)


def test_ambrosias_control_is_answered_by_its_sql(ambrosia: Make, sql: str) -> None:
    query = "SELECT Name FROM Venues WHERE EventSpace = 'Banquet Hall'"
    members = ambrosia(ambiguity=None, interpretations=[], db_dump=None, sql=[query])
    case = case_of(members, {"hotels.sqlite": sql})
    assert case.control
    assert case.intended[0].rows == (("Grand Ballroom",), ("The Atrium",))


def test_a_database_that_nobody_has_is_left_out(ambrosia: Make) -> None:
    left = parse(ambrosia(db_dump=None)).case({})
    assert left == LeftOut("no db_dump for its db_file")


@pytest.mark.parametrize(
    ("subclass", "needed", "codes"),
    [
        ("when", 1, ("A2",)),
        ("where", 1, ("A2",)),
        ("NK", 1, ("C3",)),
        ("NK", 0, ()),
        ("none", 0, ()),
    ],
)
def test_clamber_has_two_of_the_kinds_and_controls(
    clamber: Make, subclass: str, needed: int, codes: tuple[str, ...]
) -> None:
    case = case_of(clamber(subclass=subclass, require_clarification=needed))
    assert case.codes == codes


def test_clambers_question_is_asked_over_its_own_words(clamber: Make) -> None:
    case = case_of(clamber(context="We are in Riga."))
    assert case.source == Words("We are in Riga.\n\nWhich cafés near the harbour are good?")


def test_clambers_other_kinds_are_left_out(clamber: Make) -> None:
    left = parse(clamber(subclass="whom")).case({})
    assert left == LeftOut("subclass whom is none of the seven kinds")


@pytest.mark.parametrize(
    ("members", "problem"),
    [
        ({"id": "x", "question": "?"}, "neither"),
        ({"id": "x", "ambiguity": ["A1"]}, "question Field required"),
        ({"id": "x", "question": "?", "ambiguity": ["Z9"]}, "ambiguity.0"),
        ({"id": "x", "question": "?", "ambiguity": [], "is_ambiguous": True}, "does not agree"),
        ({"id": "x", "question": "?", "ambiguity": "other", "db_file": "f"}, "ambiguity"),
    ],
    ids=["no format", "no question", "no such code", "contradiction", "no such kind"],
)
def test_what_is_no_question_is_told(members: dict[str, Any], problem: str) -> None:
    with pytest.raises(QuestionError, match=problem):
        parse(members)
