"""The flags that several commands of the evaluation have."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = (
    "Codes",
    "JsonFile",
    "KeepIndexes",
    "KeepReplies",
    "Limit",
    "Model",
    "Questions",
    "Sample",
    "Seed",
)

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
