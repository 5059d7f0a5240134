"""Metadata in the text itself: front matter, or a block of key lines at the top.

A value keeps where it stands: `text[value.start:value.end] == value.raw`.
"""

from collections.abc import Iterable

from agent.corpus import FieldValue
from tools.corpus.fields.catalogue import fold
from tools.corpus.fields.front_matter import Entry, front_matter
from tools.corpus.fields.items import field_value
from tools.corpus.fields.key_lines import key_lines

__all__ = ("read_fields", "title_of")

_TITLE_KEYS = ("title", "name", "subject", "headline")


def read_fields(text: str) -> tuple[dict[str, FieldValue], str | None]:
    """Return the fields of a document's header, in order, and the title among them.

    Understood: YAML (`---`) and TOML (`+++`) front matter, mail-style headers with folded lines,
    reST field lists, and Markdown's `**Key:** value` and `- Key: value`. No header, no fields. A
    key without a value is left out; a repeated key keeps its first place and gathers all items.
    """
    entries = front_matter(text)
    if entries is None:
        entries = key_lines(text)
    fields = _merged(entries)
    return fields, title_of(fields)


def title_of(fields: dict[str, FieldValue]) -> str | None:
    """Return the value of the field that names the document, if one does."""
    folded = {fold(key): value for key, value in reversed(fields.items())}
    for key in _TITLE_KEYS:
        if key in folded and folded[key].items:
            return " ".join(folded[key].items)
    return None


def _merged(entries: Iterable[Entry]) -> dict[str, FieldValue]:
    fields: dict[str, FieldValue] = {}
    for entry in entries:
        if not entry.raw.strip():
            continue
        value = field_value(
            entry.raw, start=entry.start, items=entry.items, whole=fold(entry.key) in _TITLE_KEYS
        )
        first = fields.get(entry.key)
        fields[entry.key] = value if first is None else _with_items(first, value.items)
    return fields


def _with_items(value: FieldValue, items: tuple[str, ...]) -> FieldValue:
    new = tuple(item for item in items if item not in value.items)
    return FieldValue(raw=value.raw, items=value.items + new, start=value.start, end=value.end)
