"""`headcount ask` and `graphs.ask`: answers, clarifications, errors in a line, other clients."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from langchain_openai import ChatOpenAI
from pydantic import SecretStr

import graphs
from agent.answer import Answer
from agent.errors import SettingsError
from tests.built import built, write
from tests.fake_provider.clients import CLIENTS, own_client_at
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import ROOT, Flags, Q, refused, run, told_by
from tests.graphs.conftest import PETS
from tests.integration.reader import doubting, read
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.corpus import Corpus, open_corpus


def test_an_answer_is_told_on_stdout_and_its_trace_on_stderr(place: Path, model: Flags):
    done = run("ask", place, Q, *model)
    assert done.exit_code == 0
    assert done.stdout.startswith(f"{len(PETS)}\n")
    assert "lease-00\t" in done.stdout
    assert "judge:" not in done.stdout
    assert "keywords: words 'dog', 'cat'" in done.stderr
    assert "lease-00" not in done.stderr


def test_a_bare_chat_model_reads_from_python(
    place: Path, corpus: Corpus, model: Flags, provider: FakeProvider
):
    told = json.loads(run("ask", place, Q, "--json", *model).stdout)
    bare: Any = ChatOpenAI(model="fake", base_url=provider.url, api_key=SecretStr("key"))
    out = graphs.build_graph().invoke(
        {"question": Q}, context=graphs.Context(corpus=corpus, reasoner=bare)
    )
    assert out["answer"].value == told["value"]
    assert graphs.ask(place, Q, model=bare).value == told["value"]
    tool, *_ = graphs.agent_tools(place, model=bare)
    assert tool.invoke({"question": Q})["value"] == told["value"]
    assert graphs.ask(place, f"{Q} Now?", model=bare, max_calls=1).status == "partial"
    assert graphs.ask(place, Q, model=bare, max_usd=9, prices={"fake": (1, 1)}).cost.usd
    with pytest.raises(SettingsError, match="set temperature at the ChatOpenAI itself"):
        graphs.ask(place, Q, model=bare, temperature=1)
    with pytest.raises(SettingsError, match="A dict cannot read"):
        graphs.Context(corpus=corpus, reasoner={})  # type: ignore[arg-type]


def test_a_clarification_waits_and_a_reply_goes_on(
    place: Path, model: Flags, provider: FakeProvider
):
    provider.answer = doubting
    waits = run("ask", place, Q, "--json", *model)
    told = json.loads(waits.stdout)
    assert waits.exit_code == 3
    assert told["status"] == "needs_clarification"
    assert told["ambiguity"]["asked"][-1]["question"] == "Which animals?"
    command = f"headcount ask {place} --resume {told['run']} --model reader"
    assert command in waits.stderr
    wrong = run("ask", place, "--resume", told["run"], "--reply", "3", *model)
    assert wrong.exit_code == 3
    assert "there is no option 3" in wrong.stderr
    assert "1. How many leases allow a dog or a cat?" in wrong.stdout
    done = told_by("ask", place, "--resume", told["run"], "--reply", "2", *model)
    assert done["ambiguity"]["asked"][-1]["reply"] == "2"


@pytest.mark.parametrize(
    ("policy", "code"), [("ask", 3), ("assume", 0), ("branch", 0), ("fail", 1)]
)
def test_each_policy_on_ambiguity_has_its_outcome(
    policy: str, code: int, place: Path, model: Flags, provider: FakeProvider
):
    provider.answer = doubting
    told = told_by("ask", place, Q, "--on-ambiguity", policy, *model, code=code)
    assert len(told.get("readings", ())) == (2 if policy == "branch" else 0)
    assert ("error" in told) == (policy == "fail")
    if policy != "fail":
        assert Answer.model_validate(told).schema_version == 1
    if policy == "assume":
        assert "dog or a cat" in told["interpretation"]["assumptions"][-1]


def test_a_recorded_run_replays_without_its_server(
    place: Path, model: Flags, provider: FakeProvider, tmp_path: Path
):
    file = tmp_path / "run.jsonl"
    first = told_by("ask", place, Q, "--record", file, *model)
    provider.reset()
    again = told_by("ask", place, Q, "--model", f"recorded:{file}")
    assert again["entities"] == first["entities"]
    assert provider.calls == 0


@pytest.mark.parametrize(
    ("words", "what"),
    [
        ([], "give a question"),
        ([Q, "--resume", "x"], "a resumed run already has its question"),
        ([Q, "--reply", "1"], "name the run"),
        (["--resume", "x", "--estimate"], "cannot be used with --resume"),
        ([Q, "--on-ambiguity", "maybe"], "'maybe' is not one of"),
        ([Q, "--max-calls", "-1"], "greater than or equal to 0"),
        ([Q, "--nonsense"], "No such option"),
    ],
    ids=["no question", "two questions", "lone reply", "estimate", "policy", "calls", "flag"],
)
def test_contradictory_flags_are_usage_errors(words: list[str], what: str, place: Path):
    done = run("ask", place, *words)
    assert done.exit_code == 2
    assert what in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["leases.corpus", " "], "the question is empty"),
        (["leases.corpus", "Which leases in York annoyed?"], "cannot place “annoyed”"),
        (["nowhere", Q], "there is no corpus at 'nowhere'"),
        (["nowhere", Q, "--estimate"], "there is no corpus at 'nowhere'"),
        (["leases.corpus", "--resume", "beef"], "there is no run 'beef'"),
        (["leases.corpus", Q, "--model", "gpt"], "needs a key"),
        (["leases.corpus", Q, "--base-url", "here", "--model", "m"], "must begin with http"),
        (["leases.corpus", Q, "--model", "recorded:none"], "cannot be read"),
        (["leases.corpus", Q, "--model", "m", "--base-url", "http://127.0.0.1:1/v1"], "server"),
    ],
)
def test_an_error_is_one_line_that_says_what_to_do(
    words: list[str], what: str, place: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("HEADCOUNT_MAX_RETRIES", "0")
    assert what in refused("ask", *words, alone=True)


def test_a_folder_of_documents_in_a_corpus_place_is_told_how_to_index_it(place: Path):
    write(place.parent / "my papers", {"a.txt": "A dog."})
    told = refused("ask", "my papers", Q, alone=True)
    assert "`headcount index 'my papers' --into 'my papers.corpus'`" in told


def test_what_code_decides_is_not_told_as_ruled_out(place: Path):
    done = run("ask", place, "How many documents mention a dog?", "--json")
    answer = json.loads(done.stdout)
    assert "route:" not in done.stderr
    assert "decide: mention: words 'dog' (kept" in done.stderr
    shown = run("ask", place, "How many documents mention a dog?").stdout
    chunks = answer["coverage"]["chunks"]
    assert f"{chunks} chunks: decided by the words of every document\n" in shown
    told = run("report", answer["run"], "--chunk", "lease-01:9").stdout
    assert "decided by code: a field of the document, or its words" in told
    assert "ruled out" not in told
    assert run("report", answer["run"]).exit_code == 0
    page = Path(f"{answer['run']}.html").read_text(encoding="utf-8")
    assert "decided by code" in page
    assert "ruled out</span>" not in page


def test_a_changed_corpus_refuses_to_go_on(
    place: Path, model: Flags, provider: FakeProvider, tmp_path: Path
):
    provider.answer = doubting
    asked = told_by("ask", place, Q, *model, code=3)
    new = write(tmp_path / "new", {"lease.txt": "The tenant may keep a goldfish."})
    assert run("index", new, "--into", place).exit_code == 0
    done = refused("ask", place, "--resume", asked["run"], "--reply", "1", *model)
    assert "the corpus has changed" in done


_BUSY = """
import os, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore it
from graphs.search import condition_evaluator

def compute(*_):
    os.write(2, b"busy\\n")
    while True:
        pass

condition_evaluator.ConditionEvaluator.__init__ = compute
"""


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_computation_is_not_waited_for(stop: signal.Signals, place: Path):
    begun = f"{_BUSY}from graphs.apps.main import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", begun, "ask", str(place), "How many documents mention a dog?"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as child:
        assert "busy\n" in iter(child.stderr.readline, "")
        for _ in range(3):
            child.send_signal(stop)
            # One that comes just as the main thread begins to wait is seen with the next.
            with suppress(subprocess.TimeoutExpired):
                child.wait(5)
                break
        try:
            _, err = child.communicate(timeout=40)
        finally:
            child.kill()
    assert child.returncode == 130
    assert "resume with: headcount ask" in err.splitlines()[-1]


def test_no_redirect_takes_the_texts_elsewhere(
    place: Path, model: Flags, provider: FakeProvider
) -> None:
    away = {"Location": f"{provider.url}/elsewhere"}
    provider.script = [Reply(body=b"", status=307, headers=away)] * 9
    done = run("ask", place, Q, *model)
    assert (done.exit_code, provider.calls) == (1, 1)
    assert "307" in done.stderr


def test_files_that_could_not_be_read_are_named_beside_the_answer(tmp_path: Path) -> None:
    few = built({"a.txt": "A dog may be kept.", "scan.pdf": b"%PDF-1.4 no"}, tmp_path)
    told = told_by("ask", few.path, "How many documents mention a dog?")
    assert told["value"] == 1
    assert any("1 source could not be read" in each for each in told["warnings"])
    assert any("scan.pdf" in each for each in told["warnings"])


def test_a_quote_knows_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    pages = ("The rent is due.", "", "The tenant may keep a dog.")
    write(tmp_path / "docs", {"lease.pdf": pdf_of(*pages), "other.txt": "Here is a dog."})
    assert run("index", "docs", "--into", "a.corpus").exit_code == 0
    told = told_by("ask", "a.corpus", "Which documents mention a dog?")
    paged, plain = (each["evidence"][0] for each in told["entities"])
    assert paged["page"] == 3
    assert "page" not in plain
    text = open_corpus(tmp_path / "a.corpus").document_text(0)
    assert text[paged["start"] : paged["end"]] == paged["quote"]
    assert "p. 3: The tenant" in run("ask", "a.corpus", "Which documents mention a dog?").stdout
    assert run("export", told["run"], "a.md").exit_code == 0
    assert "(lease, page 3, characters" in (tmp_path / "a.md").read_text()


@pytest.mark.slow
@pytest.mark.parametrize("extra", CLIENTS)
def test_a_providers_own_client_answers_and_its_replies_are_kept(
    extra: str, place: Path, provider: FakeProvider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.answer = read
    flags = ("--max-calls", "99", "--max-usd", "9")
    prices = json.dumps({"ollama:qwen3:8b": [0, 0]} | {CLIENTS[extra][0]: [1, 2]})
    monkeypatch.setenv("HEADCOUNT_PRICES", prices)
    with own_client_at(provider, extra, monkeypatch) as model:
        estimate = told_by("ask", place, Q, "--model", model, "--estimate")
        assert (estimate["calls"][0] > 0, provider.calls) == (True, 0)
        told = told_by("ask", place, Q, "--model", model, *flags)
        calls = provider.calls
        assert calls == told["cost"]["model_calls"] > 2
        again = told_by("ask", place, Q, "--model", model, *flags)
    assert (again["value"], provider.calls) == (told["value"], calls)
    assert told["value"] == 5
    assert told["cost"]["usd"] > 0
