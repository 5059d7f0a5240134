import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PRESSED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Pressed())
from {entry} import main
main()
"""


@pytest.mark.parametrize(
    ("entry", "module", "command"),
    [
        ("graphs.apps.starting", "graphs.apps.cli", ("ask", "none.corpus", "How many?")),
        ("graphs.apps.starting", "graphs.apps.asking", ("ask", "none.corpus", "How many?")),
        ("graphs.apps.starting", "agent.settings", ("ask", "none.corpus", "How many?")),
        ("evals.starting", "evals.cli", ("run", "--questions", "q", "--documents", "d")),
        ("evals.starting", "evals.session", ("run", "--questions", "q", "--documents", "d")),
    ],
)
def test_ctrl_c_while_modules_load_is_one_line(entry: str, module: str, command: tuple[str, ...]):
    done = subprocess.run(
        [sys.executable, "-c", PRESSED.format(entry=entry, module=module), *command],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 130
    assert done.stderr == "\ninterrupted\n"
    assert done.stdout == ""
