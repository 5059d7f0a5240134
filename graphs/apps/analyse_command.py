"""The command `headcount analyse`: its flags."""

from graphs.apps.exits import leave
from graphs.apps.options import (
    BaseUrlOption,
    CallsOption,
    CorpusArgument,
    EstimateOption,
    JsonOption,
    ModelOption,
    QuestionArgument,
    RecordOption,
    ResumeOption,
    StoreOption,
    UsdOption,
    refuse_contradictions,
)

__all__ = ("analyse",)


def analyse(
    corpus: CorpusArgument,
    question: QuestionArgument = None,
    json_: JsonOption = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    estimate: EstimateOption = False,
    resume: ResumeOption = None,
    store: StoreOption = None,
    record: RecordOption = None,
) -> None:
    """Compute an answer: plan what each document is asked, read each by itself, query the records.

    The records are made for this question and kept with its run; those of `headcount records` are
    not touched.

    Exit codes: 0 answered, 1 error, 2 usage, 4 budget reached with a partial answer, 5 answered
    with documents that could not be read, 130 interrupted.
    """
    refuse_contradictions(question, resume, estimate=estimate)
    from graphs.apps.asking import Request, run_ask
    from graphs.apps.estimate import run_estimate

    flags = {
        "model": model,
        "base_url": base_url,
        "max_calls": max_calls,
        "max_usd": max_usd,
        "store": store,
    }
    request = Request(
        command="analyse",
        corpus=corpus,
        question=question,
        json=json_,
        resume=resume,
        record=record,
        flags=flags,
    )
    leave(lambda: run_estimate(request) if estimate else run_ask(request))
