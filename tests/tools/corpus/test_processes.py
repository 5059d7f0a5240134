import shutil
from pathlib import Path

import pytest

from agent.errors import CorpusError, CorpusLocked, CorpusUnreachable
from tests.built import write
from tests.postgres.server import TestServer
from tools.corpus.build import build
from tools.corpus.generations import CorpusLayout
from tools.corpus.manifest import corpus_id
from tools.corpus.processes import cores, in_turn
from tools.postgres.address import ServerAddress
from tools.postgres.connection import writing_on

pytestmark = pytest.mark.faults


def test_what_threads_make_or_raise_comes_in_order_and_none_runs_far_ahead() -> None:
    begun: list[int] = []

    def doubled(item: int) -> int:
        begun.append(item)
        return 2 * item

    made = in_turn(doubled, range(100))

    assert next(made) == 0
    assert len(begun) <= cores() + 2
    assert list(made) == list(range(2, 200, 2))
    with pytest.raises(ZeroDivisionError):
        list(in_turn(lambda item: 1 / item, [1, 0, 1]))


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    return write(tmp_path / "documents", {"a.txt": "The tenant may keep a dog."})


def test_a_writer_elsewhere_forbids_another_until_it_ends(
    documents: Path, tmp_path: Path, address: ServerAddress
):
    here, there = tmp_path / "here.corpus", tmp_path / "there.corpus"
    build([documents], here)
    shutil.copytree(here, there)
    (documents / "b.txt").write_text("No animal may be kept.")
    with writing_on(address, corpus_id(there), "x"):
        with pytest.raises(CorpusLocked, match="here or on another machine"):
            build([documents], here, server=address)
        build([documents], tmp_path / "another.corpus", server=address)
    assert build([documents], here, server=address).added == 1


def test_a_writer_that_loses_the_server_leaves_the_corpus_as_it_was(
    documents: Path, tmp_path: Path, address: ServerAddress, database_server: TestServer
):
    place = tmp_path / "x.corpus"
    build([documents], place, server=address)
    before = CorpusLayout(place).current.read_text()
    (documents / "b.txt").write_text("No animal may be kept.")

    def cut(stage: str, done: int, total: int) -> None:
        database_server.cut()

    with pytest.raises(CorpusUnreachable):
        build([documents], place, server=address, progress=cut)
    assert CorpusLayout(place).current.read_text() == before
    assert build([documents], place, server=address).added == 1


def test_a_server_that_cannot_be_reached_leaves_a_folder_that_can_be_indexed(
    documents: Path, tmp_path: Path
):
    place = tmp_path / "x.corpus"
    with pytest.raises(CorpusUnreachable):
        build([documents], place, server=ServerAddress.parsed("postgresql://127.0.0.1:9/team"))
    assert build([documents], place).added == 1


def test_an_id_that_is_none_is_damage(tmp_path: Path):
    (tmp_path / "id").write_text("'; DROP SCHEMA public")
    with pytest.raises(CorpusError, match="holds no id"):
        corpus_id(tmp_path)
