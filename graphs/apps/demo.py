"""`headcount demo`: questions about the READMEs of the installed packages; no key, no network."""

import shlex
from email import message_from_string
from importlib.metadata import distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from agent.errors import CorpusError
from graphs.apps.answer_view import show
from graphs.apps.index import progress_bar, summary
from graphs.apps.terminal import say
from graphs.apps.trace import print_event
from graphs.context import Context, new_run_id
from graphs.sessions import Session
from tools.corpus.build import build
from tools.corpus.corpus import open_corpus

QUESTIONS = (
    'How many packages have the license "MIT"?',
    "Which packages mention asyncio?",
    'How many packages with the license "MIT" mention Windows?',
    "Which packages help people to test their software?",
)
"""The last one is about meaning: without a model it has candidates, which nobody has read."""
_ROWS = 5
_FIELDS = ("Name", "Version", "Summary", "Author", "Requires-Python", "Keywords")
_LONGEST_LICENCE = 60
"""Some packages put the licence's whole text in its field; that is no name."""


def run_demo(into: Path) -> None:
    """Index the packages' READMEs, in a folder that names their kind, and answer the questions."""
    console = Console(highlight=False)
    with TemporaryDirectory() as folder:
        packages = Path(folder) / "packages"
        packages.mkdir()
        count = write_readmes(packages)
        say(console, f"indexing the README texts of {count} installed packages …")
        into.parent.mkdir(parents=True, exist_ok=True)
        with progress_bar() as advance:
            report = build([Path(folder)], into, progress=advance)
    say(console, summary(into, report))
    with Session(Context(corpus=open_corpus(into))) as session:
        runs = [_answer(question, session, console) for question in QUESTIONS]
    place = shlex.quote(str(into))
    for line in (
        "",
        "Ask your own question, read in a model's place, chat, or open the answers in a browser:",
        f'  headcount ask {place} "Which packages mention …?"',
        f'  headcount review {place} "Which packages help people to …?"',
        f"  headcount chat {place}",
        f"  headcount report {place} {runs[0]}",
        f"  headcount serve {shlex.quote(str(into.parent))}",
    ):
        say(console, line)


def _answer(question: str, session: Session, console: Console) -> str:
    """Answer a question with its trace; return the run's id."""
    say(console, "")
    say(console, f"── {question}", style="bold")
    run = new_run_id()
    for event in session.start(question, run=run):
        print_event(event, console)
    show(session.outcome(run), console, rows=_ROWS)
    return run


def write_readmes(folder: Path) -> int:
    """Write each installed package's README below a header of its facts; return how many.

    Raises CorpusError: no installed package has one.
    """
    written = 0
    packages = {package.name.lower(): package for package in distributions()}
    for name, package in sorted(packages.items()):
        # The metadata are an e-mail message whose body is the README.
        metadata = message_from_string(package.read_text("METADATA") or "")
        body = str(metadata.get_payload()) or metadata.get("Description", "")
        if not body.strip():
            continue
        fields = {field: metadata.get(field, "") for field in _FIELDS}
        stated = metadata.get("License-Expression") or metadata.get("License") or ""
        licence = stated.removesuffix(" License")
        fields["License"] = licence if len(licence) <= _LONGEST_LICENCE else ""
        head = [f"{field}: {' '.join(told.split())}\n" for field, told in fields.items() if told]
        text = f"{''.join(head)}\n{body}"
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        written += 1
    if not written:
        raise CorpusError("no installed package carries a README in its metadata")
    return written
