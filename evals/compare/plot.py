"""A line chart as SVG, without a plotting library."""

from collections.abc import Mapping, Sequence
from html import escape

__all__ = ("line_chart",)

_WIDTH, _HEIGHT = 760, 460
_LEFT, _TOP, _RIGHT, _BOTTOM = 60, 20, 190, 50
_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00",
    "#56b4e9", "#000000", "#7f7f7f", "#8c564b", "#bcbd22",
)  # fmt: skip
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def line_chart(lines: Mapping[str, Sequence[tuple[float, float]]], *, across: str, up: str) -> str:
    """Return an SVG of named lines over the unit square, with axes and a legend.

    Args:
        lines: points within [0, 1] × [0, 1] by name, in the legend's order.
        across: what the horizontal axis shows.
        up: what the vertical axis shows.
    """
    drawn = [_line(place, name, points) for place, (name, points) in enumerate(lines.items())]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">'
    )
    return "\n".join(
        [
            head,
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            *(_grid(tick) for tick in _TICKS),
            _label(_x(0.5), _HEIGHT - 12, across),
            f'<g transform="rotate(-90 16 {_y(0.5)})">{_label(16, _y(0.5), up)}</g>',
            *drawn,
            "</svg>\n",
        ]
    )


def _x(value: float) -> float:
    return round(_LEFT + value * (_WIDTH - _LEFT - _RIGHT), 1)


def _y(value: float) -> float:
    return round(_HEIGHT - _BOTTOM - value * (_HEIGHT - _TOP - _BOTTOM), 1)


def _grid(tick: float) -> str:
    lines = (
        f'<path d="M{_x(tick)} {_y(0)}V{_y(1)}M{_x(0)} {_y(tick)}H{_x(1)}" stroke="#ddd"/>',
        _label(_x(tick), _y(0) + 18, f"{tick:g}"),
        _label(_x(0) - 16, _y(tick) + 4, f"{tick:g}"),
    )
    return "\n".join(lines)


def _line(place: int, name: str, points: Sequence[tuple[float, float]]) -> str:
    colour = _COLOURS[place % len(_COLOURS)]
    dash = ' stroke-dasharray="5 3"' if place >= len(_COLOURS) else ""
    path = " ".join(f"{_x(across)},{_y(up)}" for across, up in points)
    left, height = _x(1) + 14, _y(1) + 10 + 20 * place
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>\n'
        f'<path d="M{left} {height}h22" stroke="{colour}" stroke-width="2"{dash}/>\n'
        f'<text x="{left + 28}" y="{height + 4}">{escape(name)}</text>'
    )


def _label(left: float, top: float, text: str) -> str:
    return f'<text x="{left}" y="{top}" text-anchor="middle">{escape(text)}</text>'
