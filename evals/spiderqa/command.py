"""headcount-eval build spiderqa: Spider's databases and questions as text."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say

__all__ = ("spiderqa",)


def spiderqa(  # noqa: PLR0913, PLR0917 - an argument a flag
    databases: Annotated[Path, typer.Option(help="A folder with NAME/NAME.sqlite for each.")],
    questions: Annotated[Path, typer.Option(help="JSON with db_id, question and query.")],
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    most: Annotated[int, typer.Option(min=1, help="Questions in all, at most.")] = 201,
    per_database: Annotated[int, typer.Option(min=1, help="Of one database, at most.")] = 8,
    fewest: Annotated[int, typer.Option(min=1, help="Of one database, at least.")] = 2,
    most_characters: Annotated[
        int, typer.Option(min=1, help="Of a database's document, at most.")
    ] = 100_000,
    model: Annotated[
        str | None, typer.Option(help="Have this model write the rows' sentences, a call a table.")
    ] = None,
) -> None:
    """Write each database as a document, a sentence a row, and keep the aggregate questions.

    Counts, distinct counts, averages and sums over one value are kept, with joins and nested
    queries; their answers come from the SQL, their evidence from the same SQL with the rows' ids.
    Repeats are dropped and the kinds balanced; `rejected.jsonl` tells why of each other one.
    """
    from agent.reasoners import select_reasoner
    from agent.settings import load_settings
    from evals.aggbench.showing import figures_table
    from evals.spiderqa.building import build_spiderqa
    from evals.spiderqa.selection import Moderation
    from evals.spiderqa.templating import model_templates

    limits = Moderation(
        questions=most,
        per_database=per_database,
        fewest=fewest,
        most_characters=most_characters,
    )
    with errors_told():
        templates = None
        if model is not None:
            replies = into.with_name(f"{into.name}.replies.sqlite")
            reasoner = select_reasoner(load_settings(model=model), cache=replies)
            templates = partial(model_templates, reasoner, say=say)
        told = build_spiderqa(databases, questions, into, limits, templates)
    typer.echo(figures_table({"docs": told}))
