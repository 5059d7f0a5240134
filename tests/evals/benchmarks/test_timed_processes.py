"""The memory of a process is told with that of its children."""

import os
import subprocess
import sys

import pytest

from evals.benchmarks.timed_processes import apart, peak_mb, tree_mb

HELD = 60_000_000
CHILD = f"import sys; held = b'x' * {HELD}; print('held', flush=True); sys.stdin.read()"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]], check=True)"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_child_s_memory_is_its_parent_s() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, CHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "held\n"
        held = tree_mb(process.pid)
        process.communicate()
    assert held > HELD / 1e6
    assert tree_mb(process.pid) == 0


def test_the_peak_is_that_of_this_process() -> None:
    held = bytearray(50_000_000)
    assert peak_mb() > len(held) / 1e6


def test_a_function_runs_in_a_process_of_its_own() -> None:
    taken = apart(os.path.join, "a", "b", watched=True)
    assert taken.result == "a/b"
    assert min(taken.cpu, taken.peak_mb) > 0
