"""Whether two names mean the same thing."""

__all__ = ()
