"""Both sides of every search find the same, or the benchmark refuses to time them."""

import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from evals.benchmarks.figures import Unequal
from evals.benchmarks.filter_speed import nearest, ranking, scanning
from tools.corpus.corpus import Corpus
from tools.filters.local_engine import LocalEngine

pytestmark = pytest.mark.slow

RIPGREP = """#!{python}
import re, sys
*flags, pattern, file = sys.argv[1:]
found = re.compile(re.escape(pattern) if "--fixed-strings" in flags else pattern)
for number, line in enumerate(open(file, encoding="utf-8", newline="\\n"), start=1):
    for match in found.finditer(line):
        print(f"{{number}}:{{match[0]}}")
"""


@pytest.fixture(autouse=True)
def path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty folder is all of the path, so that there is no ripgrep."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_bm25_ranks_as_rank_bm25_does(mixed: Corpus) -> None:
    row, memory = ranking(mixed, 1)
    assert memory.ours.value >= 0
    assert row.peer.name == "rank_bm25.BM25Okapi"
    assert "identical order" in row.note


def test_another_ranking_is_refused(
    mixed: Corpus, texts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(mixed.lexical), "bm25", lambda self, _: np.arange(len(texts)) * 1.0)
    with pytest.raises(Unequal, match="BM25"):
        ranking(mixed, 1)


def test_scans_find_what_python_finds(mixed: Corpus, tmp_path: Path) -> None:
    rows = scanning(mixed, tmp_path, 1)
    assert [row.peer.name for row in rows] == ["Python", "Python"]
    assert "no `rg` on the path" in rows[0].note


def test_scans_find_what_ripgrep_finds(mixed: Corpus, path: Path, tmp_path: Path) -> None:
    """A script stands in for ripgrep that takes the same flags."""
    program = path / "rg"
    program.write_text(RIPGREP.format(python=sys.executable), encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    rows = scanning(mixed, tmp_path, 1)
    assert [row.peer.name for row in rows] == ["ripgrep", "ripgrep"]


def test_a_scan_that_finds_something_else_is_refused(
    mixed: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LocalEngine, "keep", lambda engine, predicate, snapshot: snapshot)
    with pytest.raises(Unequal, match="differ"):
        scanning(mixed, tmp_path, 1)


def test_the_exact_filter_has_all_of_the_nearest(mixed: Corpus, tmp_path: Path) -> None:
    row = nearest(mixed, tmp_path / "chroma", 1)
    assert "recall ours 1.000" in row.note
