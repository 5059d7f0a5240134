"""The steps of the graphs of records, one module each."""

from graphs.records.nodes.close import close
from graphs.records.nodes.draw import draw
from graphs.records.nodes.group import group
from graphs.records.nodes.keep import keep
from graphs.records.nodes.mend import mend
from graphs.records.nodes.read_parts import read_parts
from graphs.records.nodes.survey import survey
from graphs.records.nodes.try_out import try_out
from graphs.records.nodes.unite import unite

__all__ = (
    "FILLING",
    "INDUCTION",
    "close",
    "draw",
    "group",
    "keep",
    "mend",
    "read_parts",
    "survey",
    "try_out",
    "unite",
)

INDUCTION = (group, draw, try_out, mend, close, unite)
"""In the order of the graph."""
FILLING = (survey, read_parts, keep)
"""In the order of the graph."""
