"""What every command of the evaluation does with files, and how it tells an error."""

import contextlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError, SettingsError


@contextlib.contextmanager
def errors_told() -> Iterator[None]:
    """Turn an error of Headcount's own or of files into one line on stderr and exit code 1."""
    try:
        yield
    except (HeadcountError, OSError) as error:
        say(f"error: {error}")
        raise typer.Exit(1) from error


@contextlib.contextmanager
def measuring(json_file: Path | None, keep: Path | None = None) -> Iterator[Path]:
    """Give a folder for indexes and runs, the one to keep or a passing one; tell errors.

    That the result cannot be written is told before anything is asked.
    """
    with errors_told():
        if json_file and (json_file.is_dir() or not json_file.absolute().parent.is_dir()):
            raise SettingsError(f"--json {str(json_file)!r} is not a file in an existing folder")
        tell_store()
        if keep is None:
            with tempfile.TemporaryDirectory(prefix="headcount-eval-") as place:
                yield Path(place)
            return
        try:
            keep.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"--keep {str(keep)!r} cannot be made: {error.strerror}") from error
        yield keep


def tell_store() -> None:
    """Say where runs are kept if the settings name a server: colleagues have no use for them."""
    from agent.settings import load_settings

    if load_settings().store is not None:
        say("note: an evaluation keeps its runs in files, not in the store that the settings name")


def write_json(told: Mapping[str, object], json_file: Path | None) -> None:
    """Write the result, if a file is named; raises SettingsError where it cannot be written."""
    if json_file is None:
        return
    text = json.dumps(told, ensure_ascii=False, indent=1)
    try:
        json_file.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"--json {str(json_file)!r}: {error.strerror}") from error


def say(line: str) -> None:
    """Tell the person on stderr."""
    typer.echo(line, err=True)


Questions = Annotated[
    Path, typer.Option(help="Questions with their true answers, one JSON object a line.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
]
