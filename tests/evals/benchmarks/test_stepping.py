from pathlib import Path

from evals.benchmarks.script import POLICY, QUESTION, scripted
from evals.benchmarks.stepping import stepping
from graphs.context import Context
from graphs.headcount import build_graph
from tools.corpus.corpus import Corpus


def test_a_step_s_checkpoint_holds_no_text(mixed: Corpus, texts: list[str], tmp_path: Path) -> None:
    step, checkpoint = stepping(mixed, texts, tmp_path, 1)
    assert (step.unit, checkpoint.unit) == ("ms", "kB")
    assert step.ours.name == checkpoint.ours.name
    assert checkpoint.peer.value * 1000 > sum(map(len, texts)) / 2
    assert checkpoint.ours.value < 10


def test_the_script_filters_once_and_reads_the_rest(mixed: Corpus) -> None:
    context = Context(corpus=mixed, reasoner=scripted(), policy=POLICY)
    answer = build_graph().invoke({"question": QUESTION}, context=context)["answer"]
    (snapshot,) = answer.snapshots
    assert snapshot.tool == "bm25"
    assert answer.coverage.judged == snapshot.kept > 0
    assert answer.coverage.judged + answer.coverage.pruned == len(mixed)
