"""headcount-eval compare leaks: what it is worth to undo a filter call that lost evidence."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import QuestionError
from evals.options import JsonFile, KeepIndexes, Limit
from evals.output import check_target, errors_told, say, working_folder, write_json

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
    limit: Limit = None,
    json_file: JsonFile = None,
    keep: KeepIndexes = None,
) -> None:
    """Put a plausible filter call into each search, through the real graph, judged by the labels.

    A leaking call rules out at least 30 % of a question's gold chunks, a sound one at most 5 %.
    Each is searched with feedback and without. Told is how often an audit drew a gold chunk that
    the call had ruled out, how often the call was undone, and what was read in the end, beside the
    same search where nothing is undone and only ranked reading can follow a leak.
    """
    from evals.compare.leaks_report import report, searched, table
    from evals.compare.search_case import cases

    with errors_told():
        check_target(json_file)
        with working_folder(keep) as place:
            asked = cases(questions, documents, place, say, limit)
            found = searched(asked, seeds, audit, say)
        if not found:
            raise QuestionError(
                f"no question of {str(questions)!r} over {str(documents)!r} has evidence and a "
                "plausible filter call that is made"
            )
        typer.echo(table(found))
        write_json({"audit": audit, "seeds": seeds, **report(found)}, json_file)
