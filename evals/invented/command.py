"""headcount-eval build ambiguous: invented collections with questions of several readings."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say

__all__ = ("ambiguous",)


def ambiguous(
    into: Annotated[Path, typer.Option(help="A folder that is not there yet.")],
    seed: Annotated[int, typer.Option(min=0, help="Another seed, other documents.")] = 0,
    documents: Annotated[int, typer.Option(min=10, help="Documents of each collection.")] = 48,
    draws: Annotated[int, typer.Option(min=1, help="Collections of each of the trades.")] = 1,
) -> None:
    """Draw collections of three trades, and ask ambiguous questions over each, and clear ones.

    Every reading has its computed answer; whether the readings of a question come to the same is
    left to chance. The folder gets one a collection and `questions.jsonl`, for `headcount-eval
    ambiguity` and `headcount-eval ablate clarification`, whose --documents is any of the former.
    """
    from evals.invented.collection import write_collections

    with errors_told():
        asked = write_collections(into, seed=seed, documents=documents, draws=draws)
    say(f"{into}: {asked} questions")
