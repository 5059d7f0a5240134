"""A step's figures are those of the graph, without its nodes and without texts."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from evals.benchmarks.overhead import NodeTime, calls, starting, stepping
from tools.corpus.corpus import Corpus

pytestmark = pytest.mark.slow


def test_a_step_s_checkpoint_holds_no_text(mixed: Corpus, texts: list[str], tmp_path: Path) -> None:
    step, checkpoint, _, _ = stepping(mixed, mixed, tmp_path, 1)
    assert (step.unit, checkpoint.unit) == ("ms", "kB")
    assert step.ours.value > 0
    assert step.ours.name == checkpoint.ours.name
    assert checkpoint.peer.value * 1000 > sum(map(len, texts)) / 2
    assert checkpoint.met


def test_the_time_of_nodes_is_not_that_of_the_graph() -> None:
    nodes = NodeTime()

    def run() -> None:
        given: dict[str, Any] = {"run_id": uuid4(), "metadata": {"langgraph_node": "n"}}
        nodes.on_chain_start({}, {}, name="n", **given)
        nodes.on_chain_start({}, {}, name="inside", **(given | {"run_id": uuid4()}))
        nodes.on_chain_end({}, run_id=given["run_id"])

    assert nodes.aside(run) > 0
    (inside,) = nodes.runs
    assert inside > 0


@pytest.mark.slow
def test_starting_and_a_whole_question_are_timed(mixed: Corpus) -> None:
    opened, answered = starting(mixed, 1)
    assert opened.aim is not None
    assert min(opened.ours.value, answered.ours.value) > 0


def test_both_sides_read_the_same_reply() -> None:
    row = calls(1)
    assert (row.ours.name, row.peer.name) == ("ChatReasoner.ask", "openai client")
