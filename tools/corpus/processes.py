"""What a build does with processes, threads and memory.

A corpus has one writer; readers need no lock, since a generation in use never changes.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TypeVar

from agent.errors import CorpusLocked, HeadcountError
from tools.postgres.address import ServerAddress

_Item = TypeVar("_Item")
_Made = TypeVar("_Made")


def writing(lock: Path) -> AbstractContextManager[None]:
    """Hold the corpus's write lock; raises CorpusLocked at once where another writer holds it."""
    told = f"{str(lock.parent)!r} is being indexed by another process: "
    told += "wait until it is done, then run the command again"
    return holding(lock, CorpusLocked(told))


@contextmanager
def holding(lock: Path, taken: HeadcountError) -> Iterator[None]:
    """Hold a lock; raises what is `taken` for at once where another process holds it."""
    from filelock import FileLock, Timeout

    held = FileLock(lock, blocking=False)
    try:
        held.acquire()
    except Timeout as error:
        raise taken from error
    try:
        yield
    finally:
        held.release()


def writing_shared(
    server: ServerAddress | None, name: str, shown: str
) -> AbstractContextManager[Callable[[], None]]:
    """Hold the write lock that a server keeps for all machines, as `writing_on`; else none."""
    if server is None:
        return nullcontext(lambda: None)
    from tools.postgres.connection import writing_on

    return writing_on(server, name, shown)


def cores() -> int:
    """Return how many cores this process may use."""
    known = getattr(os, "sched_getaffinity", None)
    return len(known(0)) if known else os.cpu_count() or 1


def in_turn(work: Callable[[_Item], _Made], items: Iterable[_Item]) -> Iterator[_Made]:
    """Yield what the work makes of each item, in order; a thread a core, none far ahead."""
    ahead = cores()
    waiting: deque[Future[_Made]] = deque()
    with ThreadPoolExecutor(ahead) as pool:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > ahead:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def limited(seconds: float, memory: int | None = None) -> Iterator[None]:
    """Let a block take so many seconds (0: any), and so many bytes of memory beyond those in use.

    At the end of the time a signal ends the process, whatever it is doing; without the memory
    Python raises MemoryError, and a library may end the process. Memory is limited where
    `/proc` tells what is in use (Linux), time where there is `setitimer` (not on Windows).
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(OSError, ValueError):  # no /proc, or a limit of the machine's below this one
        if memory is not None:
            pages = int(Path("/proc/self/statm").read_bytes().split()[0])
            most = pages * resource.getpagesize() + memory
            resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, before)


def more_time() -> None:
    """Give a block its whole time again: one page of a thousand has the time of a file."""
    if hasattr(signal, "setitimer"):
        _, whole = signal.getitimer(signal.ITIMER_REAL)
        signal.setitimer(signal.ITIMER_REAL, whole, whole)


@contextmanager
def gc_disabled() -> Iterator[None]:
    """Make values without a search for cycles among them, which takes longer than making them."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
