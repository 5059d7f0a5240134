"""A report on disk: the page, and each table and chart as a file of its own."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.errors import SettingsError
from evals.experiments.environment import Environment
from evals.experiments.folder import Run, load_run
from evals.reporting.board import Board, boards
from evals.reporting.figures import CHARTS
from evals.reporting.page import Chart, Section, page
from evals.reporting.table import Table, to_latex, to_markdown
from evals.reporting.tables import board_tables

__all__ = ("board_section", "provenance", "report_runs", "write_report")


def report_runs(roots: Sequence[Path], into: Path) -> list[Path]:
    """Write the report of some runs into a folder; return what was written, the page first.

    Raises:
        SettingsError: a run cannot be read, or the folder cannot be written.
    """
    runs = [(root, load_run(root)) for root in roots]
    sections = [board_section(board) for board in boards(runs)]
    lead = ["What was measured, on which sample and with what left out stands below each table."]
    title = f"Report: {', '.join(dict.fromkeys(run.plan.name for _, run in runs))}"
    return write_report(into, title, lead, [*sections, provenance([run for _, run in runs])])


def board_section(board: Board) -> Section:
    """Return all tables and charts of a board."""
    name = board.collection.name
    return Section(
        name=name,
        title=name,
        text=board.about,
        tables=board_tables(board),
        charts=[
            Chart(name=f"{name}-{key}", title=title, svg=draw(board))
            for key, (title, draw) in CHARTS.items()
        ],
    )


def provenance(runs: Sequence[Run]) -> Section:
    """Return who answered what, and on which machines; times are of these machines alone."""
    arms = Table(
        name="arms",
        title="Arms",
        head=("arm", "system", "reasoner", "policy"),
        rows=list(dict.fromkeys(row for run in runs for row in _arms(run))),
    )
    environments = dict.fromkeys(
        _told(environment) for run in runs for environment in run.environments
    )
    machines = Table(
        name="environments",
        title="Environments",
        head=("headcount", "code", "Python", "system", "cores", "packages"),
        rows=list(environments),
    )
    seeds = ", ".join(dict.fromkeys(str(run.plan.seed) for run in runs))
    return Section(
        name="provenance",
        title="How it was measured",
        text=[f"Seed {seeds}. The same plan and replies give the same results, byte for byte."],
        tables=[arms, machines],
    )


def write_report(
    into: Path, title: str, lead: Sequence[str], sections: Sequence[Section]
) -> list[Path]:
    """Write `index.html`, `tables.md`, a `.tex` a table and an `.svg` a chart.

    Raises:
        SettingsError: the folder cannot be written.
    """
    written: list[Path] = []
    try:
        into.mkdir(parents=True, exist_ok=True)
        for name, text in _files(title, lead, sections):
            place = into / name
            place.write_text(text, encoding="utf-8")
            written.append(place)
    except OSError as error:
        raise SettingsError(f"--into {str(into)!r}: {error.strerror or error}") from error
    return written


def _files(
    title: str, lead: Sequence[str], sections: Sequence[Section]
) -> Iterator[tuple[str, str]]:
    yield "index.html", page(title, lead, sections)
    told = [f"# {title}", *lead]
    for section in sections:
        told += [f"## {section.title}", *section.text]
        told += [f"```console\n{section.command}\n```"] if section.command else []
        told += [to_markdown(table).rstrip() for table in section.tables]
    yield "tables.md", "\n\n".join(told) + "\n"
    for section in sections:
        yield from ((f"{table.name}.tex", to_latex(table)) for table in section.tables)
        yield from ((f"{chart.name}.svg", chart.svg) for chart in section.charts)


def _arms(run: Run) -> Iterator[tuple[str, ...]]:
    for arm in run.plan.arms:
        policy = ", ".join(f"{name} = {value}" for name, value in arm.policy.items())
        yield arm.name, arm.system, arm.reasoner, policy or "the product's"


def _told(environment: Environment) -> tuple[str, ...]:
    packages = ", ".join(f"{name} {version}" for name, version in environment.packages.items())
    return (
        environment.headcount,
        environment.source[:12],
        environment.python,
        f"{environment.system}, {environment.machine}",
        str(environment.cores),
        packages,
    )
