"""No control character, forged line or formula gets from names, texts or replies to a terminal."""

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from graphs.apps.safe_console import SafeConsole
from tests.fake_provider.replies import Reply, completion
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import Run
from tests.integration.reader import Body, read
from tools.corpus.build import build

PLANT = "\x1b]0;owned\x07\x9b31m\u202e\x7f\r"
FORGED = "\n42 leases (forged)"
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
Q = "How many leases allow the tenant to keep a pet?"
TOLD = {"why", "summary", "label", "entity", "restated", "problem", "reason", "question"}
Flags = tuple[str, ...]


def planted(value: Any, key: str = "") -> Any:
    """Return a reply with something planted in each text that is told."""
    if isinstance(value, dict):
        return {name: planted(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [planted(each, key) for each in value]
    return f"{value}{PLANT}{FORGED}" if key in TOLD and isinstance(value, str) else value


def evil(text: str, body: Body) -> Reply:
    """Reply as the careful reader does, and plant."""
    told = json.loads(read(text, body).body)["choices"][0]["message"]
    if told.get("tool_calls"):
        return read(text, body)
    return completion(json.dumps(planted(json.loads(told["content"]))))


@pytest.fixture(scope="module")
def _evil_corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("planted")
    (folder / "texts").mkdir()
    for number in range(6):
        name = f"=lease {number}{PLANT}{FORGED}.txt"
        (folder / "texts" / name).write_text(
            f"Status: open{PLANT}\nOwner{PLANT}: Ann{number}{PLANT}\n\n"
            f"The tenant may keep one dog or one cat in the flat.{PLANT}\n"
            + "The flat has a balcony and a cellar. "
            * 60
        )
    (folder / "texts" / f"bad{PLANT}{FORGED}.pdf").write_bytes(b"%PDF-1.4 no")
    build([folder / "texts"], folder / "evil.corpus")
    return folder


@pytest.fixture
def evil_corpus(_evil_corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(_evil_corpus, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy" / "evil.corpus"


COMMANDS: dict[str, tuple[str, ...]] = {
    "index": ("index", "texts", "--into", "other.corpus"),
    "filter": ("filter", "CORPUS", '{"keywords": {"words": ["dog"]}}'),
    "filter-json": ("filter", "CORPUS", '{"keywords": {"words": ["dog"]}}', "--json"),
    "doctor": ("doctor", "CORPUS"),
    "ask": ("ask", "CORPUS", Q, "MODEL", "--verbose"),
    "ask-json": ("ask", "CORPUS", Q, "--json", "MODEL"),
    "fields": ("ask", "CORPUS", f"How many documents have owner Ann1{PLANT}?"),
    "lexical": ("ask", "CORPUS", "List the documents that mention dog."),
    "readings": ("readings", "CORPUS", "What may a tenant keep?", "MODEL"),
    "analyse": ("analyse", "CORPUS", "What is the average owner?", "MODEL"),
    "chat": ("chat", "CORPUS", "MODEL"),
    "induce": ("records", "induce", "CORPUS", "MODEL"),
    "show": ("records", "show", "CORPUS"),
    "runs": ("runs", "CORPUS"),
    "report": ("report", "CORPUS", "--chunk", "0"),
    "report-json": ("report", "CORPUS", "--json"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_planted_steers_the_terminal_or_forges_a_line(
    command: str, evil_corpus: Path, run: Run, model: Flags, provider: FakeProvider
) -> None:
    provider.answer = evil
    if command in {"readings", "analyse"}:
        told = json.dumps({"error": {"message": f"no such model{PLANT}{FORGED}"}}).encode()
        provider.script = [Reply(body=told, status=404)] * 20
    (evil_corpus / "records").mkdir()
    schema = f"kinds: {{lease: {{grain: document, description: {json.dumps('A' + PLANT)}, "
    schema += "attributes: {name: {type: text}}}}\n"
    (evil_corpus / "records" / "schema.yaml").write_text(schema)
    if command in {"runs", "report", "report-json"}:
        assert run("ask", evil_corpus, Q + PLANT, *model, "--on-ambiguity", "assume").exit_code == 0
    words: list[object] = []
    for word in COMMANDS[command]:
        words += model if word == "MODEL" else [evil_corpus if word == "CORPUS" else word]
    typed = f"{Q}\n/evidence 1\n/cost\n/x{PLANT}\n/export /no/{PLANT}\n" if "chat" in words else ""
    done = run(*words, input=typed)
    assert not STEERING.findall(done.output), done.output
    assert not [line for line in done.output.splitlines() if line.startswith(FORGED.strip())]
    assert not re.search(
        r"(?:^|\t)=lease", done.stdout if command == "lexical" else "", re.MULTILINE
    )
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "owned" in done.output or command in {"report-json", "induce"}, done.output


def test_progress_bars_pass_on_no_control_character() -> None:
    shown = SafeConsole(file=io.StringIO(), force_terminal=True, color_system=None)
    with Progress(console=shown) as bar:
        bar.add_task(f"reading {PLANT}", total=1)
    told = shown.file.getvalue()  # type: ignore[attr-defined]
    assert "�" in told
    assert not {"\x07", "\x9b", "\u202e", "\x7f"} & set(told)
    assert "\x1b]" not in told


def test_all_that_is_shown_goes_through_one_module() -> None:
    """A new command that writes by itself would not be in the table above."""
    raw = re.compile(r"sys\.std(?:out|err)\.write|typer\.echo|\.file\.write|\bprint\(|\bConsole\(")
    apps = Path(__file__).parents[3] / "graphs" / "apps"
    found = [
        f"{path.name}: {line.strip()}"
        for path in sorted(apps.glob("*.py"))
        if path.name not in {"terminal.py", "safe_console.py"}
        for line in path.read_text(encoding="utf-8").splitlines()
        if raw.search(line.replace("console.print(", "").replace("trace.print(", ""))
    ]
    allowed = re.compile(r"sys\.stderr\.write\(\"|json_schema|SafeConsole\(.*\)\.print\(")
    assert [line for line in found if not allowed.search(line)] == []
