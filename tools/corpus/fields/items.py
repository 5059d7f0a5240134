"""The items of a metadata value: a list as written, split; mail addresses and markup removed."""

import re
from collections.abc import Sequence

from agent.corpus import FieldValue
from tools.corpus.fields.values import parse_date, parse_number

__all__ = ("field_value", "split_items", "stated")

_ITEM_WORDS = 6
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_NAME_BEFORE_MAIL = re.compile(r"\s*<[^<>]*(?:@|\bat\b)[^<>]*>")
_MAIL_BEFORE_NAME = re.compile(r"\S+@\S+\s+\(([^()]+)\)")
_COMMA = re.compile(r",(?=\s|$|[^\W\d_])")
_SUFFIX = re.compile(
    r"\s*(?:[^\W\d_]+\.|[^\W\d_]{1,3}(?:\.[^\W\d_]{1,3}){1,5}\.?"
    r"(?: (?:de )?(?:[^\W\d_]{1,3}\.){1,5})?"
    r"|(?:INC|LTD|LLC|LLP|LLLP|PLLC|PLC|PTY|PTE|CORP|Inc|Ltd|Plc|Pty|Pte|Corp|Incorporated|GmbH|"
    r"Jr|Sr|Esq))\s*"
)
"""What never is an item of its own: a legal form or title, with or without dots."""
_BULLET = re.compile(r"^\s*[-*+•]\s+")


def field_value(
    raw: str,
    *,
    start: int | None = None,
    items: tuple[str, ...] | None = None,
    whole: bool = False,
) -> FieldValue:
    """Return a value with its items, and the number and the date it states where it states one.

    `whole` keeps a title or a name in one piece. Whether the number or the date is what the field
    is about is for the field's type to say.
    """
    found = split_items(raw, whole=whole) if items is None else items
    plain = stated(raw, found)
    return FieldValue(
        raw=raw,
        items=found,
        number=parse_number(plain),
        date=parse_date(plain),
        start=start,
        end=None if start is None else start + len(raw),
    )


def stated(raw: str, items: Sequence[str]) -> str:
    """Return what of a value may be a number or a date: its only item, else all as written."""
    return items[0] if len(items) == 1 else raw


def split_items(raw: str, *, whole: bool = False) -> tuple[str, ...]:
    r"""Return the items of a value: at semicolons, else at commas, else each of its lines.

    Commas part items only where every part is short; dates and numbers with commas stay whole.

    >>> split_items("Typing, Packaging"), split_items("September 29, 2014")
    (('Typing', 'Packaging'), ('September 29, 2014',))
    >>> split_items("Ann Lee <ann@example.org>, Bob Ray <bob@example.org>")
    ('Ann Lee', 'Bob Ray')
    >>> split_items("Ann Lee <a@example.org>, Bob Ray <b@example.org>,\n  Cy Poe <c@example.org>")
    ('Ann Lee', 'Bob Ray', 'Cy Poe')
    """
    lines = [line for line in raw.split("\n") if line.strip()]
    if len(lines) > 1 and _one_item_a_line(raw, lines):
        parts = [_BULLET.sub("", line).rstrip(",; ") for line in lines]
    else:
        value = " ".join(line.strip() for line in lines)
        parts = [value] if whole else _parts(value)
    return tuple(item for item in map(_clean, parts) if item)


def _one_item_a_line(raw: str, lines: list[str]) -> bool:
    bulleted = all(_BULLET.match(line) for line in lines)
    below_key = raw.startswith("\n") and not any("," in line.rstrip(", ") for line in lines)
    return bulleted or below_key or all(line.count("@") == 1 for line in lines)


def _parts(value: str) -> list[str]:
    if "://" in value and " " not in value:
        return [value]
    bare = _MAIL_BEFORE_NAME.sub(r"\1", _NAME_BEFORE_MAIL.sub("", value)) or value
    if parse_date(bare) is not None or parse_number(bare) is not None:
        return [bare]
    if ";" in bare:
        return bare.split(";")
    parts = _joined_suffixes(_COMMA.split(bare))
    if len(parts) > 1 and all(len(part.split()) <= _ITEM_WORDS for part in parts):
        return [*parts[:-1], re.sub(r"^\s*(?:and|or|&)\s+", "", parts[-1])]
    return [bare]


def _joined_suffixes(parts: list[str]) -> list[str]:
    """Give an abbreviation back to the name before it (`Acme, Inc.`), a year to its day."""
    joined: list[str] = []
    for part in parts:
        if joined and (_SUFFIX.fullmatch(part) or _completes_date(joined[-1], part)):
            joined[-1] += "," + part
        else:
            joined.append(part)
    return joined


def _completes_date(before: str, part: str) -> bool:
    year = re.fullmatch(r"\s*\d{4}", part) is not None
    return year and parse_date(before) is None and parse_date(f"{before},{part}") is not None


def _clean(item: str) -> str:
    """Return an item without link targets, emphasis, quotes and addresses."""
    text = _LINK.sub(r"\1", item.strip())
    text = _MAIL_BEFORE_NAME.sub(r"\1", _NAME_BEFORE_MAIL.sub("", text)) or text
    text = text.strip().removesuffix("\\").strip()
    return re.sub(r"^([`*_\"']+)(.+)\1$", r"\2", text).strip()
