"""headcount-eval build: one command a builder, and one for each domain of invented documents."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say

New = Annotated[Path, typer.Option("--into", help="A folder that does not exist yet, or is empty.")]
BuildSeed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other questions.")]

app = typer.Typer(
    no_args_is_help=True,
    help="Build sets of questions whose answers are known.",
)


@app.callback()
def build() -> None:
    """Build sets of questions whose answers are known."""


@app.command()
def aggbench(  # noqa: PLR0913, PLR0917 - an argument a flag
    folder: Annotated[Path, typer.Argument(help="The core documents.")],
    into: New,
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
    seed: BuildSeed = 0,
) -> None:
    """Mine conditions from documents, ask for them alone and joined, and ground every answer.

    Conditions are values and dates of fields, headings of sections, and terms; code decides them by
    the words they are asked in, so that the answers are exact. What a careful reader could decide
    either way is listed as borderline. `core.jsonl` goes with `core/`, and with --expand
    `expanded.jsonl` with `expanded/`: give them to `headcount-eval run`.
    """
    from evals.question_sets.aggbench import Plan, build_aggbench
    from evals.question_sets.mining import Limits
    from evals.question_sets.source_documents import figures_table

    with errors_told():
        plan = Plan(
            documents=folder,
            noun=noun,
            limits=Limits(fewest=fewest, most_share=most_share),
            singles=singles,
            composites=composites,
            seed=seed,
            expansion=expand,
            band=band,
        )
        statistics = build_aggbench(plan, into, say)
    typer.echo(figures_table(statistics))


@app.command()
def spiderqa(
    databases: Annotated[Path, typer.Option(help="A folder with NAME/NAME.sqlite for each.")],
    questions: Annotated[Path, typer.Option(help="JSON with db_id, question and query.")],
    into: New,
    most: Annotated[int, typer.Option(min=1, help="Questions, at most.")] = 201,
) -> None:
    """Write each database as a document, a sentence a row, and keep the aggregate questions.

    Counts, distinct counts, averages and sums over one value are kept, with joins and nested
    queries; their answers come from the SQL, their evidence from the same SQL with the rows' ids.
    Repeats are dropped and the kinds balanced; `rejected.jsonl` has the reason of each other one.
    """
    from evals.question_sets.source_documents import figures_table
    from evals.question_sets.spiderqa import build_spiderqa

    with errors_told():
        statistics = build_spiderqa(databases, questions, into, most)
    typer.echo(figures_table({"docs": statistics}))


def invented(
    context: typer.Context,
    into: New,
    seed: BuildSeed = 0,
    documents: Annotated[
        int | None, typer.Option(min=2, help="How many; else the domain's number.")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(min=0, help="How many at most; else the domain's number.")
    ] = None,
) -> None:
    """Invent records, write a document for each, and ask questions whose answers follow from them.

    The folder gets `docs/`, `questions.jsonl` for `headcount-eval run`, and `schema.yaml` for
    `headcount records induce --schema`. No model knows these documents.
    """
    from evals.question_sets.invented_documents import build_invented

    with errors_told():
        pages, asked = build_invented(str(context.info_name), into, seed, documents, questions)
    typer.echo(f"{pages} documents with {asked} questions are in {str(into)!r}")


for _file in sorted(Path(__file__).with_name("data").glob("domains/*.yaml")):
    app.command(_file.stem, short_help=f"Invented documents of the domain {_file.stem}.")(invented)
