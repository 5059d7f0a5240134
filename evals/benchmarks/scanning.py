"""A literal and a regular expression over all chunks, against Python's `re` and ripgrep."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pyroaring import BitMap

from evals.benchmarks.drawn import drawn_words
from evals.benchmarks.rounds import medians
from evals.benchmarks.row import LARGE, Aim, Figure, Row, Unequal
from tools.corpus.corpus import Corpus
from tools.filters import exact, regex
from tools.filters.registry import LocalEngine

__all__ = ("scanning",)

_NOTHING_FOUND = 1
"""ripgrep's exit code for it; above it are errors."""
_AIM = Aim("times", 0.5)
_NOTES = {
    ("ripgrep", True): "its process and the reading of its output included",
    ("Python", False): "no `rg` on the path",
}
"""By the peer, and by whether there is ripgrep."""
_SHARE = 0.01
"""The words looked for stand in about so many of the chunks."""


def scanning(corpus: Corpus, place: Path, rounds: int) -> list[Row]:
    """Filter all chunks by a word and by a pattern; the peers find the same chunks.

    `place` is a folder for the file that ripgrep reads, a chunk a line; without `rg` on the path
    there is no such row, and the note of the others says so. Python takes minutes for a large
    corpus, and is left out there where ripgrep is.
    """
    one, other = drawn_words(corpus.lexical, 2, share=_SHARE)
    everything = BitMap(range(len(corpus)))
    pattern = rf"(?:{one}|{other})\s+[a-z]+"
    literally = exact.ExactArguments(phrase=one, case_sensitive=True)
    by_pattern = regex.RegexArguments(pattern=pattern, case_sensitive=True)
    scans = (
        _Scan("literal", one, lambda: LocalEngine(corpus).keep(literally, everything)),
        _Scan("regex", pattern, lambda: LocalEngine(corpus).keep(by_pattern, everything)),
    )
    program = shutil.which("rg")
    peers: dict[str, _Peer] = {}
    if program is None or len(corpus) <= LARGE:
        peers["Python"] = partial(_python, corpus.texts.to_list())
    if program is not None:
        peers["ripgrep"] = partial(_ripgrep, program, _lines(corpus.texts, place / "chunks.txt"))
    return [row for scan in scans for row in _rows(scan, peers, len(corpus), rounds)]


@dataclass(frozen=True, slots=True)
class _Scan:
    kind: str
    pattern: str
    ours: Callable[[], BitMap]


_Peer = Callable[[_Scan], BitMap]


def _rows(scan: _Scan, peers: Mapping[str, _Peer], chunks: int, rounds: int) -> list[Row]:
    mine = f"filter `{'exact' if scan.kind == 'literal' else 'regex'}`"
    ways = {mine: scan.ours} | {name: partial(peer, scan) for name, peer in peers.items()}
    found = scan.ours()
    for name, way in ways.items():
        if way() != found:
            raise Unequal(f"{name} and the filter differ on {scan.pattern!r}")
    taken = medians(ways, rounds)
    note = f"the same {len(found):,} of {chunks:,} chunks"
    return [
        Row(
            what=f"{scan.kind} filter of all chunks",
            unit="ms",
            ours=Figure(mine, taken[mine] * 1000),
            peer=Figure(peer, taken[peer] * 1000),
            aim=_AIM if peer == "ripgrep" else None,
            note=f"{note}; {_NOTES.get((peer, 'ripgrep' in peers), '')}".removesuffix("; "),
        )
        for peer in peers
    ]


def _python(texts: Sequence[str], scan: _Scan) -> BitMap:
    if scan.kind == "literal":
        return BitMap([at for at, text in enumerate(texts) if scan.pattern in text])
    search = re.compile(scan.pattern).search
    return BitMap([at for at, text in enumerate(texts) if search(text)])


def _ripgrep(program: str, lines: Path, scan: _Scan) -> BitMap:
    flags = ["--no-config", "--text", "--only-matching", "--line-number", "--no-filename"]
    literal = ["--fixed-strings"] if scan.kind == "literal" else []
    command = [program, *flags, *literal, "--regexp", scan.pattern, str(lines)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - as which found
    if done.returncode > _NOTHING_FOUND:
        raise Unequal(f"ripgrep fails: {done.stderr.decode(errors='replace').strip()}")
    return BitMap([int(line.partition(b":")[0]) - 1 for line in done.stdout.splitlines()])


def _lines(texts: Iterable[str], file: Path) -> Path:
    """Write a text a line."""
    with file.open("w", encoding="utf-8", newline="\n") as opened:
        opened.writelines(text.replace("\n", " ") + "\n" for text in texts)
    return file
