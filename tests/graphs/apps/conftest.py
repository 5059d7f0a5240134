"""The leases as a corpus on disk, and a way to run commands over it in this process."""

import gc
import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from agent.question import Condition
from graphs.apps.cli import app
from tests.dev_server import DevServer, dev_server
from tests.fake_provider.server import FakeProvider, running_provider
from tests.graphs.conftest import INTERPRETED
from tests.graphs.leaving_out import LEFT_OUT, left_out
from tests.integration.reader import kind_of, passages_in, prompt_of, read
from tools.corpus.corpus import Corpus, open_corpus
from tools.runs.reviews import Reviewed, Reviews

Flags = tuple[str, ...]
ROOT = Path(__file__).parents[3]
PROGRAM = [
    *(sys.executable, "-c"),
    f"import sys; sys.path.insert(0, {str(ROOT)!r}); from graphs.apps.main import main; main()",
]
"""Begins the command line in a process of its own, in whatever folder."""
Q = str(INTERPRETED["restated"])


@pytest.fixture
def place(_built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A corpus in a folder of its own, which is the working directory.

    It is so small that reading it at once would be cheaper; here it is filtered. The model is asked
    about every question, clear or not.
    """
    copy = tmp_path / "leases.corpus"
    shutil.copytree(_built, copy)
    monkeypatch.chdir(tmp_path)
    with left_out({LEFT_OUT: "scan"}):
        yield copy


@pytest.fixture
def corpus(place: Path) -> Corpus:
    return open_corpus(place)


def run(*words: object, **options: str) -> Result:
    """Run a command and return its result, stdout and stderr apart."""
    return CliRunner().invoke(app, [str(word) for word in words], **options)


def told_by(*words: object, code: int = 0, **options: str) -> dict[str, Any]:
    """Run a command that ends so; return what it tells in JSON."""
    done = run(*words, "--json", **options)
    assert done.exit_code == code, done.output
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def refused(*words: object, alone: bool = False, **options: str) -> str:
    """Run a command that has to fail; return the line that says why, before it a trace or none."""
    done = run(*words, **options)
    assert (done.exit_code, type(done.exception)) == (1, SystemExit), done.output
    *trace, line = done.stderr.splitlines()
    assert line.startswith("headcount: ")
    assert not (alone and (trace or done.stdout))
    return line


def overrule(told: dict[str, Any], place: Path, item: int, note: str = "") -> str:
    """Have a person say no to the first proof of an item; return its document."""
    corpus, quote = open_corpus(place), told["entities"][item]["evidence"][0]
    condition = Condition.model_validate(told["interpretation"]["conditions"])
    where = {"document": quote["document"], "start": 0, "condition": condition.text, "question": Q}
    verdict = Reviewed(**where, judgement="no", note=note, who="ann", made="now")
    number = corpus.document_index(quote["document"])
    with Reviews(corpus.runs) as reviews:
        for chunk in corpus.chunks_at(number, quote["start"], quote["end"]):
            reviews.put(corpus, chunk, verdict)
    return str(quote["document"])


def judged(provider: FakeProvider) -> list[str]:
    """Return the passages that were judged since the last look, and forget the requests."""
    bodies = [each for each in provider.requests if kind_of(each) == "judge"]
    provider.requests.clear()
    return [text for body in bodies for text in passages_in(prompt_of(body)).values()]


def make_read_only(place: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a corpus say that it cannot be written; to root everything can be.

    What earlier commands of this process left open is closed first: SQLite then writes to it.
    """
    gc.collect()
    access = os.access

    def allowed(path: Path, mode: int) -> bool:
        return access(path, mode) and not (mode == os.W_OK and place in (path, *path.parents))

    monkeypatch.setenv("XDG_STATE_HOME", str(state))
    monkeypatch.setattr(os, "access", allowed)


@pytest.fixture
def model(provider: FakeProvider) -> Flags:
    """The flags that name a careful reader behind the fake provider."""
    provider.answer = read
    return ("--model", "reader", "--base-url", provider.url)


@pytest.fixture(scope="module")
def reader() -> Iterator[FakeProvider]:
    """The provider of the development server."""
    with running_provider() as provider:
        yield provider


@pytest.fixture(scope="module")
def server(
    reader: FakeProvider, _built: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DevServer]:
    """LangGraph's development server, beside a corpus."""
    folder = tmp_path_factory.mktemp("dev")
    shutil.copytree(_built, folder / "leases.corpus")
    with dev_server(folder, HEADCOUNT_BASE_URL=reader.url) as served:
        yield served


@pytest.fixture
def asked(place: Path, model: Flags) -> dict[str, Any]:
    """The answer to the question, by the careful reader."""
    return told_by("ask", place, Q, *model)
