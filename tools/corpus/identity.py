"""The id of a corpus: by it a server tells its runs and its lock from those of other corpora."""

import os
import re
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Final

from agent.errors import CorpusDamaged, CorpusError
from tools.corpus.storage.layout import CorpusLayout

__all__ = ("corpus_id",)

_FORM: Final = re.compile(r"[0-9a-f]{12}")


def corpus_id(root: Path) -> str:
    """Return the id of a corpus directory, made where it has none: 12 hexadecimal digits.

    It stays when documents come and go, and a copy of the directory has the same.

    Raises:
        CorpusDamaged: the file that holds it holds something else.
        CorpusError: it cannot be read or written.
    """
    path = CorpusLayout(root).id
    try:
        if not path.exists():
            _make(path)
        found = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise CorpusError(
            f"cannot write the corpus's id {str(path)!r} ({error.strerror}); "
            "make its folder writable"
        ) from error
    if not _FORM.fullmatch(found):
        raise CorpusDamaged(
            f"{str(path)!r} holds no id of a corpus: copy it from another copy of the corpus, or "
            "delete it, and its runs on a server are not found again"
        )
    return found


def _make(path: Path) -> None:
    """Write the file whole: of several that try it at once, on whatever machine, one does."""
    fresh = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
    try:
        fresh.write_text(f"{uuid.uuid4().hex[:12]}\n", encoding="ascii")
        with suppress(FileExistsError):
            os.link(fresh, path)
    finally:
        fresh.unlink(missing_ok=True)
