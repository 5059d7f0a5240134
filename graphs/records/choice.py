"""The way that was chosen: records, texts or both."""

from dataclasses import dataclass

from agent.records.records_route import Route

__all__ = ("Choice", "by_texts", "limited")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A way, and what came up while it was chosen."""

    route: Route
    stopped: str = ""
    """The limit that was reached; empty where none was."""


def by_texts(why: str, stopped: str = "", left: str = "") -> Choice:
    """Return the way by the texts; `left` says why an earlier choice was given up."""
    return Choice(route=Route(path="text", why=why, left=left), stopped=stopped)


def limited(limit: str) -> Choice:
    """Return the way that is left after a limit: nothing more is asked of the records."""
    return by_texts(f"a limit: {limit}", stopped=limit)
