"""Where `headcount-eval` begins: Ctrl-C has its one line, however long modules load."""

from graphs.apps.exits import exit_in_one_line


def main() -> None:
    """Run the command line `headcount-eval`."""
    exit_in_one_line()
    from evals.commands import main as run

    run()
