"""Every command that the documentation of the evaluation names is there."""

import re
from pathlib import Path

import click
import pytest
import typer

from evals.commands import app
from evals.systems import SYSTEMS
from evals.variants import GROUPS, VARIANTS

TEXT = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
LINES = re.findall(r"^headcount-eval (.+)$", TEXT, flags=re.MULTILINE)
NAMED = [
    command
    for row in re.findall(r"^\|.*\| (.+) \|$", TEXT, flags=re.MULTILINE)
    for command in re.findall(r"`([a-z]+(?: [^`]*)?)`", row)
]
COMMANDS = sorted({*LINES, *(each for each in NAMED if each.split()[0] in {
    "ablate", "ambiguity", "build", "compare", "paper", "report", "run",
})})  # fmt: skip
OTHERS = {*SYSTEMS, *VARIANTS, *GROUPS, "variants"}


def test_the_documentation_names_commands() -> None:
    assert len(COMMANDS) > 15


@pytest.mark.parametrize("line", COMMANDS)
def test_a_named_command_is_there(line: str) -> None:
    command: object = typer.main.get_command(app)
    for word in line.split():
        if not hasattr(command, "commands"):
            break
        group = command.commands
        assert word in group or word in OTHERS, f"{line!r}: no {word!r}"
        command = group.get(word)
    assert not isinstance(command, click.Group)


@pytest.mark.parametrize("line", COMMANDS)
def test_every_flag_of_a_named_command_is_one(line: str) -> None:
    known = set(re.findall(r"--[a-z-]+", _helps()))
    assert set(re.findall(r"--[a-z-]+", line)) <= known


def _helps() -> str:
    """Return all flags of all commands."""
    found: list[str] = []

    def collect(command: click.Command) -> None:
        found.extend(option for each in command.params for option in each.opts)
        for inner in getattr(command, "commands", {}).values():
            collect(inner)

    collect(typer.main.get_command(app))
    return " ".join(found)
