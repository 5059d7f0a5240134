"""Readers: one file a format, from bytes to text and what the format says about it."""

from tools.corpus.readers.extracted import Extracted, Reader
from tools.corpus.readers.suffixes import SUFFIXES, reader_of

__all__ = ("SUFFIXES", "Extracted", "Reader", "reader_of")
