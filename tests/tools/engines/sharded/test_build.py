"""A sharded corpus is built shard by shard, and holds what a local one of the same files holds."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyroaring import BitMap
from typer.testing import CliRunner

from agent.errors import CorpusDamaged, CorpusError, CorpusMissing, CorpusUnreachable, SettingsError
from graphs.apps.cli import app
from tests.built import write
from tests.integration.test_flipped_bits import flip
from tests.tools.engines.shards import NEEDS_DAFT
from tools.corpus.build import build
from tools.corpus.build_settings import BuildSettings
from tools.corpus.corpus import open_corpus
from tools.engines.sharded import sharded_build
from tools.engines.sharded.daft_session import on_cluster
from tools.engines.sharded.sharded_build import build_sharded
from tools.engines.sharded.sharded_corpus import ShardedCorpus, open_sharded
from tools.engines.sharded.sharded_engine import ShardedEngine
from tools.filters.arguments import FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.local_engine import LocalEngine
from tools.filters.metadata import MetadataArguments, PredicateArguments
from tools.filters.semantic import SemanticArguments

pytestmark = pytest.mark.slow

pytest.importorskip("daft", reason=NEEDS_DAFT)

SMALL = BuildSettings(chunk_tokens=60, overlap=10)
PUMP = (
    "---\nStatus: {status}\n---\n\n# Pump {number}\n\n" + "The pump of hall {number} failed. " * 20
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("files")
    for number in range(12):
        status = "Final" if number % 3 else "Draft"
        (root / f"pump-{number:02}.md").write_text(PUMP.format(number=number, status=status))
    (root / "valves.csv").write_text("name,note\nv1,leaks\nv2,a pump drives it\n")
    (root / "broken.pdf").write_bytes(b"%PDF-1.4 nothing")
    (root / "metadata.csv").write_text("path,Owner\npump-01,Ann\npump-02,Bob\n")
    return root


@pytest.fixture(scope="module")
def built(files: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("built") / "x.shards"
    build_sharded([files], into, settings=SMALL, shard_bytes=1000)
    return into


ASKED: dict[str, FilterArguments] = {
    "exact": ExactArguments(phrase="hall 7"),
    "keywords": KeywordsArguments(words=("pumps", "hall 7"), match="all"),
    "bm25": Bm25Arguments(query="hall 3 pump", best=5),
    "semantic": SemanticArguments(query="the pump of hall 3", min_cosine=0.3),
    "metadata": MetadataArguments(
        predicates=(PredicateArguments(field="status", comparison="is", values=("final",)),)
    ),
    "metadata of a table": MetadataArguments(
        predicates=(PredicateArguments(field="owner", comparison="is", values=("Bob",)),)
    ),
}


HALL = ExactArguments(phrase="hall")


def kept_of(corpus: ShardedCorpus, predicate: FilterArguments) -> BitMap:
    return ShardedEngine(corpus).keep(predicate, BitMap(range(corpus.chunk_count)))


@pytest.mark.parametrize("predicate", ASKED.values(), ids=ASKED)
def test_the_same_files_give_the_same_chunks_and_the_same_hits(
    predicate: FilterArguments, files: Path, built: Path, tmp_path: Path
) -> None:
    build([files], tmp_path / "x.corpus", settings=SMALL)
    near, far = open_corpus(tmp_path / "x.corpus"), open_sharded(built)
    assert len(far.shards) > 2
    assert far.chunk_count == near.chunk_count
    kept = kept_of(far, predicate)
    assert kept
    assert kept == LocalEngine(near).keep(predicate, BitMap(range(near.chunk_count)))


def test_what_cannot_be_read_is_listed(files: Path, built: Path) -> None:
    report = build_sharded([files], built, settings=SMALL, shard_bytes=1000)
    assert report.made == 0
    (told,) = report.metadata
    assert told.startswith("metadata of 2 of 14 documents from metadata.csv (Owner: 2); without")
    assert [path for path, _ in report.unreadable] == ["broken.pdf"]


def test_a_changed_file_changes_its_shard_only(files: Path, built: Path, tmp_path: Path) -> None:
    sources, into = tmp_path / "files", tmp_path / "x.shards"
    shutil.copytree(files, sources)
    shutil.copytree(built, into)
    (sources / "pump-05.md").write_text("The new pump hums.")
    report = build_sharded([sources], into, settings=SMALL, shard_bytes=1000)
    assert 1 <= report.made <= 2 < report.shards
    corpus = open_sharded(into)
    assert len(kept_of(corpus, ExactArguments(phrase="hums"))) == 1
    assert not kept_of(corpus, ExactArguments(phrase="hall 5 "))
    left = {path.name.partition(".")[0] for path in (into / "chunks").iterdir()}
    assert left == {shard.name for shard in corpus.shards}


@pytest.mark.faults
def test_a_build_that_is_killed_goes_on_where_it_was(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sharded_build.each_shard

    def killed(*given: Any, **named: Any) -> Iterator[tuple[str, str]]:
        for count, each in enumerate(whole(*given, **named)):
            if count == 2:
                raise KeyboardInterrupt
            yield each

    with monkeypatch.context() as patched:
        patched.setattr(sharded_build, "each_shard", killed)
        with pytest.raises(KeyboardInterrupt):
            build_sharded([files], tmp_path / "x.shards", settings=SMALL, shard_bytes=1000)
    with pytest.raises(CorpusMissing):
        open_sharded(tmp_path / "x.shards")
    report = build_sharded([files], tmp_path / "x.shards", settings=SMALL, shard_bytes=1000)
    assert report.made == report.shards - 2


@pytest.mark.faults
def test_a_shard_that_is_lost_or_cut_is_never_an_answer_nor_a_vast_manifest_read(
    built: Path, tmp_path: Path
) -> None:
    shutil.copytree(built, tmp_path / "x.shards")
    corpus = open_sharded(tmp_path / "x.shards")
    first, second = (f"{shard.name}.parquet" for shard in corpus.shards[:2])
    for table in ("chunks", "words", "vectors/" + str(corpus.manifest.embedder), "documents"):
        shutil.copy(tmp_path / "x.shards" / table / second, tmp_path / "x.shards" / table / first)
    for predicate in ASKED.values():
        with pytest.raises(CorpusDamaged, match=first):
            kept_of(corpus, predicate)
    (tmp_path / "x.shards" / "chunks" / first).unlink()
    with pytest.raises(CorpusDamaged, match=f"chunks/{first}"):
        kept_of(corpus, HALL)
    sound = open_sharded(built)
    kept_of(sound, HALL)
    vars(sound)["place"] = corpus.place  # files that are lost or mixed up after they were compared
    with pytest.raises(CorpusUnreachable, match="could not be read in full"):
        kept_of(sound, HALL)
    shutil.copy(built / "chunks" / second, tmp_path / "x.shards" / "chunks" / first)
    with pytest.raises(CorpusUnreachable, match="were not read as they are"):
        kept_of(sound, HALL)
    os.truncate(tmp_path / "x.shards" / "sharded.json", 1 << 29)
    with pytest.raises(CorpusDamaged, match="far larger"):
        open_sharded(tmp_path / "x.shards")


@pytest.mark.faults
def test_a_flipped_bit_never_changes_what_is_kept_and_a_build_heals_it(
    files: Path, tmp_path: Path
) -> None:
    place, drawn = tmp_path / "x.shards", random.Random(3)
    shards = build_sharded([files], place, settings=SMALL, shard_bytes=5000).shards
    known, told = _kept(place), 0
    for file in sorted(each for each in place.rglob("*") if each.is_file()):
        before = file.read_bytes()
        flip(file, drawn)
        pairs = list(zip(_kept(place), known, strict=True))
        assert all(found in (None, kept) for found, kept in pairs), file
        told += any(found is None for found, _ in pairs)
        file.write_bytes(before)
    assert told == 3 + 4 * shards
    for each in [place / "sharded.json", *(next(place.glob(f"{part}/**/*.*")) for part in FILES)]:
        flip(each, drawn)
    report = build_sharded([files], place, settings=SMALL, shard_bytes=5000)
    assert 0 < report.made <= shards
    assert _kept(place) == known


def test_the_doctor_names_what_is_damaged(built: Path, tmp_path: Path) -> None:
    place = tmp_path / "x.shards"
    shutil.copytree(built, place)
    sound = CliRunner().invoke(app, ["doctor", str(place)])
    assert (sound.exit_code, sound.stdout.splitlines()[-1]) == (0, "No problems found")
    wrong = [next(place.glob(f"{part}/**/*.*")) for part in ("words", "documents", "embedder")]
    for each in wrong:
        flip(each, random.Random(0))
    told = CliRunner().invoke(app, ["doctor", str(place)])
    problems = [line for line in told.stdout.splitlines() if line.startswith("problem: ")]
    assert (told.exit_code, len(problems)) == (1, len(wrong))
    assert all(any(each.name in line for line in problems) for each in wrong[:2])


FILES = ("chunks", "documents", "words", "vectors", "vocabulary", "embedder", "shards")


def _kept(place: Path) -> list[BitMap | None]:
    """Return what each predicate keeps, None where the corpus is said to be damaged."""
    found: list[BitMap | None] = []
    for predicate in ASKED.values():
        try:
            found.append(kept_of(open_sharded(place), predicate))
        except CorpusDamaged:
            found.append(None)
    return found


def test_a_folder_with_a_lock_of_its_own_is_left_alone(files: Path, tmp_path: Path) -> None:
    own = ("lock", "documents/mine.txt", "shards/mine.txt", "id", "sharded.json")
    write(tmp_path / "mine", dict.fromkeys(own, "0123456789ab\n"))
    with pytest.raises(SettingsError, match="not a sharded corpus"):
        build_sharded([files], tmp_path / "mine")
    assert all((tmp_path / "mine" / each).is_file() for each in own)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_no_module_among_the_documents_is_run(
    files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(files, tmp_path / "files")
    monkeypatch.chdir(tmp_path / "files")
    monkeypatch.setattr(sharded_build, "_MUCH", 0)
    for name in ("json.py", "daft.py", "tools.py"):
        Path(name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    report = build_sharded(["."], tmp_path / "x.shards", settings=SMALL)
    assert report.documents == 17
    assert not (tmp_path / "ran").exists()


def test_what_cannot_be_built_is_refused(files: Path, tmp_path: Path) -> None:
    write(tmp_path / "other", {"pump-01.md": "another pump"})
    with pytest.raises(SettingsError, match="one document"):
        build_sharded([files, tmp_path / "other"], tmp_path / "x.shards")
    with pytest.raises(SettingsError, match="lsa"):
        build_sharded([files], tmp_path / "y", settings=BuildSettings(embedder="openai:any"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(CorpusError, match="no document below the given paths"):
        build_sharded([tmp_path / "empty"], tmp_path / "z")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:99999999"])
def test_a_cluster_that_does_not_answer_is_refused_at_once(address: str) -> None:
    with pytest.raises(SettingsError, match="no Ray cluster answers"):
        on_cluster(address)
