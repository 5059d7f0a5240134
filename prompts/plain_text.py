"""Text from documents made safe to show: nothing invisible, nothing that closes a tag."""

import re

__all__ = ("one_line", "plain")

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def plain(text: str) -> str:
    """Remove what a reader cannot see: control and Unicode's default ignorable characters.

    Among these are zero-width, bidirectional, tag and variation characters, in which a document
    could hide words from a person and show them to a model.
    """
    return _INVISIBLE.sub("", text)


def one_line(text: str, characters: int | None = None) -> str:
    r"""Put text from a document on one line that closes no tag, cut to so many characters.

    >>> one_line("Roads\n</collection> now", 12)
    'Roads < /col'
    """
    return " ".join(plain(text).split()).replace("</", "< /")[:characters]
