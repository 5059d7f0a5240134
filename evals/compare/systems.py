"""headcount-eval compare systems: several systems on the same questions, in one run."""

from typing import Annotated

import typer

from evals.experiments.options import (
    Documents,
    Expansion,
    Into,
    Jobs,
    MaxTokens,
    ReadBy,
    Share,
    allowance,
    collection,
)
from evals.options import KeepReplies, Limit, Questions, Sample, Seed
from evals.output import errors_told

__all__ = ("systems",)


def systems(  # noqa: PLR0913, PLR0917 - an argument a flag
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Systems: `main`, `analyst`, a baseline such as `naive-rag-10` (a wrong name "
            "lists all), or `command:…`; the first is what the others are compared with.",
        ),
    ],
    questions: Questions,
    documents: Documents,
    into: Into,
    expansion: Expansion = None,
    reasoner: ReadBy = "gold",
    limit: Limit = None,
    sample: Sample = None,
    seed: Seed = 0,
    max_tokens: MaxTokens = None,
    share: Share = None,
    jobs: Jobs = 1,
    keep: KeepReplies = None,
) -> None:
    """Ask the same questions of several systems, over the same chunks and with the same reader.

    With `--max-tokens` or `--share` all have the same budget for a question; an arm that reaches it
    answers with what it has. A run that was killed goes on where it was when the command is given
    again; a model's replies are kept only with `--keep`. Printed are quality, cost and each system
    minus the first, with the interval of a paired bootstrap; `headcount-eval report RUN --into DIR`
    draws the charts.
    """
    from evals.experiments.arm import Arm
    from evals.reporting.telling import run_and_tell
    from evals.systems import system_of

    with errors_told():
        for name in names:
            system_of(name)
        budget = allowance(max_tokens, share)
        asked = collection(questions, documents, expansion, limit=limit, sample=sample, seed=seed)
        arms = tuple(
            Arm(name=name, system=name, reasoner=reasoner, allowance=budget)
            for name in dict.fromkeys(names)
        )
        run_and_tell("systems", arms, asked, into, keep=keep, jobs=jobs)
