"""headcount-eval build ambiguous: questions of several readings, over any documents or invented."""

from pathlib import Path
from typing import Annotated

import typer

from agent.errors import SettingsError
from evals.output import errors_told, say

__all__ = ("ambiguous",)


def ambiguous(  # noqa: PLR0913 - an argument a flag
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    folder: Annotated[
        Path | None,
        typer.Argument(help="Documents that state fields; without, collections are invented."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other values.")] = 0,
    documents: Annotated[
        int, typer.Option(min=10, help="Documents of each invented collection.")
    ] = 48,
    draws: Annotated[
        int,
        typer.Option(
            min=1, help="Questions of each kind; invented: collections of each of the trades."
        ),
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
    """Ask ambiguous questions, and clear ones, over a folder, or over invented documents.

    Every reading has its computed answer. The fields that a folder's documents state are told apart
    by what they hold: few values that sort, lists, numbers, dates, fields that only some have. Of
    every third kind of question the values are drawn until all readings come to the same, of the
    others until they do not; --natural takes them as they fall.

    `questions.jsonl` is for `headcount-eval ambiguity` and `headcount-eval ablate clarification`,
    with that folder as --documents. Without a folder collections of three trades are invented, a
    folder each beside it: --documents is any of these.
    """
    with errors_told():
        if folder is None:
            if field or natural or many != "documents":
                raise SettingsError("--many, --field and --natural go with a folder of documents")
            from evals.invented.collection import write_collections

            asked = write_collections(into, seed=seed, documents=documents, draws=draws)
        else:
            from evals.found.collection import Wanted, write_questions

            wanted = Wanted(
                documents=folder,
                many=many,
                only=field or (),
                seed=seed,
                draws=draws,
                natural=natural,
            )
            asked = write_questions(wanted, into, say)
    say(f"{into}: {asked} questions")
