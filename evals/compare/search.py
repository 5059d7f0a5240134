"""headcount-eval compare search: how much must be read to find the evidence, by method."""

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError, QuestionError, SettingsError

__all__ = ("search",)


def search(
    questions: Annotated[
        Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
    ],
    documents: Annotated[
        Path,
        typer.Option(help="Their folder; questions over another folder beside it are left out."),
    ],
    reasoner: Annotated[str, typer.Option(help="Who judges: only `gold`, by the labels.")] = "gold",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Take the first N questions only.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the mean curves into this .svg file.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep indexes in this folder, for a later run to reuse.")
    ] = None,
) -> None:
    """Find the chunks that overlap evidence, reading by one order or another until all are found.

    Scans in document order and at random; BM25, the embedding and both fused, by the conditions as
    the embedded rules read them (`fused_question`: by the question as asked); the product's
    filters alone, then the rest, in document order or by the fused ranking; feedback by whole
    chunks (`plain_feedback`) and the product's (`headcount`); the gold chunks first (`oracle`).
    Told is the share of the corpus read when 80, 95 and 100 percent of a question's gold chunks
    are found, averaged over questions.
    """
    from evals.compare.plot import line_chart
    from evals.compare.search_case import cases
    from evals.compare.search_scores import compare, points, report, table

    try:
        _check(reasoner, plot)
        with ExitStack() as stack:
            place = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            place.mkdir(parents=True, exist_ok=True)
            results = compare(cases(questions, documents, place, _say, limit), _say)
        if not results:
            raise QuestionError(f"{str(questions)!r} has no question with evidence in {documents}")
        typer.echo(table(results))
        if json_file is not None:
            told = json.dumps(report(results), indent=1)
            json_file.write_text(told + "\n", encoding="utf-8")
        if plot is not None:
            across, up = "share of the corpus read", "recall of gold chunks"
            drawn = line_chart(points(results), across=across, up=up)
            plot.write_text(drawn, encoding="utf-8")
    except (HeadcountError, OSError) as error:
        _say(f"error: {error}")
        raise typer.Exit(1) from error


def _check(reasoner: str, plot: Path | None) -> None:
    """Raise SettingsError, before anything is read, for what cannot be done."""
    if reasoner != "gold":
        raise SettingsError(f"reasoner {reasoner!r} cannot judge here: use gold")
    if plot is not None and plot.suffix.lower() != ".svg":
        raise SettingsError(f"--plot {str(plot)!r} must end in .svg")


def _say(line: str) -> None:
    typer.echo(line, err=True)
