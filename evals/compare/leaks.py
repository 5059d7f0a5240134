"""headcount-eval compare leaks: what it is worth to undo a filter call that lost evidence."""

import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import HeadcountError, QuestionError

__all__ = ("leaks",)


def leaks(
    questions: Annotated[
        Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
    ],
    documents: Annotated[
        Path,
        typer.Option(help="Their folder; questions over another folder beside it are left out."),
    ],
    audit: Annotated[
        int | None,
        typer.Option(min=0, help="Chunks an audit draws at most; else as the product chooses."),
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Calls of each kind a question.")] = 1,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Take the first N questions only.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
    ] = None,
    keep: Annotated[
        Path | None, typer.Option(help="Keep indexes in this folder, for a later run to reuse.")
    ] = None,
) -> None:
    """Put a plausible filter call into each search, through the real graph, judged by the labels.

    A leaking call rules out at least 30 % of a question's gold chunks, a sound one at most 5 %.
    Each is searched with feedback and without. Told is how often an audit drew a gold chunk that
    the call had ruled out, how often the call was undone, and what was read in the end, beside the
    same search where nothing is undone and only ranked reading can follow a leak.
    """
    from evals.compare.leaks_report import report, searched, table
    from evals.compare.search_case import cases

    try:
        with ExitStack() as stack:
            place = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
            place.mkdir(parents=True, exist_ok=True)
            asked = cases(questions, documents, place, _say, limit)
            found = searched(asked, seeds, audit, _say)
        if not found:
            raise QuestionError(
                f"no question of {str(questions)!r} over {str(documents)!r} has evidence and a "
                "plausible filter call that is made"
            )
        typer.echo(table(found))
        if json_file is not None:
            told = {"audit": audit, "seeds": seeds, **report(found)}
            json_file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    except (HeadcountError, OSError) as error:
        _say(f"error: {error}")
        raise typer.Exit(1) from error


def _say(line: str) -> None:
    typer.echo(line, err=True)
