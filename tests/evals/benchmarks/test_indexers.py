import json
from pathlib import Path

import pytest

from evals.benchmarks.indexing_speed import INDEXERS, tell
from tools.corpus.corpus import Corpus


@pytest.mark.parametrize("name", ["lexical", "okapi", "stack"])
def test_an_indexer_tells_seconds_and_memory(
    name: str, mixed: Corpus, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = [str(mixed.path), *([] if name == "okapi" else [str(tmp_path / name)])]
    tell(name, *places)
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"seconds", "cpu", "peak_mb"}
    assert min(told.values()) > 0


def test_every_indexer_has_a_name() -> None:
    assert set(INDEXERS) == {"whole", "stack", "lexical", "okapi"}
