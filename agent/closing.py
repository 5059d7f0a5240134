"""What is opened by a `with` statement and closed at its end."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ("Closing",)


class Closing(ABC):
    """Holds files or connections; may be closed by hand, or by a `with` statement's end."""

    @abstractmethod
    def close(self) -> None:
        """Close what is held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
