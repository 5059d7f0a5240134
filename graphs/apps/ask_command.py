"""The command `headcount ask`: its flags."""

from typing import Annotated

import typer

from graphs.apps.exits import leave
from graphs.apps.options import (
    AmbiguityOption,
    BaseUrlOption,
    CallsOption,
    CorpusArgument,
    EstimateOption,
    JsonOption,
    ModelOption,
    QuestionArgument,
    RecordOption,
    ResumeOption,
    RouteOption,
    StoreOption,
    UsdOption,
    VerboseOption,
    refuse_contradictions,
)

__all__ = ("ask",)


def ask(
    corpus: CorpusArgument,
    question: QuestionArgument = None,
    json_: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    on_ambiguity: AmbiguityOption = None,
    route: RouteOption = None,
    recall: Annotated[
        float | None,
        typer.Option(
            help="The share of the relevant chunks to find; reading goes on for it, and the audit "
            "tries to prove it.",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    audit: Annotated[
        int | None,
        typer.Option(
            help="Chunks that an audit of what nobody read may draw; 0 audits nothing.", min=0
        ),
    ] = None,
    second_opinion: Annotated[
        str | None,
        typer.Option(
            help="Another model that judges a sample of the verdicts again.", metavar="MODEL"
        ),
    ] = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    estimate: EstimateOption = False,
    resume: ResumeOption = None,
    reply: Annotated[
        str | None,
        typer.Option("--reply", help="With --resume: the clarification's option or words."),
    ] = None,
    store: StoreOption = None,
    record: RecordOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Ask a question and print every match with its proof.

    Exit codes: 0 answered, 1 error, 2 usage, 3 waiting for a clarification, 4 budget reached with
    a partial answer, 5 answered with failed chunks, 130 interrupted.
    """
    refuse_contradictions(question, resume, estimate=estimate, reply=reply)
    from graphs.apps.asking import Request, run_ask
    from graphs.apps.estimate import run_estimate

    request = Request(
        corpus=corpus,
        question=question,
        json=json_,
        verbose=verbose,
        resume=resume,
        reply=reply,
        record=record,
        flags={
            "model": model,
            "base_url": base_url,
            "on_ambiguity": on_ambiguity,
            "route": route,
            "recall": recall,
            "audit": audit,
            "second_opinion": second_opinion,
            "max_calls": max_calls,
            "max_usd": max_usd,
            "store": store,
        },
    )
    leave(lambda: run_estimate(request) if estimate else run_ask(request))
