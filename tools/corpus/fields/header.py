"""What a document states of itself at its head: front matter, or key lines.

A value keeps where it stands: `text[value.start:value.end] == value.raw`.
"""

import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, zip_longest
from typing import Any, NamedTuple

import yaml

from agent.corpus_view import FieldValue
from tools.corpus.fields.field_values import field_value, fold, quoted

_LINES_READ = 400
_TITLE_LINES = 4
_LONGEST_LINE = 4_000
_KEY_WORDS = 4
_ABBREVIATED = 5
"""Characters at most of a word that a full stop cuts short: `No.`, `Date est.`."""
_SENTENCE_WORDS = 3
_LONG_WORDS = 32
_UNDERLINE = re.compile(r"\s*([^\w\s])\1{2,}\s*")
_LINE = re.compile(
    r"""
    (?P<indent>[ \t]*)
    (?P<mark>[-*+•][ \t]+)?
    (?:
        (?P<bold>\*\*|__)(?P<strong>[^\W\d_][^:*\n]{0,39}?)
        (?:[ \t]*:[ \t]*(?P=bold)|(?P=bold)[ \t]*:)
      | :(?P<rest>[^\W\d_][^:\n]{0,39}?):(?=\s|$)
      | (?P<plain>[^\W\d_][^:\n=<>{}|"\[\]]{0,39}?)[ \t]*:(?=\s|$)
    )
    [ \t]*(?P<value>.*?)[ \t]*(?:\\)?
    """,
    re.VERBOSE,
)
_LONGEST = 65_536
_BLOCK = re.compile(
    r"\ufeff?\s*(?P<fence>---|\+\+\+|;;;)[ \t]*\n(?P<body>.*?\n)"
    r"(?:(?P=fence)|\.\.\.)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
_FENCED = re.compile(
    r"\ufeff?\s*(?:\#{1,6}[ \t][^\n]*\n\s*)?(?P<fence>```|~~~)[ \t]*(?P<format>\w*)[ \t]*\n"
    r"(?P<body>.*?\n)[ \t]*(?P=fence)[ \t]*(?:\n|\Z)",
    re.DOTALL,
)
"""A fenced block of code at the head of a text, at most below its title."""
_TABLE = re.compile(
    r"""\ufeff?\s*(?:\#{1,6}[ \t][^\n]*\n\s*)?
    [ \t]*\|[ \t]*(?:fields?|key|property|attribute|item|name)?[ \t]*
    \|[ \t]*(?:values?|entry|content|details?|data)?[ \t]*\|[ \t]*\n
    [ \t]*\|[ \t]*:?-+:?[ \t]*\|[ \t]*:?-+:?[ \t]*\|[ \t]*\n
    (?P<rows>(?:[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z))+)""",
    re.VERBOSE | re.IGNORECASE,
)
"""A Markdown table of keys and values at the head of a text, at most below its title."""
_ROW = re.compile(
    r"[ \t]*\|[ \t]*(?:\*\*|__)?(?P<key>[^\W\d_][^|\n:*]{0,39}?):?(?:\*\*|__)?[ \t]*"
    r"\|[ \t]*(?P<value>(?:[^|\n\\]|\\.)*?)[ \t]*\|[ \t]*"
)
_BARE_JSON = re.compile(r"\ufeff?\s*(?=\{)")
_FORMATS = {
    "---": "yaml", "+++": "toml", ";;;": "json", "yaml": "yaml", "yml": "yaml", "toml": "toml",
    "json": "json", "": "any", "text": "any", "txt": "any", "meta": "any", "metadata": "any",
}  # fmt: skip
_ANCHOR = re.compile(r"\A(?:[&!]\S*\s+)+")
_TOML_LINE = re.compile(
    r"^[ \t]*(?:\[{1,2}(?P<table>[^\[\]\n]+)\]{1,2}[ \t]*(?:\#.*)?$"
    r"|(?P<key>(?:[\w.-]|\"[^\"\n]+\")+)[ \t]*=[ \t]*)",
    re.MULTILINE,
)
_TITLE_KEYS = ("title", "name", "subject", "headline")


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value as they stand in a header."""

    key: str
    raw: str
    start: int | None
    """Character offset of `raw` in the text; None where it is not written like that."""
    items: tuple[str, ...] | None = None
    """The items where the format says what they are; None leaves it to the value's look."""


class _Line(NamedTuple):
    start: int
    text: str


@dataclass(slots=True)
class _Key:
    name: str
    style: str
    indent: int
    start: int
    end: int
    inline: bool
    """Whether the value begins on the key's own line."""


def key_lines(text: str) -> list[Entry]:
    """Return the entries of the key block at the top of the text, or nothing.

    A block is two or more consecutive key lines, with their folded (deeper indented) lines, below
    at most a title; keys are short and most values are no sentences. Further blocks that directly
    follow belong to it while every one of their lines is a key line. Where one of them begins with
    the first key again, the text is a list of entries and has no header.
    """
    lines = _first_lines(text)
    keys, after = _block(lines, _below_title(lines))
    if not _is_header(text, keys):
        return []
    while after < len(lines):
        more, stop = _block(lines, after)
        whole = stop >= len(lines) or not lines[stop - 1].text.strip()
        if not whole or not _is_header(text, more) or more[0].style != keys[0].style:
            break
        if more[0].name.casefold() == keys[0].name.casefold():
            return []
        keys, after = keys + more, stop
    return [Entry(key.name, text[key.start : key.end], key.start) for key in keys]


def table_rows(text: str) -> list[Entry]:
    r"""Return the rows of a table of keys and values at the head of a text, or nothing.

    Its heads are empty, or say that these are fields and their values: others are of data.

    >>> table_rows("| Field | Value |\n|---|---|\n| Crop | Oats |\n\nText")
    [Entry(key='Crop', raw='Oats', start=37, items=None)]
    >>> table_rows("| Crop | Price |\n|---|---|\n| Oats | 40 |\n")
    []
    """
    table = _TABLE.match(text, 0, min(len(text), _LONGEST))
    if table is None:
        return []
    rows = table["rows"].rstrip("\n").split("\n")
    ends = accumulate((len(row) + 1 for row in rows), initial=table.start("rows"))
    told = [_ROW.fullmatch(text, at, at + len(row)) for at, row in zip(ends, rows, strict=False)]
    found = [each for each in told if each is not None]
    distinct = {each["key"].casefold() for each in found}
    if len(found) < len(rows) or len(distinct) < len(found):
        return []
    return [Entry(each["key"], each["value"], each.start("value")) for each in found]


def is_key_line(line: str) -> bool:
    """Tell whether a line is a key with a value that is no sentence.

    >>> is_key_line("Signed on: 2021-11-19"), is_key_line("Note: the tenant left in May.")
    (True, False)
    """
    key = _key(_Line(0, line))
    return key is not None and key.inline and not _is_sentence(line[key.start : key.end])


def _first_lines(text: str) -> list[_Line]:
    pieces = text.split("\n", _LINES_READ)[:_LINES_READ]
    ends = accumulate(map(len, pieces))
    starts = map(int.__add__, (0, *ends), range(len(pieces)))
    return list(map(_Line, starts, pieces))


def _below_title(lines: Sequence[_Line]) -> int:
    """Return the first line that may belong to a block: titles and rules come first."""
    titles = 0
    for index, line in enumerate(lines):
        bare = line.text.strip()
        if not bare or _UNDERLINE.fullmatch(bare):
            continue
        if _key(line) is not None or titles == _TITLE_LINES:
            return index
        heading = bare.startswith("#")
        alone = index + 1 >= len(lines) or not lines[index + 1].text.strip()
        underlined = index + 1 < len(lines) and _UNDERLINE.fullmatch(lines[index + 1].text)
        above_keys = index + 1 < len(lines) and _key(lines[index + 1]) is not None
        short = len(bare) <= 120 and not _is_sentence(bare)
        if not heading and not (short and (alone or underlined or above_keys)):
            return len(lines)
        titles += 1
    return len(lines)


def _block(lines: Sequence[_Line], first: int) -> tuple[list[_Key], int]:
    """Return the key lines from `first` on, and the line behind them and one run of blanks."""
    keys: list[_Key] = []
    index = first
    while index < len(lines):
        line = lines[index]
        key = _key(line)
        indent = len(line.text) - len(line.text.lstrip())
        if keys and line.text.strip() and indent > keys[0].indent:
            keys[-1].end = line.start + len(line.text.rstrip())
        elif key is not None and (not keys or key.style == keys[0].style):
            keys.append(key)
        elif not (keys and keys[0].style == "bold" and _bold_follows(lines, index)):
            break
        index += 1
    while index < len(lines) and keys and not lines[index].text.strip():
        index += 1
    return keys, index


def _bold_follows(lines: Sequence[_Line], index: int) -> bool:
    """Tell whether this is a blank line between two bold keys: Markdown needs it."""
    if lines[index].text.strip() or index + 1 >= len(lines):
        return False
    key = _key(lines[index + 1])
    return key is not None and key.style == "bold"


def _key(line: _Line) -> _Key | None:
    match = _LINE.fullmatch(line.text) if len(line.text) <= _LONGEST_LINE else None
    if match is None:
        return None
    name = (match["strong"] or match["rest"] or match["plain"]).strip()
    words = name.split()
    cut = name[-1] == "." and len(words[-1]) <= _ABBREVIATED
    if len(words) > _KEY_WORDS or (name[-1] in ".!?,;" and not cut):
        return None
    style = "bold" if match["strong"] else "rest" if match["rest"] else "plain"
    if style == "plain" and match["mark"]:
        style = "item"
    start, end = (line.start + at for at in match.span("value"))
    return _Key(name, style, len(match["indent"]), start, end, inline=end > start)


def _is_header(text: str, keys: Sequence[_Key]) -> bool:
    """Tell whether the lines are metadata: two or more, few sentences, keys mostly distinct."""
    if len(keys) < 2:
        return False
    values = [text[key.start : key.end] for key in keys]
    sentences = sum(map(_is_sentence, values))
    filled = sum(key.inline for key in keys)
    common = Counter(key.name for key in keys).most_common(1)[0][1]
    return 2 * sentences <= len(keys) and 2 * filled >= len(keys) and 4 * common <= 3 * len(keys)


def _is_sentence(value: str) -> bool:
    words = value.split()
    ended = value.rstrip().endswith((".", "!", "?"))
    return len(words) >= (_SENTENCE_WORDS if ended else _LONG_WORDS)


def front_matter(text: str) -> list[Entry] | None:
    """Return the entries of the front matter; None where there is none that parses.

    Understood: YAML between `---` lines, TOML between `+++`, JSON between `;;;` or in bare braces,
    and each of them, or key lines, in a fenced block at the head. Nested keys are joined by dots.
    A block that is not valid is left to be read as plain key lines.
    """
    head = text[:_LONGEST]
    entries: list[Entry] | None = None
    offset = 0
    if (match := _BLOCK.match(head)) is not None:
        offset, entries = match.start("body"), _read(_FORMATS[match["fence"]], match["body"])
    elif (match := _FENCED.match(head)) is not None:
        if (format_ := _FORMATS.get(match["format"].lower())) is not None:
            body, offset = match["body"], match.start("body")
            entries = _read(format_, body) or key_lines(body) or None
    elif (match := _BARE_JSON.match(head)) is not None:
        offset, entries = match.end(), _json(head[match.end() :])
    if entries is None:
        return None
    return [
        each if each.start is None else replace(each, start=offset + each.start) for each in entries
    ]


def broken_block(text: str) -> str:
    r"""Say what is wrong with a delimited block of keys at the head; empty where nothing is.

    >>> broken_block("---\nname: [one\ndate: 2024-01-01\n---\nText.").partition(",")[0]
    'the block of keys at its head is no valid YAML'
    >>> broken_block("---\nname: one\n---\nText."), broken_block("---\nA rule, no keys.\n---\n")
    ('', '')
    """
    match = _BLOCK.match(text)
    if match is None or front_matter(text) is not None:
        return ""
    if match["fence"] == "---" and not any(map(is_key_line, match["body"].splitlines())):
        return ""
    form = _FORMATS[match["fence"]].upper()
    what = f"no valid {form}, longer than {_LONGEST} characters, or has merge keys"
    return f"the block of keys at its head is {what}: it was read line by line"


def flattened(table: Mapping[str, Any]) -> dict[str, str | tuple[str, ...]]:
    """Return the values of nested tables by dotted key: scalars as text, lists as their items.

    >>> flattened({"a": {"b": 1, "c": None}, "d": [True, "x"], "e": [{"f": 2}, {"f": 3}]})
    {'a.b': '1', 'd': ('true', 'x'), 'e.f': ('2', '3')}
    """
    found: dict[str, str | tuple[str, ...]] = {}
    for key, value in table.items():
        if isinstance(value, Mapping):
            found |= {f"{key}.{inner}": each for inner, each in flattened(value).items()}
        elif isinstance(value, list):
            found |= _flat_list(str(key), value)
        elif value is not None:
            found[str(key)] = _scalar(value)
    return found


def _flat_list(key: str, values: list[Any]) -> dict[str, tuple[str, ...]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    plain = [_scalar(each) for each in values if each is not None and not isinstance(each, Mapping)]
    if plain or not values:
        found[key] = plain
    for table in values:
        if isinstance(table, Mapping):
            for inner, each in flattened(table).items():
                found[f"{key}.{inner}"].extend((each,) if isinstance(each, str) else each)
    return {name: tuple(items) for name, items in found.items()}


def _scalar(value: object) -> str:
    if isinstance(value, str):
        return value
    is_json = isinstance(value, bool | list)
    return json.dumps(value, ensure_ascii=False, default=str) if is_json else str(value)


def _read(format_: str, body: str) -> list[Entry] | None:
    if format_ == "json":
        return _json(body)
    found = None if format_ == "toml" else yaml_entries(body)
    return _toml_entries(body) if found is None and format_ != "yaml" else found


def _json(body: str) -> list[Entry] | None:
    """Return the entries of the object that a text begins with; YAML knows where they stand."""
    try:
        found, end = json.JSONDecoder().raw_decode(body, len(body) - len(body.lstrip()))
    except (ValueError, RecursionError):
        return None
    behind = body[end:].partition("\n")[0]
    if not isinstance(found, dict) or behind.strip():
        return None
    return yaml_entries(body[:end].replace("\t", " "))


def yaml_entries(body: str) -> list[Entry] | None:
    """Return the entries of a YAML mapping; None where it is none, or too large with aliases."""
    try:
        root = yaml.compose(body, Loader=yaml.SafeLoader)
        if not isinstance(root, yaml.MappingNode) or _size(root, {}) > 2 * _LONGEST:
            return None
        return list(_yaml_entries(root, "", body))
    except (yaml.YAMLError, ValueError, OverflowError, RecursionError):
        return None


def _size(node: yaml.Node, known: dict[int, int]) -> int:
    """Return a node's characters and nodes, aliases written out; without end if it holds itself."""
    if id(node) not in known:
        known[id(node)] = sys.maxsize
        parts = node.value if isinstance(node, yaml.CollectionNode) else ()
        inner = chain.from_iterable(parts) if isinstance(node, yaml.MappingNode) else parts
        known[id(node)] = 1 + len(node.value) + sum(_size(each, known) for each in inner)
    return known[id(node)]


def _span(node: yaml.Node, body: str) -> tuple[int, int]:
    """Return from where to where a value stands, without its anchor and tag."""
    first, last = node.start_mark.index, node.end_mark.index
    return last - len(_ANCHOR.sub("", body[first:last])), last


def _yaml_entries(table: yaml.MappingNode, prefix: str, body: str) -> Iterator[Entry]:
    """Yield the entries of a table, an alias's where its anchor stands.

    Raises ValueError where a table merges another (`<<`): its fields would be lost.
    """
    for key, value in table.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.tag.endswith(":merge"):
            raise ValueError("a merge key")
        name = f"{prefix}{key.value}"
        if isinstance(value, yaml.MappingNode):
            yield from _yaml_entries(value, f"{name}.", body)
        elif isinstance(value, yaml.SequenceNode):
            yield from _yaml_list(value, name, body)
        elif not value.tag.endswith(":null"):
            yield _yaml_scalar(value, name, body)


def _yaml_scalar(node: yaml.ScalarNode, name: str, body: str) -> Entry:
    """Return an entry, a quoted value without its quotes; a plain one may be a list by its look."""
    first, last = _span(node, body)
    if node.style is None:
        return Entry(name, body[first:last].rstrip(), first)
    items = (" ".join(str(node.value).split()),)
    if body[first + 1 : last - 1] == node.value == quoted(node.value) and node.style in {"'", '"'}:
        return Entry(name, node.value, first + 1, items)
    return Entry(name, body[first:last].rstrip(), first, items)


def _yaml_list(node: yaml.SequenceNode, name: str, body: str) -> Iterator[Entry]:
    """Yield the list's own items, and those of the tables in it."""
    first, last = _span(node, body)
    scalars = [str(each.value).strip() for each in node.value if isinstance(each, yaml.ScalarNode)]
    tables = [each for each in node.value if isinstance(each, yaml.MappingNode)]
    if scalars or not tables:
        yield Entry(name, body[first:last].rstrip(), first, tuple(filter(None, scalars)))
    for table in tables:
        yield from _yaml_entries(table, f"{name}.", body)


def _toml_entries(body: str) -> list[Entry] | None:
    """Return the entries of a TOML document; None where it is none."""
    try:
        values = flattened(tomllib.loads(body))
    except (ValueError, RecursionError):  # also an integer of more digits than Python converts
        return None
    spans = _toml_spans(body)
    return [_toml_entry(key, value, body, spans.get(key)) for key, value in values.items()] or None


def _toml_spans(body: str) -> dict[str, tuple[int, int]]:
    """Return from where to where each value stands, by dotted key."""
    lines = list(_TOML_LINE.finditer(body))
    spans: dict[str, tuple[int, int]] = {}
    prefix = ""
    for line, following in zip_longest(lines, lines[1:]):
        stop = len(body) if following is None else following.start()
        if line["table"] is not None:
            prefix = line["table"].replace('"', "").replace(" ", "") + "."
        else:
            spans.setdefault(prefix + line["key"].replace('"', ""), (line.end(), stop))
    return spans


def _toml_entry(
    key: str, value: str | tuple[str, ...], body: str, span: tuple[int, int] | None
) -> Entry:
    """Return an entry, with its place where the value is found as written."""
    if span is not None and isinstance(value, tuple):
        return Entry(key, body[slice(*span)].rstrip(), span[0], value)
    text = quoted(value) if isinstance(value, str) else "; ".join(value)
    start = -1 if span is None else body.find(text, *span)
    items = (value,) if isinstance(value, str) else value
    return Entry(key, text, None if start < 0 else start, items)


def read_fields(text: str) -> tuple[dict[str, FieldValue], str | None]:
    """Return the fields of a document's header, in order, and the title among them.

    Understood: `front_matter`, mail-style headers with folded lines, reST field lists,
    Markdown's `**Key:** value` and `- Key: value`, and a table of keys and values. No header, no
    fields. A key without a value is left out; a repeated key keeps its first place and gathers all
    items.
    """
    entries = front_matter(text)
    if entries is None:
        entries = key_lines(text) or table_rows(text)
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
        if first := fields.get(entry.key):
            items = first.items + tuple(item for item in value.items if item not in first.items)
            value = FieldValue(raw=first.raw, items=items, start=first.start, end=first.end)
        fields[entry.key] = value
    return fields
