"""Stacks of a sampling profiler, folded into a tree of shares, without this machine's paths."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

__all__ = ("Frame", "folded", "pruned")

_NAMED = re.compile(r"(?P<function>.+) \((?P<file>[^()]*?)(?::\d+)?\)")
_OUTER = ("<string>", "importlib", "<frozen", "runpy", "multiprocessing", "concurrent", "threading")
"""Files whose frames say how a call came about, and not what is done."""
_INSTALLED = "-packages/"


@dataclass(slots=True)
class Frame:
    """A function, and what it called."""

    name: str
    samples: int = 0
    """Of it and of all that it called."""
    called: "dict[str, Frame]" = field(default_factory=dict)

    def add(self, names: Iterable[str], samples: int) -> None:
        """Count a stack, its outermost function first."""
        self.samples += samples
        frame = self
        for name in names:
            frame = frame.called.setdefault(name, Frame(name))
            frame.samples += samples


def folded(lines: Iterable[str], root: str) -> Frame:
    """Return the tree of stacks as `py-spy record --format raw --function` writes them.

    >>> folded(["process 1:x;run (<string>:1);build (/a/site-packages/b/c.py:9) 3"], "all").called
    {'build (b/c.py)': Frame(name='build (b/c.py)', samples=3, called={})}
    """
    tree = Frame(root)
    for line in lines:
        stack, _, samples = line.rpartition(" ")
        tree.add(_names(stack.split(";")), int(samples))
    return tree


def _names(stack: Iterable[str]) -> Iterator[str]:
    """Yield functions with their files below the packages; a function that calls itself once."""
    before = ""
    for frame in stack:
        found = _NAMED.fullmatch(frame)
        if found is None or found["file"].startswith(_OUTER):
            continue
        name = f"{found['function']} ({_below(found['file'])})"
        if name != before:
            yield name
        before = name


def _below(file: str) -> str:
    """Return a file's path below where packages lie; of any other absolute path the name.

    >>> _below("/srv/x/lib/python3/site-packages/numpy/linalg.py"), _below("/usr/y.py")
    ('numpy/linalg.py', 'y.py')
    """
    file = file.rpartition(_INSTALLED)[2]
    return file.rpartition("/")[2] if file.startswith("/") else file


def pruned(frame: Frame, least: float) -> Frame:
    """Return the tree without functions of less than so many samples."""
    kept = {
        name: pruned(each, least) for name, each in frame.called.items() if each.samples >= least
    }
    return Frame(frame.name, frame.samples, kept)
