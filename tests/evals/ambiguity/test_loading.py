import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agent.errors import QuestionError
from evals.ambiguity.cases import Dump, load, wanted_codes

Make = Callable[..., dict[str, Any]]


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
    return [case.id for case in load([path], **options).cases]


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
    assert [case.id for case in loaded.cases] == ["q1", "a1", "c1"]
    assert loaded.left_out == {"subclass whom is none of the seven kinds": 2}


def test_a_dump_is_taken_from_another_question_of_the_same_database(
    tmp_path: Path, ambrosia: Make
) -> None:
    clear = ambrosia(id="a2", ambiguity=None, db_dump=None)
    (_, other) = load([written(tmp_path / "one.jsonl", ambrosia(), clear)]).cases
    assert isinstance(other.source, Dump)


def test_a_dump_is_taken_from_a_file_beside(tmp_path: Path, ambrosia: Make) -> None:
    written(tmp_path / "ambiguous.jsonl", ambrosia())
    clear = written(tmp_path / "clear.jsonl", ambrosia(id="a2", ambiguity=None, db_dump=None))
    (case,) = load([clear]).cases
    assert isinstance(case.source, Dump)


def test_a_sample_depends_on_its_seed_alone(ten: Path) -> None:
    drawn = ids(ten, sample=4, seed=1)
    assert drawn == ids(ten, sample=4, seed=1) == sorted(drawn)
    assert len(drawn) == 4
    assert any(ids(ten, sample=4, seed=seed) != drawn for seed in range(2, 6))


def test_a_sample_larger_than_the_file_is_the_file(ten: Path) -> None:
    assert len(ids(ten, sample=99)) == 10


def test_codes_choose_the_questions(ten: Path) -> None:
    assert ids(ten, codes={"A1"}) == ["q1", "q3", "q5", "q7", "q9"]
    assert ids(ten, codes=wanted_codes("none")) == ["q0", "q2", "q4", "q6", "q8"]
    assert ids(ten, codes=wanted_codes("A1, none"), limit=3) == ["q0", "q1", "q2"]


def test_an_unknown_code_is_told() -> None:
    with pytest.raises(QuestionError, match="'D4' is none of"):
        wanted_codes("A1,D4")


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


def test_an_id_may_not_occur_twice(tmp_path: Path, ours: Make) -> None:
    path = written(tmp_path / "twice.jsonl", ours(), ours())
    with pytest.raises(QuestionError, match="two questions with the id 'q1'"):
        load([path])


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(QuestionError, match="cannot read"):
        load([tmp_path / "none.jsonl"])


def test_nothing_is_left_where_no_question_has_the_code(ten: Path) -> None:
    with pytest.raises(QuestionError, match="no question is left"):
        load([ten], codes={"B2"})


def test_a_file_that_is_no_utf_8_is_named_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "latin.jsonl").write_bytes(b'\n{"id": "caf\xe9"}\n')
    with pytest.raises(QuestionError, match=r"latin\.jsonl, line 2, is not UTF-8 text"):
        load([tmp_path / "latin.jsonl"])
