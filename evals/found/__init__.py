"""The user's own documents as a collection that ambiguous questions are drawn over."""

__all__ = ()
