"""Closed classes of words, written as running text."""

__all__ = ("word_set",)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set.

    >>> sorted(word_set("of the of"))
    ['of', 'the']
    """
    return frozenset(text.split())
