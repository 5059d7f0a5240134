"""A literal and a regular expression over all chunks, against Python's `re` and ripgrep."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters import exact, regex

__all__ = ("scanning",)

_NOTHING_FOUND = 1
"""ripgrep's exit code for it; above it are errors."""
_SHARE = 0.01
"""The words looked for stand in about so many of the chunks."""


def scanning(corpus: Corpus, texts: list[str], place: Path, rounds: int) -> list[Row]:
    """Filter all chunks by a word and by a pattern; the peers find the same chunks.

    `place` is a folder for the file that ripgrep reads, a chunk a line; without `rg` on the path
    there is no such row, and the note of the others says so.
    """
    one, other = drawn_words(corpus.lexical, 2, share=_SHARE)
    everything = BitMap(range(len(corpus)))
    pattern = rf"(?:{one}|{other})\s+[a-z]+"
    literally = exact.ExactArguments(phrase=one, case_sensitive=True)
    by_pattern = regex.RegexArguments(pattern=pattern, case_sensitive=True)
    scans = (
        _Scan("literal", one, lambda: corpus.engine.keep(literally, everything)),
        _Scan("regex", pattern, lambda: corpus.engine.keep(by_pattern, everything)),
    )
    program = shutil.which("rg")
    lines = _lines(texts, place / "chunks.txt") if program else None
    return [row for scan in scans for row in _rows(scan, texts, program, lines, rounds)]


@dataclass(frozen=True, slots=True)
class _Scan:
    kind: str
    pattern: str
    ours: Callable[[], BitMap]


def _rows(
    scan: _Scan, texts: list[str], program: str | None, lines: Path | None, rounds: int
) -> list[Row]:
    ways: dict[str, Callable[[], BitMap]] = {
        f"filter `{'exact' if scan.kind == 'literal' else 'regex'}`": scan.ours,
        "Python `in`" if scan.kind == "literal" else "Python `re`": _python(scan, texts),
    }
    if program is not None and lines is not None:
        ways["ripgrep"] = lambda: _ripgrep(program, scan, lines)
    found = scan.ours()
    for name, way in ways.items():
        if way() != found:
            raise Unequal(f"{name} and the filter differ on {scan.pattern!r}")
    taken = medians(ways, rounds)
    mine, *peers = ways
    note = f"the same {len(found):,} of {len(texts):,} chunks"
    return [
        Row(
            what=f"{scan.kind} filter of all chunks",
            unit="ms",
            ours=Figure(mine, taken[mine] * 1000),
            peer=Figure(peer, taken[peer] * 1000),
            note=f"{note}; {_told(peer, program)}".removesuffix("; "),
        )
        for peer in peers
    ]


def _told(peer: str, program: str | None) -> str:
    if peer == "ripgrep":
        return "its process and the reading of its output included"
    return "" if program else "no `rg` on the path"


def _python(scan: _Scan, texts: list[str]) -> Callable[[], BitMap]:
    if scan.kind == "literal":
        phrase = scan.pattern
        return lambda: BitMap([at for at, text in enumerate(texts) if phrase in text])
    search = re.compile(scan.pattern).search
    return lambda: BitMap([at for at, text in enumerate(texts) if search(text)])


def _ripgrep(program: str, scan: _Scan, lines: Path) -> BitMap:
    flags = ["--no-config", "--text", "--only-matching", "--line-number", "--no-filename"]
    literal = ["--fixed-strings"] if scan.kind == "literal" else []
    command = [program, *flags, *literal, "--regexp", scan.pattern, str(lines)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - as which found
    if done.returncode > _NOTHING_FOUND:
        raise Unequal(f"ripgrep fails: {done.stderr.decode(errors='replace').strip()}")
    return BitMap([int(line.partition(b":")[0]) - 1 for line in done.stdout.splitlines()])


def _lines(texts: list[str], file: Path) -> Path:
    file.write_bytes("".join(text.replace("\n", " ") + "\n" for text in texts).encode())
    return file
