"""The filters: each takes a set of candidate chunks and typed arguments, and keeps a subset."""

from tools.filters.arguments import Filter
from tools.filters.filter_calls import (
    Preview,
    Snapshots,
    langchain_tools,
    preview,
    same_call,
    sample_discarded,
    sample_kept,
)
from tools.filters.registry import FILTERS, apply, arguments_of, specs

__all__ = (
    "FILTERS",
    "Filter",
    "Preview",
    "Snapshots",
    "apply",
    "arguments_of",
    "langchain_tools",
    "preview",
    "same_call",
    "sample_discarded",
    "sample_kept",
    "specs",
)
