"""The corpus: documents in, chunks, words and vectors on disk, opened for reading."""

__all__ = ()
