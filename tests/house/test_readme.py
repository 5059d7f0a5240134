"""What the pages for users tell them to run exists, and the Python in them works."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from evals.commands import app as evaluation
from evals.variants import GROUPS, VARIANTS
from graphs.apps.cli import app as headcount
from tools.corpus.build import BuildSettings, build

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "docs/*.md", "docs/how-to/*.md")
    for path in ROOT.glob(pattern)
)
TARGETS = set(
    re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
)
APPS = {"headcount": headcount, "headcount-eval": evaluation}
TEXTS = {
    "elm-street.txt": "Lease of 4 Elm Street\n\nThe tenant may keep a dog. The rent is $900.\n",
    "oak-lane.txt": "Lease of 7 Oak Lane\n\nNo animal may be kept. The rent is $1,200.\n",
}

PROGRAMS = ("headcount", "headcount-eval", "make")
SHELLS = ("console", "sh", "bash", "shell")

_BLOCK = re.compile(r"^```(\w+)[^\n]*\n(.*?)^```", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
_BETWEEN = re.compile(r"\s(?:&&|\|\|?|;)\s|[()]")
_ASSIGNED = re.compile(r"\w+=")


def python_blocks(text: str) -> list[str]:
    """Return the Python blocks of a page, in order."""
    return [source for language, source in _BLOCK.findall(text) if language == "python"]


def commands(text: str) -> Iterator[list[str]]:
    """Yield the calls of our programs as words, from shell blocks and from code in sentences."""
    for language, source in _BLOCK.findall(text):
        if language in SHELLS:
            lines = source.replace("\\\n", " ").splitlines()
            prompted = any(line.startswith("$ ") for line in lines)
            for line in lines:
                if line.startswith("$ ") or not prompted:
                    yield from _calls(line.removeprefix("$ "))
    for span in _SPAN.findall(_BLOCK.sub("", text)):
        yield from _calls(span)


def _calls(line: str) -> Iterator[list[str]]:
    for part in _BETWEEN.split(line):
        try:
            words = shlex.split(part, comments=True)
        except ValueError:  # a sentence's code with a single quote mark is no command
            continue
        while words and _ASSIGNED.match(words[0]):
            words.pop(0)
        if words and words[0].rpartition("/")[2] in PROGRAMS:
            yield [words[0].rpartition("/")[2], *words[1:]]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def complaint(words: list[str]) -> str | None:
    """Return what is wrong with a command, or None."""
    program, *rest = words
    if program == "make":
        unknown = [each for each in rest if "=" not in each and each not in TARGETS]
        return f"the Makefile has no targets {unknown}" if unknown else None
    command = typer.main.get_command(APPS[program])
    flags = _flags(command)
    for name in (each for each in rest if not each.startswith("-")):
        known = getattr(command, "commands", None)
        if known is None:
            break
        first, *others = name.split("|")
        if "variants" in known and first in {*GROUPS, *VARIANTS} - known.keys():
            first = "variants"
        if not {first, *others} <= known.keys():
            return f"{program} has no command {name!r}"
        command = known[first]
        flags |= _flags(command)
    given = {each.split("=")[0] for each in rest if each.startswith("--")}
    return f"{program} has no flags {sorted(given - flags)}" if given - flags else None


def _flags(command: Any) -> set[str]:
    told = [option for each in command.params for option in (*each.opts, *each.secondary_opts)]
    return {"--help", *told}


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("make everything", "no targets"),
        ("headcount asks x.corpus", "no command 'asks'"),
        ("headcount ask x.corpus --jsn", "no flags"),
        ("headcount records invent x.corpus", "no command 'invent'"),
        ("headcount-eval compare search --sample 3", "no flags"),
    ],
)
def test_a_command_that_does_not_exist_is_noticed(line: str, wrong: str) -> None:
    block, span = commands(
        f"Run `FAST=1 {line}`, not `rm`:\n\n```console\n$ {line}\nits output\n```\n"
    )
    assert block == span
    assert wrong in (complaint(block) or "")


@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_a_page_exists(page: str) -> None:
    told = [(words, complaint(words)) for words in commands(text_of(page))]
    assert not [each for each in told if each[1]]


def test_every_command_in_a_table_of_the_evaluation_exists() -> None:
    text = "".join(text_of(f"docs/{page}.md") for page in ("evaluation", "figures", "papers"))
    rows = re.findall(r"^\|.*\| (.+) \|$", text, re.MULTILINE)
    cells = [each.split() for row in rows for each in re.findall(r"`([a-z]+(?: [^`]*)?)`", row)]
    known = vars(typer.main.get_command(evaluation))["commands"]
    told = [["headcount-eval", *words] for words in cells if words[0] in known]
    assert len(told) > 15
    assert not [(words, complaint(words)) for words in told if complaint(words)]


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(text_of(page))])
def test_the_python_on_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Blocks share their names, in order; every corpus that they name is there, and tiny."""
    blocks = python_blocks(text_of(page))
    monkeypatch.chdir(tmp_path)
    for name in sorted(
        {each for block in blocks for each in re.findall(r"[\w./-]+\.corpus", block)}
    ):
        _build(tmp_path / name, tmp_path / "documents")
    names: dict[str, object] = {"__name__": "readme"}
    for number, block in enumerate(blocks, start=1):
        exec(compile(block, f"{page}, Python block {number}", "exec"), names)
    assert "Traceback" not in capsys.readouterr().out


def _build(place: Path, documents: Path) -> None:
    documents.mkdir(exist_ok=True)
    for name, text in TEXTS.items():
        (documents / name).write_text(text, encoding="utf-8")
    place.parent.mkdir(parents=True, exist_ok=True)
    build([documents], place, settings=BuildSettings())
