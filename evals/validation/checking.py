"""All checks of a folder that a builder wrote."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from agent.errors import HeadcountError, SettingsError
from evals.aggbench.source import Source, read_sources
from evals.questions import Record, load
from evals.validation.decided import Decider
from evals.validation.fault import Fault
from evals.validation.records import duplicates, faults_of, is_satisfied

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import JsonValue

__all__ = ("faults_in",)

_LAYOUT: Final = {"core.jsonl": "core", "expanded.jsonl": "expanded", "questions.jsonl": "docs"}
"""The files of questions that builders write, and the folders they are asked over."""


def faults_in(folder: Path) -> tuple[int, list[Fault]]:
    """Return how many questions a folder has, and everything that is wrong with them.

    Raises:
        SettingsError: no file of questions is there.
    """
    names = [name for name in _LAYOUT if (folder / name).is_file()]
    if not names:
        known = ", ".join(_LAYOUT)
        raise SettingsError(f"{str(folder)!r} has no questions: none of {known}")
    count, faults = 0, list[Fault]()
    for name in names:
        try:
            records = load(folder / name)
            left: list[str] = []
            sources = read_sources(folder / _LAYOUT[name], left.append)
        except HeadcountError as error:
            faults.append(Fault(name, "", str(error)))
            continue
        count += len(records)
        faults += [Fault(name, "", each) for each in left]
        faults += [Fault(name, *each) for each in duplicates(records)]
        faults += [Fault(name, *each) for each in _of_records(folder / name, records, sources)]
    return count, faults


def _of_records(
    file: Path, records: list[Record], sources: list[Source]
) -> Iterator[tuple[str, str]]:
    texts = {each.name: each.text for each in sources}
    decider = Decider(sources)
    for record, told in zip(records, _told(file), strict=True):
        if not is_satisfied(record, told.get("answer_groups")):
            yield record.id, "nothing satisfies it"
        for fault in (*faults_of(record, texts), *decider.faults(told)):
            yield record.id, fault


def _told(file: Path) -> "Iterator[Mapping[str, JsonValue]]":
    for line in file.read_text(encoding="utf-8-sig").splitlines():
        if line.strip():
            yield json.loads(line)
