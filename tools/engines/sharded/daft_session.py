"""Daft, set up once a process: in this process, or on a Ray cluster.

Daft and Ray send usage figures home unless told not to; they are told before they are imported.
Their processes look for modules in the working folder first, where a stranger's may lie: not ours.
"""

import os
import re
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

from xxhash import xxh3_64

from agent.errors import CorpusUnreachable, SettingsError
from agent.small_files import MOST_BYTES, not_plain, open_plain
from tools.corpus.generations import replace_with

_SAFE = {"PYTHONSAFEPATH": "1"}
_SETTINGS = _SAFE | {
    "DO_NOT_TRACK": "1",
    "DAFT_ANALYTICS_ENABLED": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "DAFT_PROGRESS_BAR": "0",
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # Ray prints what befalls nodes on standard output: ours
}


_PATIENCE = 10.0
"""Seconds to wait for the head of a cluster."""
MANIFEST = "sharded.json"
_TRIES = 5
"""For a file by itself: a store that is not there is told within seconds."""
_PATTERN = re.compile(r"[*?\[\]{}]")
_BLOCK = 1 << 22


@cache
def daft() -> Any:
    """Return the module; raises SettingsError where the extra is not installed."""
    os.environ.update(_SETTINGS)
    try:
        import daft as module
    except ImportError as error:
        raise SettingsError(
            f"a sharded corpus needs Daft ({error}): install it with `pip install headcount[daft]`"
        ) from error
    return module


@cache
def on_cluster(address: str) -> None:
    """Run every later job of this process on a Ray cluster; raises SettingsError where it cannot.

    `auto` is the cluster that this machine is a node of; else `HOST:PORT` of its head.
    """
    module = daft()
    _check_answers(address)
    try:
        import ray
    except ImportError as error:
        raise SettingsError(
            f"a cluster needs Ray ({error}): install it with `pip install headcount[ray]`"
        ) from error
    try:
        with chdir("/"):  # whence Ray has it what to look through first
            ray.init(
                address=address,
                runtime_env={"env_vars": _SAFE},
                log_to_driver=False,
                logging_level="error",
                ignore_reinit_error=True,
            )
        module.set_runner_ray(noop_if_initialized=True)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise SettingsError(
            f"no Ray cluster can be used at {address!r} ({error}): start one with `ray start`"
        ) from error


def _check_answers(address: str) -> None:
    """Refuse an address where nothing listens: Ray would go on trying for minutes."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
    except (OSError, ValueError, OverflowError) as error:
        raise SettingsError(
            f"no Ray cluster answers at {address!r} ({error}): give HOST:PORT of its head"
        ) from error


@contextmanager
def failures_explained(place: str) -> Iterator[None]:
    """Turn the failure of a job, or of a file that it reads, into CorpusUnreachable."""
    module = daft()
    try:
        yield
    except (module.exceptions.DaftCoreException, OSError, *_ray_errors()) as error:
        *_, cause = (str(error).strip() or type(error).__name__).splitlines()
        raise CorpusUnreachable(
            f"the sharded corpus at {place!r} could not be read in full ({cause.strip()}): "
            "nothing was concluded from the rest; see that every node reaches it, then ask again"
        ) from error


def _ray_errors() -> tuple[type[Exception], ...]:
    """Return the root of Ray's errors where a cluster is in use."""
    import sys

    ray = sys.modules.get("ray.exceptions")
    return () if ray is None else (ray.RayError,)


@dataclass(frozen=True, slots=True)
class Place:
    """The root of a sharded corpus."""

    root: str
    """A path, or a URL such as `s3://bucket/x.shards`."""

    @classmethod
    def of(cls, root: str | Path) -> "Place":
        """Return an absolute place; raises SettingsError for what Daft takes for a pattern."""
        text = str(root)
        if _PATTERN.search(text):
            raise SettingsError(f"{text!r}: the place of shards must be without * ? [ ] {{ }}")
        return cls(text.rstrip("/") if "://" in text else str(Path(text).absolute()))

    @property
    def is_remote(self) -> bool:
        """Whether it is an object store's."""
        return "://" in self.root

    @property
    def folder(self) -> Path:
        """The place as a folder; of a remote one there is none."""
        return Path(self.root)

    def url(self, name: str) -> str:
        """Return where a file lies."""
        return f"{self.root}/{name}"

    def io(self, tries: int | None = None) -> Any:
        """Return Daft's configuration for it, for so many tries a request; None for a path."""
        if not self.is_remote:
            return None
        module = daft()
        s3 = module.io.S3Config.from_env()
        return module.io.IOConfig(s3=s3 if tries is None else s3.replace(num_tries=tries))

    def read(self, name: str, most: int = MOST_BYTES) -> bytes | None:
        """Return a file's bytes, None where there is none; CorpusDamaged, CorpusUnreachable."""
        with failures_explained(self.root):
            try:
                with self.opening(name)() as file:
                    data = bytes(file.read(most + 1))
            except FileNotFoundError:
                return None
        if len(data) > most:
            raise not_plain(self.url(name))
        return data

    def opening(self, name: str) -> Callable[[], Any]:
        """Return what opens a file for reading."""
        if self.is_remote:
            opened: Callable[[], Any] = daft().File(self.url(name), io_config=self.io(_TRIES)).open
            return opened
        return partial(open_plain, self.folder / name)

    def write(self, name: str, data: bytes) -> None:
        """Write a file so that it holds either its old or its new content."""
        if not self.is_remote:
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_with(path, lambda fresh: fresh.write_bytes(data))
            return
        module = daft()
        with failures_explained(self.root):
            frame = module.from_pydict({"data": [data], "url": [self.url(name)]})
            sent = module.functions.upload(frame["data"], frame["url"], io_config=self.io())
            frame.select(sent.alias("sent")).collect()


def each_shard(
    place: Place,
    tasks: Mapping[str, str],
    work: Callable[..., dict[str, Any]],
    folders: Sequence[str],
    *,
    inputs: Mapping[str, Sequence[str]] | None = None,
    apart: bool,
) -> Iterator[tuple[str, str]]:
    """Do a piece of work for each shard; yield name and receipt once all its files are uploaded.

    A task that is done twice, since its node was lost, writes the same files again.

    `work` takes a name, what goes with it, and the bytes of its inputs; it returns the bytes of the
    file `NAME.parquet` by folder, and a `receipt`. It is pickled, so it must be importable where it
    runs, and reads no file of the place by itself, which Daft forbids within its jobs. Apart, each
    core has a process of its own, which takes seconds to start.
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
    with failures_explained(place.root):
        for row in frame.select("shard", receipt, *sent).iter_rows():
            yield row["shard"], row["receipt"]


def damaged(place: Place, sums: Mapping[str, str]) -> list[str]:
    """Return which files are gone or do not hold the bytes of their checksums.

    On a cluster its nodes read them. In this process no job does: Daft may crash as Python ends
    where it has handed files to a function.
    """
    with failures_explained(place.root):
        if _on_cluster():
            found = _summed_by_nodes(place, list(sums))
        else:
            with ThreadPoolExecutor() as pool:
                found = dict(zip(sums, pool.map(_checksum, map(place.opening, sums)), strict=True))
    return [name for name, known in sums.items() if found[name] != known]


def _summed_by_nodes(place: Place, names: Sequence[str]) -> dict[str, str]:
    if not names:
        return {}
    module = daft()
    summed = module.func(return_dtype=module.DataType.string())(_checksum_of)
    opened = module.functions.file(module.col("url"), io_config=place.io())
    frame = module.from_pydict({"name": names, "url": [place.url(name) for name in names]})
    told = _spread(frame, len(names)).select("name", summed(opened).alias("sum")).to_pydict()
    return dict(zip(told["name"], told["sum"], strict=True))


def _checksum_of(file: Any) -> str:
    return _checksum(file.open)


def _checksum(opening: Callable[[], Any]) -> str:
    """Return the checksum of a file, read block by block; nothing where there is none."""
    taken = xxh3_64()
    try:
        with opening() as file:
            while block := file.read(_BLOCK):
                taken.update(block)
    except FileNotFoundError:
        return ""
    return taken.hexdigest()


def present(place: Place, names: Sequence[str]) -> dict[str, bytes]:
    """Return the content of those of the files that are there, read in one job."""
    if not names:
        return {}
    module = daft()
    frame = module.from_pydict({"name": list(names), "url": [place.url(name) for name in names]})
    data = module.functions.download(module.col("url"), on_error="null", io_config=place.io())
    with failures_explained(place.root):
        found = frame.select("name", data.alias("data")).to_pydict()
    pairs = zip(found["name"], found["data"], strict=True)
    return {name: content for name, content in pairs if content is not None}


def _spread(frame: Any, tasks: int) -> Any:
    """Return a frame whose rows are tasks of their own, on a cluster for any of its nodes."""
    return (frame.into_partitions(tasks) if _on_cluster() else frame).into_batches(1)


def _on_cluster() -> bool:
    return bool(daft().get_or_infer_runner_type() == "ray")
