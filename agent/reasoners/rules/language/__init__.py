"""The words of English: tokens, stems, spelling, classes of words, amounts, dates and units."""

__all__ = ()
