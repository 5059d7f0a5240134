import gc
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.corpus.corpus import Corpus
from tools.corpus.embeddings import vectors as module
from tools.corpus.embeddings.vectors import Ranked, Vectors, unit_rows

ROWS = unit_rows(np.random.default_rng(7).normal(size=(1200, 16)))


@pytest.fixture(scope="module")
def ranked() -> Ranked:
    return Ranked(Vectors(ROWS))


def _exact(query: int, n: int) -> list[int]:
    return [int(chunk) for chunk in np.argsort(-(ROWS @ ROWS[query]), kind="stable")[:n]]


def test_nearest_chunks_come_best_first_with_their_cosine(ranked: Ranked) -> None:
    found = ranked.nearest(ROWS[3], 10)

    assert [chunk for chunk, _ in found] == _exact(3, 10)
    assert found[0][1] == pytest.approx(1)


def test_the_collection_is_made_when_first_asked_for_and_kept() -> None:
    own = Ranked(Vectors(ROWS[:9]))
    assert "_collection" not in vars(own)
    own.nearest(ROWS[0], 1)
    made = vars(own)["_collection"]
    own.nearest(ROWS[1], 1)
    assert vars(own)["_collection"] is made


def test_a_collection_that_nobody_asks_any_more_is_deleted(ranked: Ranked) -> None:
    own = Ranked(Vectors(ROWS[:9]))
    own.nearest(ROWS[0], 1)
    name = vars(own)["_collection"].name
    del own
    gc.collect()
    assert name in module._LEFT
    Ranked(Vectors(ROWS[:9])).nearest(ROWS[0], 1)
    assert name not in module._LEFT
    assert ranked.nearest(ROWS[5], 1)[0][0] == 5


def test_no_more_chunks_are_returned_than_there_are(ranked: Ranked) -> None:
    assert len(ranked.nearest(ROWS[0], 4_000)) == 1200
    assert ranked.nearest(ROWS[0], 0) == []


def test_a_corpus_ranks_by_a_query_in_words(corpus: Corpus) -> None:
    found = corpus.ranked("platform tags of wheels", 2)

    assert corpus.documents[corpus.chunk_document[found[0][0]]] == "sub/wheel"


def test_many_threads_may_ask_a_collection_that_is_not_built_yet() -> None:
    ranked = Ranked(Vectors(ROWS))

    def ask(number: int) -> list[int]:
        return [chunk for chunk, _ in ranked.nearest(ROWS[number], 3)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(16)))
    assert [chunks[0] for chunks in found] == list(range(16))


@pytest.mark.parametrize("n", [1, 5, 40, 60], ids=lambda n: f"best {n}")
@pytest.mark.parametrize("copies", [2, 7, 45], ids=lambda copies: f"{copies} copies")
def test_of_equal_chunks_the_first_come_first(
    monkeypatch: pytest.MonkeyPatch, copies: int, n: int
) -> None:
    rows = np.tile(ROWS[:40], (copies, 1))
    places = np.random.default_rng(copies).permutation(len(rows))
    rows = rows[places]
    query = ROWS[11]

    found = Ranked(Vectors(rows)).nearest(query, n)
    monkeypatch.setattr(module, "_INDEXED", 0)
    assert Ranked(Vectors(rows)).nearest(query, n) == found
    cosines = np.round(ROWS[:40].astype(np.float64) @ query, 6)[places % 40]
    assert [chunk for chunk, _ in found] == np.lexsort((np.arange(len(rows)), -cosines))[
        :n
    ].tolist()


_ROW = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=3, max_size=3)


@settings(max_examples=60)
@given(st.lists(_ROW, max_size=40), _ROW, st.integers(0, 50))
def test_a_large_corpus_is_ranked_as_naively(
    rows: list[list[float]], asked: list[float], n: int
) -> None:
    vectors = Vectors(unit_rows(np.array(rows).reshape(-1, 3)))
    query = unit_rows(np.array([asked]))[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_INDEXED", 0)
        found = Ranked(vectors).nearest(query, n)

    cosines = np.round(vectors.rows().astype(np.float64) @ query.astype(np.float64), 6)
    assert [chunk for chunk, _ in found] == np.lexsort((range(len(rows)), -cosines))[:n].tolist()
    assert all(abs(cosine - cosines[chunk]) <= 1e-6 for chunk, cosine in found)
