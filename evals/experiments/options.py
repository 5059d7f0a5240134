"""The flags that every command has which asks questions of several arms in one run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from evals.experiments.allowance import Allowance
    from evals.experiments.collection import Collection

__all__ = (
    "Documents",
    "Expansion",
    "Into",
    "Jobs",
    "MaxTokens",
    "ReadBy",
    "Share",
    "allowance",
    "collection",
)

Documents = Annotated[Path, typer.Option(help="The folder with the documents; as for `run`.")]
Into = Annotated[Path, typer.Option(help="The run's folder; one that was begun is gone on with.")]
Expansion = Annotated[
    Path | None, typer.Option(help="Add this folder of unrelated documents to every scope.")
]
ReadBy = Annotated[
    str, typer.Option(help="As for `run`: `rules`, `gold`, `skill:RATE` or a model's name.")
]
MaxTokens = Annotated[
    int | None,
    typer.Option(min=1, help="What each arm may spend on a question, sent and received."),
]
Share = Annotated[
    float | None,
    typer.Option(min=0.0001, help="The same, as a share of the tokens of the documents."),
]
Jobs = Annotated[int, typer.Option(min=1, help="Questions measured side by side.")]


def allowance(max_tokens: int | None, share: float | None) -> "Allowance | None":
    """Return what an arm may spend; None where neither is given.

    Raises:
        SettingsError: both are.
    """
    from agent.errors import SettingsError
    from evals.experiments.allowance import Allowance

    if max_tokens is not None and share is not None:
        raise SettingsError("give --max-tokens or --share, not both")
    given = max_tokens is not None or share is not None
    return Allowance(tokens=max_tokens, share=share) if given else None


def collection(
    questions: Path,
    documents: Path,
    expansion: Path | None,
    *,
    limit: int | None,
    sample: int | None,
    seed: int,
) -> "Collection":
    """Return what is asked, under the name of the file of questions."""
    from evals.experiments.collection import Collection

    return Collection(
        name=questions.stem,
        questions=questions,
        documents=documents,
        expansion=expansion,
        limit=limit,
        sample=sample,
        seed=seed,
    )
