"""headcount-eval compare: one command a comparison, each registered by a line."""

import typer

from evals.compare.batching import batching
from evals.compare.bounds_command import bounds_command
from evals.compare.leaks import leaks
from evals.compare.search import search
from evals.compare.systems import systems

__all__ = ("app",)

app = typer.Typer(
    no_args_is_help=True,
    help="Put one of Headcount's methods beside others, on the same input, in one run.",
)


@app.callback()
def compare() -> None:
    """Put one of Headcount's methods beside others, on the same input, in one run."""


app.command("batching")(batching)
app.command("bounds")(bounds_command)
app.command("leaks")(leaks)
app.command("search")(search)
app.command("systems")(systems)
