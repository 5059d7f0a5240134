"""Which filter call comes next, and whether the last one stands."""

__all__ = ()
