"""What a person says of fields: the file of `headcount index --fields`, and what it changes."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import yaml
from pydantic import TypeAdapter, ValidationError

from agent.corpus_view import Field, FieldType
from agent.errors import SettingsError
from agent.small_files import read_small
from agent.value import counted
from tools.corpus.build_settings import FieldCorrection
from tools.corpus.fields.field_values import fold

Corrections = Mapping[str, FieldCorrection]
"""What is said of fields, by their names as recognised."""
_FORM: TypeAdapter[dict[str, FieldCorrection]] = TypeAdapter(dict[str, FieldCorrection])
_MOST_BYTES: Final = 1_000_000
_SHOWN: Final = 3
_ALLOWED: Final = (
    "of each field `name`, `type` (text, number, date or list), `aliases` (a list) and `ignore` "
    "may be said: `headcount fields CORPUS` prints a file to begin with"
)


def read_corrections(file: Path) -> dict[str, FieldCorrection]:
    """Return what a file says of fields; raises SettingsError: it cannot be read or used."""
    try:
        text = read_small(file, _MOST_BYTES).decode("utf-8-sig")
        return corrections_from(text)
    except OSError as error:
        raise SettingsError(f"{str(file)!r} cannot be read ({error.strerror or error})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{str(file)!r} is no UTF-8: save it as UTF-8") from error
    except ValueError as error:
        raise SettingsError(f"{file}: {error}") from error


def corrections_from(text: str) -> dict[str, FieldCorrection]:
    """Return what a file's text corrects, by name; raises ValueError: it cannot be used.

    >>> corrections_from("Lessee: {name: Tenant, aliases: [Renter]}")["Lessee"].name
    'Tenant'
    >>> corrections_from("Rent: {type: money}")
    Traceback (most recent call last):
    ...
    ValueError: Rent.type: Input should be 'text', 'number', 'date' or 'list', not 'money'; of ...
    """
    try:
        root = yaml.compose(text, yaml.BaseLoader)
        told = yaml.load(text, yaml.BaseLoader) or {}  # noqa: S506 - it makes text alone
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError(f"no YAML: {' '.join(str(error).split())}") from error
    try:
        told = {key: own or {} for key, own in told.items()} if isinstance(told, dict) else told
        found = _FORM.validate_python(told)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise ValueError(f"{place}: {first['msg']}, not {first['input']!r}; {_ALLOWED}") from error
    _check([str(key.value) for key, _ in root.value] if root else [], found)
    return {key: each for key, each in sorted(found.items()) if each != FieldCorrection()}


def _check(names: Sequence[str], found: Corrections) -> None:
    """Raise ValueError where a field is told of twice, or two things that exclude one another."""
    known: dict[str, str] = {}
    for key in (*names, *(alias for each in found.values() for alias in each.aliases)):
        if (other := known.setdefault(fold(key), key)) and other is not key:
            raise ValueError(f"{other!r} and {key!r} are one field: say all of it in one place")
    types: dict[str, FieldCorrection] = {}
    for key, each in found.items():
        if each.ignore and each != FieldCorrection(ignore=True):
            raise ValueError(f"{key!r} is ignored: nothing else can be said of it")
        if not (each.name or key).strip() or not all(map(str.strip, each.aliases)):
            raise ValueError(f"{key!r}: a name is empty")
        first = types.setdefault(fold(each.name or key), each)
        if not each.ignore and first.type != each.type:
            raise ValueError(f"{each.name or key!r} is said to be of two types")


def corrections_text(corrections: Corrections) -> str:
    """Return what is said of fields as a file."""
    return "\n".join([*map(_entry, corrections, corrections.values()), ""])


def fields_text(fields: Sequence[Field], corrections: Corrections, documents: int) -> str:
    """Return a file to begin with: every field, with what was recognised as a remark."""
    by_name = {fold(each.name or key): key for key, each in corrections.items()}
    keys = [by_name.get(fold(each.name), each.name) for each in fields]
    lines = [
        f"# Fields of {counted(documents, 'document')}, the most widespread first. Say instead of",
        "# {} what is wrong: {name: …, type: text|number|date|list, aliases: [other names], or",
        "# ignore: true}; then index with --fields FILE.",
    ]
    lines += [
        f"{_entry(key, corrections.get(key, FieldCorrection()))}  # {_described(each)}"
        for key, each in zip(keys, fields, strict=True)
    ]
    lines += [_entry(key, each) for key, each in corrections.items() if key not in keys]
    return "\n".join(lines)


def _described(field: Field) -> str:
    """Say what a field was recognised as, and where."""
    kind = f"{field.type} in {', '.join(field.units[:_SHOWN])}" if field.units else field.type
    where = "written in" if field.written else "known of"
    values = "; ".join(value[:40] for value, _ in field.values[:_SHOWN])
    return f"{kind}, {where} {counted(field.documents, 'document')}: {' '.join(values.split())}"


def _entry(key: str, said: FieldCorrection) -> str:
    told = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(said).items()
        if value
    }
    in_line = yaml.safe_dump(
        {key: told}, default_flow_style=True, sort_keys=False, allow_unicode=True, width=math.inf
    )
    return in_line.strip()[1:-1]


class Corrected:
    """The names of fields as a person has them."""

    def __init__(self, names: Mapping[str, str], corrections: Corrections) -> None:
        """Correct canonical names by key; raises SettingsError: two entries are about one field."""
        own = {fold(key): name for key, name in names.items()}
        own |= {fold(name): name for name in names.values()}
        renamed: dict[str, str | None] = {}
        self.missing: list[str] = []
        """The fields and aliases that no document has."""
        self.misfits: list[str] = []
        """A line for each field with values that are not what they are said to be."""
        self.types: dict[str, FieldType | None] = {}
        self.aliases: dict[str, tuple[str, ...]] = {}
        for key, each in corrections.items():
            name = each.name or own.get(fold(key), key)
            self.types[name] = each.type
            self.aliases[name] = self.aliases.get(name, ()) + each.aliases
            called = None if each.ignore else name
            for wanted in (key, *each.aliases):
                if (found := own.get(fold(wanted))) is None:
                    self.missing.append(wanted)
                elif renamed.setdefault(found, called) != called:
                    raise SettingsError(f"two entries of the file of fields are about {found!r}")
        spelt = {fold(name): name for name in renamed.values() if name is not None}
        self.names: dict[str, str | None] = {
            key: renamed[name] if name in renamed else spelt.get(fold(name), name)
            for key, name in names.items()
        }
        """What the field of each key is called; None where it is ignored."""

    def unknown(self, names: Iterable[str]) -> str:
        """Say which of some names no document has."""
        told = ", ".join(map(repr, filter(self.missing.__contains__, names)))
        return f"no document has the field {told}" if told else ""

    def unwritten(self) -> str:
        """Say which aliases no document has, so that they are words for questions alone."""
        every = [alias for each in self.aliases.values() for alias in each]
        told = ", ".join(repr(each) for each in every if each in self.missing)
        return f"aliases for questions, which no document has: {told}" if told else ""
