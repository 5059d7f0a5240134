import json
import os
from pathlib import Path

import pytest

from tools.corpus import checksums
from tools.corpus.checksums import damaged, save_sums, sealed

pytestmark = pytest.mark.faults

BLOCK = 1 << 16


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory with one file of two and a half blocks, and its checksums."""
    monkeypatch.setattr(checksums, "_BLOCK", BLOCK)
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "rows").write_bytes(os.urandom(2 * BLOCK + BLOCK // 2))
    save_sums(tmp_path / "old")
    return tmp_path / "old"


@pytest.mark.parametrize("place", [0, BLOCK - 1, BLOCK, 2 * BLOCK + 9])
def test_a_flipped_bit_is_found_in_every_block(root: Path, place: int) -> None:
    assert damaged(root) == []
    rows = bytearray((root / "rows").read_bytes())
    rows[place] ^= 4
    (root / "rows").write_bytes(rows)
    assert damaged(root) == ["rows"]


@pytest.mark.parametrize("saved", [{"a": 5}, [1], {"rows": ["x"]}, {"rows": []}, {"rows": [9]}])
def test_checksums_of_another_shape_are_damage(root: Path, saved: object) -> None:
    (root / "sums.json").write_bytes(sealed(json.dumps(saved).encode()))
    assert damaged(root) == ["sums.json"]
