"""How a corpus is built, what one file may take, and who hears of the progress."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked_dataclass

from agent.corpus_view import FieldType
from agent.errors import SettingsError

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how much of it is done and how much there is."""


@checked_dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid"))
class FieldCorrection:
    """What a person says of a metadata field, in place of what was recognised."""

    name: str | None = None
    """What it is called."""
    type: FieldType | None = None
    """What its values are."""
    aliases: tuple[str, ...] = ()
    """Other keys of the same field, and other words for it in questions."""
    ignore: bool = False
    """Whether it is no field at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSettings:
    """What shapes an index; another value of any of these makes another corpus."""

    chunk_tokens: int = 400
    """The most tokens a chunk holds."""
    overlap: int = 40
    """The most tokens a chunk repeats from the one before it."""
    embedder: str = "lsa"
    """`lsa`, `openai:NAME` or `sentence-transformers:NAME`."""
    encoding: str | None = None
    """The encoding to try after BOM and UTF-8, before a guess."""
    fields: Mapping[str, FieldCorrection] | None = field(default=None, hash=False)
    """What a person says of fields, by their names as recognised; None: what was said before."""

    ocr: str = "eng"
    """The languages of Tesseract in which scans are read, as `eng+deu`; `none` reads none."""

    @property
    def reading(self) -> tuple[int, int, str | None]:
        """What decides how files without scans are read and cut: the same give the same chunks."""
        return self.chunk_tokens, self.overlap, self.encoding

    def __post_init__(self) -> None:
        if not 0 <= self.overlap < self.chunk_tokens:
            raise SettingsError(
                f"chunks of {self.chunk_tokens} tokens cannot overlap by {self.overlap}: "
                "the overlap must be at least 0 and less than the chunk"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class FileLimits:
    """What reading one file may take; a file beyond is listed, and the others are read."""

    seconds: float = 60.0
    memory_mb: int = 1024
    """Mebibytes of address space; kept on Linux alone."""
    text_mb: int = 100
    """Millions of characters of text, of all its rows together."""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""
