"""Where a sharded corpus lies: a folder that every node sees, or a URL of an object store.

    PLACE/
      sharded.json                 the manifest: shards, settings, statistics; replaced last
      shards/NAME.json             the receipt of a finished shard
      documents/NAME.parquet       the shard's documents
      chunks/NAME.parquet          its chunks, with their text
      words/NAME.parquet           its postings, a row a word form
      vocabulary/DIGEST.parquet    every word form of the corpus, with its stem and chunks
      embedder/DIGEST.zip          what embeds a query
      vectors/DIGEST/NAME.parquet  the shard's vectors by that embedder

No file but the manifest is ever changed: each is named for what it is made of.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.errors import SettingsError
from tools.engines.sharded.session import daft, failures_told

__all__ = ("MANIFEST", "Place")

MANIFEST = "sharded.json"

_TRIES = 5
"""For a file by itself: a store that is not there is told within seconds."""
_PATTERN = re.compile(r"[*?\[\]{}]")


@dataclass(frozen=True, slots=True)
class Place:
    """The root of a sharded corpus."""

    root: str
    """A path, or a URL such as `s3://bucket/x.shards`."""

    @classmethod
    def of(cls, root: str | Path) -> "Place":
        """Return a place; a path is made absolute, for nodes may stand elsewhere.

        Raises:
            SettingsError: it has signs that Daft takes for a pattern.
        """
        text = str(root)
        if _PATTERN.search(text):
            raise SettingsError(f"{text!r}: the place of shards must be without * ? [ ] {{ }}")
        return cls(text.rstrip("/") if "://" in text else str(Path(text).absolute()))

    @property
    def is_remote(self) -> bool:
        """Whether it is an object store's."""
        return "://" in self.root

    @property
    def folder(self) -> Path:
        """The place as a folder; of a remote one there is none."""
        return Path(self.root)

    def url(self, name: str) -> str:
        """Return where a file lies."""
        return f"{self.root}/{name}"

    def io(self, tries: int | None = None) -> Any:
        """Return Daft's configuration for it: S3 as the `AWS_*` variables say; None for a path.

        Args:
            tries: how often a request is made at most; else as often as Daft does, for minutes.
        """
        if not self.is_remote:
            return None
        module = daft()
        s3 = module.io.S3Config.from_env()
        return module.io.IOConfig(s3=s3 if tries is None else s3.replace(num_tries=tries))

    def read(self, name: str) -> bytes | None:
        """Return a file's bytes; None where there is none.

        Raises:
            CorpusUnreachable: it may be there, but cannot be read.
        """
        with failures_told(self.root):
            try:
                with daft().File(self.url(name), io_config=self.io(_TRIES)).open() as file:
                    return bytes(file.read())
            except FileNotFoundError:
                return None

    def write(self, name: str, data: bytes) -> None:
        """Write a file so that it holds either its old or its new content."""
        if not self.is_remote:
            _replace(self.folder / name, data)
            return
        module = daft()
        with failures_told(self.root):
            frame = module.from_pydict({"data": [data], "url": [self.url(name)]})
            sent = module.functions.upload(frame["data"], frame["url"], io_config=self.io())
            frame.select(sent.alias("sent")).collect()


def _replace(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    fresh.write_bytes(data)
    fresh.replace(path)
