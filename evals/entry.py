"""Where `headcount-eval` begins: Ctrl-C has its one line, however long modules load."""

import os

from graphs.apps.exits import exit_in_one_line


def main() -> None:
    """Run the command line `headcount-eval`."""
    exit_in_one_line()
    os.environ["PYTHONSAFEPATH"] = "1"  # or its processes run what lies in the working folder
    from evals.commands import app

    app()
