"""Names that stand for longer ones by their words' first letters."""

from itertools import product

from tools.alignment.name import SMALL, Name

__all__ = ("acronym_of", "acronyms", "initials", "letters_of")


def initials(words: tuple[str, ...], legal: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the acronyms that words can have: of all, of all but the small ones, legal form too.

    >>> sorted(initials(("bureau", "of", "labor", "statistics")))
    ['bls', 'bols']
    """
    plain = [word for word in words if not word[0].isdigit()]
    large = [word for word in plain if word not in SMALL]
    heads = {"".join(word[0] for word in chosen) for chosen in (plain, large)}
    tails = {"", "".join(form[0] for form in legal)}
    return frozenset(head + tail for head, tail in product(heads, tails) if len(head + tail) > 1)


def acronyms(name: Name) -> frozenset[str]:
    """Return the acronyms that a name can have, with its legal form, title and articles or not."""
    return initials(name.words, name.legal) | initials(name.every)


def letters_of(name: Name) -> str:
    """Return the letters of a name that is an acronym, numbers aside, empty where it is none.

    >>> from tools.alignment.name import parsed
    >>> letters_of(parsed("P&G")), letters_of(parsed("WW2")), letters_of(parsed("Roe"))
    ('pg', 'ww', '')
    """
    plain = [word for word in name.words if not word[0].isdigit() and word != "and"]
    if len(plain) == 1:
        return plain[0] if len(plain[0]) > 1 and plain[0] in name.letters else ""
    return "".join(plain) if all(len(word) == 1 for word in plain) else ""


def acronym_of(short: Name, long: Name) -> bool:
    """Tell whether a name is the acronym of another, of the same numbers.

    >>> from tools.alignment.name import parsed
    >>> acronym_of(parsed("WW2"), parsed("World War II"))
    True
    """
    letters = letters_of(short)
    numbers = [[word for word in each.numbers if word[0].isdigit()] for each in (short, long)]
    return letters in acronyms(long) and len(long.words) > 1 and numbers[0] == numbers[1]
