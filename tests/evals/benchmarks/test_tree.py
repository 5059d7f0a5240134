"""The memory of a process is told with that of its children."""

import subprocess
import sys

import pytest

from evals.benchmarks.process_memory import output_and_peak_mb, tree_mb

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
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        held = tree_mb(process.pid)
        process.communicate()
    assert held > HELD / 1e6
    assert tree_mb(process.pid) == 0


def test_a_process_that_fails_is_told() -> None:
    with (
        subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"], text=True) as process,
        pytest.raises(subprocess.CalledProcessError),
    ):
        output_and_peak_mb(process)
