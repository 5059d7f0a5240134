"""headcount-eval ablate: one command an ablation, each registered by a line."""

import typer

from evals.ablate.clarification_command import clarification

__all__ = ("app",)

app = typer.Typer(
    no_args_is_help=True,
    help="Take a part of Headcount away, and see on the same questions what is lost.",
)


@app.callback()
def ablate() -> None:
    """Take a part of Headcount away, and see on the same questions what is lost."""


app.command("clarification")(clarification)
