from pathlib import Path

import numpy as np

from tools.corpus.build import build
from tools.corpus.corpus import Corpus
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


def test_a_damaged_corpus_is_a_problem_not_an_error(corpus: Corpus) -> None:
    (_generation(corpus) / "chunks.arrow").unlink()

    (problem,) = inspect(corpus.path).problems

    assert "headcount index" in problem


def test_changed_texts_and_vectors_are_found(corpus: Corpus) -> None:
    generation = _generation(corpus)
    text = (generation / "documents.text").read_bytes()
    (generation / "documents.text").write_bytes(text[::-1])
    np.save(generation / "vectors.npy", 2 * corpus.vectors.rows())

    text_problem, vector_problem = inspect(corpus.path).problems

    assert "chunks" in text_problem
    assert "vectors" in vector_problem
