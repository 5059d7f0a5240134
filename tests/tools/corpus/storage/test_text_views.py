import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.corpus import mapped_files as text_views
from tools.corpus.mapped_files import check_views, series, views_of


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
        patched.setattr(text_views, "_SHIFT", shift)
        patched.setattr(text_views, "_WINDOW", (1 << shift) + 200)
        views = views_of(whole, first, last)
        check_views(views, first, last, len(whole))

        assert series(views, whole).to_list() == [texts[place] for place in places]


@pytest.mark.parametrize(
    ("row", "column", "number"), [(0, 0, 20), (1, 3, 7), (1, 2, 1), (0, 0, -1)]
)
def test_views_of_other_spans_are_refused(row: int, column: int, number: int) -> None:
    text = b"a short one and one that is longer"
    first, last = np.array([0, 12]), np.array([12, 34])
    views = views_of(text, first, last)
    check_views(views, first, last, len(text))

    views[row, column] = number
    with pytest.raises(ValueError, match="texts"):
        check_views(views, first, last, len(text))


def test_spans_behind_the_end_of_the_text_file_are_refused() -> None:
    first, last = np.array([0]), np.array([20])
    views = views_of(b"twenty letters or so, and more", first, last)

    with pytest.raises(ValueError, match="text file at 10"):
        check_views(views, first, last, 10)
