"""A corpus that a stranger hands over writes nowhere else, and its files run nothing."""

import json
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

from graphs.apps.web.corpus_folder import CorpusFolder
from tests.built import write
from tests.graphs.apps.conftest import Flags, Q, refused, run
from tests.tools.changed_by_hand import by_hand
from tools.corpus.checksums import save_sums
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.generations import CorpusLayout


def around(place: Path) -> set[Path]:
    """Return what lies beside a corpus and above it; not what other tests' threads still write."""
    above = (each for each in place.parent.parent.iterdir() if not each.name.startswith("test_"))
    return {*place.parent.rglob("*"), *place.parent.parent.rglob("*PWNED*"), *above}


@pytest.mark.parametrize("name", ["../../PWNED", "/PWNED", "a/../../PWNED", "\x1b[2J", ""])
def test_a_run_id_from_a_stranger_names_no_file(name: str, place: Path, model: Flags) -> None:
    assert run("ask", place, Q, *model, "--on-ambiguity", "assume").exit_code == 0
    before = around(place)
    with by_hand(place / "runs" / "runs.sqlite") as stored:
        stored.execute("UPDATE runs SET run = ?", (name,))
    for command in (("report", place), ("runs", place), ("report", place, name)):
        refused = run(*command)
        assert refused.exit_code == 1, command
        assert "\x1b" not in refused.output
    assert "no id of a run" in run("runs", place).stderr
    assert not [path for path in around(place) - before if place not in path.parents]


@pytest.mark.parametrize("file", ["runs.sqlite", "checkpoints.sqlite", "responses.sqlite"])
@pytest.mark.parametrize("what", ["VIEW t AS SELECT 1", "VIRTUAL TABLE t USING fts5(x)", "TRIGGER"])
def test_a_database_from_a_stranger_holds_tables_alone(
    file: str, what: str, place: Path, model: Flags
) -> None:
    assert run("ask", place, Q, *model, "--on-ambiguity", "assume").exit_code == 0
    with by_hand(place / "runs" / file) as stored:
        table = stored.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchone()[0]
        trigger = f"TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"
        stored.execute(f"CREATE {trigger if what == 'TRIGGER' else what}")
    assert "damaged (it holds 't'" in refused("ask", place, f"{Q} Anew?", *model)


@pytest.mark.parametrize("name", ["runs", "runs/runs.sqlite", "generations", "lock", "records"])
@pytest.mark.parametrize("command", ["ask", "index", "report"])
def test_a_link_out_of_the_corpus_is_not_followed(name: str, command: str, place: Path) -> None:
    mine = write(place.parent / "mine", {"note.txt": "keep"})
    link = place / name
    if link.exists():
        link.rename(mine / "was")
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(mine if name != "lock" else mine / "note.txt")
    before = {path: path.stat().st_mtime_ns for path in mine.rglob("*")}
    words = {"ask": (place, Q), "index": (mine, "--into", place)}.get(command, (place,))
    assert "leads out of the corpus" in refused(command, *words)
    assert {path: path.stat().st_mtime_ns for path in mine.rglob("*")} == before


@pytest.mark.parametrize("name", ["lock", "runs/runs.sqlite.lock"])
@pytest.mark.parametrize("command", ["ask", "index", "report"])
def test_a_link_where_a_lock_belongs_is_one_line(name: str, command: str, place: Path) -> None:
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).unlink(missing_ok=True)
    (place / name).symlink_to(place / "CURRENT")
    words = {"ask": (place, Q), "index": (place, "--into", place)}.get(command, (place,))
    assert f"{name}' is a link where a lock belongs: remove it" in refused(command, *words)


def test_the_index_of_other_documents_is_not_asked(place: Path) -> None:
    other = write(place.parent / "other", {"note.txt": "A note about something else."})
    assert run("index", other, "--into", place.parent / "other.corpus").exit_code == 0
    own, foreign = (
        CorpusLayout(each).generation() for each in (place, other.with_suffix(".corpus"))
    )
    assert own is not None
    assert foreign is not None
    shutil.rmtree(own.root)
    shutil.copytree(foreign.root, own.root)
    assert "its index is that of other documents" in refused("ask", place, Q)


@pytest.mark.parametrize("name", ["CURRENT", "manifest.json", "sums.json", "documents.text", "id"])
@pytest.mark.parametrize("how", ["sparse", "pipe"])
def test_an_endless_file_is_one_line(name: str, how: str, place: Path) -> None:
    made = CorpusLayout(place).generation()
    assert made is not None
    file = place / name if name in {"CURRENT", "id"} else made.root / name
    if how == "pipe":
        file.unlink(missing_ok=True)
        os.mkfifo(file)
    elif name in {"id", "documents.text"}:
        return
    else:
        os.truncate(file, 1 << 40)
    for command in (("ask", place, Q), ("doctor", place)):
        refused = run(*command)
        assert refused.exit_code == 1
        assert isinstance(refused.exception, SystemExit)
        assert len(refused.stderr.strip().splitlines()) <= 1
    if how == "sparse":
        assert list(CorpusFolder(place.parent).places().values()) == [place]


def test_an_index_with_sums_made_anew_is_looked_at(place: Path) -> None:
    made = CorpusLayout(place).generation()
    assert made is not None
    words = made.lexical / "vocabulary.arrow"
    held = words.read_bytes()
    words.write_bytes(held.replace(b"\x03\0\0\0the\0", b"\xff\0\0\0the\0"))
    assert words.read_bytes() != held
    save_sums(made.root, sealed_files=("manifest.json", "files.arrow"))
    refused = run("ask", place, Q)
    assert refused.exit_code == 1
    assert "is damaged (" in refused.stderr


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_vectors_that_are_no_numbers_are_told(value: float, place: Path) -> None:
    made = CorpusLayout(place).generation()
    assert made is not None
    rows = np.lib.format.open_memmap(made.vectors, mode="r+")
    rows[0, 0] = value
    rows.flush()
    save_sums(made.root, sealed_files=("manifest.json", "files.arrow"))
    for asked in (
        ("filter", place, '{"semantic": {"query": "dog", "best": 1}}'),
        ("doctor", place),
    ):
        told = run(*asked)
        assert told.exit_code == 1
        assert "holds vectors that are no numbers" in told.output


def test_the_doctor_names_where_an_embedder_that_is_not_trusted_sends(place: Path) -> None:
    made = CorpusLayout(place).generation()
    assert made is not None
    facts = {"name": "openai:small", "base_url": "http://127.0.0.1:9/v1"}
    (made.embedder / FACTS).write_text(json.dumps(facts))
    save_sums(made.root, sealed_files=("manifest.json", "files.arrow"))
    told = run("doctor", place)
    assert told.exit_code == 1
    assert "embeds by 'openai:small' at 'http://127.0.0.1:9/v1'" in told.stdout
