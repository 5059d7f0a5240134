"""Indexing again after one document in a hundred changed, against indexing all."""

from pathlib import Path

from evals.benchmarks.indexing import apart
from evals.benchmarks.row import Figure, Row, Unequal
from tools.corpus.corpus import open_corpus

__all__ = ("updating",)

_EVERY = 100


def updating(folder: Path, corpus: Path, place: Path) -> Row:
    """Change every hundredth document below a folder and bring its corpus up to date.

    The peer indexes the changed folder into a new corpus below `place`.
    """
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    changed = files[::_EVERY]
    for file in changed:
        file.write_text(file.read_text(encoding="utf-8") + "\nOne more line.\n", encoding="utf-8")
    ours, peer = apart("whole", folder, corpus), apart("whole", folder, place / "fresh.corpus")
    updated, fresh = open_corpus(corpus), open_corpus(place / "fresh.corpus")
    if updated.digest != fresh.digest or updated.lexical.vocabulary != fresh.lexical.vocabulary:
        raise Unequal("the corpus brought up to date differs from one made anew")
    return Row(
        what="index again after 1 % of the documents changed",
        unit="s",
        ours=Figure("build, incremental", ours.seconds),
        peer=Figure("build, from nothing", peer.seconds),
        note=f"{len(changed)} of {len(files):,} documents changed; one round, a process each",
    )
