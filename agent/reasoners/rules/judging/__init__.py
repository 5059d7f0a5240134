"""Whether a passage proves a condition, and with which words."""

__all__ = ()
