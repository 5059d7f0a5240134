"""Prompt templates: Markdown with `$name` placeholders, filled with text that is safe to show.

A missing and an unknown placeholder both raise. Text from documents loses what a reader cannot see
and cannot close a tag; marker codes stand in none of the texts that they enclose.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from itertools import count
from string import Template

from agent.reasoner import Prompt, PromptValues

_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


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
