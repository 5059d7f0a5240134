"""The command `headcount analyse`: its flags, and which of them go together."""

from typing import Annotated

import typer

from graphs.apps.exits import tidy_exit
from graphs.apps.options import (
    BaseUrlOption,
    CallsOption,
    CorpusArgument,
    ModelOption,
    RecordOption,
    UsdOption,
)

__all__ = ("analyse",)


def analyse(
    corpus: CorpusArgument,
    question: Annotated[
        str | None, typer.Argument(help="The question; left out with --resume.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Go on with this run.", metavar="RUN")
    ] = None,
    record: RecordOption = None,
) -> None:
    """Compute an answer: plan what each document is asked, read each by itself, query the records.

    The records are made for this question and kept with its run; those of `headcount records` are
    not touched. Exit codes: 0 answered, 1 error, 2 usage, 4 a limit was reached, 5 answered with
    documents that could not be read, 130 interrupted.
    """
    if question is None and resume is None:
        raise typer.BadParameter("ask something, or go on with --resume RUN")
    if question is not None and resume is not None:
        raise typer.BadParameter("a run that goes on has its question", param_hint="--resume")
    from graphs.apps.asking import Request, run_ask

    flags = {"model": model, "base_url": base_url, "max_calls": max_calls, "max_usd": max_usd}
    request = Request(
        command="analyse",
        corpus=corpus,
        question=question,
        json=json_,
        resume=resume,
        record=record,
        flags=flags,
    )
    with tidy_exit():
        code = run_ask(request)
    raise typer.Exit(code)
