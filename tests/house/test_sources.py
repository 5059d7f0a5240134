"""What holds for every file of the project."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "tools", "graphs", "prompts", "evals")
FOLDERS = (*PACKAGES, "tests", ".ci")
SOURCES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
_OF_THIS_MACHINE = re.compile(r"(?<![\w.~}])/(?:work|tmp|opt|home|root)/")


def _files() -> list[Path]:
    inside = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*"))
    at_top = (path for path in ROOT.iterdir() if path.name != ".git")
    return sorted(
        path for path in (*inside, *at_top) if path.is_file() and "__pycache__" not in path.parts
    )


def test_no_file_names_a_place_of_one_machine() -> None:
    found = []
    for path in _files():
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), start=1):
            if _OF_THIS_MACHINE.search(line):
                found.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
    assert not found


@pytest.mark.parametrize("package", PACKAGES)
def test_nothing_is_left_for_later(package: str) -> None:
    marks = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")
    found = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if path.is_relative_to(ROOT / package) and marks.search(path.read_text("utf-8"))
    ]
    assert not found


def test_no_file_keeps_what_has_no_name_of_its_own() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "handler", "misc", "base"}
    assert not [path for path in SOURCES if set(path.stem.split("_")) & vague]


def test_tests_are_no_packages() -> None:
    assert not list((ROOT / "tests").rglob("__init__.py"))
