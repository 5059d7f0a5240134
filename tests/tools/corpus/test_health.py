from pathlib import Path

import pytest

from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.health import inspect


def _generation(corpus: Corpus) -> Path:
    (generation,) = (corpus.path / "generations").iterdir()
    return generation


def test_a_sound_corpus_has_no_problems(corpus: Corpus) -> None:
    health = inspect(corpus.path)

    assert (health.documents, health.chunks, health.problems) == (3, len(corpus), ())
    assert health.embedder == "lsa"
    assert health.fields == len(corpus.fields)
    assert health.bytes > 0


def test_unreadable_files_and_warnings_are_listed(corpus: Corpus, folder: Path) -> None:
    (folder / "empty.txt").write_bytes(b"")
    (folder / "latin.txt").write_bytes("Le café a payé le loyer à Noël, déjà.".encode("latin-1"))
    build([folder], corpus.path)

    health = inspect(corpus.path)

    assert [path for path, _ in health.unreadable] == ["empty.txt"]
    assert {name for name, _ in health.warnings} == {"latin"}


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

    (problem,) = inspect(corpus.path).problems
    build([folder], corpus.path)

    assert "headcount index" in problem
    assert inspect(corpus.path).problems == ()
    assert open_corpus(corpus.path).document_text(0) == text
