from pathlib import Path
from typing import Any
from uuid import uuid4

from evals.benchmarks.graph_steps import NodeTime, stepping
from evals.benchmarks.scripted_run import POLICY, QUESTION, scripted
from graphs.context import Context
from graphs.headcount import build_graph
from tools.corpus.corpus import Corpus


def test_a_step_s_checkpoint_holds_no_text(mixed: Corpus, texts: list[str], tmp_path: Path) -> None:
    step, checkpoint, _, _ = stepping(mixed, mixed, tmp_path, 1)
    assert (step.unit, checkpoint.unit) == ("ms", "kB")
    assert step.ours.value > 0
    assert step.ours.name == checkpoint.ours.name
    assert checkpoint.peer is not None
    assert checkpoint.peer.value * 1000 > sum(map(len, texts)) / 2
    assert checkpoint.met


def test_the_time_of_nodes_is_not_that_of_the_graph() -> None:
    nodes = NodeTime()

    def run() -> None:
        told: dict[str, Any] = {"run_id": uuid4(), "metadata": {"langgraph_node": "n"}}
        nodes.on_chain_start({}, {}, name="n", **told)
        nodes.on_chain_start({}, {}, name="inside", **(told | {"run_id": uuid4()}))
        nodes.on_chain_end({}, run_id=told["run_id"])

    aside = nodes.aside(run)
    (inside,) = nodes.runs
    assert inside > 0
    assert aside > 0


def test_the_script_filters_once_and_reads_the_rest(mixed: Corpus) -> None:
    context = Context(corpus=mixed, reasoner=scripted(), policy=POLICY)
    answer = build_graph().invoke({"question": QUESTION}, context=context)["answer"]
    (snapshot,) = answer.snapshots
    assert snapshot.tool == "bm25"
    assert answer.coverage.judged == snapshot.kept > 0
    assert answer.coverage.judged + answer.coverage.pruned == len(mixed)
