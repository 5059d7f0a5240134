"""`headcount filter` searches any corpus; its location says by which engine."""

from pathlib import Path

import pytest

from tests.built import write
from tests.graphs.apps.conftest import run, told_by
from tests.tools.engines.shards import NEEDS_DAFT

PETS = '{"keywords": {"words": ["pet", "pets"]}}'
DOGS = '{"keywords": {"words": ["dog", "cat"]}}'
CATS = '{"regex": {"pattern": "\\\\bcats?\\\\b"}}'


def test_filters_narrow_one_after_the_other(place: Path):
    one, both = (
        told_by("filter", place, *calls, "--show", 1000) for calls in ((DOGS,), (DOGS, CATS))
    )
    assert one["chunks"] > one["kept"] >= both["kept"] > 0
    assert len(both["passages"]) == both["kept"]
    assert all("cat" in each["text"].lower() for each in both["passages"])


def test_shards_show_what_a_corpus_without_shows(place: Path, tmp_path: Path):
    pytest.importorskip("daft", reason=NEEDS_DAFT)
    texts = {"a.txt": "A pet is allowed.", "b/c.txt": "No pets.\n\nÉté: a pet may stay."}
    write(tmp_path / "texts", texts)
    for into, *flags in (("near.corpus",), ("far.shards", "--engine", "daft")):
        done = run("index", tmp_path / "texts", "--into", into, *flags)
        assert done.exit_code == 0, done.output
    again = run("index", tmp_path / "texts", "--into", "far.shards")
    assert "2 documents" in again.stdout
    assert "0 of them made" in again.stdout
    near, far = (run("filter", place, PETS).stdout for place in ("near.corpus", "far.shards"))
    assert near.rpartition(" (")[0] == far.rpartition(" (")[0]
    assert "b/c:0-" in far
