from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest

from agent.answer import Answer
from agent.evidence import Entity
from evals.names import DocumentNames
from evals.questions import Record
from evals.report import QUESTION_KEYS
from evals.scores import Outcome, Score, score
from evals.spans import GoldChunk

NAMES = DocumentNames(["x/a", "x/b", "x/c"])
RecordOf = Callable[..., Record]
AnswerOf = Callable[..., Answer]


def _gold(*chunks: int) -> list[GoldChunk]:
    return [GoldChunk(chunk, (frozenset({chunk}),)) for chunk in chunks]


def _documents(record_of: RecordOf, *names: str, **fields: Any) -> Record:
    return record_of(answer=names, answer_count=len(names), gold_documents=names, **fields)


def test_documents_are_compared_by_the_corpus_own_names(
    record_of: RecordOf, answer_of: AnswerOf
) -> None:
    found = score(
        _documents(record_of, "a", "b"), Outcome(answer=answer_of(["x/a", "x/c"])), NAMES, ()
    )
    assert (found.precision, found.recall, found.f1) == (0.5, 0.5, 0.5)


def test_borderline_documents_are_neutral(record_of: RecordOf, answer_of: AnswerOf) -> None:
    record = _documents(record_of, "a", borderline_documents=["c"])
    found = score(record, Outcome(answer=answer_of(["x/a", "x/c"])), NAMES, ())
    assert (found.precision, found.recall, found.f1) == (1.0, 1.0, 1.0)


def test_named_answers_are_compared_without_accents_and_by_alias(
    record_of: RecordOf, answer_of: AnswerOf
) -> None:
    record = record_of(answer=["José Gil", "Ann Lee"], gold_documents=["a"])
    entities = (
        Entity(name="Jose Gil <j@example.org>", documents=("x/a",)),
        Entity(name="A. Lee", aliases=("Ann Lee",)),
        Entity(name="Bo"),
    )
    found = score(record, Outcome(answer=answer_of(entities=entities, value=3)), NAMES, ())
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == 1.0


def test_a_mere_count_has_no_f1(record_of: RecordOf, answer_of: AnswerOf) -> None:
    found = score(record_of(answer_count=4), Outcome(answer=answer_of(value=5)), NAMES, ())
    assert (found.f1, found.absolute_error, found.normalised_error) == (None, 1, 0.25)


def test_a_measured_number_has_a_relative_error_and_no_count_error(
    record_of: RecordOf, answer_of: AnswerOf
) -> None:
    found = score(record_of(answer_value=2.0), Outcome(answer=answer_of(value=3.0)), NAMES, ())
    assert (found.relative_error, found.absolute_error, found.exact) == (0.5, None, False)


@pytest.mark.parametrize("status", ["error", "needs_clarification"])
def test_no_answer_counts_as_nothing_found(
    record_of: RecordOf, answer_of: AnswerOf, status: str
) -> None:
    answer = None if status == "error" else answer_of(["x/a"], status=status)
    found = score(_documents(record_of, "a"), Outcome(answer=answer, error="x"), NAMES, _gold(0))
    assert (found.status, found.recall, found.f1, found.value) == (status, 0.0, 0.0, None)
    assert (found.absolute_error, found.normalised_error, found.exact) == (1, 1.0, False)
    assert found.chunk_recall_filtered == 0.0


def test_failing_where_nothing_is_right_is_no_success(record_of: RecordOf) -> None:
    assert score(_documents(record_of), Outcome(error="x"), NAMES, ()).f1 == 0.0


def test_chunk_recalls_and_shares(record_of: RecordOf, answer_of: AnswerOf) -> None:
    outcome = Outcome(answer=answer_of(), kept=frozenset({0, 1, 9}), matched=frozenset({1}))
    found = score(_documents(record_of, "a"), outcome, NAMES, _gold(0, 1, 2, 3))
    assert (found.chunk_recall_filtered, found.chunk_recall_judged) == (0.5, 0.25)
    assert (found.judged_share, found.calls, found.input_tokens) == (0.4, 3, 70)


def test_no_gold_chunk_has_no_chunk_recall(record_of: RecordOf, answer_of: AnswerOf) -> None:
    found = score(_documents(record_of), Outcome(answer=answer_of()), NAMES, ())
    assert (found.chunk_recall_filtered, found.chunk_recall_judged) == (None, None)


@pytest.mark.parametrize(
    ("bounds", "held"), [((1, 3), True), ((3, 3), False), (None, None)], ids=["in", "out", "none"]
)
def test_stated_bounds_are_checked(
    record_of: RecordOf, answer_of: AnswerOf, bounds: tuple[int, int] | None, held: bool | None
) -> None:
    outcome = Outcome(answer=answer_of(bounds=bounds))
    assert score(_documents(record_of, "a", "b"), outcome, NAMES, ()).bounds_held is held


def test_numbers_by_group_are_no_single_value(record_of: RecordOf, answer_of: AnswerOf) -> None:
    outcome = Outcome(answer=answer_of(value={"a": 1, "b": 2}))
    assert score(record_of(answer_count=3), outcome, NAMES, ()).value is None


def test_every_key_of_the_report_is_scored(record_of: RecordOf) -> None:
    found: Score = score(record_of(), Outcome(error="x"), NAMES, ())
    assert set(QUESTION_KEYS) <= set(asdict(found))
