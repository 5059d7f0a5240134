"""Plain questions: what counts as right, and that nothing is wrong with the face of an answer."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agent.answer import Answer, AnswerReading
from evals.plain_questions import PLAIN, PlainQuestion, Scored, scored, totals
from tests.built import built, built_once
from tests.evals.question_files import answer_of, evaluate
from tools.corpus.corpus import Corpus

DRAWN = PLAIN.with_name("plain_drawn")
WRONG = {PLAIN: 0, DRAWN: 27}
"""Questions that were answered and wrong when this was last looked at, of the drawn a third:
documents tell in prose what others state in fields, or under another name, or a group is of
documents that do not state it."""
SHOPS = "shop,country\nAire Andaluz,Spain\nSol y Red,Spain\nTulip,Netherlands\n"
corpus = built_once(partial(built, {"shops.csv": SHOPS}))


def question(**told: Any) -> PlainQuestion:
    blank = {"id": "q", "question": "?", "decided_by": "field", "operation": "list"}
    return PlainQuestion.model_validate(blank | told)


def answer(*documents: str, assumptions: tuple[str, ...] = (), **told: Any) -> Answer:
    reading = AnswerReading(text="?", entity_type="shop", operation="list", assumptions=assumptions)
    return answer_of(documents, **{"bounds": None, "interpretation": reading, **told})


TWO = question(answer_documents=["a", "b"], answer_value=2)
SPANISH = question(answer_value="sol y red; Aire Andaluz", key="shop", answer_documents=[])
MEAN = question(operation="avg", answer_value=331.67)
HIGHEST = question(operation="max", answer_value=330.0, answer_documents=["a"])
GROUPS = question(operation="group_by", groups={"Spain": 2.5, "netherlands": 1})
OPEN = question(decided_by="none")
MAY_ASSUME = question(decided_by="none", accepts_assumption=True)
ASSUMED = answer("a", assumptions=("large is 9",))


@pytest.mark.parametrize(
    ("asked", "given", "right"),
    [
        (TWO, answer("b", "a"), True),
        (TWO, answer("a", "c"), False),
        (question(operation="count", answer_value=2), answer(value=2), True),
        (question(answer_documents=[], answer_value=0), answer(), True),
        (question(answer_documents=["a"], answer_value="Work barge"), answer("a"), True),
        (SPANISH, answer("shops#1", "shops#2"), True),
        (SPANISH, answer("shops#1", "shops#3"), False),
        (MEAN, answer("a", value=331.666), True),
        (MEAN, answer("a", value=331.6), False),
        (HIGHEST, answer("a", "b", value=330), True),
        (HIGHEST, answer("a", value=1), True),
        (GROUPS, answer(value={"Netherlands": 1, "spain": 2.5}), True),
        (GROUPS, answer(value={"Spain": 2.5}), False),
        (OPEN, ASSUMED, False),
        (MAY_ASSUME, ASSUMED, True),
        (MAY_ASSUME, answer("a"), False),
    ],
)
def test_an_answer_is_right_by_its_documents_rows_number_or_groups(
    asked: PlainQuestion, given: Answer, right: bool, corpus: Corpus
) -> None:
    assert scored(asked, given, corpus).outcome == ("right" if right else "wrong")


@pytest.mark.parametrize(
    ("asked", "given", "false"),
    [
        (TWO, answer("a", bounds=(1, 1)), True),
        (TWO, answer("a", bounds=(1, 3)), False),
        (TWO, answer("a"), False),
        (question(answer_value="x; y", answer_documents=[]), answer("a", bounds=(3, 4)), True),
        (question(operation="sum", answer_value=10), answer(value=12, bounds=(12, 12)), True),
        (HIGHEST, answer("a", value=1, bounds=(1, 1)), False),
        (OPEN, answer("a", bounds=(1, 1)), False),
    ],
)
def test_bounds_are_false_that_do_not_include_the_true_number(
    asked: PlainQuestion, given: Answer, false: bool, corpus: Corpus
) -> None:
    assert scored(asked, given, corpus).false_bounds is false


def test_candidates_are_measured_by_their_documents(corpus: Corpus) -> None:
    given = answer("a", "c", "d", "e", status="candidates", value=None)
    found = scored(TWO, given, corpus)
    assert (found.outcome, found.recall, found.precision) == ("candidates", 0.5, 0.25)


def told_of(decided_by: str, outcome: Any, **more: Any) -> Scored:
    return Scored(question=question(decided_by=decided_by), outcome=outcome, told="", **more)


def test_totals_are_told_by_what_decides_and_of_all() -> None:
    rows = totals(
        [
            told_of("field", "right"),
            told_of("field", "wrong", false_bounds=True),
            told_of("meaning", "candidates", recall=1.0, precision=0.5),
            told_of("meaning", "declined"),
            told_of("none", "declined"),
        ]
    )
    assert list(rows) == ["field", "meaning", "none", "all"]
    assert (rows["field"]["wrong_share"], rows["field"]["false_bounds"]) == (0.5, 1)
    assert (rows["meaning"]["declined"], rows["meaning"]["recall"]) == (1, 1.0)
    assert (rows["all"]["asked"], rows["all"]["wrong_share"]) == (5, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("folder", "every", "asked", "right"), [(PLAIN, 1, 91, 42), (DRAWN, 3, 1424, 548)]
)
def test_the_lexical_reader_is_wrong_no_oftener_than_it_was(
    folder: Path, every: int, asked: int, right: int, tmp_path: Path
) -> None:
    """Of the drawn collections each third is asked; `headcount-eval plain` asks all."""
    for each in sorted(folder.iterdir())[::every]:
        (tmp_path / each.name).symlink_to(each)
    file = tmp_path / "plain.json"
    done = evaluate("plain", "--folder", tmp_path, "--json", file)
    assert done.exit_code == 0, done.output
    told = json.loads(file.read_text(encoding="utf-8"))["totals"]["all"]
    written = (each.read_text(encoding="utf-8") for each in tmp_path.glob("*/questions.jsonl"))
    assert told["asked"] == sum(len(each.splitlines()) for each in written) == asked
    assert told["false_bounds"] == 0
    assert told["wrong"] <= WRONG[folder]
    assert told["right"] >= right


def test_a_folder_without_collections_is_refused(tmp_path: Path) -> None:
    done = evaluate("plain", "--folder", tmp_path)
    assert done.exit_code == 1
    assert "has no collection" in done.output
