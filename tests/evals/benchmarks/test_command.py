import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.benchmarks.__main__ import app
from evals.benchmarks.process_memory import peak_mb

ROOT = Path(__file__).parents[3]


def test_the_command_measures_and_writes_table_and_json(tmp_path: Path) -> None:
    out = tmp_path / "bench.json"
    groups = ("updating", "starting")
    only = [word for group in groups for word in ("--only", group)]
    done = CliRunner().invoke(app, ["--chunks", "200", "--rounds", "1", "--json", str(out), *only])
    assert done.exit_code == 0, done.output
    told = json.loads(out.read_text(encoding="utf-8"))
    named = [row["what"] for row in told["rows"]]
    for word in ("again", "starting"):
        assert any(word in what for what in named), word
    table = [line for line in done.stdout.splitlines() if line.startswith("| ")]
    assert len(table) == len(named) + 1
    assert all(row["ours"]["value"] >= 0 for row in told["rows"])
    assert any(row["met"] is not None for row in told["rows"])


@pytest.mark.parametrize(
    "given",
    [["--chunks", "3"], ["--json", "nowhere/out.json"], ["--text", "."]],
    ids=["chunks", "json", "text without a place"],
)
def test_a_wrong_argument_ends_before_anything_is_made(given: list[str]) -> None:
    done = CliRunner().invoke(app, given)
    assert (done.exit_code, done.stdout) == (2, "")


def test_the_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, evals.benchmarks.__main__; "
        "heavy = {'langgraph', 'numpy', 'polars', 'sklearn', 'pydantic', 'openai'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_peak_is_that_of_this_process() -> None:
    held = bytearray(50_000_000)
    assert peak_mb() > len(held) / 1e6
