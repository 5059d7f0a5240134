"""The engines under contract: each is made from the same corpus in memory."""

from collections.abc import Callable, Mapping
from pathlib import Path

from tests.tools.engines.shards import sharded
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.registry import Engine, LocalEngine

MakeEngine = Callable[[SmallCorpus, Path], Engine]
"""Makes an engine over a corpus; the folder, empty, is for the files it needs."""


def local(corpus: SmallCorpus, _place: Path) -> Engine:
    return LocalEngine(corpus)


ENGINES: Mapping[str, MakeEngine] = {"local": local, "sharded": sharded}
