"""headcount-eval compare search: how much must be read to find the evidence, by method."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import QuestionError, SettingsError
from evals.options import JsonFile, KeepIndexes, Limit
from evals.output import check_target, errors_told, say, working_folder, write_json

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
    limit: Limit = None,
    json_file: JsonFile = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw the mean curves into this .svg file.")
    ] = None,
    keep: KeepIndexes = None,
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

    with errors_told():
        check_target(json_file)
        _check(reasoner, plot)
        with working_folder(keep) as place:
            results = compare(cases(questions, documents, place, say, limit), say)
        if not results:
            raise QuestionError(f"{str(questions)!r} has no question with evidence in {documents}")
        typer.echo(table(results))
        write_json(report(results), json_file)
        if plot is not None:
            across, up = "share of the corpus read", "recall of gold chunks"
            drawn = line_chart(points(results), across=across, up=up)
            plot.write_text(drawn, encoding="utf-8")


def _check(reasoner: str, plot: Path | None) -> None:
    """Raise SettingsError, before anything is read, for what cannot be done."""
    if reasoner != "gold":
        raise SettingsError(f"reasoner {reasoner!r} cannot judge here: use gold")
    if plot is not None and plot.suffix.lower() != ".svg":
        raise SettingsError(f"--plot {str(plot)!r} must end in .svg")
