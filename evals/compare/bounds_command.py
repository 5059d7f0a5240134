"""headcount-eval compare bounds: whether the stated bounds hold, by simulation on real labels."""

import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import QuestionError
from evals.options import JsonFile, Limit
from evals.output import errors_told, say

__all__ = ("bounds_command",)

_SIZES = (50, 100, 200, 400)


def bounds_command(  # noqa: PLR0913, PLR0917 - an argument a flag
    questions: Annotated[
        Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
    ],
    documents: Annotated[
        Path,
        typer.Option(help="Their folder; questions over another folder beside it are left out."),
    ],
    seeds: Annotated[int, typer.Option(min=1, help="Searches a question and audit size.")] = 200,
    sizes: Annotated[
        list[int] | None,
        typer.Option(
            "--size", min=2, help="Chunks an audit reads; give it again for each size to try."
        ),
    ] = None,
    misses: Annotated[
        float, typer.Option(min=0, max=1, help="Relevant chunks that the judge refuses, a share.")
    ] = 0.13,
    alarms: Annotated[
        float, typer.Option(min=0, max=1, help="Other chunks that the judge accepts, a share.")
    ] = 0.001,
    limit: Limit = None,
    json_file: JsonFile = None,
) -> None:
    """Search with audits, seed by seed, and compare what the bounds say with what is so.

    A filter by word ranking, good or poor, loses some of the relevant chunks; a judge with errors
    reads what is left; audits follow, at most four, until 90 % recall is proven, each leading the
    search to where it had hits. Reported are how often the stated 95 % bound held after every look,
    of what this judge calls relevant and, with and without a second opinion, of the truth; and how
    far below the recall it lay. The exit code is 1 where it held in fewer than 95 % of the runs.
    """
    from evals.compare.bounds import by_prevalence, report, simulate, table
    from evals.compare.bounds_case import cases
    from evals.compare.bounds_search import Judge
    from evals.corpora import Corpora
    from evals.questions import load
    from tools.audit.recall_bounds import CONFIDENCE

    judge = Judge(misses=misses, alarms=alarms)
    with errors_told():
        with tempfile.TemporaryDirectory(prefix="headcount-eval-") as place:
            records = load(questions, limit)
            asked = list(cases(records, documents, Corpora(Path(place), say)))
        if not asked:
            raise QuestionError(f"no question has a relevant chunk in {str(documents)!r}")
    found = simulate(asked, judge, sizes or _SIZES, seeds, say)
    typer.echo(table(found))
    if json_file is not None:
        told = {
            "confidence": CONFIDENCE,
            "seeds": seeds,
            "questions": len(asked),
            "judge": {"misses": misses, "alarms": alarms},
            "bounds": report(found),
        }
        json_file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    held = [figures.held for trials in found.values() for _, figures in by_prevalence(trials)]
    if min(held) < CONFIDENCE:
        say(f"error: a bound stated at {CONFIDENCE:.0%} held in {min(held):.1%} of the runs")
        raise typer.Exit(1)
