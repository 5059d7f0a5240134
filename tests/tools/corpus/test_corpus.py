import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent.errors import CorpusDamaged, CorpusMissing
from tests.built import built
from tests.tools.corpus.conftest import contents
from tools.corpus.build import BuildSettings, build
from tools.corpus.checksums import save_sums
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.manifest import FORMAT

_PROSE = st.text(
    alphabet=st.sampled_from("ab é漢🙂.\n#\t\r\u00a0"), min_size=1, max_size=300
).filter(lambda text: text.strip())

MAPS = Path("/proc/self/maps")


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts=st.lists(_PROSE, min_size=1, max_size=4))
def test_a_chunk_is_its_span_of_the_document(
    texts: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("documents")
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8", newline="")
    build([folder], folder / "x.corpus", settings=BuildSettings(chunk_tokens=8, overlap=3))
    corpus = open_corpus(folder / "x.corpus")

    for chunk in range(len(corpus)):
        start, end = corpus.chunk_start[chunk], corpus.chunk_end[chunk]
        text = corpus.document_text(int(corpus.chunk_document[chunk]))[start:end]
        assert corpus.chunk_text(chunk) == corpus.texts[chunk] == text


def test_chunks_at_a_span_share_a_character_with_it(tmp_path: Path) -> None:
    sentences = " ".join(f"Sentence number {number} is here." for number in range(60))
    corpus = built({"long.txt": sentences}, tmp_path, chunk_tokens=30, overlap=10)
    spans = list(zip(corpus.chunk_start, corpus.chunk_end, strict=True))

    for start, end in [(0, 1), (100, 400), (500, 501), (len(sentences) - 1, len(sentences))]:
        expected = [c for c, (first, last) in enumerate(spans) if first < end and last > start]
        assert list(corpus.chunks_at(0, start, end)) == expected
    assert corpus.chunks_at(0, 100, 100) == corpus.chunks_at(0, 100, 101)
    assert corpus.chunks_at(0, 10**6, 10**6 + 1) == ()


@pytest.mark.skipif(not MAPS.exists(), reason="only Linux lists what a process has mapped")
def test_the_chunk_table_is_mapped_and_not_read(corpus: Corpus) -> None:
    (table,) = corpus.path.glob("generations/*/chunks.arrow")

    assert corpus.texts.len() == len(corpus)
    assert str(table) in MAPS.read_text(encoding="utf-8")


@pytest.mark.parametrize("unfinished", [False, True], ids=["nothing there", "never finished"])
def test_a_missing_corpus_says_how_to_make_one(tmp_path: Path, unfinished: bool) -> None:
    if unfinished:
        (tmp_path / "x.corpus" / "generations" / ".draft").mkdir(parents=True)

    with pytest.raises(CorpusMissing, match="headcount index"):
        open_corpus(tmp_path / "x.corpus")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["missing", "cut", "empty", "a bit", "a header's bit"])
def test_damage_to_any_file_is_noticed_and_healed_by_indexing_again(
    corpus: Corpus, folder: Path, how: str
) -> None:
    undamaged = contents(corpus.path)
    (before,) = corpus.path.glob("generations/*")
    files = [each.relative_to(before) for each in before.rglob("*") if each.is_file()]
    assert len(files) > 20
    for name in files:
        (generation,) = corpus.path.glob("generations/*")
        file = generation / name
        whole = file.read_bytes()
        cut = len(whole) // 2
        changed = {
            "cut": whole[:cut],
            "empty": b"",
            "a bit": whole[:cut] + bytes([whole[cut] ^ 1]) + whole[cut + 1 :],
            "a header's bit": whole[:9] + bytes([whole[9] ^ 16]) + whole[10:],
        }
        file.unlink()
        if how != "missing":
            file.write_bytes(changed[how])

        with pytest.raises(CorpusDamaged, match="headcount index"):
            open_corpus(corpus.path).check()
        if how == "a bit":
            build([folder], corpus.path)
        else:
            file.write_bytes(whole)
    open_corpus(corpus.path).check()
    assert contents(corpus.path) == undamaged


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("documents.text", lambda corpus: corpus.texts),
        ("documents.text", lambda corpus: corpus.document_text(0)),
        ("documents.text", lambda corpus: corpus.chunk_text(0)),
        ("lexical/rows.words.npy", lambda corpus: corpus.lexical.rows(np.array([0]))),
        ("lexical/rows.counts.npy", lambda corpus: corpus.lexical.rows(np.array([0]))),
        ("vectors.npy", lambda corpus: corpus.vectors.rows(np.array([0]))),
        ("vectors.npy", lambda corpus: corpus.vectors.similarity(corpus.embedder.embed(["rent"]))),
    ],
)
def test_what_is_compared_late_is_so_before_it_is_read(
    corpus: Corpus, name: str, read: Callable[[Corpus], object]
) -> None:
    (file,) = corpus.path.glob(f"generations/*/{name}")
    opened, whole = open_corpus(corpus.path), file.read_bytes()
    file.write_bytes(whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:])

    with pytest.raises(CorpusDamaged, match="headcount index"):
        read(opened)


@pytest.mark.parametrize("name", ["lexical/rows.counts.npy", "clusters.npy"])
def test_a_forged_header_under_checksums_made_anew_is_damage_and_healed(
    corpus: Corpus, folder: Path, name: str
) -> None:
    (root,) = corpus.path.glob("generations/*")
    whole = (root / name).read_bytes()
    (root / name).write_bytes(whole[:40] + b"(" * 20 + whole[60:])
    save_sums(root, sealed_files=("files.arrow", "manifest.json"))

    with pytest.raises(CorpusDamaged, match="headcount index"):
        open_corpus(corpus.path).check()
    build([folder], corpus.path)
    open_corpus(corpus.path).check()


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (1, r"earlier version .*format 1.*`headcount index` with the same paths"),
        (99, r"later version .*format 99.*update Headcount"),
    ],
)
def test_another_format_is_named_and_is_no_damage(corpus: Corpus, form: int, said: str) -> None:
    (generation,) = (corpus.path / "generations").iterdir()
    manifest = generation / "manifest.json"
    manifest.write_text(manifest.read_text().replace(f'"format": {FORMAT}', f'"format": {form}'))

    with pytest.raises(CorpusDamaged, match=said) as raised:
        open_corpus(corpus.path)
    assert "is damaged" not in str(raised.value)


def test_a_file_that_is_gone_when_asked_for_is_damage(corpus: Corpus) -> None:
    (generation,) = (corpus.path / "generations").iterdir()
    shutil.rmtree(generation)

    with pytest.raises(CorpusDamaged, match="open the corpus again"):
        _ = corpus.embedder
