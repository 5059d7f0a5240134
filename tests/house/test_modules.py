"""What holds for every module: its exports, its docstring, its name, and what it alone may know."""

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.taxonomy import CODES

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "tools", "graphs", "prompts", "evals")
READERS = ROOT / "agent" / "reasoners"


def _modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("package", PACKAGES)
def test_all_names_are_sorted_and_real(package: str) -> None:
    for name in (_dotted(path) for path in _modules(package) if path.stem != "__main__"):
        module = importlib.import_module(name)
        exported = list(module.__all__)
        assert exported == sorted(set(exported), key=_isort_key), name
        assert not [each for each in exported if not hasattr(module, each)], name


@pytest.mark.parametrize("package", PACKAGES)
def test_every_module_says_what_it_is(package: str) -> None:
    assert not [path for path in _modules(package) if not ast.get_docstring(_parsed(path))]


def test_only_the_taxonomy_and_the_readers_name_a_kind_of_ambiguity() -> None:
    found = [
        path.relative_to(ROOT).as_posix()
        for package in ("agent", "tools", "graphs", "prompts")
        for path in _modules(package)
        if not path.is_relative_to(READERS) and set(CODES) & set(_literals(path))
    ]
    assert found == ["agent/taxonomy.py"]


def test_only_the_provider_and_its_replies_know_the_client_of_a_provider() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for package in ("agent", "graphs", "prompts")
        for path in _modules(package)
        if {"openai", "langchain_openai"} & set(_imported(path))
    }
    assert found == {"agent/reasoners/completion.py", "agent/reasoners/provider.py"}


def _literals(path: Path) -> Iterator[object]:
    return (node.value for node in ast.walk(_parsed(path)) if isinstance(node, ast.Constant))


def _imported(path: Path) -> Iterator[str]:
    """Yield the top packages that a module imports, anywhere in it."""
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Import):
            yield from (each.name.partition(".")[0] for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def _isort_key(name: str) -> tuple[int, str]:
    """ruff's order of `__all__`: CONSTANTS, Classes, functions, each alphabetical."""
    if name.isupper():
        return (0, name)
    return (1 if name[0].isupper() else 2, name)
