"""headcount-eval build: one command a builder, and one for each domain of invented documents."""

from pathlib import Path
from typing import Annotated, Final

import typer

from agent.errors import SettingsError
from evals.output import errors_told, say

__all__ = ("FOLDER", "aggbench", "ambiguous", "app", "build", "domain_names", "spiderqa")


def aggbench(  # noqa: PLR0913, PLR0917 - an argument a flag
    folder: Annotated[Path, typer.Argument(help="The core documents.")],
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
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
) -> None:
    """Mine conditions from documents, ask for them alone and joined, and ground every answer.

    Conditions are values and dates of fields, headings of sections, and terms; code decides them by
    the words they are asked in, so that the answers are exact, and what a careful reader could
    decide either way is listed as borderline. `core.jsonl` goes with `core/`, and with --expand
    `expanded.jsonl` with `expanded/`: give them to `headcount-eval run`.

    """
    from evals.aggbench.building import Band, Plan, build_benchmark, figures_table
    from evals.aggbench.mining import Limits
    from evals.aggbench.queries import Wanted
    from evals.aggbench.rules import Noun

    with errors_told():
        plan = Plan(
            documents=folder,
            noun=Noun(one=noun[0], many=noun[1]),
            limits=Limits(fewest=fewest, most_share=most_share),
            wanted=Wanted(singles=singles, composites=composites),
            seed=seed,
            expansion=expand,
            band=None if band is None else Band(*band),
        )
        built = build_benchmark(plan, into, say)
    typer.echo(figures_table(built.statistics))


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
    from evals.datasets.pages import STYLES

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


FOLDER: Final = Path(__file__).with_name("data") / "domains"


def domain_names() -> tuple[str, ...]:
    """Return the names of the domains there are."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def ambiguous(
    folder: Annotated[Path, typer.Argument(help="Documents that state fields.")],
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other values.")] = 0,
    draws: Annotated[
        int,
        typer.Option(min=1, help="Questions of each kind."),
    ] = 1,
    many: Annotated[str, typer.Option(help="What the documents are called.")] = "documents",
    field: Annotated[
        list[str] | None,
        typer.Option(
            help="Ask of this field only; give it again for another, in the order in which their "
            "values stand before the noun. Else of all that permit it, as they first stand."
        ),
    ] = None,
    *,
    natural: Annotated[
        bool,
        typer.Option(
            "--natural", help="Take values over the folder as they fall, whatever they come to."
        ),
    ] = False,
) -> None:
    """Ask ambiguous questions, and clear ones, over a folder of documents that state fields.

    Every reading has its computed answer. The fields that a folder's documents state are told apart
    by what they hold: few values that sort, lists, numbers, dates, fields that only some have. Of
    every third kind of question the values are drawn until all readings come to the same, of the
    others until they do not; --natural takes them as they fall.

    `questions.jsonl` is for `headcount-eval ambiguity` and `headcount-eval ablate clarification`,
    with that folder as --documents.
    """
    from evals.drawn.found import Wanted, write_questions

    with errors_told():
        wanted = Wanted(
            documents=folder, many=many, only=field or (), seed=seed, draws=draws, natural=natural
        )
        asked = write_questions(wanted, into, say)
    say(f"{into}: {asked} questions")


def spiderqa(
    databases: Annotated[Path, typer.Option(help="A folder with NAME/NAME.sqlite for each.")],
    questions: Annotated[Path, typer.Option(help="JSON with db_id, question and query.")],
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    most: Annotated[int, typer.Option(min=1, help="Questions in all, at most.")] = 201,
    per_database: Annotated[int, typer.Option(min=1, help="Of one database, at most.")] = 8,
    fewest: Annotated[int, typer.Option(min=1, help="Of one database, at least.")] = 2,
    most_characters: Annotated[
        int, typer.Option(min=1, help="Of a database's document, at most.")
    ] = 100_000,
) -> None:
    """Write each database as a document, a sentence a row, and keep the aggregate questions.

    Counts, distinct counts, averages and sums over one value are kept, with joins and nested
    queries; their answers come from the SQL, their evidence from the same SQL with the rows' ids.
    Repeats are dropped and the kinds balanced; `rejected.jsonl` tells why of each other one.
    """
    from evals.aggbench.building import figures_table
    from evals.spiderqa.converting import Moderation, build_spiderqa

    limits = Moderation(
        questions=most,
        per_database=per_database,
        fewest=fewest,
        most_characters=most_characters,
    )
    with errors_told():
        told = build_spiderqa(databases, questions, into, limits)
    typer.echo(figures_table({"docs": told}))


app = typer.Typer(
    no_args_is_help=True,
    help="Make documents with questions whose answers are known.",
)


@app.callback()
def making() -> None:
    """Make documents with questions whose answers are known."""


app.command("aggbench")(aggbench)
app.command("ambiguous")(ambiguous)
app.command("spiderqa")(spiderqa)
for _name in domain_names():
    app.command(_name, short_help=f"Invented documents of the domain {_name}.")(build)
