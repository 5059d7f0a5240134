import json
from pathlib import Path

import pytest

from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Run
from tests.graphs.renewals import QUESTION, SENSES, build_renewals
from tests.integration.careful import asked_for, careful
from tests.scripted import ScriptedReasoner

Flags = tuple[str, ...]


@pytest.fixture
def handbook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return build_renewals(tmp_path).path


@pytest.fixture
def reader(provider: FakeProvider) -> Flags:
    provider.answer = careful
    return ("--model", "reader", "--base-url", provider.url)


def test_every_reading_is_printed_with_its_answer_and_its_quotes(
    handbook: Path, run: Run, reader: Flags
):
    done = run("readings", handbook, QUESTION, *reader)
    assert done.exit_code == 0
    assert done.stdout.startswith("3 interpretations, 3 answered\n")
    for sense, rule in SENSES.items():
        assert f"What is the policy on {sense} renewal?" in done.stdout
        assert f"“{rule}” ({sense}-" in done.stdout
    assert "whereas" in done.stdout
    assert "decompose: 3 clusters near the question" in done.stderr
    assert "decompose:" not in done.stdout


def test_json_is_all_there_is_on_stdout(handbook: Path, run: Run, reader: Flags):
    done = run("readings", handbook, QUESTION, "--json", *reader)
    told = json.loads(done.stdout)
    assert told["status"] == "answered"
    assert {each["evidence"][0]["quote"] for each in told["readings"]} == set(SENSES.values())
    assert told["cost"]["model_calls"] == 7


@pytest.mark.parametrize("command", ["readings", "analyse"])
def test_a_reader_that_cannot_write_is_one_line_that_names_what_can(
    command: str, handbook: Path, run: Run, monkeypatch: pytest.MonkeyPatch
):
    judge = ScriptedReasoner({}, abilities=frozenset({"judge"}))
    monkeypatch.setattr("agent.reasoners.select_reasoner", lambda *_, **__: judge)
    done = run(command, handbook, QUESTION)
    assert (done.exit_code, done.stdout) == (1, "")
    assert "name a model with --model" in done.stderr


def test_a_limit_is_exit_code_4(handbook: Path, run: Run, reader: Flags):
    done = run("readings", handbook, QUESTION, "--max-calls", 4, *reader)
    assert done.exit_code == 4
    assert "(partial)" in done.stdout
    assert "note: a limit was reached: " in done.stdout
    assert "the passages do not answer it" not in done.stdout


@pytest.mark.parametrize(("kind", "code"), [("hypothesise", 5), ("synthesise", 1)])
def test_failed_requests_are_listed_and_tell_by_the_exit_code(
    kind: str,
    code: int,
    handbook: Path,
    run: Run,
    reader: Flags,
    provider: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("HEADCOUNT_MAX_RETRIES", "0")
    provider.answer = lambda text, body: "500" if asked_for(body) == kind else careful(text, body)
    done = run("readings", handbook, QUESTION, *reader)
    assert done.exit_code == code
    assert f"failed: {kind}" in done.stdout


def test_a_dead_server_is_one_line_that_says_to_ask_again(
    handbook: Path,
    run: Run,
    reader: Flags,
    provider: FakeProvider,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("HEADCOUNT_MAX_RETRIES", "0")
    provider.answer = lambda text, body: "500"
    command = ("readings", handbook, QUESTION, "--form", "short", *reader)
    done = run(*command)
    assert done.exit_code == 1
    line = done.stderr.splitlines()[-1]
    assert line.startswith("headcount: 4 requests failed, the last with: ProviderUnavailable")
    assert line.endswith("run the same command again: replies that came cost nothing again")
    provider.answer = careful
    again = run(*command)
    assert again.exit_code == 0
    assert again.stdout.startswith("3 interpretations, 3 answered\n")


def test_ctrl_c_is_130_and_says_how_to_go_on(
    handbook: Path, run: Run, reader: Flags, monkeypatch: pytest.MonkeyPatch
):
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("graphs.apps.every_reading._answered", interrupted)
    done = run("readings", handbook, QUESTION, *reader)
    assert done.exit_code == 130
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("interrupted; run the same command again")
