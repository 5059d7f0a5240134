"""Prompt templates: Markdown with `$name` placeholders, filled with text that is safe to show.

A missing and an unknown placeholder both raise. Text from documents loses what a reader cannot see
and cannot close a tag; passages are numbered, between marker lines whose code stands in none of
the texts that they enclose, and cut to the point.
"""

import hashlib
import html
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import count, groupby
from string import Template

from agent.evidence import Passage
from agent.reasoner import Prompt, PromptValues

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_ENTITY = re.compile(r"&(?:[A-Za-z]{2,10}|#\d{2,6}|#x[0-9A-Fa-f]{2,5});")
_LONGEST_TITLE = 80
_WORD = re.compile(r"\w{3,}")
_PREFIX = 6
"""Letters by which two inflections of a word are taken for one."""


def render(
    name: str,
    placeholders: Mapping[str, str],
    values: PromptValues,
    *,
    package: str = "prompts",
) -> Prompt:
    """Fill a template of a package; the prompt's name is the part before a hyphen.

    Raises ValueError: a placeholder of the template has no text, or a text has no placeholder.
    """
    template, digest = _load(package, name)
    wanted = set(template.get_identifiers())
    if wanted != set(placeholders):
        missing, unknown = wanted - set(placeholders), set(placeholders) - wanted
        raise ValueError(f"prompt {name!r}: missing {sorted(missing)}, unknown {sorted(unknown)}")
    text = template.substitute(placeholders)
    return Prompt(name=name.partition("-")[0], digest=digest, text=text, values=values)


@cache
def _load(package: str, name: str) -> tuple[Template, str]:
    text = files(package).joinpath(f"{name}.md").read_text(encoding="utf-8")
    return Template(text), hashlib.sha256(text.encode()).hexdigest()


def sections(template: str, needed: Mapping[str, bool]) -> dict[str, str]:
    """Return the sections of a template by name, empty where they are not needed."""
    return {
        name: _load("prompts", f"{template}-{name}")[0].substitute() if is_so else ""
        for name, is_so in needed.items()
    }


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


def unforgeable(texts: Iterable[str]) -> str:
    """Return a code of eight digits that stands in none of the texts: a digest of all."""
    shown = "\n".join(texts).casefold()
    first = hashlib.sha256(shown.encode("utf-8", "replace")).digest()
    digests = (hashlib.sha256(first + str(n).encode()) for n in count())
    return next(code for each in digests if (code := each.hexdigest()[:8]) not in shown)


def numbered_passages(passages: Sequence[Passage], nonce: str) -> str:
    """Render passages, numbered from 1, each between marker lines that carry the nonce."""
    return "\n\n".join(
        _passage(number, passage, nonce) for number, passage in enumerate(passages, start=1)
    )


def nonce_of(passages: Sequence[Passage]) -> str:
    """Return a code that stands nowhere in the passages: a digest of all that is shown."""
    shown = "\n".join(_passage(0, passage, "") for passage in passages).casefold()
    digests = (hashlib.sha256(f"{n}\n{shown}".encode("utf-8", "replace")) for n in count())
    return next(code for each in digests if (code := each.hexdigest()[:8]) not in shown)


def _passage(number: int, passage: Passage, nonce: str) -> str:
    names = (passage.document, passage.title, *passage.headings)
    path = (one_line(each, _LONGEST_TITLE) for each in names)
    place = " › ".join(name for name, _ in groupby(path))
    lines = [f"=== {nonce} passage {number} (from {place}) ==="]
    if passage.before:
        lines.append(f"[… before: {_decoded(passage.before)}]")
    lines.append(_decoded(passage.text))
    if passage.after:
        lines.append(f"[after: {_decoded(passage.after)} …]")
    lines.append(f"=== {nonce} end {number} ===")
    return "\n".join(lines)


def _decoded(text: str) -> str:
    """Return a text with the characters that its HTML entities stand for; quotes may have them."""
    return plain(_ENTITY.sub(lambda found: html.unescape(found[0]), text))


def excerpts(
    passages: Sequence[Passage], wanted: Iterable[str], *, characters: int
) -> tuple[Passage, ...]:
    """Cut each passage to the window that holds the most of the wanted words.

    A word weighs the more the fewer of the passages hold it; a passage without any of them is cut
    from its beginning. Neighbours' words are left off; what was cut is marked with "…".
    """
    keys = {key for text in wanted for key, _ in _words(text)}
    held = Counter(key for each in passages for key in {key for key, _ in _words(each.text)} & keys)
    weights = {key: math.log((len(passages) + 1) / times) for key, times in held.items()}
    return tuple(_excerpt(each, weights, characters) for each in passages)


def _words(text: str) -> list[tuple[str, int]]:
    return [(found[0].casefold()[:_PREFIX], found.start()) for found in _WORD.finditer(text)]


def _excerpt(passage: Passage, weights: Mapping[str, float], characters: int) -> Passage:
    text = passage.text
    if len(text) > characters:
        start = _best_start(text, weights, characters)
        text = _marked(text, start, start + characters)
    return replace(passage, text=text, before="", after="")


def _best_start(text: str, weights: Mapping[str, float], characters: int) -> int:
    """Return where the best window begins: a third of it stands before its first wanted word."""
    hits = [(key, place) for key, place in _words(text) if key in weights]
    latest = len(text) - characters
    starts = [0, *(min(latest, max(0, place - characters // 3)) for _, place in hits)]

    def worth(start: int) -> float:
        seen = {key for key, place in hits if start <= place < start + characters}
        return sum(weights[key] for key in sorted(seen))

    return max(starts, key=worth)


def _marked(text: str, start: int, end: int) -> str:
    """Return the window without the words that its ends cut, marked where more stands beside it."""
    cut = text[start:end]
    if start > 0:
        cut = "… " + cut.partition(" ")[2].lstrip()
    if end < len(text):
        cut = cut.rpartition(" ")[0].rstrip() + " …"
    return cut
