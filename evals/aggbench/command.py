"""headcount-eval build aggbench: a benchmark for aggregation queries from any corpus."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import SettingsError
from evals.output import errors_told, say

if TYPE_CHECKING:
    from agent.reasoner import Reasoner

__all__ = ("aggbench",)


def aggbench(  # noqa: PLR0913, PLR0917 - an argument a flag
    into: Annotated[
        Path, typer.Option(help="A folder that is not there yet; with --review the built one.")
    ],
    folder: Annotated[Path | None, typer.Argument(help="The core documents.")] = None,
    expand: Annotated[
        Path | None, typer.Option(help="A folder of unrelated documents to add.")
    ] = None,
    band: Annotated[
        tuple[float, float] | None,
        typer.Option(help="Which of them: from this BM25 score to that; else from the scores."),
    ] = None,
    noun: Annotated[tuple[str, str], typer.Option(help="What a document is: one, and many.")] = (
        "document",
        "documents",
    ),
    singles: Annotated[int, typer.Option(min=1, help="Questions with one condition.")] = 40,
    composites: Annotated[int, typer.Option(min=0, help="Questions with two or three.")] = 60,
    fewest: Annotated[
        int, typer.Option(min=1, help="Documents that satisfy a condition, at least.")
    ] = 3,
    most_share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of them that satisfy it, at most.")
    ] = 0.3,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other composites.")] = 0,
    model: Annotated[
        str | None,
        typer.Option(help="Also have this model propose conditions and read every chunk for them."),
    ] = None,
    review: Annotated[
        list[Path] | None,
        typer.Option(help="Merge a review file into the benchmark; give it again for another."),
    ] = None,
) -> None:
    """Mine conditions from documents, ask for them alone and joined, and ground every answer.

    Conditions are values and dates of fields, headings of sections, and terms; code decides them by
    the words they are asked in, so that the answers are exact, and what a careful reader could
    decide either way is listed as borderline. `core.jsonl` goes with `core/`, and with --expand
    `expanded.jsonl` with `expanded/`: give them to `headcount-eval run`.

    With --model also what a model proposes of things the documents name, which it then looks for in
    every chunk, of the added documents too; such answers want the review.

    `review.csv` is for people: fill `person` with yes, no or unsure, as many as you like, and merge
    it with --review; `agreement.json` tells how far they agree with what was decided, raw and by
    Cohen's kappa.
    """
    from evals.aggbench.building import Plan, build_benchmark
    from evals.aggbench.condition import Noun
    from evals.aggbench.expansion import Band
    from evals.aggbench.mining import Limits
    from evals.aggbench.query import Wanted
    from evals.aggbench.showing import figures_table

    with errors_told():
        if review:
            _merge(into, review)
            return
        if folder is None:
            raise SettingsError("say which folder the documents are in")
        plan = Plan(
            documents=folder,
            noun=Noun(one=noun[0], many=noun[1]),
            limits=Limits(fewest=fewest, most_share=most_share),
            wanted=Wanted(singles=singles, composites=composites),
            seed=seed,
            expansion=expand,
            band=None if band is None else Band(*band),
            reasoner=None if model is None else _reasoner(model, into),
        )
        built = build_benchmark(plan, into, say)
    typer.echo(figures_table(built.statistics))


def _reasoner(model: str, into: Path) -> "Reasoner":
    """Return the model; its replies are kept beside the folder, for another attempt."""
    from agent.reasoners import select_reasoner
    from agent.settings import load_settings

    if model == "rules":
        raise SettingsError("the rules propose no conditions: leave --model out, or name a model")
    replies = into.with_name(f"{into.name}.replies.sqlite")
    return select_reasoner(load_settings(model=model), cache=replies)


def _merge(into: Path, review: list[Path]) -> None:
    from evals.aggbench.reviewing import merge_reviews
    from evals.aggbench.showing import figures_table

    told = merge_reviews(into, review)
    agreed = told.pop("machine and person")
    typer.echo(f"{figures_table({'machine and person': agreed})}\n\n{figures_table(told)}")
