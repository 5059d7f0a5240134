"""Candidates carry features of two parts, each of length 1."""

from pathlib import Path

import numpy as np
import pytest

from tools.batching.candidates import Candidates, Part
from tools.corpus.build import build
from tools.corpus.corpus import Corpus, open_corpus

TEXTS = {
    "a": "The harbour master logs every vessel. Pilots board at dawn near the outer buoy.",
    "b": "Vessel pilots board at dawn. The harbour master waits near the outer buoy.",
    "c": "Rye bread wants a long rise and a hot oven; the crust should sing when it cools.",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    place = tmp_path_factory.mktemp("batching")
    for name, text in TEXTS.items():
        (place / f"{name}.txt").write_text(text, encoding="utf-8")
    into = place.parent / "batching.corpus"
    build([Path(place)], into)
    return open_corpus(into)


@pytest.mark.parametrize("parts", [["tf-idf"], ["embedding"], ["tf-idf", "embedding"]])
def test_rows_are_unit_and_like_texts_are_nearer(corpus: Corpus, parts: list[Part]) -> None:
    candidates = Candidates.of(corpus, [2, 0, 1], parts=parts)
    assert candidates.ids.tolist() == [0, 1, 2]
    rows = candidates.features
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.2


def test_both_parts_weigh_the_same(corpus: Corpus) -> None:
    both, one, other = (
        Candidates.of(corpus, range(3), parts=parts).features
        for parts in (("tf-idf", "embedding"), ("tf-idf",), ("embedding",))
    )
    np.testing.assert_allclose(both @ both.T, (one @ one.T + other @ other.T) / 2, atol=1e-5)


def test_places_become_chunk_ids_in_document_order(corpus: Corpus) -> None:
    candidates = Candidates.of(corpus, [1, 2])
    assert candidates.chunks([[1, 0]]) == [[1, 2]]
    assert candidates.without_clusters().clusters.tolist() == [0, 1]
