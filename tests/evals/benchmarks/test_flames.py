"""Flame graphs show shares of time by function, and nothing of the machine."""

import re

import pytest

from evals.benchmarks.flames.stacks import Frame, draw, folded, pruned

RAW = """
process 7:"python -c '/srv/me/x'";<module> (<string>:1);build (tools/corpus/build.py:61);\
_find (<frozen importlib._bootstrap>:1);svds (/srv/me/lib/site-packages/scipy/linalg.py:20) 60
process 7:"python";<module> (<string>:1);build (tools/corpus/build.py:61) 30
process 8:"python";main (/srv/me/env/bin/tool:3);walk (os.py:1);walk (os.py:9) 9
process 8:"python";main (/srv/me/env/bin/tool:3) 1
""".strip().splitlines()


def test_stacks_of_all_processes_are_one_tree_of_functions() -> None:
    tree = folded(RAW, "index")
    build, main = tree.called["build (tools/corpus/build.py)"], tree.called["main (tool)"]
    assert (tree.samples, build.samples, main.samples) == (100, 90, 10)
    assert build.called["svds (scipy/linalg.py)"].samples == 60
    assert main.called == {"walk (os.py)": Frame("walk (os.py)", 9)}


def test_small_functions_are_left_out_and_their_callers_keep_their_time() -> None:
    tree = pruned(folded(RAW, "index"), 10)
    assert [each.samples for each in tree.called.values()] == [90, 10]
    assert not tree.called["main (tool)"].called


@pytest.mark.parametrize("told", ["/home", "process", "python -c"])
def test_a_drawing_says_nothing_of_the_machine(told: str) -> None:
    assert told not in draw(folded(RAW, "index"))


def test_widths_are_shares_and_what_is_called_stands_below_its_caller() -> None:
    drawing = draw(folded(RAW, "index"))
    boxes = re.findall(r'<title>(\S+).*?x="([\d.]+)" y="(\d+)" width="([\d.]+)"', drawing)
    assert boxes[:3] == [
        ("index:", "0.0", "0", "1200.0"),
        ("build", "0.0", "17", "1080.0"),
        ("svds", "0.0", "34", "720.0"),
    ]
    assert boxes[3][:3] == ("main", "1080.0", "17")
