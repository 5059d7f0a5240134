"""The filters: each takes a set of candidate chunks and typed arguments, and keeps a subset."""

from tools.filters.native import Snapshots, langchain_tools
from tools.filters.preview import Preview, preview, sample_discarded, sample_kept
from tools.filters.registry import FILTERS, Filter, apply, arguments_of, specs
from tools.filters.repeated import same_call

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
