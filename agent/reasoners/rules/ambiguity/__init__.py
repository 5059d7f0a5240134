"""Which ambiguities a question shows: a detector for each kind."""

__all__ = ()
