"""`headcount demo`: real text that every machine has, three questions, no key, no network."""

from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from agent.errors import CorpusError
from graphs.apps.progress import told
from graphs.apps.shown import show
from graphs.context import Context, new_run_id
from graphs.sessions import Session

__all__ = ("QUESTIONS", "run_demo", "write_documents")

QUESTIONS = (
    "How many packages are under the MIT licence?",
    "Which packages mention asyncio?",
    "How many packages that mention Windows are under the MIT licence?",
)
_FIELDS = ("Name", "Version", "Summary", "Author", "Requires-Python", "Keywords")
_LONGEST_LICENCE = 60


def run_demo(into: Path) -> None:
    """Index the packages' README texts and answer the questions, showing how."""
    from tools.corpus.build import BuildSettings, build
    from tools.corpus.corpus import open_corpus

    console = Console(highlight=False)
    with TemporaryDirectory() as folder:
        count = write_documents(Path(folder))
        console.print(f"indexing the README texts of {count} installed packages into {into} …")
        into.parent.mkdir(parents=True, exist_ok=True)
        report = build([Path(folder)], into, settings=BuildSettings())
    console.print(f"{report.documents} documents, {report.chunks} chunks ({report.seconds:.1f} s)")
    context = Context(corpus=open_corpus(into))
    for question in QUESTIONS:
        _answer(question, Session(context), console)
    console.print(f'\nAsk your own: headcount ask {into} "Which packages mention …?"')


def write_documents(folder: Path) -> int:
    """Write a document for each installed package that has a README; return how many.

    Raises:
        CorpusError: no installed package has one.
    """
    written = 0
    for name, text in _readmes():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        written += 1
    if not written:
        raise CorpusError("no installed package carries a README in its metadata")
    return written


def _readmes() -> Iterator[tuple[str, str]]:
    packages = {package.name.lower(): package for package in distributions()}
    for name, package in sorted(packages.items()):
        body = _body(package)
        if body.strip():
            yield name, f"{_header(_metadata(package))}\n\n{body}"


def _metadata(package: Distribution) -> Message:
    """Return the metadata as what it is: an e-mail message whose body is the README."""
    return message_from_string(package.read_text("METADATA") or "")


def _body(package: Distribution) -> str:
    metadata = _metadata(package)
    return str(metadata.get_payload()) or metadata.get("Description", "")


def _header(metadata: Message) -> str:
    fields = {name: metadata.get(name, "") for name in _FIELDS}
    fields["License"] = _licence(metadata)
    lines = [f"{name}: {' '.join(value.split())}" for name, value in fields.items() if value]
    return "\n".join(lines)


def _licence(metadata: Message) -> str:
    """Return the licence's name from the field that gives it; packages use three of them."""
    for name in ("License-Expression", "License"):
        stated = " ".join((metadata.get(name) or "").split())
        if 0 < len(stated) <= _LONGEST_LICENCE:
            return stated
    classified = [
        each.rpartition("::")[2].strip()
        for each in metadata.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]
    return ", ".join(classified)


def _answer(question: str, session: Session, console: Console) -> None:
    console.print()
    console.rule(question)
    run = new_run_id()
    for event in session.start(question, run=run):
        line = told(event)
        if line:
            console.print(line, style="dim", markup=False)
    show(session.outcome(run), console, rows=8)
