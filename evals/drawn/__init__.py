"""Ambiguous questions drawn over a collection, of which every reading has its computed answer."""

__all__ = ()
