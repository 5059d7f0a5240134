"""The steps of the graphs of records, one module each."""

from graphs.records_nodes.close import close
from graphs.records_nodes.draw import draw
from graphs.records_nodes.group import group
from graphs.records_nodes.keep import keep
from graphs.records_nodes.mend import mend
from graphs.records_nodes.read_parts import read_parts
from graphs.records_nodes.survey import survey
from graphs.records_nodes.try_out import try_out
from graphs.records_nodes.unite import unite

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
