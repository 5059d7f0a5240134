"""How a command ends, and where it writes if a stream is closed."""

import errno
import io
import os
import shlex
import sqlite3
import subprocess
import sys

import pytest

from agent.coverage import Coverage
from agent.errors import CorpusMissing, HeadcountError, LimitReached
from graphs.apps.exits import exit_for, tidy_exit
from graphs.apps.terminal import usable_streams
from tests.graphs.apps.answers import answer
from tests.graphs.apps.conftest import PROGRAM, ROOT


@pytest.mark.parametrize(
    ("status", "coverage", "code"),
    [
        ("answered", Coverage(), 0),
        ("needs_clarification", Coverage(), 3),
        ("partial", Coverage(failed=1), 4),
        ("answered", Coverage(failed=1), 5),
        ("answered", Coverage(unparsable=1), 5),
        ("answered", Coverage(unseen=1), 0),
        ("candidates", Coverage(failed=1), 6),
    ],
)
def test_an_answer_has_its_exit_code(status: str, coverage: Coverage, code: int):
    assert exit_for(answer(status=status, coverage=coverage)) == code


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (HeadcountError("what\nto do"), 1, "headcount: what to do\n"),
        (CorpusMissing("none"), 1, "headcount: none\n"),
        (LimitReached("spent"), 1, "headcount: spent\n"),
        (OSError(errno.ENOSPC, "No space left", "f"), 1, "headcount: No space left: f\n"),
        (PermissionError(errno.EACCES, "Permission denied", "f"), 1, "Permission denied: f"),
        (sqlite3.OperationalError("database is locked"), 1, "database is locked"),
        (type("PanicException", (BaseException,), {})("bounds"), 1, "a library failed (bounds)"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, BaseException) else "",
)
def test_an_expected_error_is_a_line_and_a_code(
    error: BaseException, code: int, said: str, capsys: pytest.CaptureFixture[str]
):
    with pytest.raises(SystemExit) as stop, tidy_exit():
        raise error
    captured = capsys.readouterr()
    assert stop.value.code == code
    assert said in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.out == ""


@pytest.mark.skipif(os.name == "nt", reason="there is no such shell")
def test_a_command_whose_output_is_closed_does_nothing():
    shell = f"exec {shlex.join(PROGRAM)} --help >&-"
    ended = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith("headcount: standard output is closed")
    assert ended.stderr.count("\n") == 1


def test_a_defect_is_not_dressed_up():
    with pytest.raises(ZeroDivisionError), tidy_exit():
        raise ZeroDivisionError


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
        ("graphs.apps.main", "graphs.apps.cli", ("ask", "none.corpus", "How many?")),
        ("graphs.apps.main", "agent.settings", ("ask", "none.corpus", "How many?")),
        ("evals.entry", "evals.commands", ("run", "--questions", "q", "--documents", "d")),
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


DROPPED = """
import signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)  # as behind nohup
from graphs.apps.exits import exit_in_one_line, tidy_exit
exit_in_one_line()
class Dropping:
    def __del__(self):
        signal.raise_signal(signal.SIGTERM)
with tidy_exit():
    dropped = Dropping()
    del dropped
    print("goes on", flush=True)
    while True:
        time.sleep(0.01)
"""
CHANGED = """
import signal
import ormsgpack
from agent.errors import CorpusDamaged
from graphs.apps.exits import exit_in_one_line, tidy_exit
exit_in_one_line()
print("goes on", flush=True)
with tidy_exit():
    stopped = lambda *_: signal.raise_signal(signal.SIGTERM)
    try:
        ormsgpack.unpackb(ormsgpack.packb(ormsgpack.Ext(1, b"")), ext_hook=stopped)
    except ValueError as error:
        raise CorpusDamaged("the checkpoints are damaged") from error
"""


@pytest.mark.skipif(os.name == "nt", reason="there is no such signal")
@pytest.mark.parametrize("code", [DROPPED, CHANGED], ids=["dropped", "changed"])
def test_a_stop_whose_error_is_dropped_or_changed_is_a_stop(code: str):
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "goes on\n", "\ninterrupted\n")


def test_a_closed_stream_gets_somewhere_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    usable_streams()
    with sys.stderr as stream:
        assert stream.write("x") == 1


def test_what_an_encoding_has_not_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    usable_streams()
    sys.stdout.write("café \udcff")
    sys.stdout.flush()
    assert written.getvalue() == b"caf? ?"
