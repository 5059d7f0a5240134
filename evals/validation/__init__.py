"""Checks of a built data set: that its files belong together and its answers can be true."""

__all__ = ()
