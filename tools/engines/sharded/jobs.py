"""Jobs that build: one task a shard, run wherever there is room, its files uploaded by Daft."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from tools.engines.sharded.place import Place
from tools.engines.sharded.session import daft, failures_told

__all__ = ("each_shard", "present")


def each_shard(
    place: Place,
    tasks: Mapping[str, str],
    work: Callable[..., dict[str, Any]],
    folders: Sequence[str],
    *,
    inputs: Mapping[str, Sequence[str]] | None = None,
    apart: bool,
) -> Iterator[tuple[str, str]]:
    """Do a piece of work for each shard and upload what it makes; yield shards as they are done.

    A task that is done twice, since its node was lost, writes the same files again.

    Args:
        place: the corpus.
        tasks: the shards' names, each with what the work needs to know.
        work: takes a name, what goes with it, and the bytes of its inputs; returns the files'
            bytes by folder, and a `receipt`. It is pickled: it must be importable where it runs,
            and it reads no file of the place by itself, which Daft forbids within its jobs.
        folders: the folders that each get a file `NAME.parquet`.
        inputs: for each shard the files of the place that its work needs, equally many.
        apart: whether to work in processes of their own, one a core; each takes seconds to start.

    Yields:
        Name and receipt, once all files of the shard lie at the place.
    """
    if not tasks:
        return
    module = daft()
    types, functions, column = module.DataType, module.functions, module.col
    fields = {"receipt": types.string()} | dict.fromkeys(folders, types.binary())
    made = module.func(return_dtype=types.struct(fields), use_process=apart)(work)
    needed = list(zip(*(inputs[name] for name in tasks), strict=True)) if inputs else []
    given: dict[str, Sequence[str]] = {"shard": list(tasks), "task": list(tasks.values())}
    for folder in folders:
        given[folder] = [place.url(f"{folder}/{name}.parquet") for name in tasks]
    for number, files in enumerate(needed):
        given[f"input{number}"] = [place.url(file) for file in files]
    data = [
        functions.download(column(f"input{number}"), io_config=place.io())
        for number in range(len(needed))
    ]
    frame = _spread(module.from_pydict(given), len(tasks))
    frame = frame.with_column("made", made(column("shard"), column("task"), *data))
    sent = [
        functions.upload(
            functions.get(column("made"), folder), column(folder), io_config=place.io()
        ).alias(f"sent:{folder}")
        for folder in folders
    ]
    receipt = functions.get(column("made"), "receipt").alias("receipt")
    with failures_told(place.root):
        for row in frame.select("shard", receipt, *sent).iter_rows():
            yield row["shard"], row["receipt"]


def present(place: Place, names: Sequence[str]) -> dict[str, bytes]:
    """Return the content of those of the files that are there, read in one job."""
    if not names:
        return {}
    module = daft()
    frame = module.from_pydict({"name": list(names), "url": [place.url(name) for name in names]})
    data = module.functions.download(module.col("url"), on_error="null", io_config=place.io())
    with failures_told(place.root):
        found = frame.select("name", data.alias("data")).to_pydict()
    pairs = zip(found["name"], found["data"], strict=True)
    return {name: content for name, content in pairs if content is not None}


def _spread(frame: Any, tasks: int) -> Any:
    """Return a frame whose rows are tasks of their own, on a cluster for any of its nodes."""
    on_cluster = daft().get_or_infer_runner_type() == "ray"
    return (frame.into_partitions(tasks) if on_cluster else frame).into_batches(1)
