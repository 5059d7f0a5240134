"""The steps of the analyst."""

from graphs.analyst_nodes.compute import computing
from graphs.analyst_nodes.extract import extract
from graphs.analyst_nodes.outline import outline

__all__ = ("computing", "extract", "outline")
