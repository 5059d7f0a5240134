from pathlib import Path

import pytest

from agent.errors import CorpusDamaged
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus


def _generation(corpus: Corpus) -> Path:
    (generation,) = (corpus.path / "generations").iterdir()
    return generation


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("documents.text", b"rent", b"sent"),
        ("files.arrow", b"lease", b"leash"),
        ("lexical/starts.npy", b"descr", b"'escr"),
        ("lexical/rows.counts.npy", b"}", b"{"),
        ("embedder/embedder.json", b'"lsa"', b'"lsb"'),
        ("manifest.json", b'"chunks"', b'"chunkt"'),
        ("sums.json", b"vectors", b"vektors"),
    ],
)
def test_damage_is_found_and_healed_by_indexing_again(
    name: str, old: bytes, new: bytes, corpus: Corpus, folder: Path
) -> None:
    text, file = corpus.document_text(0), _generation(corpus) / name
    whole = file.read_bytes()
    file.write_bytes(whole.replace(old, new, 1))

    with pytest.raises(CorpusDamaged, match="headcount index"):
        open_corpus(corpus.path).check()
    build([folder], corpus.path)

    healed = open_corpus(corpus.path)
    healed.check()
    assert healed.document_text(0) == text
