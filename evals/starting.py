"""Where `headcount-eval` begins: Ctrl-C has its one line, however long modules load."""

from graphs.apps.starting import stop_by_a_line

__all__ = ("main",)


def main() -> None:
    """Run the command line `headcount-eval`."""
    stop_by_a_line()
    from evals.cli import main as run

    run()
