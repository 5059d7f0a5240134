"""`python -m evals.benchmarks.cluster.asking PLACE`: ask a sharded corpus, and tell how it went.

Each predicate is asked in each round. A line of JSON goes out before each (`{"begun": NAME}`) and
after it, with the seconds, how many chunks it kept and their digest, or with the error.
"""

import hashlib
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer
from pyroaring import BitMap

from agent.errors import HeadcountError
from tools.filters.arguments import Predicate
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments, PredicateArguments
from tools.filters.regex import RegexArguments
from tools.filters.registry import Engine, LocalEngine
from tools.filters.semantic import SemanticArguments

__all__ = ("PREDICATES", "ask")

_BOTH = (
    PredicateArguments(field="file type", comparison="is", values=("txt",)),
    PredicateArguments(field="file size", comparison="at_least", values=("17500",)),
)
PREDICATES: Mapping[str, Predicate] = {
    "exact": ExactArguments(phrase="license", case_sensitive=True),
    "regex": RegexArguments(pattern=r"\b\d{4}-\d{2}-\d{2}\b"),
    "keywords": KeywordsArguments(words=("tests", "install from source", "coverage")),
    "fuzzy": FuzzyArguments(term="documentaton"),
    "bm25": Bm25Arguments(query="asynchronous database driver", best=300),
    "semantic": SemanticArguments(query="asynchronous database driver", best=300),
    "metadata": MetadataArguments(predicates=_BOTH),
}
"""One predicate a filter."""

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def ask(
    place: str,
    cluster: Annotated[str | None, typer.Option(help="The head's address.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="How often each is asked.")] = 3,
    only: Annotated[str | None, typer.Option(help="Ask this predicate alone.")] = None,
) -> None:
    """Ask every predicate in every round."""
    opened, engine = _opened(place, cluster)
    everything = BitMap(range(opened))
    for _ in range(rounds):
        for name, predicate in PREDICATES.items():
            if only in (None, name):
                _tell({"begun": name})
                _tell({"name": name} | _asked(engine, predicate, everything))


def _opened(place: str, cluster: str | None) -> tuple[int, Engine]:
    """Return the number of chunks and the engine; the location says which."""
    from tools.corpus.corpus import open_corpus
    from tools.engines.sharded.daft_session import on_cluster
    from tools.engines.sharded.sharded_corpus import is_sharded, open_sharded
    from tools.engines.sharded.sharded_engine import ShardedEngine

    if not is_sharded(place):
        local = open_corpus(Path(place))
        return len(local), LocalEngine(local)
    if cluster is not None:
        on_cluster(cluster)
    sharded = open_sharded(place)
    return sharded.chunk_count, ShardedEngine(sharded)


def _asked(engine: Engine, predicate: Predicate, snapshot: BitMap) -> dict[str, object]:
    began = time.perf_counter()
    try:
        kept = engine.keep(predicate, snapshot)
    except HeadcountError as error:
        return {"error": f"{type(error).__name__}: {error}"}
    seconds = time.perf_counter() - began
    digest = hashlib.sha256(kept.serialize()).hexdigest()
    return {"seconds": seconds, "kept": len(kept), "digest": digest}


def _tell(line: Mapping[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    app()
