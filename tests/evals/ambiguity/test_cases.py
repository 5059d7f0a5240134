import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer
from agent.errors import QuestionError, SettingsError
from evals.ambiguity.cases import (
    Places,
    load,
    parse,
    same,
)
from evals.questions import AnnotatedReading, Record
from evals.scopes import Corpora

Make = Callable[..., dict[str, Any]]
MakeAnswer = Callable[..., Answer]


def case_of(members: dict[str, Any]) -> Record:
    record = parse(members)
    assert isinstance(record, Record)
    return record


def test_our_question_has_codes_and_answers(ours: Make) -> None:
    record = case_of(ours(ambiguity=["A1", "B2"]))
    assert (record.ambiguity, record.before) == (("A1", "B2"), None)
    assert [each.number for each in record.readings] == [2, 70]


@pytest.mark.parametrize(
    ("kind", "codes"), [("attachment", ("B2",)), ("scope", ("B1",)), (None, ())]
)
def test_of_ambrosia_only_the_kind_is_taken(
    ambrosia: Make, kind: str | None, codes: tuple[str, ...]
) -> None:
    case = case_of(ambrosia(ambiguity=kind))
    assert (case.ambiguity, case.readings) == (codes, ())


def test_a_question_without_documents_is_asked_over_its_own_words(
    tmp_path: Path, clamber: Make
) -> None:
    places = Places(None, tmp_path, Corpora(tmp_path, print))
    corpus = places.of(case_of(clamber(context="We are in Riga.", question="Where is it?")))
    assert corpus.document_text(0) == "We are in Riga.\n\nWhere is it?\n"


def test_a_question_over_documents_needs_their_folder(tmp_path: Path, ours: Make) -> None:
    with pytest.raises(SettingsError, match="needs --documents"):
        Places(None, tmp_path, Corpora(tmp_path, print)).of(case_of(ours()))


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
    assert case.ambiguity == codes


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


def written(path: Path, *lines: dict[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(line) for line in lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def ten(tmp_path: Path, ours: Make) -> Path:
    lines = [
        ours(id=f"q{at}", ambiguity=["A1"] if at % 2 else [], is_ambiguous=bool(at % 2))
        for at in range(10)
    ]
    return written(tmp_path / "ten.jsonl", *lines)


def ids(path: Path, **options: Any) -> list[str]:
    return [case.id for case in load([path], **options).records]


def test_formats_may_be_mixed_and_what_is_left_out_is_counted(
    tmp_path: Path, ours: Make, ambrosia: Make, clamber: Make
) -> None:
    path = written(
        tmp_path / "all.jsonl",
        ours(),
        ambrosia(),
        clamber(),
        clamber(id="c2", subclass="whom"),
        clamber(id="c3", subclass="whom"),
    )
    loaded = load([path])
    assert [case.id for case in loaded.records] == ["q1", "a1", "c1"]
    assert loaded.left_out == {"subclass whom is none of the seven kinds": 2}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "line 1, is not a question: it is not JSON"),
        ("[1]", "it is not an object"),
        ('{"id": "x"}', "line 1, is not a question: it has neither"),
        ("\n", "no question is left"),
    ],
    ids=["no JSON", "no object", "no format", "nothing"],
)
def test_a_file_that_cannot_be_used_is_told(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QuestionError, match=problem):
        load([path])


TEXTS = {
    "hall": "Name: Grand Ballroom\nTags: quiet, by the sea\n",
    "room": "Name: Room A\nTags: quiet\n",
    "city": "Name: Riga\n",
}


class Texts:
    documents = tuple(TEXTS)

    def document_text(self, document: int) -> str:
        return list(TEXTS.values())[document]


@pytest.mark.parametrize(
    ("found", "names", "expected"),
    [
        (("hall", "room"), ("hall", "room"), True),
        (("hall", "city"), ("hall", "room"), False),
        (("hall",), ("hall", "room"), False),
        (("hall", "room"), None, True),
        (("hall", "room"), ("Ann", "Bob"), True),
    ],
    ids=["the same", "another", "too few", "names not known", "names of no documents"],
)
def test_number_and_documents_have_to_agree(
    answer_of: MakeAnswer,
    found: tuple[str, ...],
    names: tuple[str, ...] | None,
    expected: bool,
) -> None:
    meant = AnnotatedReading(rewritten="?", answer_count=2, answer=names)
    assert same(answer_of(found), meant, Texts()) is expected


@pytest.mark.parametrize(
    "members",
    [
        {"status": "partial"},
        {"status": "needs_clarification"},
        {"value": None},
        {"value": {"a": 2}},
    ],
    ids=["partial", "waiting", "no number", "by group"],
)
def test_what_is_no_answer_is_not_the_same(
    answer_of: MakeAnswer, members: dict[str, object]
) -> None:
    answer = answer_of(("hall", "room"), **members)
    assert not same(answer, AnnotatedReading(rewritten="?", answer_count=2), Texts())
