"""How passages read in a prompt: numbered, between marker lines that their text cannot forge."""

import hashlib
from collections.abc import Sequence
from itertools import count, groupby

from agent.evidence import Passage
from prompts.plain_text import one_line, plain

__all__ = ("nonce_of", "numbered_passages")

_LONGEST_TITLE = 80


def nonce_of(passages: Sequence[Passage]) -> str:
    """Return a code that stands nowhere in the passages: a digest of all that is shown."""
    shown = "\n".join(_passage(0, passage, "") for passage in passages).casefold()
    digests = (hashlib.sha256(f"{n}\n{shown}".encode("utf-8", "replace")) for n in count())
    return next(code for each in digests if (code := each.hexdigest()[:8]) not in shown)


def numbered_passages(passages: Sequence[Passage], nonce: str) -> str:
    """Render passages, numbered from 1, each between marker lines that carry the nonce."""
    return "\n\n".join(
        _passage(number, passage, nonce) for number, passage in enumerate(passages, start=1)
    )


def _passage(number: int, passage: Passage, nonce: str) -> str:
    path = (one_line(each, _LONGEST_TITLE) for each in (passage.title, *passage.headings))
    place = " › ".join(name for name, _ in groupby(path))
    lines = [f"=== {nonce} passage {number} (from {place}) ==="]
    if passage.before:
        lines.append(f"[… before: {plain(passage.before)}]")
    lines.append(plain(passage.text))
    if passage.after:
        lines.append(f"[after: {plain(passage.after)} …]")
    lines.append(f"=== {nonce} end {number} ===")
    return "\n".join(lines)
