"""Array files are read by one thread at a time (python/cpython#106905)."""

import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tools
from tools.corpus import mapped_files
from tools.corpus.mapped_files import check_views, series, views_of

pytestmark = pytest.mark.slow


def test_arrays_are_read_by_no_other_way() -> None:
    (root,) = tools.__path__
    ways = re.compile(r"np\.load\(|read_array\(|open_memmap\(")
    readers = [file for file in Path(root).rglob("*.py") if ways.search(file.read_text())]

    assert [file.name for file in readers] == ["mapped_files.py"]


@pytest.mark.parametrize(
    ("shape", "forged"),
    [
        (b"(3, 1)", b"((((((((("),
        (b"(3, 1)", b"{{}:(3,)}"),
        (b"'<f8'", b"((), )"),
        (b"'<f8', 'fortran_order': False, 'shape': (3, 1), }", b"-" * 47 + b"1"),
        (b"(3, 1), }" + b" " * 40, b"(%d,)}" % 10**40),
        (b"\x93NUMPY", b"PK\5\6" + bytes(18)),
        (b"\x93NUMPY", b""),
    ],
)
def test_a_header_that_is_none_is_damage(tmp_path: Path, shape: bytes, forged: bytes) -> None:
    np.save(tmp_path / "a.npy", np.zeros((3, 1)))
    written = (tmp_path / "a.npy").read_bytes()
    assert shape in written
    (tmp_path / "a.npy").write_bytes(written.replace(shape, forged.ljust(len(shape)), 1))

    with pytest.raises(ValueError, match=r"header|array|magic"):
        mapped_files.mapped(tmp_path / "a.npy")


@settings(max_examples=60, deadline=None)
@given(
    texts=st.lists(st.text(max_size=30), max_size=12),
    shift=st.sampled_from([4, 7, 30]),
)
def test_views_are_the_texts_through_windows_of_any_size(texts: list[str], shift: int) -> None:
    written = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, written)], dtype=np.int64)
    places = np.random.default_rng(len(texts)).permutation(len(texts))
    first, last = ends[:-1][places], ends[1:][places]
    whole = b"".join(written) or b"\0"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(mapped_files, "_SHIFT", shift)
        patched.setattr(mapped_files, "_WINDOW", (1 << shift) + 200)
        views = views_of(whole, first, last)
        check_views(views, first, last, len(whole))

        assert series(views, whole).to_list() == [texts[place] for place in places]


@pytest.mark.parametrize(
    ("row", "column", "number"), [(0, 0, 20), (1, 3, 7), (1, 2, 1), (0, 0, -1)]
)
def test_views_of_other_spans_or_behind_the_end_are_refused(
    row: int, column: int, number: int
) -> None:
    text = b"a short one and one that is longer"
    first, last = np.array([0, 12]), np.array([12, 34])
    views = views_of(text, first, last)
    check_views(views, first, last, len(text))
    with pytest.raises(ValueError, match="text file at 10"):
        check_views(views, first, last, 10)

    views[row, column] = number
    with pytest.raises(ValueError, match="texts"):
        check_views(views, first, last, len(text))
