"""A benchmark from any corpus: conditions mined from it, questions, evidence, unrelated documents.

The construction follows AGGBench ("Aggregation Queries over Unstructured Text", section 4).
"""

__all__ = ()
