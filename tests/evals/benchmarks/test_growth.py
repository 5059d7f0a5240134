"""Text is gathered alike each time, and what is measured of every size is told."""

import gzip
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.benchmarks.gathered import FILE_BYTES, gather
from evals.benchmarks.growth.__main__ import app
from evals.benchmarks.growth.steps import filters
from evals.benchmarks.growth.taken import Taken
from tools.corpus.corpus import Corpus

PAGE = "A bridge was inspected in {}. The municipality repaired its foundations.\n\n"


def page(number: int) -> str:
    return "".join(PAGE.format(1900 + number * 7 + line) for line in range(40))


def test_different_text_files_are_copied_unpacked_until_there_is_enough(tmp_path: Path) -> None:
    given, into, more = tmp_path / "given", tmp_path / "into", tmp_path / "more"
    for folder in (given, into, more):
        folder.mkdir()
    for number in range(6):
        (given / f"{number}.md").write_text(page(number))
    (given / "again.md").write_text(page(0))
    (given / "packed.3.gz").write_bytes(gzip.compress(page(9).encode()))
    (given / "broken.gz").write_bytes(page(8).encode())
    (given / "image.txt").write_bytes(bytes(FILE_BYTES.start))
    (given / "western.txt").write_bytes(b"caf\xe9 " * FILE_BYTES.start)

    gather([given], into, 10**9)
    written = gather([given], more, 2 * len(page(0)))

    assert sorted(file.suffix for file in into.rglob("*.*")) == [".md"] * 6 + [".txt"]
    copied = {file.name for file in more.rglob("*.*")}
    assert len(copied) == 2
    assert copied <= {file.name for file in into.rglob("*.*")}
    assert written == sum(file.stat().st_size for file in more.rglob("*.*"))


def test_every_filter_is_timed(mixed: Corpus) -> None:
    told = dict(filters(str(mixed.path), "1"))

    for word in ("exact", "regex", "fuzzy", "bm25", "semantic", "tenth", "later round", "batched"):
        assert any(word in what for what in told), word
    assert all(taken.clock > 0 for taken in told.values())


def test_every_size_is_a_column_and_what_is_there_is_not_indexed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given, into, out = tmp_path / "given", tmp_path / "into", tmp_path / "out.json"
    given.mkdir()
    (given / "one.md").write_text(page(1))
    (into / "20.corpus").mkdir(parents=True)
    main = sys.modules["evals.benchmarks.growth.__main__"]
    taken = Taken(clock=0.5, cpu=2.5, peak_mb=300.0, note="as told")
    monkeypatch.setattr(main, "_step", lambda name, *_: [(name, taken)])
    options = ["--chunks", "10,20", "--into", str(into), "--text", str(given), "--json", str(out)]

    done = CliRunner().invoke(app, options)

    assert done.exit_code == 0, done.output
    told = json.loads(out.read_text(encoding="utf-8"))
    assert [list(rows) for rows in told.values()] == [
        ["index", "start", "filters", "ask"],
        ["start", "filters", "ask"],
    ]
    assert "500 ms (2.5 s CPU); 300 MB at the peak; as told" in done.stdout
    assert "not measured" in done.stdout
    assert len(list((into / "text-10").rglob("*.md"))) == 1
