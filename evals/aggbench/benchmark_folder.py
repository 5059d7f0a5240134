"""TODO docstring."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from agent.errors import SettingsError
from evals.aggbench.rules import Annotation, Mined
from evals.aggbench.sources import Source, V, read_sources

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = (
    "ADDED",
    "CORE",
    "EXPANDED",
    "Folder",
)


CORE = "core"


EXPANDED = "expanded"


ADDED = "added/"
"""How the names of added documents begin."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A benchmark's folder."""

    place: Path

    def check_new(self) -> None:
        """Raise SettingsError unless the folder is empty or not there yet."""
        if self.place.exists() and (not self.place.is_dir() or any(self.place.iterdir())):
            raise SettingsError(f"{str(self.place)!r} is not empty: choose a folder not there yet")

    def write_documents(self, corpus: str, sources: Iterable[Source]) -> None:
        """Write documents as text files whose characters are those that the spans count."""
        for each in sources:
            path = self.place / corpus / f"{each.name}.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w", encoding="utf-8", newline="\n") as file:
                file.write(each.text)

    def documents(self, corpus: str) -> list[Source]:
        """Read the documents of a corpus back.

        Raises:
            SettingsError: there are none.
        """
        left: list[str] = []
        found = read_sources(self.place / corpus, left.append)
        if left:
            raise SettingsError(left[0])
        return found

    def write_lines(self, name: str, told: Iterable[Mapping[str, "JsonValue"]]) -> None:
        """Write JSON, an object a line."""
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in told)
        (self.place / name).write_text("".join(lines), encoding="utf-8")

    def write_json(self, name: str, told: Mapping[str, "JsonValue"]) -> None:
        """Write one JSON object."""
        text = json.dumps(told, ensure_ascii=False, indent=1)
        (self.place / name).write_text(text + "\n", encoding="utf-8")

    def lines(self, name: str) -> list[dict[str, "JsonValue"]]:
        """Read JSON lines; raise SettingsError where they cannot be read."""
        try:
            text = (self.place / name).read_text(encoding="utf-8")
            return [json.loads(line) for line in text.splitlines() if line.strip()]
        except (OSError, ValueError) as error:
            raise SettingsError(f"{str(self.place / name)!r} cannot be read: {error}") from error

    def json(self, name: str) -> dict[str, "JsonValue"]:
        """Read one JSON object; raise SettingsError where it cannot be read."""
        try:
            told = json.loads((self.place / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise SettingsError(f"{str(self.place / name)!r} cannot be read: {error}") from error
        return dict(told)

    def conditions(self) -> list[Mined]:
        """Read the conditions."""
        return self._values("conditions.jsonl", Mined)

    def annotations(self) -> list[Annotation]:
        """Read the annotations."""
        return self._values("annotations.jsonl", Annotation)

    def _values(self, name: str, kind: type[V]) -> list[V]:
        try:
            return [kind.model_validate(each) for each in self.lines(name)]
        except ValidationError as error:
            first = error.errors()[0]
            raise SettingsError(f"{name} of {str(self.place)!r}: {first['msg']}") from error
