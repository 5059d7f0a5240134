"""The command `headcount readings`: its flags."""

from typing import Annotated

import typer

from graphs.apps.exits import leave
from graphs.apps.options import (
    BaseUrlOption,
    CallsOption,
    CorpusArgument,
    FormOption,
    GateOption,
    JsonOption,
    ModelOption,
    RecordOption,
    RetrievalOption,
    ThresholdsOption,
    UsdOption,
)

__all__ = ("readings",)


def readings(
    corpus: CorpusArgument,
    question: Annotated[str, typer.Argument(help="An ordinary question; it counts nothing.")],
    json_: JsonOption = False,
    gate: GateOption = None,
    retrieval: RetrievalOption = None,
    thresholds: ThresholdsOption = None,
    form: FormOption = None,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    record: RecordOption = None,
) -> None:
    """Answer a question in every reading that the corpus supports, each with its proof.

    Exit codes: 0 answered, 1 error, 2 usage, 4 budget reached with a partial answer, 5 answered
    with failed requests, 130 interrupted.
    """
    from graphs.apps.readings import ReadingsRequest, run_readings

    request = ReadingsRequest(
        corpus=corpus,
        question=question,
        json=json_,
        record=record,
        flags={
            "model": model,
            "base_url": base_url,
            "max_calls": max_calls,
            "max_usd": max_usd,
        },
        options={
            "gate": gate,
            "retrieval": retrieval,
            "thresholds": thresholds,
            "form": form,
        },
    )
    leave(lambda: run_readings(request))
