"""headcount-eval build: one command a builder, and one for each domain of invented documents."""

import typer

from evals.aggbench.command import aggbench
from evals.datasets.command import build
from evals.datasets.domain_names import domain_names
from evals.drawn.command import ambiguous
from evals.spiderqa.command import spiderqa
from evals.validation.command import validate

__all__ = ("app",)

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
app.command("validate")(validate)
for _name in domain_names():
    app.command(_name, short_help=f"Invented documents of the domain {_name}.")(build)
