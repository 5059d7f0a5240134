"""The flags that several commands share, and which of them contradict one another."""

from pathlib import Path
from typing import Annotated, Literal

import typer

__all__ = (
    "AmbiguityOption",
    "BaseUrlOption",
    "CallsOption",
    "ClusterOption",
    "CorpusArgument",
    "EstimateOption",
    "FormOption",
    "GateOption",
    "JsonOption",
    "ModelOption",
    "QuestionArgument",
    "RecordOption",
    "ResumeOption",
    "RetrievalOption",
    "RouteOption",
    "SecondsOption",
    "StoreOption",
    "ThresholdsOption",
    "UsdOption",
    "VerboseOption",
    "refuse_contradictions",
)

CorpusArgument = Annotated[Path, typer.Argument(help="The corpus made by `headcount index`.")]
QuestionArgument = Annotated[
    str | None, typer.Argument(help="The question; left out with --resume.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
ClusterOption = Annotated[
    str | None,
    typer.Option(
        help="Work on shards on this Ray cluster: HOST:PORT of its head, or auto.",
        metavar="ADDRESS",
    ),
]
EstimateOption = Annotated[
    bool, typer.Option("--estimate", help="Only say what it would cost; spend nothing.")
]
ResumeOption = Annotated[
    str | None, typer.Option("--resume", help="Go on with this run.", metavar="RUN")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="rules (offline), a chat model's name, or recorded:FILE.", metavar="NAME"
    ),
]
BaseUrlOption = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible server.", metavar="URL")
]
StoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="A PostgreSQL server that keeps the runs for many machines; files if left out. A "
        "password is safer in HEADCOUNT_STORE.",
        metavar="URL",
    ),
]
AmbiguityOption = Annotated[
    Literal["ask", "assume", "branch", "fail"] | None,
    typer.Option(
        "--on-ambiguity",
        help="Ask the person, assume the likeliest reading, branch into all readings, or fail.",
    ),
]
RouteOption = Annotated[
    Literal["auto", "records", "hybrid", "text"] | None,
    typer.Option(
        "--route",
        help="Answer from the records (see `headcount records`), from the texts, from the records "
        "where they decide and the texts for the rest, or by what fits (default).",
    ),
]
CallsOption = Annotated[
    int | None, typer.Option("--max-calls", help="Model calls at most.", metavar="N", min=0)
]
UsdOption = Annotated[
    float | None,
    typer.Option("--max-usd", help="Money at most, in US dollars.", metavar="X", min=0.0),
]
SecondsOption = Annotated[
    float | None,
    typer.Option("--max-seconds", help="Seconds in model calls at most.", metavar="X", min=0.0),
]
VerboseOption = Annotated[
    bool, typer.Option("--verbose", "-v", help="Tell every round of reading in the trace.")
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        "--record",
        help="Write the model's exchanges to a file, for --model recorded:FILE.",
        metavar="FILE",
    ),
]
GateOption = Annotated[
    Literal["coherence", "question", "off"] | None,
    typer.Option(
        "--gate",
        help="What tells that a question is clear: the coherence of a first retrieval (default), a "
        "prompt that sees the question alone, or nothing.",
    ),
]
RetrievalOption = Annotated[
    Literal["bm25", "dense", "hybrid"] | None,
    typer.Option("--retrieval", help="By words, by vectors, or by both, fused (default)."),
]
FormOption = Annotated[
    Literal["short", "long"] | None,
    typer.Option("--form", help="Short answers (default), or a paragraph besides."),
]
ThresholdsOption = Annotated[
    Literal["ambignq", "asqa", "calibrated"] | None,
    typer.Option(
        "--thresholds",
        help="Of the coherence: published for AmbigNQ (default) or ASQA, or of this corpus.",
    ),
]


def refuse_contradictions(
    question: str | None, resume: str | None, *, estimate: bool, reply: str | None = None
) -> None:
    """Refuse a question and flags that contradict one another; a usage error."""
    if question is None and resume is None:
        raise typer.BadParameter("give a question, or --resume RUN", param_hint="QUESTION")
    if question is not None and resume is not None:
        raise typer.BadParameter("a resumed run has its question", param_hint="--resume")
    if reply is not None and resume is None:
        raise typer.BadParameter("name the run that asked with --resume RUN", param_hint="--reply")
    if estimate and resume is not None:
        raise typer.BadParameter("a run that has begun has a cost", param_hint="--estimate")
