"""What a server's errors mean to whoever runs Headcount."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from agent.errors import (
    CorpusDamaged,
    CorpusError,
    CorpusLocked,
    CorpusUnreachable,
    HeadcountError,
    SettingsError,
)
from tools.postgres.address import ServerAddress

__all__ = ("explained",)

_RIGHTS = (errors.InsufficientPrivilege, errors.InvalidSchemaName)
"""A schema that the role may not use is to it as none."""
_BUSY = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure)
_DAMAGE = (errors.DataCorrupted, errors.IndexCorrupted, errors.UndefinedTable)


@contextmanager
def explained(address: ServerAddress) -> Iterator[None]:
    """Raise the driver's errors as Headcount's, saying what to do.

    Raises:
        CorpusUnreachable: the server does not answer, refuses the login, or went away.
        CorpusLocked: another process has been writing for half a minute.
        CorpusDamaged: tables are missing or broken.
        SettingsError: the role lacks a right.
        CorpusError: anything else that the server refuses.
    """
    try:
        yield
    except psycopg.Error as error:
        raise _meaning(address, error) from error


def _meaning(address: ServerAddress, error: psycopg.Error) -> HeadcountError:
    store = f"the store {address.shown!r}"
    told = _first_line(error)
    if isinstance(error, _BUSY):
        return CorpusLocked(f"another process is writing {store}; try again")
    if isinstance(error, _RIGHTS):
        return SettingsError(
            f"{store} refuses ({told}): grant the role CREATE on the database; where another role "
            "made the corpus's schema, let the team share that one"
        )
    if isinstance(error, _DAMAGE):
        return CorpusDamaged(f"{store} is damaged ({told}): restore it from its backup")
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return CorpusUnreachable(
            f"{store} cannot be reached ({told}): check server, user and password and try again; "
            "nothing that was written is lost"
        )
    return CorpusError(f"{store} cannot be used ({told})")


def _first_line(error: psycopg.Error) -> str:
    """Return what happened: details may quote rows, and the driver's text has many lines."""
    told = error.diag.message_primary or str(error)
    return next(iter(told.strip().splitlines()), type(error).__name__)
