"""The command line: what it loads, what it refuses, and commands that need no question."""

import json
import shutil
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.built import write
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import ROOT, Flags, Q, refused, run, told_by
from tests.integration.reader import doubting, kind_of, read
from tests.tools.changed_by_hand import by_hand
from tests.tools.engines.shards import NEEDS_DAFT
from tools.records.record_store import RecordStore

UNION = '{"union": {"snapshots": ["a", "b"]}}'
LONG = f'{{"{"x" * 200_000}": {{}}}}'


def test_the_version_is_told():
    told = run("--version")
    assert told.exit_code == 0
    assert told.stdout == f"headcount {version('headcount')}\n"


HEAVY = {"langgraph", "langchain_core", "sklearn", "numpy", "polars", "chromadb", "openai"}
FIRST = HEAVY | {"pydantic", "agent.answer"}
LATE = {"jinja2", "langchain_openai", "openai", "pyarrow.compute", "genai_prices"}


@pytest.mark.parametrize(
    ("words", "heavy"),
    [
        ([], FIRST),
        (["--help"], FIRST),
        (["ask", "--help"], HEAVY),
        (["index", "--help"], HEAVY),
        (["ask", "PLACE", "Which leases mention a dog?", "--model", "lexical"], LATE),
    ],
    ids=lambda each: " ".join(each)[:12] if isinstance(each, list) else "",
)
def test_nothing_heavy_is_loaded_that_is_not_used(words: list[str], heavy: set[str], place: Path):
    code = (
        "import sys\nfrom graphs.apps.cli import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        f"print(sorted({heavy!r} & set(sys.modules)), file=sys.stderr)"
    )
    asked = [str(place) if each == "PLACE" else each for each in words]
    done = subprocess.run(
        [sys.executable, "-c", code, *asked], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout
    assert done.stderr.strip().splitlines()[-1] == "[]"


def test_tracing_is_off_unless_it_is_asked_for():
    code = (
        "import os\nfrom graphs.apps.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print(os.environ['LANGSMITH_TRACING'], os.environ['LANGCHAIN_TRACING_V2'])"
    )
    words, told = [sys.executable, "-c", code, "--help"], {"cwd": ROOT, "text": True}
    on = {"PATH": "", "LANGSMITH_TRACING": "true", "LANGCHAIN_TRACING_V2": "true"}
    for wish, value in (("0", "false false"), ("1", "true true")):
        out = subprocess.check_output(words, env=on | {"HEADCOUNT_TRACING": wish}, **told)
        assert out.splitlines()[-1] == value


def test_indexing_says_what_it_did_and_lists_what_it_could_not_read(tmp_path: Path):
    docs = write(tmp_path / "docs", {"a.txt": "The tenant may keep a dog."})
    (docs / "b.pdf").write_bytes(b"no pdf")
    into = tmp_path / "x.corpus"
    first = run("index", docs, "--into", into)
    assert first.exit_code == 0
    assert "1 document, 1 chunk; 1 added, 1 not readable" in first.stdout
    assert "not read: b.pdf: " in first.stdout
    assert first.stderr == ""
    (docs / "a.txt").write_text("The tenant may keep a cat.", encoding="utf-8")
    assert "1 updated" in run("index", docs, "--into", into).stdout
    assert "1 unchanged" in run("index", docs, "--into", into).stdout
    examined = run("doctor", into)
    assert examined.exit_code == 0
    assert "not read: b.pdf: " in examined.stdout


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["filter", "leases.corpus", "pet"], "is not a filter call"),
        (["filter", "leases.corpus", UNION], "there is no filter 'union'; there are: metadata, "),
        (["filter", "leases.corpus", "[" * 200_000], f"'{'[' * 160}…' is not a filter call"),
        (["filter", "leases.corpus", LONG], f"no filter '{'x' * 160}…'; there are: "),
        (["filter", "leases.corpus", '{"exact": {"phrase": "x"}}', "--cluster", "a"], "no shards"),
        (["ask", "s3://b/x", "How many pets?"], "is a corpus of shards"),
        (["index", "nowhere", "--into", "x.corpus"], "no file or folder 'nowhere'"),
        (["index", "leases.corpus", "--into", "full"], "not a corpus"),
        (["index", "full", "--into", "x.corpus", "--embedder", "foo"], "no embedder 'foo'"),
        (["index", "full", "--into", "x.corpus", "--chunk-tokens", "50", "--encoding", "zz"], "zz"),
        (["runs", "nowhere"], "no corpus"),
        (["report", "beef"], "no corpus below this folder has a run 'beef'"),
        (["report", "leases.corpus", "beef"], "there is no run 'beef'"),
        (["doctor", "nowhere"], "no corpus"),
        (["chat", "nowhere"], "no corpus"),
    ],
    ids=lambda each: " ".join(each)[:60] if isinstance(each, list) else "",
)
def test_errors_are_one_line(words: list[str], what: str, place: Path, tmp_path: Path):
    write(tmp_path / "full", {"a.txt": "text"})
    assert what in refused(*words, alone=True)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        (["ask", "nowhere", "Q?"], "Q?"),
        (["analyse", "nowhere", "Q?"], "Q?"),
        (["review", "nowhere", "Q?"], "Q?"),
        (["review", "nowhere"], None),
        (["filter", "nowhere", "{}"], None),
        (["records", "fill", "nowhere"], None),
        (["records", "fill", "nowhere", "--estimate"], None),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_an_error_in_json_is_an_object_that_is_no_answer(words: list[str], question: str | None):
    done = run(*words, "--json")
    told = json.loads(done.stdout)
    assert done.exit_code == 1
    assert done.stderr == f"headcount: {told.pop('error')}\n"
    assert told == {"schema_version": 1, "question": question}


@pytest.mark.parametrize(
    ("name", "how", "said"),
    [
        ("runs/runs", "pages", "ask"),
        ("runs/checkpoints", "pages", "delete it"),
        ("runs/responses", "pages", "delete it"),
        ("records/records", "pages", "fill again"),
        ("records/records", "pragma user_version = 99", "newer Headcount"),
        ("records/records", "insert into _failures values (1, 'gone', '{}')", "fill again"),
    ],
)
def test_the_doctor_looks_at_every_database(
    name: str, how: str, said: str, place: Path, model: Flags
):
    assert run("ask", place, Q, *model).exit_code == 0
    with closing(RecordStore(place / "records" / "records.sqlite")) as store:
        store.schema()
    assert run("doctor", place).exit_code == 0
    file = place / f"{name}.sqlite"
    with by_hand(file) as connection:
        connection.execute("pragma wal_checkpoint(truncate)" if how == "pages" else how)
    if how == "pages":
        whole = file.read_bytes()
        file.write_bytes(whole[:5000] + b"\x07" * (len(whole) - 5000))
    done = run("doctor", place)
    (problem,) = [line for line in done.stdout.splitlines() if line.startswith("problem: ")]
    assert (done.exit_code, str(file) in problem, said in problem) == (1, True, True), problem


def test_a_report_is_written_over_nothing_and_through_no_link(place: Path):
    found = told_by("ask", place, "How many documents mention a dog?")
    page, mine = Path(f"{found['run']}.html"), Path("mine.txt")
    mine.write_text("precious")
    page.symlink_to(mine)
    done = run("report", found["run"])
    assert (done.exit_code, "exists already" in done.stderr) == (1, True)
    assert run("report", found["run"], "--force").exit_code == 0
    assert "<html" in page.read_text(encoding="utf-8")
    assert page.is_symlink() is False
    assert mine.read_text() == "precious"


def test_a_run_that_two_corpora_have_is_taken_from_neither(place: Path, model: Flags):
    told = told_by("ask", place, Q, *model)
    shutil.copytree(place, "copy.corpus")
    done = run("report", told["run"])
    assert done.exit_code == 1
    assert f"'copy.corpus' and {place.name!r} have a run" in done.stderr
    assert run("report", place, told["run"]).exit_code == 0


@pytest.mark.parametrize("status", ["branch", "waiting", "unfinished"])
def test_reports_of_every_kind_of_run(
    status: str, place: Path, model: Flags, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_MAX_RETRIES", "0")
    words: list[object] = ["ask", place, Q]
    if status in {"branch", "waiting"}:
        provider.answer = doubting
        words += ["--on-ambiguity", "branch" if status == "branch" else "ask"]
    if status == "unfinished":
        provider.answer = lambda text, body: (
            "401" if kind_of(body) == "classify" else read(text, body)
        )
    run(*words, *model)
    name = min(line.split("\t")[0] for line in run("runs", place).stdout.splitlines())
    done = run("report", place, name)
    assert done.exit_code == 0, done.stderr
    text = Path(f"{name}.html").read_text(encoding="utf-8")
    said = {
        "branch": "The question has 2 interpretations",
        "waiting": "no reply yet",
        "unfinished": "nothing was searched yet",
    }
    assert said[status] in text


def test_an_estimate_spends_nothing_and_money_is_told_with_whose_prices_it_is_counted_by(
    place: Path, model: Flags, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_PRICES", '{"reader": [1.0, 2.0]}')
    told = told_by("ask", place, Q, "--estimate", *model)
    assert told["model"] == "reader"
    assert 0 < told["calls"][0] <= told["calls"][1]
    assert 0 < told["usd"][0] <= told["usd"][1]
    assert provider.calls == 0
    assert "calls" in run("ask", place, Q, "--estimate", *model).stdout
    assert run("runs", place).stdout == "no runs yet\n"
    listed = run("ask", place, Q, "--estimate", "--model", "gpt-4o-mini").stdout
    assert "(prices of genai-prices " in listed
    unknown = run("ask", place, Q, "--estimate", *model[2:], "--model", "gpt-4o-mini").stdout
    assert "the model's price is unknown" in unknown

    monkeypatch.setenv("HEADCOUNT_PRICES_OF", "2026-11-02")
    told = told_by("ask", place, Q, "--on-ambiguity", "branch", *model)
    assert told["cost"]["usd"] > 0
    assert told["warnings"].count("dollars are counted by the prices of 2026-11-02") == 1


PETS = '{"keywords": {"words": ["pet", "pets"]}}'
DOGS = '{"keywords": {"words": ["dog", "cat"]}}'
CATS = '{"regex": {"pattern": "\\\\bcats?\\\\b"}}'


def test_filters_narrow_one_after_the_other(place: Path):
    one, both = (
        told_by("filter", place, *calls, "--show", 1000) for calls in ((DOGS,), (DOGS, CATS))
    )
    assert one["chunks"] > one["kept"] >= both["kept"] > 0
    assert len(both["passages"]) == both["kept"]
    assert all("cat" in each["text"].lower() for each in both["passages"])


def test_shards_show_what_a_corpus_without_shows(place: Path, tmp_path: Path):
    pytest.importorskip("daft", reason=NEEDS_DAFT)
    texts = {"a.txt": "A pet is allowed.", "b/c.txt": "No pets.\n\nÉté: a pet may stay."}
    write(tmp_path / "texts", texts)
    for into, *flags in (("near.corpus",), ("far.shards", "--engine", "daft")):
        done = run("index", tmp_path / "texts", "--into", into, *flags)
        assert done.exit_code == 0, done.output
    again = run("index", tmp_path / "texts", "--into", "far.shards")
    assert "2 documents" in again.stdout
    assert "0 of them made" in again.stdout
    near, far = (run("filter", place, PETS).stdout for place in ("near.corpus", "far.shards"))
    assert near.rpartition(" (")[0] == far.rpartition(" (")[0]
    assert "b/c:0-" in far
