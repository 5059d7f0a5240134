"""The suffix of a file's name, which says how it is read."""

import re

_SUFFIX = re.compile(r"(?<=.)\.(?=[A-Za-z0-9]*[A-Za-z])[A-Za-z0-9]{1,10}$")


def suffix_of(name: str) -> str:
    """Return the suffix with its dot, or nothing: digits after a dot are part of the name.

    >>> suffix_of("pep-0484.txt"), suffix_of("Form 10.17")
    ('.txt', '')
    """
    match = _SUFFIX.search(name)
    return match[0] if match else ""
