"""The question to the person, and the question put anew after the reply."""

__all__ = ()
