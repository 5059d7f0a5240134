"""headcount-eval build: a data set of documents, records and questions, made from a seed."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import SettingsError
from evals.output import errors_told

__all__ = ("build",)


def build(  # noqa: PLR0913, PLR0917 - an argument a flag
    context: typer.Context,
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    others: Annotated[
        list[str] | None, typer.Argument(help="More domains, for a mixed collection.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other records.")] = 0,
    documents: Annotated[
        int | None, typer.Option(min=2, help="Documents of each kind; else the domain's number.")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(min=0, help="Questions of each kind; else the domain's number.")
    ] = None,
    style: Annotated[
        str, typer.Option(help="prose, fields, mixed, or varied: one of them for each document.")
    ] = "varied",
    sentences: Annotated[
        int | None,
        typer.Option(
            "--others", min=0, help="Sentences of a document on other things; else the domain's."
        ),
    ] = None,
    missing: Annotated[
        float, typer.Option(min=0, max=0.9, help="The chance that a document lacks an attribute.")
    ] = 0.08,
    *,
    plain: Annotated[
        bool, typer.Option("--plain", help="Write every value in one form, not in many.")
    ] = False,
) -> None:
    """Draw records, write a document for each, and ask questions whose answers follow from them.

    The folder gets `docs/`, `questions.jsonl` for `headcount-eval run`, `schema.yaml` for
    `headcount records induce --schema`, `records.jsonl` with the place of every value, and the
    recipe. All documents are invented, so no model knows them.
    """
    from evals.datasets.dataset import Recipe, make_dataset, write_dataset
    from evals.datasets.page import STYLES

    with errors_told():
        chosen = next((each for each in STYLES if each == style), None)
        if chosen is None:
            raise SettingsError(f"there is no style {style!r}; choose one of {', '.join(STYLES)}")
        recipe = Recipe(
            domains=(str(context.info_name), *(others or ())),
            seed=seed,
            documents=documents,
            questions=questions,
            style=chosen,
            varied=not plain,
            others=sentences,
            missing=missing,
        )
        made = make_dataset(recipe)
        write_dataset(made, into)
    typer.echo(
        f"{len(made.pages)} documents with {len(made.questions)} questions are in {str(into)!r}"
    )
