"""An ordinary question in each of its senses, for the ADF graph."""

__all__ = ()
