"""What a build does that has much to read: parts, processes, a space that is kept."""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from agent.errors import CorpusError, SettingsError
from agent.small_files import MOST_BYTES
from tests.tools.corpus.conftest import contents, write
from tools.corpus.build import BuildSettings, build
from tools.corpus.building import build_processes, collect, vectors_build
from tools.corpus.building.build_processes import Workers
from tools.corpus.building.collect import PartReading
from tools.corpus.checksums import save_sums
from tools.corpus.corpus import open_corpus
from tools.corpus.source_files import files_below

pytestmark = [pytest.mark.faults, pytest.mark.slow]

BUILD = sys.modules["tools.corpus.build"]


class Killed(BaseException):
    """Ends a build as a signal would."""


def killed_at(stage: str) -> Callable[[str, int, int], None]:
    def progress(name: str, _done: int, _total: int) -> None:
        if name == stage:
            raise Killed

    return progress


@pytest.mark.parametrize("stage", ["words", "embed", "cluster"])
def test_what_a_killed_build_had_read_is_not_read_again(
    folder: Path, tmp_path: Path, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.corpus"
    with pytest.raises(Killed):
        build([folder], place, progress=killed_at(stage))
    build([folder], tmp_path / "whole.corpus")

    with monkeypatch.context() as patched:
        patched.setattr(Workers, "do", Mock(side_effect=AssertionError("read again")))
        build([folder], place)

    assert contents(place) == contents(tmp_path / "whole.corpus")
    assert not (place / "generations" / ".parts").exists()


def test_a_file_changed_since_the_kill_is_read_again(folder: Path, tmp_path: Path) -> None:
    place = tmp_path / "x.corpus"
    with pytest.raises(Killed):
        build([folder], place, progress=killed_at("words"))
    (folder / "lease.txt").write_text("A lease of another length.", encoding="utf-8")

    build([folder], place)

    now = open_corpus(place)
    assert now.document_text(now.document_index("lease")) == "A lease of another length."


def test_processes_of_their_own_read_the_same(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "empty.txt").write_bytes(b"")
    build([folder], tmp_path / "one.corpus")
    monkeypatch.setattr(collect, "_WORTH", 0)
    monkeypatch.setattr(collect, "cores", lambda: 2)
    monkeypatch.setattr(collect, "_PART", 1)

    build([folder], tmp_path / "several.corpus")

    assert contents(tmp_path / "one.corpus") == contents(tmp_path / "several.corpus")
    unknown = BuildSettings(encoding="klingon")
    (folder / "latin.txt").write_bytes(b"\xe9t\xe9")
    with pytest.raises(SettingsError, match="klingon"):
        build([folder], tmp_path / "other.corpus", settings=unknown)


def test_a_process_that_dies_at_no_file_stops_the_build(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_processes, "_SERVE", "import sys; sys.stdin.readline(); sys.exit(7)")

    with Workers() as some, PartReading(tmp_path, BuildSettings(), some) as reading:
        reading.add(*files_below([folder / "lease.txt"]))
        with pytest.raises(CorpusError, match=r"code 7.*index` again"):
            reading.parts(lambda _files: None)


def _forged(part: Path, size: int) -> None:
    (part / "part.json").write_bytes(b'{"files": 1}')
    os.truncate(part / "part.json", size)
    save_sums(part)


DAMAGES: dict[str, Callable[[Path], object]] = {
    **{
        name: lambda part, name=name: (part / name).write_bytes(b"")
        for name in ("part.json", "chunks.arrow", "lexical/rows.words.npy")
    },
    "another record": lambda part: _forged(part, len('{"files": 1}')),
    "a vast record": lambda part: _forged(part, MOST_BYTES + 1),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_part_that_was_damaged_is_read_again(
    folder: Path, tmp_path: Path, damage: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "x.corpus"
    with monkeypatch.context() as patched:
        patched.setattr(BUILD, "join_tables", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            build([folder], place)
    (part,) = (each.parent for each in (place / "generations" / ".parts").glob("*/part.json"))
    damage(part)

    build([folder], place)

    build([folder], tmp_path / "whole.corpus")
    assert contents(place) == contents(tmp_path / "whole.corpus")


def test_a_space_that_is_kept_keeps_the_vectors_of_what_did_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors_build, "_SMALL", 10)
    monkeypatch.setattr(vectors_build, "_DRIFT", 0.5)
    draw, words = random.Random(3), ["rent", "tenant", "wheel", "lease", "platform", "file", "pays"]
    texts = {f"{at:02}.txt": f"{' '.join(draw.choices(words, k=40))} é{at}" for at in range(30)}
    place, folder = tmp_path / "x.corpus", write(tmp_path / "many", texts)
    build([folder], place)
    old = open_corpus(place)
    embedded = old.embedder.embed(["rent"])

    (folder / "07.txt").unlink()
    write(folder, {"055.txt": "A new lease ☸ of the tenant.", "31.txt": "Another wheel."})
    build([folder], place)

    now = open_corpus(place)
    build([folder], tmp_path / "whole.corpus")
    whole = open_corpus(tmp_path / "whole.corpus")
    assert now.texts.to_list() == whole.texts.to_list() != old.texts.to_list()
    np.testing.assert_array_equal(now.embedder.embed(["rent"]), embedded)
    stays = [(at, old.places[name]) for name, at in now.places.items() if name in old.places]
    rows, before = now.vectors.rows(), old.vectors.rows()
    assert all(np.array_equal(rows[at], before[was]) for at, was in stays)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
