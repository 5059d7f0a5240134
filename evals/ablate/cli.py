"""headcount-eval ablate: clarification, or any of the named variants of the product."""

from typing import Any

import typer
from typer.core import TyperGroup

from evals.ablate.clarification_command import clarification
from evals.ablate.variants import GROUPS, VARIANTS
from evals.ablate.variants_command import variants

__all__ = ("app",)


class _ByVariant(TyperGroup):
    """Takes a variant's or a group's name for a command: `ablate search …`, `ablate no-audit …`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, and the arguments it is given."""
        if args and (args[0] in VARIANTS or args[0] in GROUPS):
            return super().resolve_command(ctx, ["variants", *args])
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_ByVariant,
    no_args_is_help=True,
    help="Take a part of Headcount away, and see on the same questions what is lost.",
    epilog=f"Variants, as commands: {', '.join((*GROUPS, *VARIANTS))}.",
)


@app.callback()
def ablate() -> None:
    """Take a part of Headcount away, and see on the same questions what is lost."""


app.command("clarification")(clarification)
app.command("variants")(variants)
