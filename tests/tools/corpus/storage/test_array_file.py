"""Array files are read by one thread at a time (python/cpython#106905)."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, BrokenBarrierError

import numpy as np
import pytest

import tools
from tools.corpus import mapped_files as array_file


def test_two_threads_do_not_parse_headers_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    np.save(tmp_path / "a.npy", np.arange(3))
    both, load, met = Barrier(2), np.load, []

    def waiting(path: Path, **options: str) -> object:
        try:
            both.wait(timeout=0.1)
        except BrokenBarrierError:
            return load(path, **options)
        met.append(path)
        return load(path, **options)

    monkeypatch.setattr(np, "load", waiting)
    with ThreadPoolExecutor(2) as threads:
        found = list(threads.map(array_file.loaded, [tmp_path / "a.npy"] * 2))

    assert not met
    assert [each.tolist() for each in found] == [[0, 1, 2]] * 2


def test_arrays_are_read_by_no_other_way() -> None:
    (root,) = tools.__path__
    readers = [file for file in Path(root).rglob("*.py") if "np.load(" in file.read_text()]

    assert [file.name for file in readers] == ["mapped_files.py"]
