"""Text is gathered alike each time, and what is measured of every size is told."""

import gzip
import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from evals.benchmarks import real_text as sized
from evals.benchmarks.growth.__main__ import app
from evals.benchmarks.growth.steps import Taken, filters, reading
from evals.benchmarks.indexing_speed import Taken as Built
from evals.benchmarks.real_text import FILE_BYTES, gather
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
    told = dict([*filters(str(mixed.path), "1"), *reading(str(mixed.path), "1")])

    for word in ("exact", "regex", "fuzzy", "bm25", "semantic", "tenth", "later round", "batched"):
        assert any(word in what for what in told), word
    assert all(taken.clock > 0 for taken in told.values())


def test_every_size_is_a_column(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    given, into, out = tmp_path / "given", tmp_path / "into", tmp_path / "out.json"
    given.mkdir()
    for number in range(8):
        (given / f"{number}.md").write_text(page(number))
    main = sys.modules["evals.benchmarks.growth.__main__"]
    taken = Taken(clock=0.5, cpu=2.5, peak_mb=300.0, note="as told")
    monkeypatch.setattr(main, "_step", lambda name, *_: [(name, taken)])
    built = Built(seconds=7.0, cpu=8.0, peak_mb=900.0)
    monkeypatch.setattr(sized, "apart", lambda *_: built)
    options = ["--chunks", "5,15", "--into", str(into), "--text", str(given), "--json", str(out)]

    done = CliRunner().invoke(app, options)

    assert done.exit_code == 0, done.output
    told = json.loads(out.read_text(encoding="utf-8"))
    assert [list(rows) for rows in told.values()] == [
        ["index", "start", "filters", "reading", "ask", "asked again"]
    ] * 2
    assert "500 ms (2.5 s CPU); 300 MB at the peak; as told" in done.stdout
    assert "7.0 s (8.0 s CPU); 900 MB at the peak" in done.stdout


def test_too_little_text_ends_with_one_line(tmp_path: Path) -> None:
    (tmp_path / "given").mkdir()
    options = ["--into", str(tmp_path / "into"), "--text", str(tmp_path / "given")]
    done = CliRunner().invoke(app, options)
    assert done.exit_code == 1
    assert "not 1,000,000: name more folders with --text" in done.output.replace("\n", " ")
