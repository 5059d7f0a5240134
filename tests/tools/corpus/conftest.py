"""A small folder of documents and the corpus built from it."""

import os
from pathlib import Path

import pytest

from tests.built import write
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

DOCUMENTS = {
    "lease.txt": "Tenant: Ann Lee\nRent: 900\n\nThe tenant pays the rent on the first day.\n",
    "sub/wheel.md": "# Wheels\n\nA wheel is a file. Its tags name platforms.\n\n## Tags\n\nTags.\n",
    "café.txt": "Rent: 12\nTenant: Zoë\n\nThe café “Chez Zoë” pays no rent in August. 🙂 Fin.\n",
}


def age(folder: Path) -> Path:
    """Give all files a time of change long past, so that it tells whether they change again."""
    for file in folder.rglob("*.*"):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    return folder


def contents(place: Path) -> tuple[object, ...]:
    """Return all that a corpus holds, wherever it lies and however it came about."""
    corpus = open_corpus(place)
    arrays = (corpus.vectors.rows(), corpus.clusters)
    return (
        corpus.digest,
        corpus.manifest.model_copy(update={"sources": ()}),
        [file.content for file in corpus.files],
        (corpus.fields, list(corpus.titles), corpus.texts.to_list()),
        [corpus.headings(chunk) for chunk in range(len(corpus))],
        [corpus.document_fields(document) for document in range(len(corpus.documents))],
        list(corpus.lexical.vocabulary),
        [each.tobytes() for each in arrays],
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return age(write(tmp_path / "documents", DOCUMENTS))


@pytest.fixture
def corpus(folder: Path, tmp_path: Path) -> Corpus:
    build([folder], tmp_path / "x.corpus")
    return open_corpus(tmp_path / "x.corpus")
