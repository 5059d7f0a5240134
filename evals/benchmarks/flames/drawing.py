"""A flame graph as an SVG file of its own: no script, a title a function."""

from collections.abc import Iterator
from html import escape

from evals.benchmarks.flames.stacks import Frame

__all__ = ("draw",)

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
