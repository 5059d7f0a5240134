"""Names of tables and columns: checked against the pattern of names, and quoted all the same."""

import re
from collections import Counter
from typing import Final

from agent.errors import SettingsError
from agent.records.record_schema import Attribute, Kind, Schema

__all__ = ("check_names", "list_table", "quoted")

_NAME: Final = re.compile(r"_?[a-z][a-z0-9_]{0,189}\Z")


def quoted(name: str) -> str:
    """Return a name as an SQL identifier.

    Raises:
        SettingsError: it is no name of a kind or attribute.

    >>> quoted("team_id")
    '"team_id"'
    """
    if not _NAME.match(name):
        raise SettingsError(
            f"{name!r} cannot name a table or column: use lower-case letters, digits, underscores"
        )
    return f'"{name}"'


def list_table(kind: str, attribute: str) -> str:
    """Return the name of the child table that holds the values of a list attribute."""
    return f"{kind}__{attribute}"


def check_names(schema: Schema) -> None:
    """Check that the schema's tables and columns can stand side by side in one database.

    Raises:
        SettingsError: a name is taken twice, is reserved by SQLite, or is no name.
    """
    tables = [kind.name for kind in schema.kinds]
    for kind in schema.kinds:
        _once([each.name for each in kind.attributes], f"kind {kind.name!r} has an attribute")
        tables += [list_table(kind.name, each.name) for each in _lists(kind)]
    _once(tables, "the schema has a kind or list attribute")
    for name in tables:
        quoted(name)
        if name.startswith("sqlite_"):
            raise SettingsError(f"the name {name!r} is reserved: rename the kind")


def _lists(kind: Kind) -> list[Attribute]:
    return [each for each in kind.attributes if each.many]


def _once(names: list[str], what: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise SettingsError(f"{what} twice under the name {twice[0]!r}: rename one of them")
