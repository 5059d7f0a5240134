"""Schemas and records read by the embedded rules from what a text shows of its structure."""

__all__ = ()
