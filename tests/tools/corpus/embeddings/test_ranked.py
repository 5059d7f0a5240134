import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.errors import CorpusDamaged
from tools.corpus.corpus import Corpus
from tools.corpus.embeddings import ranked as module
from tools.corpus.embeddings.ranked import Ranked
from tools.corpus.embeddings.unit import unit_rows
from tools.corpus.embeddings.vectors import Vectors

ROWS = unit_rows(np.random.default_rng(7).normal(size=(1200, 16)))


@pytest.fixture
def ranked(tmp_path: Path) -> Ranked:
    return Ranked(tmp_path / "chroma", Vectors(ROWS), "digest")


def _exact(query: int, n: int) -> list[int]:
    return [int(chunk) for chunk in np.argsort(-(ROWS @ ROWS[query]), kind="stable")[:n]]


def _stamp(directory: Path) -> str:
    return (directory / "chroma" / "stamp.json").read_text()


def test_nearest_chunks_come_best_first_with_their_cosine(ranked: Ranked) -> None:
    found = ranked.nearest(ROWS[3], 10)

    assert [chunk for chunk, _ in found] == _exact(3, 10)
    assert found[0][1] == pytest.approx(1)


def test_the_collection_is_built_when_first_asked_for(ranked: Ranked, tmp_path: Path) -> None:
    assert not (tmp_path / "chroma").exists()

    ranked.nearest(ROWS[0], 1)

    assert (tmp_path / "chroma" / "stamp.json").is_file()


def test_a_complete_collection_is_used_again(ranked: Ranked, tmp_path: Path) -> None:
    ranked.nearest(ROWS[0], 1)
    stamp = _stamp(tmp_path)

    again = Ranked(tmp_path / "chroma", Vectors(ROWS), "digest").nearest(ROWS[5], 5)

    assert _stamp(tmp_path) == stamp
    assert [chunk for chunk, _ in again] == _exact(5, 5)


def test_a_small_collection_stays_as_it_was_stamped(tmp_path: Path) -> None:
    stamps = []
    for _ in range(3):
        Ranked(tmp_path / "chroma", Vectors(ROWS[:60]), "digest").nearest(ROWS[0], 1)
        module._close_left()  # as the end of a process does
        stamps.append(_stamp(tmp_path))

    assert len(set(stamps)) == 1


def test_a_collection_that_nobody_asks_any_more_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []
    client = module._client
    monkeypatch.setattr(module, "_client", lambda each: opened.append(client(each)) or opened[-1])
    for name in ("one", "another"):
        (tmp_path / name).mkdir()
        Ranked(tmp_path / name / "chroma", Vectors(ROWS[:9]), "digest").nearest(ROWS[0], 1)

    assert [each._closed for each in opened] == [True] * 3 + [False]


def test_a_collection_of_another_corpus_is_rebuilt(ranked: Ranked, tmp_path: Path) -> None:
    ranked.nearest(ROWS[0], 1)
    stamp = _stamp(tmp_path)

    Ranked(tmp_path / "chroma", Vectors(ROWS), "other digest").nearest(ROWS[0], 1)

    assert _stamp(tmp_path) != stamp


@pytest.mark.parametrize("how", ["cut", "overwritten", "removed"])
@pytest.mark.parametrize("name", ["data_level0.bin", "index_metadata.pickle", "stamp.json"])
def test_a_damaged_file_is_noticed_before_chroma_reads_it(
    ranked: Ranked, tmp_path: Path, name: str, how: str
) -> None:
    ranked.nearest(ROWS[0], 1)
    (file,) = (tmp_path / "chroma").rglob(name)
    whole = file.read_bytes()
    file.unlink()
    if how != "removed":
        file.write_bytes(whole[: len(whole) // 2] if how == "cut" else b"7" * len(whole))

    found = Ranked(tmp_path / "chroma", Vectors(ROWS), "digest").nearest(ROWS[9], 5)

    assert [chunk for chunk, _ in found] == _exact(9, 5)


def test_a_damaged_database_is_rebuilt(ranked: Ranked, tmp_path: Path) -> None:
    ranked.nearest(ROWS[0], 1)
    # Chroma keeps a client a path: only at another path is the database read again.
    moved = tmp_path / "moved" / "chroma"
    moved.parent.mkdir()
    (tmp_path / "chroma").rename(moved)
    (database,) = moved.rglob("chroma.sqlite3")
    database.write_bytes(b"broken" * 1000)

    found = Ranked(moved, Vectors(ROWS), "digest").nearest(ROWS[9], 5)

    assert [chunk for chunk, _ in found] == _exact(9, 5)


def test_a_collection_that_fails_again_after_the_rebuild_is_said_to_be_damaged(
    ranked: Ranked, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Path) -> None:
        raise ValueError("broken disk")

    monkeypatch.setattr(module, "_client", broken)

    with pytest.raises(CorpusDamaged, match="broken disk"):
        ranked.nearest(ROWS[0], 1)


_ANOTHER = """
import sys
from pathlib import Path
import numpy as np
from tools.corpus.embeddings.ranked import Ranked
from tools.corpus.embeddings.unit import unit_rows
from tools.corpus.embeddings.vectors import Vectors

rows = unit_rows(np.random.default_rng(7).normal(size=(1200, 16)))
ranked = Ranked(Path(sys.argv[1]), Vectors(rows), "digest")
for line in sys.stdin:
    print(*(chunk for chunk, _ in ranked.nearest(rows[int(line)], 3)), flush=True)
"""


def test_what_another_process_uses_stays_until_it_ends(ranked: Ranked, tmp_path: Path) -> None:
    place = tmp_path / "chroma"
    with subprocess.Popen(
        [sys.executable, "-c", _ANOTHER, str(place)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as another:
        assert another.stdin is not None
        assert another.stdout is not None
        another.stdin.write("3\n")
        another.stdin.flush()
        assert another.stdout.readline().split() == [str(each) for each in _exact(3, 3)]
        (used,) = place.glob("*/")
        Ranked(place, Vectors(ROWS), "other digest").nearest(ROWS[0], 1)
        assert used.is_dir()
        another.stdin.write("5\n")
        another.stdin.close()
        assert another.stdout.readline().split() == [str(each) for each in _exact(5, 3)]
    Ranked(place, Vectors(ROWS), "a third digest").nearest(ROWS[0], 1)
    assert not used.exists()


def test_a_database_that_another_process_writes_to_is_not_damaged(
    ranked: Ranked, tmp_path: Path
) -> None:
    ranked.nearest(ROWS[0], 1)
    stamp = _stamp(tmp_path)
    (database,) = tmp_path.rglob("chroma.sqlite3")
    writing = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "c.execute('BEGIN EXCLUSIVE'); print('writing', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", writing, str(database)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as another:
        assert another.stdout is not None
        assert another.stdout.readline() == "writing\n"
        again = Ranked(tmp_path / "chroma", Vectors(ROWS), "digest")
        assert again._stamped() == database.parent
        another.communicate()
    assert _stamp(tmp_path) == stamp
    assert [chunk for chunk, _ in again.nearest(ROWS[5], 5)] == _exact(5, 5)


def test_no_more_chunks_are_returned_than_there_are(ranked: Ranked) -> None:
    assert len(ranked.nearest(ROWS[0], 4_000)) <= 1200
    assert len(ranked.nearest(ROWS[0], 10_000)) == 1200
    assert ranked.nearest(ROWS[0], 0) == []


def test_a_corpus_ranks_by_a_query_in_words(corpus: Corpus) -> None:
    found = corpus.ranked("platform tags of wheels", 2)

    assert corpus.documents[corpus.chunk_document[found[0][0]]] == "sub/wheel"


def test_many_threads_may_ask_a_collection_that_is_not_built_yet(tmp_path: Path) -> None:
    (tmp_path / "generation").mkdir()

    def ask(number: int) -> list[int]:
        ranked = Ranked(tmp_path / "generation" / "chroma", Vectors(ROWS), "digest")
        return [chunk for chunk, _ in ranked.nearest(ROWS[number], 3)]

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(16)))
    assert [chunks[0] for chunks in found] == list(range(16))


@pytest.mark.parametrize("n", [1, 5, 40, 60], ids=lambda n: f"best {n}")
@pytest.mark.parametrize("copies", [2, 7, 130], ids=lambda copies: f"{copies} copies")
def test_of_equal_chunks_the_first_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copies: int, n: int
) -> None:
    rows = np.tile(ROWS[:40], (copies, 1))
    places = np.random.default_rng(copies).permutation(len(rows))
    rows = rows[places]
    query = ROWS[11]

    found = Ranked(tmp_path / "chroma", Vectors(rows), "digest").nearest(query, n)
    monkeypatch.setattr(module, "_INDEXED", 0)
    scanned = Ranked(tmp_path / "none", Vectors(rows), "digest").nearest(query, n)

    assert scanned == found
    assert not (tmp_path / "none").exists()
    cosines = np.round(ROWS[:40].astype(np.float64) @ query, 6)[places % 40]
    assert [chunk for chunk, _ in found] == np.lexsort((np.arange(len(rows)), -cosines))[
        :n
    ].tolist()


_ROW = st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=3, max_size=3)


@settings(max_examples=60)
@given(st.lists(_ROW, max_size=40), _ROW, st.integers(0, 50))
def test_a_large_corpus_is_ranked_as_naively_and_without_a_collection(
    rows: list[list[float]], asked: list[float], n: int
) -> None:
    vectors = Vectors(unit_rows(np.array(rows).reshape(-1, 3)))
    query = unit_rows(np.array([asked]))[0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_INDEXED", 0)
        found = Ranked(Path("nowhere"), vectors, "digest").nearest(query, n)

    cosines = np.round(vectors.rows().astype(np.float64) @ query.astype(np.float64), 6)
    assert [chunk for chunk, _ in found] == np.lexsort((range(len(rows)), -cosines))[:n].tolist()
    assert all(abs(cosine - cosines[chunk]) <= 1e-6 for chunk, cosine in found)
    assert not Path("nowhere").exists()
