"""Filters and ranking over all chunks, against the usual packages."""

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from evals.benchmarks.figures import FEW_ROUNDS, LARGE, Aim, Figure, Row, Unequal, compared
from evals.benchmarks.real_text import drawn_words
from evals.benchmarks.timed_processes import apart, peak_mb
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.lexicon import words
from tools.filters import exact, regex, semantic
from tools.filters.arguments import FilterArguments
from tools.filters.local_engine import LocalEngine


def scanning(corpus: Corpus, place: Path, rounds: int) -> list[Row]:
    """Filter all chunks by a word and by a pattern; the peer finds the same chunks.

    `place` is a folder for the file that ripgrep reads, a chunk a line. Without `rg` on the path
    Python is the peer, which takes minutes for a large corpus.
    """
    one, other = drawn_words(corpus.lexical, 2)
    pattern = rf"(?:{one}|{other})\s+[a-z]+"
    program = shutil.which("rg")
    peer, aim = partial(_python, corpus.texts.to_list()), None
    name, note = "Python", "no `rg` on the path"
    if program is not None:
        peer, aim = partial(_ripgrep, program, _lines(corpus.texts, place / "chunks.txt")), _AIM
        name, note = "ripgrep", "its process and the reading of its output included"
    scans: dict[str, tuple[FilterArguments, str]] = {
        "exact": (exact.ExactArguments(phrase=one, case_sensitive=True), re.escape(one)),
        "regex": (regex.RegexArguments(pattern=pattern, case_sensitive=True), pattern),
    }
    rows: list[Row] = []
    for filter_name, (predicate, sought) in scans.items():
        ours = partial(LocalEngine(corpus).keep, predicate, BitMap(range(len(corpus))))
        theirs = partial(peer, sought)
        found = ours()
        if theirs() != found:
            raise Unequal(f"{name} and the filter differ on {sought!r}")
        rows.append(
            compared(
                f"{'literal' if filter_name == 'exact' else filter_name} filter of all chunks",
                (f"filter `{filter_name}`", ours),
                (name, theirs),
                rounds,
                aim=aim,
                note=f"the same {len(found):,} of {len(corpus):,} chunks; {note}",
            )
        )
    return rows


_NOTHING_FOUND = 1
"""ripgrep's exit code for it; above it are errors."""
_AIM = Aim("times", 0.5)


def _python(texts: Sequence[str], pattern: str) -> BitMap:
    search = re.compile(pattern).search
    return BitMap([at for at, text in enumerate(texts) if search(text)])


def _ripgrep(program: str, lines: Path, pattern: str) -> BitMap:
    flags = ["--no-config", "--text", "--only-matching", "--line-number", "--no-filename"]
    command = [program, *flags, "--regexp", pattern, str(lines)]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - as which found
    if done.returncode > _NOTHING_FOUND:
        raise Unequal(f"ripgrep fails: {done.stderr.decode(errors='replace').strip()}")
    return BitMap([int(line.partition(b":")[0]) - 1 for line in done.stdout.splitlines()])


def _lines(texts: Iterable[str], file: Path) -> Path:
    with file.open("w", encoding="utf-8", newline="\n") as opened:
        opened.writelines(text.replace("\n", " ") + "\n" for text in texts)
    return file


_MOST = 300
_ALIKE = 1e-4


def nearest(corpus: Corpus, place: Path, rounds: int) -> Row:
    """Ask both for the n chunks nearest to a text; ours are checked against a full product.

    Chroma has its default index, on disk in `place`; ours embeds the query too. To fill it
    takes a quarter of an hour for a large corpus: numpy is the peer there.
    """
    asked = " ".join(corpus.chunk_text(0).split()[:12])
    query, count = corpus.embedder.embed([asked])[0], min(_MOST, len(corpus) // 2)
    arguments = semantic.SemanticArguments(query=asked, best=count)
    ours = partial(LocalEngine(corpus).keep, arguments, BitMap(range(len(corpus))))
    rows = corpus.vectors.rows()
    cosines = rows @ query
    least = np.partition(cosines, -count)[-count] - _ALIKE

    def recall(found: BitMap) -> float:
        """Return the share of the chunks found that are as near as the n-th; ties count."""
        return int((cosines[found.to_array()] >= least).sum()) / count

    def sort() -> BitMap:
        return BitMap(np.argsort(-(rows @ query), kind="stable")[:count].tolist())

    peer, name = sort, "numpy product and sort"
    if len(corpus) <= LARGE:
        filled, name = collection(rows, place), "Chroma query"

        def peer() -> BitMap:
            found = filled.query(query_embeddings=query.reshape(1, -1), n_results=count, include=[])
            return BitMap([int(chunk) for chunk in found["ids"][0]])

    if recall(ours()) < 1:
        raise Unequal("the exact filter misses some of the nearest chunks")
    return compared(
        f"the {count} nearest of all chunks",
        ("filter `semantic`", ours),
        (name, peer),
        rounds,
        aim=Aim("at most", 100),
        note=f"{corpus.vectors.dimensions} dimensions, our embedding timed; recall ours 1.000, "
        f"the peer's {recall(peer()):.3f}",
    )


_BATCH = 5000


def collection(rows: NDArray[np.float32], place: Path) -> Any:
    """Put vectors, one a chunk, into a new Chroma collection with its default index."""
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False, _env_file=None)
    client = chromadb.PersistentClient(str(place), settings=settings)
    made = client.create_collection(
        "chunks", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
    )
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        ids = [str(chunk) for chunk in range(start, start + len(batch))]
        made.add(ids=ids, embeddings=batch)
    return made


_QUERIES = 5
_WORDS = 5
_DIGITS = 8
"""Scores are added up in different orders: they are compared to so many decimal places."""


def ranking(corpus: Corpus, rounds: int) -> list[Row]:
    """Score every chunk for a few queries, having checked that both sides rank alike.

    The peer's index is made untimed, chunk by chunk, since all words at once would double its
    memory: about 9 GB for a million chunks.
    """
    from rank_bm25 import BM25Okapi

    index, okapi = corpus.lexical, BM25Okapi(words(text) for text in corpus.texts)
    asked = queries(index)
    for query in asked:
        if _order(index.bm25(query)) != _order(okapi.get_scores(query)):
            raise Unequal(f"BM25 ranks the chunks otherwise than rank-bm25 for {query}")

    def answer(score: Callable[[list[str]], NDArray[np.float64]]) -> None:
        """Score the queries one after another; no two results are held at a time."""
        for query in asked:
            score(query)

    timed = compared(
        "BM25 of all chunks, a query",
        ("LexicalIndex.bm25", partial(answer, index.bm25)),
        ("rank_bm25.BM25Okapi", partial(answer, okapi.get_scores)),
        rounds if len(corpus) <= LARGE else min(rounds, FEW_ROUNDS),
        parts=len(asked),
        aim=Aim("times", 1000),
        note=f"identical order of all {len(corpus):,} chunks for {len(asked)} queries",
    )
    ours, peer = (apart(ranking_growth, corpus.path, each).result for each in ("ours", "peer"))
    held = Row(
        what="memory to rank all chunks by BM25",
        unit="MB",
        ours=Figure("LexicalIndex.bm25", ours),
        peer=Figure("rank_bm25.BM25Okapi", peer),
        aim=Aim("times", 4),
        note="by how much the process's peak rose, from an open corpus to the first scores",
    )
    return [timed, held]


def ranking_growth(corpus: Path, side: str) -> float:
    """Score all chunks with `ours` or the `peer`; return by how many MB the peak rose."""
    from rank_bm25 import BM25Okapi

    opened = open_corpus(corpus)
    query = words(opened.chunk_text(0))[:_WORDS]
    before = peak_mb()
    if side == "ours":
        opened.lexical.bm25(query)
    else:
        BM25Okapi(words(text) for text in opened.texts).get_scores(query)
    return peak_mb() - before


def queries(index: LexicalIndex) -> list[list[str]]:
    """Draw queries of a few words each, frequent words likelier than rare ones."""
    draw = random.Random(0)  # noqa: S311 - a sample, no secret
    weights = index.document_frequency.tolist()
    return [draw.choices(index.vocabulary, weights, k=_WORDS) for _ in range(_QUERIES)]


def _order(scores: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(-np.round(scores, _DIGITS), kind="stable").tolist()
    return order
