import ast
import importlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("agent", "tools", "graphs", "prompts", "evals")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if path.stem != "__main__"
)


@pytest.mark.parametrize("name", MODULES)
def test_all_names_are_sorted_and_real(name: str) -> None:
    module = importlib.import_module(name)
    exported = module.__all__
    upper = [each for each in exported if each.isupper()]
    assert len(set(exported)) == len(exported)
    assert list(exported) == sorted(exported, key=_isort_key), upper
    for each in exported:
        assert hasattr(module, each)


@pytest.mark.parametrize("name", MODULES)
def test_every_module_says_what_it_is(name: str) -> None:
    file = ROOT / Path(*name.split("."))
    path = file / "__init__.py" if file.is_dir() else file.with_suffix(".py")
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def _isort_key(name: str) -> tuple[int, str]:
    """ruff's order of `__all__`: CONSTANTS, Classes, functions, each alphabetical."""
    if name.isupper():
        return (0, name)
    return (1 if name[0].isupper() else 2, name)
