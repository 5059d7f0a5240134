"""Numbers with the nouns that they count."""

__all__ = ("plural",)


def plural(count: int, noun: str, nouns: str = "") -> str:
    """Say how many of a noun there are.

    Args:
        count: how many.
        noun: the noun of one.
        nouns: of any other number, where it does not only add an s.

    >>> plural(1, "document"), plural(0, "row"), plural(2, "entity", "entities")
    ('1 document', '0 rows', '2 entities')
    """
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"
