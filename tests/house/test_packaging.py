import importlib.util
import os
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
REQUIREMENTS = [Requirement(line) for line in PROJECT["dependencies"]]
FIVE = {"agent", "tools", "graphs", "prompts", "evals"}


@pytest.mark.parametrize("requirement", REQUIREMENTS, ids=lambda each: each.name)
def test_every_dependency_has_a_floor_that_is_met(requirement: Requirement) -> None:
    assert any(each.operator in {">=", "=="} for each in requirement.specifier)
    assert requirement.specifier.contains(version(requirement.name))


def test_the_wheel_holds_the_five_packages_and_nothing_else(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == FIVE
    assert {f"prompts/{path.name}" for path in (ROOT / "prompts").glob("*.md")} <= set(names)


@pytest.mark.parametrize("name", sorted(FIVE))
def test_each_package_resolves_inside_this_project(name: str) -> None:
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.origin is not None
    assert Path(spec.origin).is_relative_to(ROOT)


@pytest.mark.parametrize("module", ["evals.commands", "evals.benchmarks.__main__"])
def test_the_help_of_the_evaluation_loads_nothing_heavy(module: str) -> None:
    code = (
        f"import sys, {module}; "
        "heavy = {'langgraph', 'numpy', 'polars', 'sklearn', 'openai'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_package_that_hides_one_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").touch()
    command = [sys.executable, "-c", "import graphs"]
    own = {name: value for name, value in os.environ.items() if name != "PYTHONSAFEPATH"}
    done = subprocess.run(
        command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False
    )
    assert f"the package 'tools' in {tmp_path / 'tools'} hides" in done.stderr
