"""headcount-eval ablate GROUP or ablate variants NAME…: the product without a part, in one run."""

from typing import Annotated

import typer

from evals.experiments.options import (
    Documents,
    Expansion,
    Into,
    Jobs,
    ReadBy,
    collection,
)
from evals.options import KeepReplies, Limit, Questions, Sample, Seed
from evals.output import errors_told

__all__ = ("variants",)


def variants(  # noqa: PLR0913, PLR0917 - an argument a flag
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Ablations or groups of them: search, filtering, batching, disambiguation; a "
            "wrong name lists all.",
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
    jobs: Jobs = 1,
    keep: KeepReplies = None,
) -> None:
    """Ask the same questions of the product and of the product without one of its parts.

    A run that was killed goes on where it was when the command is given again; a model's replies
    are kept only with `--keep`. Printed are quality, cost and each variant minus the whole, with
    the interval of a paired bootstrap; `headcount-eval report RUN --into DIR` draws the charts.
    """
    from evals.ablate.variants import arms_of
    from evals.reporting.telling import run_and_tell

    with errors_told():
        asked = collection(questions, documents, expansion, limit=limit, sample=sample, seed=seed)
        arms = arms_of(tuple(names), reasoner)
        run_and_tell(" ".join(names), arms, asked, into, keep=keep, jobs=jobs)
