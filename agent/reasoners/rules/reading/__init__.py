"""From the words of a question to an executable reading of it."""

__all__ = ()
