"""Arms are compared question by question, and every table says what is missing or failed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evals.experiments.folder import Run
from evals.reporting.board import boards
from evals.reporting.tables import board_tables, differences, failures, quality


def rows(run: Run) -> dict[str, dict[str, str]]:
    """The quality table by arm and column."""
    table = quality(boards([(Path("r"), run)])[0])
    return {row[0]: dict(zip(table.head, row, strict=True)) for row in table.rows}


def test_means_are_over_the_questions(run_of: Callable[..., Run]) -> None:
    found = rows(run_of(whole=[4, 4, 4], part=[1, 2, 4]))
    assert found["whole"]["NACE mean"] == "0.000"
    assert found["part"]["NACE mean"] == f"{(0.75 + 0.5 + 0) / 3:.3f}"
    assert found["part"]["NACE median"] == "0.500"
    assert found["part"]["ACE mean"] == f"{(3 + 2 + 0) / 3:.2f}"


def test_a_failed_question_counts_as_nothing_found_and_is_told(run_of: Callable[..., Run]) -> None:
    run = run_of(whole=[4, 4, 4], broken=[4, None, 4])
    assert rows(run)["broken"]["NACE mean"] == "0.333"
    assert rows(run)["broken"]["failed"] == "1"
    board = boards([(Path("r"), run)])[0]
    told = "broken: 1 of 3 questions failed and count as nothing found."
    tables = board_tables(board)
    assert len(tables) == 4
    assert all(told in table.notes for table in tables)
    assert failures(board).rows == [["broken", "1", "RunError: it broke", "q2"]]


def test_an_unfinished_arm_says_so_in_every_table(run_of: Callable[..., Run]) -> None:
    board = boards([(Path("r"), run_of(whole=[4, 4, 4], late=[4]))])[0]
    told = "late: 2 questions are not measured yet and not in any figure."
    assert all(told in table.notes for table in board_tables(board))


def test_the_sample_is_told(run_of: Callable[..., Run]) -> None:
    board = boards([(Path("r"), run_of(whole=[4, 4, 4]))])[0]
    assert board.about == ["3 of 9 questions, drawn with seed 7."]


def test_differences_are_paired(run_of: Callable[..., Run]) -> None:
    """Equal differences leave nothing to chance, however much the questions differ."""
    run = run_of(whole=[4, 3, 2], part=[3, 2, 1])
    whole, part = boards([(Path("r"), run)])[0].columns
    minus = part.minus(whole, "absolute_error")
    assert (minus.n, minus.value, minus.low, minus.high) == (3, 1.0, 1.0, 1.0)
    head, (row,) = (table := differences(boards([(Path("r"), run)])[0])).head, table.rows
    assert dict(zip(head, row, strict=True))["ACE"] == "+1.00 [+1.00, +1.00]"


def test_a_question_that_only_one_arm_has_is_not_compared(run_of: Callable[..., Run]) -> None:
    whole, late = boards([(Path("r"), run_of(whole=[4, 4, 4], late=[1]))])[0].columns
    assert late.minus(whole, "absolute_error").n == 1


def test_runs_of_the_same_questions_stand_side_by_side(run_of: Callable[..., Run]) -> None:
    runs = [(Path("one"), run_of(whole=[4, 4, 4])), (Path("two"), run_of(whole=[1, 1, 1], b=[2]))]
    (board,) = boards(runs)
    assert [column.name for column in board.columns] == ["whole (one)", "whole (two)", "b"]


@pytest.mark.parametrize("found", [[0, 0, 0], [4, None, 1]])
def test_bounds_that_no_arm_states_are_left_open(
    run_of: Callable[..., Run], found: list[int | None]
) -> None:
    assert rows(run_of(whole=found))["whole"]["bounds held"] == "–"
