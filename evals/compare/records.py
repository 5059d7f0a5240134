"""headcount-eval compare records: schemas, routes and kinds of data beside each other."""

from typing import Annotated

import typer

from evals.options import JsonFile
from evals.output import check_target, errors_told, say, working_folder, write_json

__all__ = ("records",)


def records(  # noqa: PLR0913, PLR0917 - an argument a flag
    section: Annotated[
        list[str] | None,
        typer.Option(
            help="schema, hybrid, mixed, lists, forms or style, and again for another; else all."
        ),
    ] = None,
    domain: Annotated[
        list[str] | None,
        typer.Option(
            help="Domain of the data; give it again for another. Most sections take the first."
        ),
    ] = None,
    documents: Annotated[int, typer.Option(min=2, help="Documents of each kind.")] = 60,
    questions: Annotated[int, typer.Option(min=1, help="Questions on each kind.")] = 44,
    seed: Annotated[int, typer.Option(min=0, help="Of the data.")] = 0,
    hints: Annotated[
        int, typer.Option(min=0, help="Questions shown to who draws up a schema, and not asked.")
    ] = 10,
    reader: Annotated[
        str, typer.Option(help="`rules` or a model's name: draws up schemas, reads, and queries.")
    ] = "rules",
    json_file: JsonFile = None,
) -> None:
    """Fill records from invented documents, ask questions over them, and compare.

    The drawn schema against an induced one; SQL alone against SQL with the texts, where the schema
    lacks attributes; two kinds in one collection; values in one form against many; fields against
    sentences; questions that need lists against those that need none. Reader
    and planner `drawn` know what was drawn, so that rows with one of them show what the other loses
    by itself, and a row with both that nothing else is lost.
    """
    from evals.compare.records_cases import Bench
    from evals.compare.records_report import report, tables
    from evals.compare.records_run import compared
    from evals.compare.records_settings import SECTIONS, section_of, settings
    from evals.datasets.dataset import Recipe

    with errors_told():
        check_target(json_file)
        wanted = [section_of(each) for each in section] if section else SECTIONS
        base = Recipe(
            domains=tuple(domain or ("hotels", "worldcup")),
            seed=seed,
            documents=documents,
            questions=questions,
        )
        rows = [row for each in wanted for row in settings(each, base, reader)]
        with working_folder(None) as place:
            found = list(compared(Bench(place, reader, hints, say), rows, say))
        typer.echo(tables(found))
        told = {"documents": documents, "questions": questions, "seed": seed, "hints": hints}
        write_json({**told, "settings": report(found)}, json_file)
