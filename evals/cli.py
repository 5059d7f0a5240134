"""headcount-eval: how well Headcount answers questions whose answers are known."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from evals.ablations_cli import app as ablate_app
from evals.ambiguity.command import ambiguity
from evals.builders_cli import app as build_app
from evals.comparisons_cli import app as compare_app
from evals.output import (
    JsonFile,
    Limit,
    Questions,
    check_target,
    errors_told,
    say,
    working_folder,
    write_json,
)
from evals.plain_questions import plain
from evals.publishing import paper, report_command

if TYPE_CHECKING:
    from evals.question_run import Asked

__all__ = ("app", "main")

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Measure how well Headcount answers questions whose answers are known.",
    pretty_exceptions_enable=False,
)
app.add_typer(ablate_app, name="ablate")
app.add_typer(compare_app, name="compare")
app.command("ambiguity")(ambiguity)
app.add_typer(build_app, name="build")
app.command("paper")(paper)
app.command("plain")(plain)
app.command("report")(report_command)


@app.callback()
def evaluate() -> None:
    """Measure how well Headcount answers questions whose answers are known."""


@app.command("run")
def run_command(  # noqa: PLR0913 - an argument a flag
    questions: Questions,
    documents: Annotated[
        Path,
        typer.Option(
            help="The folder with the documents. A question whose `corpus` ends in the name of a "
            "folder beside it (peps/docs_body) is asked over that folder instead."
        ),
    ],
    reasoner: Annotated[
        str,
        typer.Option(
            help="`gold`, which answers from the questions' annotation; `skill:RATE`, which does "
            "so with errors at that rate (`skill:0.1,misses=0.3,seed=7`); `lexical`, the embedded "
            "reader; or a model's name."
        ),
    ] = "gold",
    limit: Limit = None,
    json_file: JsonFile = None,
    scope: Annotated[
        str,
        typer.Option(
            help="Over which documents a question is asked. `record`: those that it names in "
            "`documents`, `corpus_filter` or `db_id`, or its gold documents where a condition "
            "says that they are the given set; else all. `gold`: its gold documents. `all`: all."
        ),
    ] = "record",
    system: Annotated[
        str,
        typer.Option(
            "--system",
            "--graph",
            help="`main`; `analyst`, which draws up records for each question by itself; a "
            "baseline such as `naive-rag-10` (a wrong name lists all).",
        ),
    ] = "main",
    *,
    records: Annotated[
        bool,
        typer.Option(
            "--records", help="Have the reasoner draw up and fill records before it is asked."
        ),
    ] = False,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep indexes and runs in this folder, for a later run to reuse."),
    ] = None,
) -> None:
    """Index the documents, ask every question, and report what was found and what it took.

    Per question and in total: count error (ACE, NACE), precision, recall and F1, recall of the
    gold chunks after filtering and after judging, recall of the evidence quoted, judged share,
    calls, tokens, seconds; for questions with intermediate facts process, final and full accuracy
    (MuDABench); means with a 95 % bootstrap interval. Borderline documents count neither way. A
    question that fails counts as nothing found; when all fail, the exit code is 1. What is killed
    begins anew: `compare systems` goes on where it was.
    """
    from evals.question_run import Session, chosen
    from evals.scope import ScopeRule

    with errors_told():
        check_target(json_file)
        with working_folder(keep) as place:
            session = Session(
                questions=questions,
                documents=documents,
                reasoner=reasoner,
                limit=limit,
                rule=chosen("scope", scope, get_args(ScopeRule)),
                place=place,
                system=system,
                filled=records,
            )
            asked = list(_told(session.ask(say), session.total))
    _show(asked)
    if json_file is not None:
        from evals.question_run import report

        write_json(report(asked, reasoner), json_file)
    if all(each.error for each in asked):
        say(f"error: every question failed, the first with {asked[0].error}")
        raise typer.Exit(1)


def main() -> None:
    """Run the command line."""
    app()


def _told(asked: "Iterator[Asked]", total: int) -> "Iterator[Asked]":
    """Report each question on stderr as it is answered."""
    for number, each in enumerate(asked, start=1):
        score = each.score
        f1 = "-" if score.f1 is None else f"{score.f1:.2f}"
        line = f"{number}/{total} {score.id}: {score.value} of {score.gold}, f1 {f1}"
        say(f"{line}, {score.status} {each.error}".rstrip())
        yield each


def _show(asked: "list[Asked]") -> None:
    from evals.tables import kinds_table, questions_table, total_table

    tables = [questions_table(asked), kinds_table(asked), total_table(asked)]
    typer.echo("\n\n".join(tables))
