"""Invented collections with ambiguous questions, of which every reading has its computed answer."""

__all__ = ()
