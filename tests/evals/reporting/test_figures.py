"""Charts show what the results hold: the ends of the lines are the tables' figures."""

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from evals.experiments.folder import Run
from evals.reporting.board import Board, boards
from evals.reporting.figures import CHARTS, count_errors, reading_and_recall


@pytest.fixture
def board(run_of: Callable[..., Run]) -> Board:
    return boards([(Path("r"), run_of(whole=[4, 4, 4], part=[1, 2, 4]))])[0]


def lines(svg: str) -> list[list[tuple[float, float]]]:
    """The points of every line, in the drawing's own coordinates."""
    drawn = [each for each in ET.fromstring(svg).iter() if each.tag.endswith("polyline")]
    return [
        [tuple(map(float, point.split(","))) for point in each.attrib["points"].split()]  # type: ignore[misc]
        for each in drawn
    ]


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_well_formed_and_names_the_arms(name: str, board: Board) -> None:
    _, draw = CHARTS[name]
    texts = {each.text for each in ET.fromstring(draw(board)).iter() if each.tag.endswith("text")}
    if name != "bounds":
        assert {"whole", "part"} <= texts


@pytest.mark.parametrize("name", CHARTS)
def test_a_board_without_results_can_be_drawn(name: str, run_of: Callable[..., Run]) -> None:
    _, draw = CHARTS[name]
    ET.fromstring(draw(boards([(Path("r"), run_of(whole=[]))])[0]))


def test_errors_accumulate_to_all_questions(board: Board) -> None:
    whole, part = lines(count_errors(board))
    top = min(height for _, height in whole)
    assert whole[0][1] == top
    assert part[0][1] > part[-1][1] == top
    assert [height for _, height in part] == sorted((y for _, y in part), reverse=True)


def test_recall_rises_with_what_was_read_and_ends_where_reading_did(board: Board) -> None:
    first = lines(reading_and_recall(board))[0]
    heights = [height for _, height in first]
    assert heights == sorted(heights, reverse=True)
    assert max(across for across, _ in first) == pytest.approx(60 + 0.4 * (760 - 60 - 190))
