"""Each group tells what both sides took for the same, and refuses to time what differs."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from typer.testing import CliRunner

from agent.errors import CorpusMissing, SettingsError
from evals.benchmarks.__main__ import app
from evals.benchmarks.figures import Unequal
from evals.benchmarks.filter_speed import scanning
from evals.benchmarks.overhead import NodeTime
from evals.benchmarks.real_text import Sized, gather
from evals.benchmarks.suite import GROUPS, Setting, chosen, run_group
from evals.benchmarks.timed_processes import Taken
from tools.corpus.build import build
from tools.corpus.corpus import open_corpus
from tools.filters.local_engine import LocalEngine

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
TAKEN = Taken(result=60.0, cpu=90.0, peak_mb=500.0)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> Sized:
    place = tmp_path_factory.mktemp("text")
    folder, corpus = place / "text", place / "text.corpus"
    folder.mkdir()
    gather([ROOT / "docs"], folder, 150_000)
    build([folder], corpus)
    return Sized(folder, corpus, TAKEN)


@pytest.fixture
def setting(text: Sized, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setting:
    """A setting whose path is an empty folder, so that there is no ripgrep."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return Setting(place=tmp_path, rounds=1, large=text, small=text)


def test_every_group_has_figures_of_ours_and_of_the_named_peer(setting: Setting) -> None:
    rows = [row for name in GROUPS for row in run_group(name, setting)]
    assert all(row.ours.value >= 0 for row in rows)
    told = {row.what: row for row in rows}
    ranked = told["BM25 of all chunks, a query"]
    assert ranked.peer.name == "rank_bm25.BM25Okapi"
    assert "identical order" in ranked.note
    assert "no `rg` on the path" in told["regex filter of all chunks"].note
    (near,) = (row for what, row in told.items() if what.endswith("nearest of all chunks"))
    assert "recall ours 1.000" in near.note
    assert told["a model call at 0 ms latency"].peer.name == "openai client"
    step = next(row for row in rows if row.unit == "kB")
    texts: list[str] = setting.corpus.texts.to_list()
    assert step.peer.value * 1000 > sum(map(len, texts)) / 2
    assert step.met


def test_what_finds_something_else_is_not_timed(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = open_corpus(setting.large.corpus)
    monkeypatch.setattr(LocalEngine, "keep", lambda engine, predicate, snapshot: snapshot)
    with pytest.raises(Unequal, match="Python and the filter differ"):
        scanning(corpus, setting.place, 1)


def test_the_command_measures_and_shows_a_table() -> None:
    text = str(ROOT / "tools")
    given = ["--chunks", "200", "--rounds", "1", "--only", "indexing", "--text", text]
    done = CliRunner().invoke(app, given)
    assert done.exit_code == 0, done.output
    assert sum("index the text" in line for line in done.stdout.splitlines()) == 2


def test_a_group_that_cannot_run_or_is_not_there_says_why(setting: Setting) -> None:
    elsewhere = replace(setting, large=replace(setting.large, corpus=setting.place))
    with pytest.raises(CorpusMissing, match="there is no corpus at"):
        run_group("ranking", elsewhere)
    with pytest.raises(SettingsError, match="no group 'nothing' here"):
        chosen(["ranking", "nothing"])


def test_the_time_of_nodes_is_not_that_of_the_graph() -> None:
    nodes = NodeTime()

    def run() -> None:
        given: dict[str, Any] = {"run_id": uuid4(), "metadata": {"langgraph_node": "n"}}
        nodes.on_chain_start({}, {}, name="n", **given)
        nodes.on_chain_start({}, {}, name="inside", **(given | {"run_id": uuid4()}))
        nodes.on_chain_end({}, run_id=given["run_id"])

    assert nodes.aside(run) > 0
    (inside,) = nodes.runs
    assert inside > 0
