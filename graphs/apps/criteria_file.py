"""`headcount criteria` and the files of `--criteria`: how a question is read, as people edit it."""

from pathlib import Path

from agent.criteria import criteria_from, criteria_text
from agent.errors import QuestionError, RunError, SettingsError
from agent.question import Interpretation
from agent.replies import InterpretReply
from graphs.apps.stored_runs import StoredRun, stored_run
from graphs.apps.terminal import one_line, write_line

_LARGEST = 1_000_000
"""Bytes of a file of criteria, at most."""


def read_criteria(file: Path, question: str = "") -> InterpretReply:
    """Return the interpretation that a file holds; raises QuestionError where it holds none."""
    if file.stat().st_size > _LARGEST:
        raise QuestionError(f"{file} has {file.stat().st_size:,} bytes, {_LARGEST:,} at most")
    try:
        text = file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise QuestionError(f"{file} is no UTF-8: {error}") from error
    own, order = criteria_from(text, str(file))
    if question and own and own != question:
        write_line(f"note: {file} is how “{one_line(own)}” is read", stderr=True)
    return order


def write_criteria(file: Path, question: str, reading: Interpretation) -> None:
    """Write an interpretation to a new file."""
    with file.open("x", encoding="utf-8") as out:
        out.write(criteria_text(question, reading))


def run_criteria(run: str, file: Path) -> None:
    """Write how the question of a run was read to a file, as a person edited it since.

    Raises:
        RunError: the run was never interpreted, or has several readings.
        SettingsError: the file exists.
    """
    if file.exists():
        raise SettingsError(f"{file} exists already: name a new file")
    with stored_run(run, None) as opened:
        write_criteria(file, opened.info.question, read_of(opened))
    write_line(
        f"wrote {file}: edit it, then headcount ask --again {run} --criteria {file}", stderr=True
    )


def read_of(opened: StoredRun) -> Interpretation:
    """Return how the question of a run was read; raises RunError where that is no one reading."""
    opened.check_asked()
    if opened.state.interpretation is None or opened.state.readings:
        raise RunError(f"the question of run {opened.run!r} has not one reading: no criteria")
    return opened.state.interpretation
