"""No control character, forged line or formula gets from names, texts or replies to a terminal."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.fake_provider.replies import Reply, completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import ROOT, Flags, Q, run
from tests.integration.reader import QUOTE, Body, read
from tools.corpus.build import build

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
    Path("texts").mkdir()
    for number in range(3):
        Path(f"texts/=lease {number}{PLANT}{FORGED}.txt").write_text(text)
    Path(f"texts/bad{PLANT}{FORGED}.pdf").write_bytes(b"%PDF-1.4 no")
    own = [{"name": "name", "type": "text"}]
    kind = {"name": "lease", "description": PLANT, "attributes": own}
    build(["texts"], "evil.corpus")
    Path("evil.corpus/records").mkdir()
    Path("evil.corpus/records/schema.json").write_text(json.dumps({"kinds": [kind]}))
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
    typed = f"{Q}\n/evidence 1\n/x{PLANT}\n/export /no/{PLANT}\n" if "chat" in words else ""
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
