"""The commands `headcount records induce | show | edit | fill`: their flags."""

from pathlib import Path
from typing import Annotated

import typer

from graphs.apps.exits import leave, tidy_exit
from graphs.apps.options import (
    BaseUrlOption,
    CallsOption,
    CorpusArgument,
    EstimateOption,
    JsonOption,
    ModelOption,
    RecordOption,
    SecondsOption,
    UsdOption,
)

__all__ = ("records",)

records = typer.Typer(
    name="records",
    help="Tables of what the documents state in common, for questions that compute with it.",
    no_args_is_help=True,
)


@records.command()
def induce(
    corpus: CorpusArgument,
    questions: Annotated[
        Path | None,
        typer.Option(
            help="Questions like those that will be asked: one a line, or JSON lines with a "
            "`question`.",
            metavar="FILE",
        ),
    ] = None,
    schema: Annotated[
        Path | None,
        typer.Option(help="Take this schema instead of drawing one up.", metavar="FILE"),
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the schema that there is.")
    ] = False,
    documents: Annotated[int, typer.Option(help="Documents shown in a round.", min=1)] = 12,
    rounds: Annotated[
        int | None,
        typer.Option(
            help="Rounds at most in each group of alike documents; else 4, or until "
            "nothing changes where reading costs nothing.",
            min=1,
        ),
    ] = None,
    json_: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    max_seconds: SecondsOption = None,
    estimate: EstimateOption = False,
    record: RecordOption = None,
) -> None:
    """Draw up what to record: kinds of things and their attributes, from sample documents.

    Exit codes: 0 done, 1 error, 2 usage, 4 budget reached with an unfinished schema, 130
    interrupted.
    """
    if schema is not None and (questions is not None or estimate):
        raise typer.BadParameter("a given schema needs no questions and costs nothing")
    from graphs.apps.records import InduceRequest, run_induce

    request = InduceRequest(
        corpus=corpus,
        questions=questions,
        schema=schema,
        replace=replace,
        documents=documents,
        rounds=rounds,
        json=json_,
        estimate=estimate,
        record=record,
        flags=_flags(model, base_url, max_calls, max_usd, max_seconds),
    )
    leave(lambda: run_induce(request))


@records.command()
def fill(
    corpus: CorpusArgument,
    again: Annotated[
        bool, typer.Option("--again", help="Read also what was read already and did not change.")
    ] = False,
    json_: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    max_seconds: SecondsOption = None,
    estimate: EstimateOption = False,
    record: RecordOption = None,
) -> None:
    """Read every document that is new or changed into the tables; run again to go on.

    Exit codes: 0 done, 1 error, 2 usage, 4 budget reached, 5 done with failures, 130 interrupted.
    """
    from graphs.apps.records import FillRequest, run_fill

    request = FillRequest(
        corpus=corpus,
        again=again,
        json=json_,
        estimate=estimate,
        record=record,
        flags=_flags(model, base_url, max_calls, max_usd, max_seconds),
    )
    leave(lambda: run_fill(request))


@records.command()
def show(corpus: CorpusArgument, json_: JsonOption = False) -> None:
    """Show the schema, statistics of the columns, how full they are, and what failed."""
    from graphs.apps.records_shown import run_show

    with tidy_exit():
        run_show(corpus, as_json=json_)


@records.command()
def edit(corpus: CorpusArgument) -> None:
    """Open the schema in $VISUAL or $EDITOR; it takes its place only where it is a valid one."""
    from graphs.apps.records_edited import run_edit

    with tidy_exit():
        run_edit(corpus)


def _flags(
    model: str | None,
    base_url: str | None,
    max_calls: int | None,
    max_usd: float | None,
    max_seconds: float | None,
) -> dict[str, object]:
    return {
        "model": model,
        "base_url": base_url,
        "max_calls": max_calls,
        "max_usd": max_usd,
        "max_seconds": max_seconds,
    }
