"""Where a team's database server is: its address is used as given and shown without its secrets."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urlsplit

from agent.errors import SettingsError

if TYPE_CHECKING:
    from agent.settings import Settings

_SCHEMES: Final = ("postgresql", "postgres")


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A PostgreSQL URL; neither its text nor its representation holds user, password or options.

    >>> ServerAddress.parsed("postgresql://jo:s3cret@db.example:5433/team?sslmode=require")
    postgresql://db.example:5433/team
    """

    url: str = field(repr=False)
    """The whole URL, for the driver alone."""
    shown: str
    """Scheme, hosts and database: what messages say."""

    @classmethod
    def parsed(cls, url: str) -> Self:
        """Read a URL; raises SettingsError, without a word of it, or where the driver lacks."""
        try:
            import psycopg as _  # noqa: F401
        except ImportError as error:  # it may be the library underneath the driver
            raise SettingsError(
                "runs on a server need the extra `postgres`: pip install 'headcount[postgres]'"
            ) from error
        try:
            parts = urlsplit(url)
        except ValueError:  # its text quotes the URL
            raise SettingsError("the store is no URL: check the brackets of its host") from None
        if parts.scheme not in _SCHEMES:
            raise SettingsError("the store must begin with postgresql://")
        if parts.fragment or "@" in parts.path + parts.query:
            raise SettingsError(
                "the store's user or password holds a character that a URL reserves: write "
                "/ as %2F, # as %23, ? as %3F and @ as %40"
            )
        hosts = parts.netloc.rpartition("@")[2]
        return cls(url, f"postgresql://{hosts}{parts.path}")

    def __repr__(self) -> str:
        return self.shown

    __str__ = __repr__


def server_of(settings: "Settings") -> ServerAddress | None:
    """Return the server that keeps the runs, None where they are kept in files; SettingsError."""
    store = settings.store
    return None if store is None else ServerAddress.parsed(store.get_secret_value())
