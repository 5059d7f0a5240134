"""Stacks of a sampling profiler, folded into a tree of shares, without this machine's paths."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from html import escape

__all__ = ("Frame", "draw", "folded", "pruned")

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


_WIDTH = 1200
_HEIGHT = 17
_LETTER = 6.2
"""Points a letter takes."""
_FEWEST = 3
_OURS = ("agent/", "tools/", "graphs/", "prompts/", "evals/")
_COLOURS = {True: "#f2b366", False: "#b9cfe4"}
"""Of our functions, and of libraries'."""


def draw(root: Frame) -> str:
    """Return the tree as SVG: callers stand above what they call, widths are shares of the time.

    >>> "100.0 %" in draw(Frame("all", 3))
    True
    """
    depth = _depth(root)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {depth * _HEIGHT}" '
        'font-family="monospace" font-size="10">'
    )
    return "\n".join([head, *_boxes(root, root.samples, 0.0, 0), "</svg>", ""])


def _depth(frame: Frame) -> int:
    return 1 + max(map(_depth, frame.called.values()), default=0)


def _boxes(frame: Frame, whole: int, left: float, level: int) -> Iterator[str]:
    width, top = frame.samples / whole * _WIDTH, level * _HEIGHT
    colour = _COLOURS[any(each in frame.name for each in _OURS)]
    told = escape(f"{frame.name}: {100 * frame.samples / whole:.1f} %")
    yield (
        f'<g><title>{told}</title><rect x="{left:.1f}" y="{top}" width="{width:.1f}" '
        f'height="{_HEIGHT - 1}" fill="{colour}"/>{_label(frame.name, width, left, top)}</g>'
    )
    for called in sorted(frame.called.values(), key=lambda each: -each.samples):
        yield from _boxes(called, whole, left, level + 1)
        left += called.samples / whole * _WIDTH


def _label(name: str, width: float, left: float, top: int) -> str:
    letters = int(width / _LETTER) - 1
    if letters < _FEWEST:
        return ""
    shown = name if len(name) <= letters else f"{name[: letters - 1]}…"
    return f'<text x="{left + 3:.1f}" y="{top + 12}">{escape(shown)}</text>'
