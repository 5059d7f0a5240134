"""The flags that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = (
    "AmbiguityOption",
    "BaseUrlOption",
    "CallsOption",
    "CorpusArgument",
    "ModelOption",
    "RecordOption",
    "UsdOption",
)

CorpusArgument = Annotated[Path, typer.Argument(help="The corpus made by `headcount index`.")]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="rules (offline), a chat model's name, or recorded:FILE.", metavar="NAME"
    ),
]
BaseUrlOption = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible server.", metavar="URL")
]
AmbiguityOption = Annotated[
    Literal["ask", "assume", "branch", "fail"] | None,
    typer.Option(
        "--on-ambiguity",
        help="Ask the person, assume the likeliest reading, branch into all readings, or fail.",
    ),
]
CallsOption = Annotated[
    int | None, typer.Option("--max-calls", help="Model calls at most.", metavar="N", min=0)
]
UsdOption = Annotated[
    float | None,
    typer.Option("--max-usd", help="Money at most, in US dollars.", metavar="X", min=0.0),
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        help="Write the model's exchanges to a file, for --model recorded:FILE.",
        metavar="FILE",
    ),
]
