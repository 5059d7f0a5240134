"""Writing the texts of a build: those of unchanged documents stay where they are on disk."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from tools.corpus.building.origin import Section
from tools.corpus.storage.layout import Generation
from tools.corpus.storage.shared_file import share, worth_sharing

__all__ = ("join_texts", "stay")

_COPIED = 1 << 24


def stay(sections: Sequence[Section]) -> bool:
    """Return whether the texts of the generation before are worth keeping where they are."""
    kept = [each for each in sections if each.origin.before]
    if not kept:
        return False
    used = sum(int(np.diff(each.spans).sum()) for each in kept)
    return worth_sharing(used, kept[0].origin.place.text.stat().st_size)


def join_texts(
    sections: Sequence[Section], generation: Generation, *, staying: bool
) -> list[NDArray[np.int64]]:
    """Write the sections' texts; return where they lie now, (D, 2) bytes for each section.

    Args:
        sections: the documents.
        generation: where the text file goes.
        staying: whether those of the generation before stay where they are, as `stay` tells.
    """
    if staying:
        before = next(each.origin for each in sections if each.origin.before)
        share(before.place.text, generation.text)
    found = []
    with generation.text.open("ab") as into:
        for each in sections:
            if staying and each.origin.before:
                found.append(each.spans)
                continue
            start = into.tell()
            _copy(each.origin.place.text, each.spans, into)
            ends = start + np.cumsum(np.diff(each.spans).ravel())
            found.append(np.column_stack((np.concatenate(([start], ends[:-1])), ends)))
    return found


def _copy(file: Path, spans: NDArray[np.int64], into: BinaryIO) -> None:
    """Copy spans of a file, those that follow one another in one go."""
    breaks = np.flatnonzero(spans[1:, 0] != spans[:-1, 1]) + 1
    with file.open("rb") as texts:
        for run in np.split(spans, breaks):
            texts.seek(int(run[0, 0]))
            left = int(run[-1, 1] - run[0, 0])
            while left:
                left -= into.write(texts.read(min(left, _COPIED)))
