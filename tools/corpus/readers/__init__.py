"""Readers: one file a format, from bytes to text and what the format says about it."""

from tools.corpus.readers.extracted import Reader, Reading
from tools.corpus.readers.formats import SUFFIXES, reader_of

__all__ = ("SUFFIXES", "Reader", "Reading", "reader_of")
