"""Where time goes: flame graphs of an index build, a whole question and the filters."""

__all__ = ()
