"""What a stranger hands over writes, sends and forges nothing; what is made is the owner's."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphs.apps.web.corpus_folder import CorpusFolder
from tests.built import write
from tests.fake_provider.replies import Reply, completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import PROGRAM, ROOT, Flags, Q, make_read_only, refused, run
from tests.integration.reader import QUOTE, Body, doubting, read
from tests.tools.changed_by_hand import by_hand
from tools.corpus import corpus as corpora
from tools.corpus.build import build
from tools.corpus.checksums import save_sums
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.generations import CorpusLayout, Generation


def around(place: Path) -> set[Path]:
    """Return what lies beside a corpus and above it; not what other tests' threads still write."""
    above = (each for each in place.parent.parent.iterdir() if not each.name.startswith("test_"))
    return {*place.parent.rglob("*"), *place.parent.parent.rglob("*PWNED*"), *above}


def generation_of(place: Path) -> Generation:
    made = CorpusLayout(place).generation()
    assert made is not None
    return made


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
    own, foreign = map(generation_of, (place, other.with_suffix(".corpus")))
    shutil.rmtree(own.root)
    shutil.copytree(foreign.root, own.root)
    assert "its index is that of other documents" in refused("ask", place, Q)


@pytest.mark.parametrize("name", ["CURRENT", "manifest.json", "sums.json", "documents.text", "id"])
@pytest.mark.parametrize("how", ["sparse", "pipe"])
def test_an_endless_file_is_one_line(name: str, how: str, place: Path) -> None:
    made = generation_of(place)
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
    made = generation_of(place)
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
    made = generation_of(place)
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


CALL = '{"semantic": {"query": "a pet", "best": 3}}'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "headcount"


def test_a_corpus_sends_no_question_before_it_is_trusted(
    place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch, home: Path
) -> None:
    made = generation_of(place)
    saved = {"name": "openai:x", "dimensions": 8, "base_url": provider.url}
    (made.embedder / FACTS).write_text(json.dumps(saved))
    save_sums(made.root, sealed_files=(made.files.name, made.manifest.name))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    told = refused("filter", place, CALL)
    assert provider.url in told
    assert "headcount trust" in told
    examined = run("doctor", place)
    assert (examined.exit_code, provider.embedded) == (1, [])
    assert f"embeds by 'openai:x' at '{provider.url}'" in examined.stdout
    assert provider.url in run("trust", place).stdout
    assert (home / "trusted.json").stat().st_mode & 0o777 == 0o600
    assert "OPENAI_BASE_URL" in run("filter", place, CALL).stderr
    assert not provider.embedded
    monkeypatch.setenv("OPENAI_BASE_URL", provider.url)
    run("filter", place, CALL)
    assert provider.embedded


@pytest.mark.parametrize("said", [f"a = {'[' * 100_000}", f"max_usd = {'9' * 5_000}"])
@pytest.mark.parametrize("words", [("ask", "How many leases?"), ("trust",)])
def test_settings_that_no_parser_takes_are_one_line(
    said: str, words: tuple[str, ...], place: Path
) -> None:
    (place.parent / "headcount.toml").write_text(said)
    told = refused(words[0], "." if words[0] == "trust" else place, *words[1:])
    assert "headcount.toml cannot be read" in told


def test_a_folder_is_trusted_with_what_it_says(place: Path, provider: FakeProvider):
    settings = place.parent / "headcount.toml"
    settings.write_text(f'model = "x"\nbase_url = "{provider.url}"\n')
    assert "headcount trust" in run("ask", place, "How many leases?").stderr
    assert f"model = 'x', base_url = '{provider.url}'" in run("trust", ".").stdout
    run("ask", place, "How many leases?")
    assert provider.calls


@pytest.mark.slow
def test_only_the_owner_may_read_what_is_made(tmp_path: Path) -> None:
    write(tmp_path / "texts", {"a.txt": QUOTE})
    made = tmp_path / "made"
    made.mkdir()
    for words in (
        ("index", "../texts", "--into", "x.corpus"),
        ("ask", "x.corpus", "How many documents mention dog?"),
        ("report", "x.corpus"),
    ):
        subprocess.run([*PROGRAM, *words], cwd=made, check=True)
    assert list(made.glob("*.html"))
    assert {oct(path.stat().st_mode) for path in made.rglob("*")} == {"0o40700", "0o100600"}


@pytest.mark.slow
def test_a_read_only_corpus_is_asked_and_its_runs_lie_with_the_person(
    place: Path, model: Flags, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_read_only(place, tmp_path / "state", monkeypatch)
    before = {path: path.stat().st_mtime_ns for path in place.rglob("*")}
    asked = run("ask", place, Q, *model, "--on-ambiguity", "assume")
    assert asked.exit_code == 0, asked.output
    kept = tmp_path / "state" / "headcount" / "runs"
    assert list(kept.glob("*/runs.sqlite"))
    assert Q in run("runs", place).stdout
    assert run("report", place).exit_code == 0
    assert {path: path.stat().st_mtime_ns for path in place.rglob("*")} == before


@pytest.mark.slow
@pytest.mark.parametrize("command", ["ask", "analyse", "chat"])
def test_what_is_too_long_is_refused_in_one_line(
    command: str, place: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = doubting
    long = ("Which leases allow a dog and " * 35_000).strip()
    asked = [] if command == "chat" else [long]
    told = run(command, place, *asked, *model, input=f"{long}\n{Q}\n{long}\n1\n").output
    assert "the question has 1,014,999 characters, 10,000 at most" in told
    assert ("the reply has 1,014,999 characters" in told) == (command == "chat")
    assert len(told) < 10_000


@pytest.mark.slow
def test_a_file_that_may_not_be_read_is_not_called_damaged(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "documents.text")

    monkeypatch.setattr(corpora, "ChunkTable", refuse)
    told = refused("ask", place, Q)
    assert "Permission denied" in told
    assert "is damaged" not in told


PLANT = "\x1b]0;owned\x07\x9b31m\u202e\x7f\r"
FORGED = "\n42 leases (forged)"
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
TOLD = {"why", "summary", "label", "entity", "restated", "problem", "reason", "question"}


def planted(fields: dict[str, Any]) -> dict[str, Any]:
    """Plant something in each text that is told."""
    told = {name for name in TOLD & fields.keys() if isinstance(fields[name], str)}
    return fields | {name: f"{fields[name]}{PLANT}{FORGED}" for name in told}


def evil(text: str, body: Body) -> Reply:
    """Reply as the careful reader does, and plant."""
    reply = read(text, body)
    told = json.loads(reply.body)["choices"][0]["message"]["content"]
    return completion(json.dumps(json.loads(told, object_hook=planted))) if told else reply


@pytest.fixture
def evil_corpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = f"Owner{PLANT}: Ann{PLANT}\n\n{QUOTE}{PLANT}\n" + "The flat has a cellar. " * 60
    leases = {f"=lease {number}{PLANT}{FORGED}.txt": text for number in range(3)}
    write(Path("texts"), {**leases, f"bad{PLANT}{FORGED}.pdf": b"%PDF-1.4 no"})
    own = [{"name": "name", "type": "text"}]
    kind = {"name": "lease", "description": PLANT, "attributes": own}
    build(["texts"], "evil.corpus")
    write(Path("evil.corpus/records"), {"schema.json": json.dumps({"kinds": [kind]})})
    return tmp_path / "evil.corpus"


COMMANDS: dict[str, tuple[str, ...]] = {
    "index": ("index", "texts", "--into", "other.corpus"),
    "filter": ("filter", "CORPUS", '{"keywords": {"words": ["dog"]}}'),
    "doctor": ("doctor", "CORPUS"),
    "ask": ("ask", "CORPUS", Q, "MODEL"),
    "ask-json": ("ask", "CORPUS", Q, "--json", "MODEL"),
    "lexical": ("ask", "CORPUS", "List the documents that mention dog."),
    "analyse": ("analyse", "CORPUS", "What is the average owner?", "MODEL"),
    "chat": ("chat", "CORPUS", "MODEL"),
    "review": ("review", "CORPUS", f"{Q}{PLANT}"),
    "induce": ("records", "induce", "CORPUS", "MODEL"),
    "show": ("records", "show", "CORPUS"),
    "runs": ("runs", "CORPUS"),
    "report": ("report", "CORPUS", "--chunk", "0"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_planted_steers_the_terminal_or_forges_a_line(
    command: str, evil_corpus: Path, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = evil
    if command == "analyse":
        told = json.dumps({"error": {"message": f"no such model{PLANT}{FORGED}"}}).encode()
        provider.script = [Reply(body=told, status=404)] * 20
    if command in {"runs", "report"}:
        assert run("ask", evil_corpus, Q + PLANT, *model, "--on-ambiguity", "assume").exit_code == 0
    words = [evil_corpus if word == "CORPUS" else word for word in COMMANDS[command]]
    words[-1:] = model if words[-1] == "MODEL" else words[-1:]
    typed = f"{Q}\n/evidence 1\n/x{PLANT}\n" if "chat" in words else ""
    typed = f"t{PLANT}{FORGED}\nyny" if "review" in words else typed
    done = run(*words, input=typed)
    assert not STEERING.findall(done.output), done.output
    assert not [line for line in done.output.splitlines() if line.startswith(FORGED.strip())]
    assert not re.search(
        r"(?:^|\t)=lease", done.stdout if command == "lexical" else "", re.MULTILINE
    )
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "owned" in done.output or command == "induce", done.output


def test_all_that_is_shown_goes_through_one_module() -> None:
    """A new command that writes by itself would not be in the table above."""
    raw = re.compile(
        r"sys\.std\w+\.write\((?!\")|typer\.echo\((?!json)|\.file\.write|[^e.]\bprint\("
    )
    apps = ROOT / "graphs" / "apps"
    texts = {path.name: path.read_text(encoding="utf-8") for path in apps.glob("*.py")}
    assert [name for name, text in texts.items() if raw.search(text)] == ["terminal.py"]
