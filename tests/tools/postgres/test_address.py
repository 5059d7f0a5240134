"""The address of a server is used whole and shown without user, password and options."""

import sys

import pytest

from agent.errors import SettingsError
from tools.postgres.address import ServerAddress

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        (f"postgresql://jo:{SECRET}@db.example:5433/team", "postgresql://db.example:5433/team"),
        (f"postgres://db/team?password={SECRET}&user=jo", "postgresql://db/team"),
        (f"postgresql://jo:{SECRET}@a:1,b:2/team", "postgresql://a:1,b:2/team"),
        (f"postgresql://jo:{SECRET}@[::1]:5432/team", "postgresql://[::1]:5432/team"),
        ("postgresql:///team?host=/run/pg", "postgresql:///team"),
    ],
)
def test_only_hosts_and_database_are_shown(url: str, shown: str):
    address = ServerAddress.parsed(url)
    assert address.url == url
    assert f"{address} {address!r} {[address]}" == f"{shown} {shown} [{shown}]"


@pytest.mark.parametrize(
    "url",
    [
        f"mysql://jo:{SECRET}@db/team",
        f"{SECRET}",
        f"postgresql://jo:{SECRET}/x@db/team",
        f"postgresql://jo:{SECRET}#x@db/team",
        f"postgresql://jo:12?{SECRET}@db/team",
        f"postgresql://jo:[{SECRET}@db/team",
    ],
)
def test_what_is_no_address_is_refused_without_a_word_of_it(url: str):
    with pytest.raises(SettingsError) as caught:
        ServerAddress.parsed(url)
    assert SECRET not in str(caught.value)
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_missing_driver_is_told_with_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(SettingsError, match=r"pip install 'headcount\[postgres\]'"):
        ServerAddress.parsed("postgresql://db/team")
