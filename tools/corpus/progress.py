"""How a build says how far it is."""

from collections.abc import Callable

__all__ = ("Progress", "silent")

Progress = Callable[[str, int, int], None]
"""Called with a stage's name, how much of it is done and how much there is."""


def silent(_stage: str, _done: int, _total: int) -> None:
    """Say nothing."""
