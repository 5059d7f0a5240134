"""headcount-eval build validate: whether what was built can be relied on."""

from pathlib import Path
from typing import Annotated

import typer

from evals.output import errors_told, say

__all__ = ("validate",)


def validate(
    folder: Annotated[Path, typer.Argument(help="What a `build` command wrote.")],
) -> None:
    """Check a built data set, and name each fault; the exit code is 1 where there is one.

    Checked: that documents, offsets and quotes fit; that counts are those of the answers; that
    something satisfies every question and every gold document has its evidence; that no question
    is asked twice; and where code decides the conditions, that it decides them so again over all
    documents, and none of those that were added for the expansion satisfies one or may.
    """
    from evals.validation.checking import faults_in

    with errors_told():
        count, faults = faults_in(folder)
    for each in faults:
        typer.echo(str(each))
    if faults:
        say(f"error: {len(faults)} faults in {count} questions of {str(folder)!r}")
        raise typer.Exit(1)
    typer.echo(f"{count} questions of {str(folder)!r} have no fault")
