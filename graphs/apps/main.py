"""Where `headcount` starts: Ctrl-C is handled before anything heavy is loaded."""

from graphs.apps.exits import exit_in_one_line


def main() -> None:
    """Run the command line `headcount`."""
    exit_in_one_line()
    from graphs.apps.cli import main as run

    run()
