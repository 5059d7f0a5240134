"""A question about tables read as a plan: names linked, values looked up, comparisons placed."""

__all__ = ()
