"""What holds for every file: layers, exports, names, and what a module alone may know."""

import ast
import importlib
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.taxonomy import CODES

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "tools", "graphs", "prompts", "evals")
READERS = ROOT / "agent" / "reasoners"
FOLDERS = (*PACKAGES, "tests", ".ci")
_OF_THIS_MACHINE = re.compile(r"(?<![\w.~}])/(?:work|tmp|opt|home|root)/")


def _modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_the_names_that_packages_export_are_real(package: str) -> None:
    for name in (_dotted(path) for path in _modules(package) if path.stem == "__init__"):
        module = importlib.import_module(name)
        exported = getattr(module, "__all__", ())
        assert not [each for each in exported if not hasattr(module, each)], name


def test_only_the_taxonomy_and_the_readers_name_a_kind_of_ambiguity() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for package in ("agent", "tools", "graphs", "prompts")
        for path in _modules(package)
        if not path.is_relative_to(READERS) and set(CODES) & set(_literals(path))
    ]
    assert found == ["agent/taxonomy.py"]


def test_only_the_module_that_sends_requests_knows_the_client_of_a_provider() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("agent", "graphs", "prompts")
        for path in _modules(package)
        if {"openai", "langchain_openai"} & set(_imported(path))
    }
    assert found == {"agent/reasoners/completion.py"}


def test_the_lexical_reader_is_imported_only_where_it_is_chosen() -> None:
    importing = re.compile(r"^( *)(?:from|import) agent\.reasoners\.lexical\b", re.MULTILINE)
    found = {
        (path.relative_to(ROOT).as_posix(), indent)
        for package in PACKAGES
        for path in _modules(package)
        if not path.is_relative_to(READERS / "lexical")
        for indent in importing.findall(path.read_text("utf-8"))
    }
    assert found == {("agent/reasoners/__init__.py", " " * 8)}


def _literals(path: Path) -> Iterator[object]:
    return (node.value for node in ast.walk(_parsed(path)) if isinstance(node, ast.Constant))


def _imported(path: Path) -> Iterator[str]:
    """Yield the top packages that a module imports, anywhere in it."""
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


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
    assert not [path for path in _modules(package) if marks.search(path.read_text("utf-8"))]


def test_no_file_keeps_what_has_no_name_of_its_own() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "manager", "handler", "misc", "base"}
    modules = [path for package in PACKAGES for path in _modules(package)]
    assert not [path for path in modules if set(path.stem.split("_")) & vague]


def test_no_base_name_stands_twice() -> None:
    stems = Counter(path.stem for package in PACKAGES for path in _modules(package))
    assert not [stem for stem, times in stems.items() if times > 1 and not stem.startswith("__")]
