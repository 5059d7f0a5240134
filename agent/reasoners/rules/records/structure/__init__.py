"""The visible structure of a text: sentences of pairs, key lines, tables, recurring sentences."""

__all__ = ()
