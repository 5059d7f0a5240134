"""Data sets made from drawn records: documents that state them, questions whose answers follow."""

__all__ = ()
