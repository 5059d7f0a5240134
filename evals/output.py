"""What every command of the evaluation does with files, and how it tells an error."""

import contextlib
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import HeadcountError, SettingsError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from evals.experiments.arms import Collection

__all__ = (
    "Codes",
    "Documents",
    "Expansion",
    "Into",
    "Jobs",
    "JsonFile",
    "KeepIndexes",
    "KeepReplies",
    "Limit",
    "Model",
    "Questions",
    "ReadBy",
    "Sample",
    "Seed",
    "check_target",
    "collection",
    "errors_told",
    "say",
    "tell_store",
    "working_folder",
    "write_json",
)


@contextlib.contextmanager
def errors_told() -> Iterator[None]:
    """Turn an error of Headcount's own or of files into one line on stderr and exit code 1."""
    try:
        yield
    except (HeadcountError, OSError) as error:
        say(f"error: {error}")
        raise typer.Exit(1) from error


def check_target(json_file: Path | None) -> None:
    """Raise SettingsError, before anything is asked, where the result could not be written."""
    if json_file is not None and (json_file.is_dir() or not json_file.absolute().parent.is_dir()):
        raise SettingsError(f"--json {str(json_file)!r} is not a file in an existing folder")


@contextlib.contextmanager
def working_folder(keep: Path | None) -> Iterator[Path]:
    """Give a folder for indexes and runs: the one to keep, or one that is gone afterwards.

    Raises:
        SettingsError: it cannot be made.
    """
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


def write_json(told: "Mapping[str, JsonValue]", json_file: Path | None) -> None:
    """Write the result; None writes nothing.

    Raises:
        SettingsError: the file cannot be written.
    """
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
Model = Annotated[
    str,
    typer.Option(
        help="`gold` or `skill:RATE`, which answer from the questions' annotation; `lexical`, the "
        "embedded reader; or a model's name."
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Take the first N questions only.")]
Sample = Annotated[int | None, typer.Option(min=1, help="Ask N of the questions, drawn at random.")]
Seed = Annotated[int, typer.Option(help="What is drawn depends on it alone.")]
Codes = Annotated[
    str,
    typer.Option(
        help="Ask only questions with one of these codes, parted by commas; `none` are the "
        "controls."
    ),
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
]
KeepIndexes = Annotated[
    Path | None, typer.Option(help="Keep indexes in this folder, for a later run to reuse.")
]
KeepReplies = Annotated[
    Path | None,
    typer.Option(help="Keep indexes and replies in this folder, for a later run to reuse."),
]


Documents = Annotated[Path, typer.Option(help="The folder with the documents; as for `run`.")]
Into = Annotated[Path, typer.Option(help="The run's folder; one that was begun is gone on with.")]
Expansion = Annotated[
    Path | None, typer.Option(help="Add this folder of unrelated documents to every scope.")
]
ReadBy = Annotated[
    str, typer.Option(help="As for `run`: `gold`, `skill:RATE`, `lexical` or a model's name.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Questions measured side by side.")]


def collection(
    questions: Path,
    documents: Path,
    expansion: Path | None,
    *,
    limit: int | None,
    sample: int | None,
    seed: int,
) -> "Collection":
    """Return what is asked, under the name of the file of questions."""
    from evals.experiments.arms import Collection

    return Collection(
        name=questions.stem,
        questions=questions,
        documents=documents,
        expansion=expansion,
        limit=limit,
        sample=sample,
        seed=seed,
    )
