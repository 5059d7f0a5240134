"""Jobs over shards: rows in, what they yield gathered by shard, and every row accounted for.

A job reads the Parquet files of some shards, turns each row into what it yields (or nothing), and
gathers by shard what was yielded and how many rows were read. A shard whose rows do not number
what the manifest says makes the job fail: a lost, cut or doubled file never passes for an answer.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

from agent.errors import CorpusUnreachable
from tools.engines.sharded.corpus import ShardedCorpus
from tools.engines.sharded.session import daft, failures_told

__all__ = ("gather", "read", "yielding")

_SCHEMAS: Mapping[str, Mapping[str, str]] = {
    "chunks": {
        "shard": "string",
        "chunk": "uint32",
        "start": "uint32",
        "end": "uint32",
        "text": "string",
    },
    "documents": {
        "shard": "string",
        "name": "string",
        "fields": "string",
        "first": "uint32",
        "chunks": "uint32",
    },
    "words": {
        "shard": "string",
        "word": "string",
        "held": "uint32",
        "chunks": "binary",
        "counts": "binary",
        "lengths": "binary",
    },
}


def read(corpus: ShardedCorpus, table: str, shards: Sequence[str]) -> Any:
    """Return a Daft frame over a table's files of some shards, at least one; nothing is read yet.

    Args:
        corpus: the corpus.
        table: `chunks`, `documents`, `words`, or `vectors`.
        shards: the shards' names.

    Raises:
        CorpusUnreachable: a file is missing.
    """
    module = daft()
    types = module.DataType
    folder = table
    if table == "vectors":
        folder = f"vectors/{corpus.manifest.embedder}"
        row = types.fixed_size_list(types.float32(), corpus.manifest.dimensions)
        schema = {"shard": types.string(), "chunk": types.uint32(), "vector": row}
    else:
        schema = {name: getattr(types, kind)() for name, kind in _SCHEMAS[table].items()}
    with failures_told(corpus.place.root):
        return module.read_parquet(
            [corpus.place.url(f"{folder}/{name}.parquet") for name in shards],
            infer_schema=False,
            schema=schema,
            io_config=corpus.place.io(),
        )


def yielding(function: Callable[..., Any], kind: str, *columns: str) -> Any:
    """Return the expression of a function over batches of columns.

    Args:
        function: takes a Daft series for each column, returns an Arrow array of the same length;
            what is null there is not yielded.
        kind: Daft's name of what it returns, e.g. `uint32`.
        columns: the columns' names.
    """
    module = daft()
    made = module.func.batch(return_dtype=getattr(module.DataType, kind)())(function)
    return made(*(module.col(column) for column in columns))


def gather(
    corpus: ShardedCorpus, frame: Any, yields: Mapping[str, Any], rows: Mapping[str, int]
) -> dict[str, dict[str, NDArray[Any]]]:
    """Run a job and return what it yields: name → shard → values, distinct and in no order.

    Args:
        corpus: the corpus.
        frame: a frame with the column `shard`.
        yields: the expressions by name; nulls are not gathered.
        rows: how many rows each shard must turn out to have had.

    Raises:
        CorpusUnreachable: a file cannot be read, or a shard had another number of rows.
    """
    module = daft()
    wanted = [expression.alias(name) for name, expression in yields.items()]
    counted = frame.select("shard", module.lit(1).alias("rows"), *wanted).groupby("shard")
    gathered = [module.functions.list_agg_distinct(module.col(name)).alias(name) for name in yields]
    with failures_told(corpus.place.root):
        found = counted.agg(module.col("rows").sum(), *gathered).to_arrow()
    shards = found["shard"].to_pylist()
    read_rows = dict(zip(shards, found["rows"].to_pylist(), strict=True))
    _check(corpus, {name: count for name, count in rows.items() if count}, read_rows)
    return {
        name: {
            shard: values.values.to_numpy(zero_copy_only=False)
            for shard, values in zip(shards, found[name], strict=True)
        }
        for name in yields
    }


def _check(corpus: ShardedCorpus, wanted: Mapping[str, int], found: Mapping[str, int]) -> None:
    wrong = sorted(name for name in {*wanted, *found} if wanted.get(name, 0) != found.get(name, 0))
    if wrong:
        name = wrong[0]
        raise CorpusUnreachable(
            f"of the sharded corpus at {corpus.place.root!r} {len(wrong)} shards were not read as "
            f"they are: {name!r} gave {found.get(name, 0)} rows, not {wanted.get(name, 0)}; ask "
            "again, and index anew if it stays so"
        )
