"""Which names are worth comparing: far fewer pairs than all, and hardly a true one left out."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, Final

from tools.alignment.acronyms import acronyms, letters_of
from tools.alignment.name import SMALL, Name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix

__all__ = ("Embed", "blocked")

Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Turns texts into unit rows, (N, d)."""

_NEIGHBOURS: Final = 16
_NEAREST: Final = 4
_NEAR: Final = 0.6
_ALIKE: Final = 0.15
_GROUP: Final = 40
_ROWS: Final = 512
_RAREST: Final = 4


def blocked(names: Sequence[Name], embed: Embed | None = None) -> Iterator[tuple[int, int]]:
    """Yield positions of names to compare, the smaller first, each pair once.

    Pairs share words in another order, an acronym and its initials, a family name and an initial,
    a part that few names have, or rare character trigrams; with `embed`, a place in its space.
    Time and memory grow with the number of names, not of pairs: a group that is too big to be
    compared throughout is left to the other blocks.
    """
    blocks = [_keyed(names), _acronyms(names), _parts(names), _spelt_alike(names)]
    if embed is not None:
        blocks.append(_near(names, embed))
    seen: set[tuple[int, int]] = set()
    for one, other in chain.from_iterable(blocks):
        pair = (min(one, other), max(one, other))
        if one != other and pair not in seen:
            seen.add(pair)
            yield pair


def _keyed(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair names of the same words in any order or spacing, and of like initials."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        forms = {name.words, name.spelt_out, name.inverted} - {()}
        keys = {key for form in forms for key in _keys(form)}
        for key in keys:
            groups[key].append(at)
    for group in groups.values():
        if len(group) <= _GROUP:
            yield from combinations(group, 2)


def _keys(words: tuple[str, ...]) -> Iterator[str]:
    yield "bag " + " ".join(sorted(word for word in words if word not in SMALL))
    yield "joined " + "".join(words)
    if len(words) > 1:
        first, last = sorted((words[0], words[-1]))
        yield f"ends {words[-1]} {words[0][0]}"
        yield f"heads {first[:2]} {last[:2]} {''.join(word[0] for word in words)}"


def _acronyms(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each acronym with the names of those initials."""
    long: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        if len(name.words) > 1:
            for letters in acronyms(name):
                long[letters].append(at)
    for at, name in enumerate(names):
        letters = letters_of(name)
        if letters:
            yield from ((at, other) for other in long.get(letters, ())[:_GROUP])


def _parts(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with those that have its rarest word, where that tells something."""
    holders: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        for word in {*name.words, *name.spelt_out}:
            holders[word].append(at)
    for at, name in enumerate(names):
        rarest = min(name.words, key=lambda word: (len(holders[word]), word))
        if len(holders[rarest]) <= _GROUP:
            yield from ((at, other) for other in holders[rarest])


def _spelt_alike(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with its nearest ones by the trigrams that few names have."""
    if len(names) < 2:
        return
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=False)
    rows = _rare(vectors.fit_transform([" ".join(name.words) for name in names]))
    yield from _nearest(rows, _NEIGHBOURS, _ALIKE)


def _rare(rows: "csr_matrix") -> "csr_matrix":
    """Leave out of each row what very many rows share, but for its few rarest entries.

    Names that are alike share rare entries; what all share makes products quadratic.
    """
    import numpy as np

    frequency = np.bincount(rows.indices, minlength=rows.shape[1])
    common = frequency[rows.indices] > max(100, rows.shape[0] // 100)
    ranks = np.empty(rows.nnz, dtype=np.int64)
    order = np.lexsort((rows.indices, frequency[rows.indices], _row_of(rows)))
    ranks[order] = np.arange(rows.nnz) - np.repeat(rows.indptr[:-1], np.diff(rows.indptr))
    kept = rows.copy()
    kept.data[common & (ranks >= _RAREST)] = 0
    kept.eliminate_zeros()
    return kept


def _row_of(rows: "csr_matrix") -> "NDArray[np.int64]":
    import numpy as np

    return np.repeat(np.arange(rows.shape[0], dtype=np.int64), np.diff(rows.indptr))


def _nearest(rows: "csr_matrix", count: int, least: float) -> Iterator[tuple[int, int]]:
    """Yield each row with so many rows nearest to it, at least so alike; ties by position."""
    import numpy as np

    columns = rows.T.tocsr()
    for start in range(0, rows.shape[0], _ROWS):
        block = (rows[start : start + _ROWS] @ columns).tocsr()
        for number in range(block.shape[0]):
            span = slice(block.indptr[number], block.indptr[number + 1])
            alike = np.round(block.data[span], 6)
            near = block.indices[span]
            order = np.lexsort((near, -alike))[: count + 1]
            yield from ((start + number, int(near[at])) for at in order if alike[at] >= least)


def _near(names: Sequence[Name], embed: Embed) -> Iterator[tuple[int, int]]:
    """Pair each name with its nearest ones in the space of an embedder."""
    import numpy as np

    rows = embed([name.text for name in names])
    for start in range(0, len(names), _ROWS):
        alike = np.round(rows[start : start + _ROWS] @ rows.T, 6)
        order = np.argsort(-alike, axis=1, kind="stable")[:, : _NEAREST + 1]
        for number, near in enumerate(order):
            yield from ((start + number, int(at)) for at in near if alike[number, at] >= _NEAR)
