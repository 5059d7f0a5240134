"""What is wrong with a data set."""

from dataclasses import dataclass

__all__ = ("Fault",)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault."""

    file: str
    question: str
    """Its id; empty where the fault is the whole file's."""
    text: str

    def __str__(self) -> str:
        """Say it in a line."""
        return f"{' '.join(filter(None, (self.file, self.question)))}: {self.text}"
