"""A literal and a regular expression over all chunks, against Python's `re` and ripgrep."""

import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyroaring import BitMap

from evals.benchmarks.real_text import drawn_words
from evals.benchmarks.rows import LARGE, Aim, Figure, Row, Unequal, medians
from tools.corpus.corpus import Corpus
from tools.corpus.words.lexical import LexicalIndex
from tools.corpus.words.tokenizer import words
from tools.feedback.ranker import Ranker, Sentences
from tools.filters import exact, fuzzy, regex, semantic
from tools.filters.arguments import Predicate
from tools.filters.exact import ExactArguments
from tools.filters.regex import RegexArguments
from tools.filters.registry import LocalEngine
from tools.filters.searchable import bitmap

__all__ = (
    "collection",
    "feeding",
    "misspelling",
    "misspelt",
    "nearest",
    "queries",
    "ranking",
    "scanning",
    "snapshots",
    "typos",
)

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


_SHARE_snapshots = 0.01
_TENTH = 10
_LARGE = 2
"""One snapshot of the algebra holds half of the chunks, the other a tenth."""


def snapshots(corpus: Corpus, rounds: int) -> list[Row]:
    """Join, intersect and subtract two random snapshots, and filter a random tenth."""
    return [_algebra(len(corpus), rounds), *_on_a_tenth(corpus, rounds)]


def _algebra(chunks: int, rounds: int) -> Row:
    one, other = _random(chunks, _LARGE, seed=1), _random(chunks, _TENTH, seed=2)
    left, right = set(one), set(other)

    def ours() -> list[BitMap]:
        return [one | other, one & other, one - other]

    def peer() -> list[set[int]]:
        return [left | right, left & right, left - right]

    if [set(each) for each in ours()] != peer():
        raise Unequal("roaring bitmaps and Python's sets differ")
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return Row(
        what="union, intersection and difference of two snapshots",
        unit="µs",
        ours=Figure("pyroaring", taken["ours"] * 1e6),
        peer=Figure("Python `set`", taken["peer"] * 1e6),
        aim=Aim("at most", 1000),
        note=f"{len(one):,} and {len(other):,} of {chunks:,} chunks at random, all three together",
    )


def _on_a_tenth(corpus: Corpus, rounds: int) -> list[Row]:
    one, other = drawn_words(corpus.lexical, 2, share=_SHARE_snapshots)
    asked: dict[str, Predicate] = {
        "literal": ExactArguments(phrase=one, case_sensitive=True),
        "regex": RegexArguments(pattern=rf"(?:{one}|{other})\s+[a-z]+", case_sensitive=True),
    }
    everything = BitMap(range(len(corpus)))
    tenth = _random(len(corpus), _TENTH, seed=3)
    return [_row(corpus, kind, asked[kind], (everything, tenth), rounds) for kind in asked]


def _row(
    corpus: Corpus, kind: str, predicate: Predicate, given: tuple[BitMap, BitMap], rounds: int
) -> Row:
    everything, tenth = given
    engine = LocalEngine(corpus)
    if engine.keep(predicate, tenth) != engine.keep(predicate, everything) & tenth:
        raise Unequal(f"the {kind} filter keeps otherwise on a snapshot")
    ways: dict[str, Callable[[], BitMap]] = {
        "ours": lambda: engine.keep(predicate, tenth),
        "peer": lambda: engine.keep(predicate, everything),
    }
    taken = medians(ways, rounds)
    return Row(
        what=f"{kind} filter of a tenth of the chunks",
        unit="ms",
        ours=Figure("a random tenth", taken["ours"] * 1000),
        peer=Figure("all chunks", taken["peer"] * 1000),
        aim=Aim("times", 1),
        note="the peer is the same filter over the whole corpus",
    )


def _random(chunks: int, part: int, seed: int) -> BitMap:
    drawn = np.random.default_rng(seed).choice(chunks, max(1, chunks // part), replace=False)
    return bitmap(drawn)


_SHARE_misspelling = 0.01
_CUTOFF = 85.0
_RARE = "q"
"""A letter that few words have."""


def misspelling(corpus: Corpus, rounds: int) -> list[Row]:
    """Look for words misspelt in the query, each in another way; ours must miss no chunk with them.

    The two sides are not the same test: the peer also takes what only looks alike within a text.
    """
    lowered = [text.lower() for text in corpus.texts]
    everything = BitMap(range(len(corpus)))
    asked = typos(drawn_words(corpus.lexical, 4, share=_SHARE_misspelling))

    def ours() -> list[BitMap]:
        asking = (fuzzy.FuzzyArguments(term=term) for term in asked)
        return [fuzzy.keep(corpus, everything, each) for each in asking]

    def peer() -> list[BitMap]:
        return [_alike(term, lowered) for term in asked]

    true = [bitmap(corpus.lexical.postings(word)) for word in asked.values()]
    found, scanned = ours(), peer()
    for word, those, kept in zip(asked.values(), true, found, strict=True):
        if not those <= kept:
            raise Unequal(f"the filter `fuzzy` misses {len(those - kept)} chunks with {word!r}")
    taken = medians({"ours": ours, "peer": peer}, rounds if len(corpus) <= LARGE else 1)
    return [
        Row(
            what="fuzzy filter of all chunks, a word",
            unit="ms",
            ours=Figure("filter `fuzzy`", taken["ours"] * 1000 / len(asked)),
            peer=Figure("rapidfuzz partial_ratio", taken["peer"] * 1000 / len(asked)),
            aim=Aim("times", 10),
            note=f"{len(asked)} words, letters swapped, lost, added and changed; of "
            f"{_total(true):,} chunks with them ours found all, the peer "
            f"{_total([a & b for a, b in zip(true, scanned, strict=True)]):,}; kept "
            f"{_total(found):,} and {_total(scanned):,}",
        )
    ]


def typos(words: Sequence[str]) -> dict[str, str]:
    """Return four words by how they are misspelt: letters swapped, lost, added and changed.

    >>> list(typos(["contract", "contract", "contract", "contract"]))
    ['cotnract', 'contact', 'contrqact', 'contqact']
    """
    swapped, lost, added, changed = words
    middle = [len(word) // 2 + 1 for word in words]
    return {
        misspelt(swapped): swapped,
        lost[: middle[1] - 1] + lost[middle[1] :]: lost,
        added[: middle[2]] + _RARE + added[middle[2] :]: added,
        changed[: middle[3] - 1] + _RARE + changed[middle[3] :]: changed,
    }


def misspelt(word: str) -> str:
    """Return the word with two neighbouring letters of its middle swapped.

    >>> misspelt("contract")
    'cotnract'
    """
    places = range(len(word) // 3, len(word) - 1)
    at = next((at for at in places if word[at] != word[at + 1]), 0)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _alike(term: str, lowered: Sequence[str]) -> BitMap:
    from rapidfuzz.fuzz import partial_ratio

    scores = (partial_ratio(term, text, score_cutoff=_CUTOFF) for text in lowered)
    return BitMap([at for at, score in enumerate(scores) if score])


def _total(found: Sequence[BitMap]) -> int:
    return sum(map(len, found))


_MOST = 300
_ALIKE = 1e-4
_BATCH = 5000
_AIM_nearest = Aim("at most", 100)


def nearest(corpus: Corpus, place: Path, rounds: int) -> list[Row]:
    """Ask both for the n chunks nearest to a text; ours are checked against a full product.

    Chroma has its default index, on disk in `place`; ours embeds the query too. To fill it
    takes a quarter of an hour for a large corpus: numpy is the peer there.
    """
    asked = " ".join(corpus.chunk_text(0).split()[:12])
    query, count = corpus.embedder.embed([asked])[0], min(_MOST, len(corpus) // 2)
    arguments = semantic.SemanticArguments(query=asked, best=count)
    ours = partial(semantic.keep, corpus, BitMap(range(len(corpus))), arguments)
    if len(corpus) > LARGE:
        return _against_numpy(corpus, ours, query, count, rounds)
    kept = collection(corpus.vectors.rows(), place)

    def peer() -> BitMap:
        found = kept.query(query_embeddings=query.reshape(1, -1), n_results=count, include=[])
        return BitMap([int(chunk) for chunk in found["ids"][0]])

    all_cosines = corpus.vectors.rows() @ query
    if _reached(ours(), all_cosines, count) < count:
        raise Unequal("the exact filter misses some of the nearest chunks")
    recall = _reached(peer(), all_cosines, count) / count
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return [
        Row(
            what=f"the {count} nearest of all chunks",
            unit="ms",
            ours=Figure("filter `semantic`", taken["ours"] * 1000),
            peer=Figure("Chroma query", taken["peer"] * 1000),
            aim=_AIM_nearest,
            note=f"{corpus.vectors.dimensions} dimensions, our embedding timed; recall ours 1.000, "
            f"Chroma's {recall:.3f}",
        )
    ]


def _against_numpy(
    corpus: Corpus,
    ours: Callable[[], BitMap],
    query: NDArray[np.float32],
    count: int,
    rounds: int,
) -> list[Row]:
    """Compare with a product and a full sort of all rows."""
    rows = corpus.vectors.rows()

    def peer() -> list[int]:
        order: list[int] = np.argsort(-(rows @ query), kind="stable")[:count].tolist()
        return order

    if ours() != BitMap(peer()):
        raise Unequal("the exact filter and numpy differ")
    taken = medians({"ours": ours, "peer": peer}, rounds)
    return [
        Row(
            what=f"the {count} nearest of all chunks",
            unit="ms",
            ours=Figure("filter `semantic`", taken["ours"] * 1000),
            peer=Figure("numpy product and sort", taken["peer"] * 1000),
            aim=_AIM_nearest,
            note=f"{corpus.vectors.dimensions} dimensions, our embedding timed; the same chunks",
        )
    ]


def _reached(found: BitMap, cosines: NDArray[np.float32], count: int) -> int:
    """Return how many of the chunks found are as near as the n-th nearest; ties count."""
    least = np.partition(cosines, -count)[-count] - _ALIKE
    return int((cosines[found.to_array()] >= least).sum())


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
_FEW_ROUNDS = 3
"""Over a large corpus, where the peer takes ten seconds a round."""
_DIGITS = 8
"""Scores are added up in different orders: they are compared to so many decimal places."""


def ranking(corpus: Corpus, rounds: int) -> list[Row]:
    """Score every chunk for a few queries, having checked that both sides rank alike.

    The peer's index is made untimed, chunk by chunk, since all words at once would double its
    memory: about 9 GB for a million chunks.
    """
    from rank_bm25 import BM25Okapi

    ours, peer = corpus.lexical, BM25Okapi(_words(corpus))
    asked = queries(ours)
    for query in asked:
        if _order(ours.bm25(query)) != _order(peer.get_scores(query)):
            raise Unequal(f"BM25 ranks the chunks otherwise than rank-bm25 for {query}")
    taken = medians(
        {
            "ours": lambda: _answer(ours.bm25, asked),
            "peer": lambda: _answer(peer.get_scores, asked),
        },
        rounds if len(corpus) <= LARGE else min(rounds, _FEW_ROUNDS),
    )
    each = 1000 / len(asked)
    return [
        Row(
            what="BM25 of all chunks, a query",
            unit="ms",
            ours=Figure("LexicalIndex.bm25", taken["ours"] * each),
            peer=Figure("rank_bm25.BM25Okapi", taken["peer"] * each),
            aim=Aim("times", 1000),
            note=f"identical order of all {len(corpus):,} chunks for {len(asked)} queries",
        )
    ]


def _answer(score: Callable[[list[str]], NDArray[np.float64]], asked: Sequence[list[str]]) -> None:
    """Score the queries one after another, as they come; no two answers are held at a time."""
    for query in asked:
        score(query)


def _words(corpus: Corpus) -> Iterator[list[str]]:
    return (words(text) for text in corpus.texts)


def queries(index: LexicalIndex, seed: int = 0) -> list[list[str]]:
    """Draw queries of a few words each, frequent words likelier than rare ones."""
    draw = random.Random(seed)  # noqa: S311 - a sample, no secret
    weights = index.document_frequency.tolist()
    return [draw.choices(index.vocabulary, weights, k=_WORDS) for _ in range(_QUERIES)]


def _order(scores: NDArray[np.float64]) -> list[int]:
    order: list[int] = np.argsort(-np.round(scores, _DIGITS), kind="stable").tolist()
    return order


_SHARE_feeding = 0.001
_READ = 60
_NEXT = 100


def feeding(corpus: Corpus, rounds: int) -> list[Row]:
    """Rank all that is unread after sixty verdicts on a rare word; both sides learn from the same.

    What is made once a question, the weighted rows of all chunks, is not timed on either side.
    """
    sentences = Sentences(corpus)
    (word,) = drawn_words(corpus.lexical, 1, share=_SHARE_feeding)
    holding = corpus.lexical.postings(word)[: _READ // 2]
    others = np.setdiff1d(np.arange(2 * _READ), holding)[: _READ // 2]
    read, rows = np.concatenate((holding, others)), sentences.chunks.tocsr()
    pool = BitMap(range(len(corpus))) - bitmap(read)
    quotes = [corpus.chunk_text(int(chunk)) for chunk in holding]
    ranker = Ranker(corpus, f"mentions {word}", sentences=sentences)

    def ours() -> int:
        return len(ranker.rank(quotes, bitmap(others), pool, _NEXT))

    def peer() -> int:
        return len(_by_rows(rows, read, np.arange(len(read)) < len(holding)))

    if ours() != _NEXT or peer() != _NEXT:
        raise Unequal(f"a round of feedback does not rank {_NEXT} chunks")
    taken = medians({"ours": ours, "peer": peer}, rounds if len(corpus) <= LARGE else 1)
    return [
        Row(
            what="a round of feedback over all chunks",
            unit="ms",
            ours=Figure("Ranker.rank", taken["ours"] * 1000),
            peer=Figure("scikit-learn, all rows sorted", taken["peer"] * 1000),
            aim=Aim("at most", 1000),
            note=f"{len(read)} chunks read, {len(pool):,} ranked; ours scores the sentences of "
            "the best thousand too",
        )
    ]


def _by_rows(rows: Any, read: Any, truth: Any) -> list[int]:
    """Return the next chunks as a usual learner ranks them: fit, decide on every row, sort."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(solver="liblinear", class_weight="balanced", random_state=0)
    scores = model.fit(rows[read], truth).decision_function(rows)
    scores[read] = -np.inf
    order: list[int] = np.argsort(-scores, kind="stable")[:_NEXT].tolist()
    return order
