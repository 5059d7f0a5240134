"""Charts as SVG, without a plotting library: lines and points over named axes."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

__all__ = ("Axis", "Series", "line_chart", "point_chart")

Series = Mapping[str, Sequence[tuple[float, float]]]
"""Points by name, in the legend's order."""
_WIDTH, _HEIGHT = 760, 460
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 20, 190, 50
_ROW = 20
_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
    "#56b4e9", "#000000", "#7f7f7f", "#8c564b", "#bcbd22",
)  # fmt: skip
_STEPS = 5
_Draw = Callable[[int, str, Sequence[tuple[float, float]]], str]


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis shows, from its start to its end."""

    label: str
    end: float = 1.0
    start: float = 0.0
    """0, or a positive number: then equal distances are equal ratios."""

    def share(self, value: float) -> float:
        """Return where a value lies on the axis, from 0 to 1; one beyond an end lies at it."""
        held = min(max(value, self.start), self.end)
        if not self.start:
            return held / self.end
        return math.log(held / self.start) / math.log(self.end / self.start)

    def at(self, share: float) -> float:
        """Return the value that lies there."""
        if not self.start:
            return self.end * share
        return float(self.start * (self.end / self.start) ** share)


def line_chart(lines: Series, *, across: Axis | str, up: Axis | str, diagonal: bool = False) -> str:
    """Return an SVG of named lines, with axes and a legend; an axis by its name alone ends at 1."""
    return _chart(lines, _axis(across), _axis(up), _line, diagonal=diagonal)


def point_chart(
    points: Series, *, across: Axis | str, up: Axis | str, diagonal: bool = False
) -> str:
    """Return an SVG of named points, with axes and a legend.

    Args:
        points: by name; a name's points have one colour and shape.
        across: what the horizontal axis shows.
        up: what the vertical axis shows.
        diagonal: whether the line where both are equal is drawn.
    """
    return _chart(points, _axis(across), _axis(up), _marks, diagonal=diagonal)


def _axis(axis: Axis | str) -> Axis:
    return Axis(axis) if isinstance(axis, str) else axis


def _chart(series: Series, across: Axis, up: Axis, draw: _Draw, *, diagonal: bool) -> str:
    height = max(_HEIGHT, _TOP + _BOTTOM + _ROW * len(series))
    placed = {
        name: [(_x(across.share(x)), _y(up.share(y))) for x, y in found]
        for name, found in series.items()
    }
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        'font-family="sans-serif" font-size="12">'
    )
    equal = f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="#999" stroke-dasharray="2 3"/>'
    return "\n".join(
        [
            head,
            f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
            *(_grid(place / _STEPS, across, up) for place in range(_STEPS + 1)),
            _label(_x(0.5), _HEIGHT - 12, across.label),
            f'<g transform="rotate(-90 16 {_y(0.5)})">{_label(16, _y(0.5), up.label)}</g>',
            *([equal] if diagonal else []),
            *(draw(place, name, found) for place, (name, found) in enumerate(placed.items())),
            "</svg>\n",
        ]
    )


def _x(value: float) -> float:
    return round(_LEFT + value * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(value: float) -> float:
    return round(_HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM), 1)


def _grid(share: float, across: Axis, up: Axis) -> str:
    x, y = _x(share), _y(share)
    lines = (
        f'<path d="M{x} {_y(0)}V{_y(1)}M{_x(0)} {y}H{_x(1)}" stroke="#ddd"/>',
        _label(x, _y(0) + 18, f"{across.at(share):.3g}"),
        _label(_x(0) - 18, y + 4, f"{up.at(share):.3g}"),
    )
    return "\n".join(lines)


def _line(place: int, name: str, points: Sequence[tuple[float, float]]) -> str:
    style = f'stroke="{_COLOURS[place % len(_COLOURS)]}" stroke-width="2"{_dash(place)}'
    path = " ".join(f"{x},{y}" for x, y in points)
    left, height = _legend(place)
    return (
        f'<polyline points="{path}" fill="none" {style}/>\n'
        f'<path d="M{left} {height}h22" {style}/>\n'
        f'<text x="{left + 28}" y="{height + 4}">{escape(name)}</text>'
    )


def _marks(place: int, name: str, points: Sequence[tuple[float, float]]) -> str:
    left, height = _legend(place)
    return "\n".join(
        [
            *(_mark(place, x, y) for x, y in points),
            _mark(place, left + 11, height),
            f'<text x="{left + 28}" y="{height + 4}">{escape(name)}</text>',
        ]
    )


def _mark(place: int, x: float, y: float) -> str:
    """Return a disc, or a square where the colours are used up."""
    style = f'fill="{_COLOURS[place % len(_COLOURS)]}" fill-opacity="0.7"'
    if place < len(_COLOURS):
        return f'<circle cx="{x}" cy="{y}" r="4" {style}/>'
    return f'<rect x="{round(x - 4, 1)}" y="{round(y - 4, 1)}" width="8" height="8" {style}/>'


def _dash(place: int) -> str:
    return ' stroke-dasharray="5 3"' if place >= len(_COLOURS) else ""


def _legend(place: int) -> tuple[float, float]:
    return _x(1) + 14, _y(1) + 10 + _ROW * place


def _label(left: float, top: float, text: str) -> str:
    return f'<text x="{left}" y="{top}" text-anchor="middle">{escape(text)}</text>'
