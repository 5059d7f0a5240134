"""A run's folder: what was asked, what came of it, and apart from that when and where.

RUN/
  run.json          the plan: arms, collections, seed, questions
  results.jsonl     a result a line, in the plan's order; the same plan and replies give these bytes
  timings.jsonl     the seconds that each took
  environment.json  where it was measured, once for each time that it was started
  journal.sqlite    what is done so far
  under-way/        what is gone when it ends; see `evals.experiments.running`
"""

import json
import os
import platform
import sqlite3
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from pydantic import JsonValue, TypeAdapter, ValidationError

from agent.errors import SettingsError
from agent.value import Value
from evals.experiments.experiment import Plan
from evals.experiments.measuring import Measured, Result

__all__ = (
    "UNDER_WAY",
    "Environment",
    "Journal",
    "Key",
    "Run",
    "RunFolder",
    "environment",
    "load_run",
    "read_lines",
    "replace_text",
    "write_lines",
    "written",
)

_DISTRIBUTION = "headcount"
_LAYING_OUT = ("evals/paper.py", "evals/experiment_report.py")
"""Code that chooses arms, which a run's plan tells, and that lays out what was measured."""


class Environment(Value):
    """One machine, one Python, one set of packages."""

    headcount: str
    """The version of what is measured."""
    source: str
    """SHA-256 over the modules and prompts that decide a result, so that an edited copy shows."""
    python: str
    system: str
    machine: str
    cores: int
    packages: dict[str, str]
    """The versions of its dependencies, by name."""


def environment() -> Environment:
    """Describe where this runs."""
    return Environment(
        headcount=_version(_DISTRIBUTION),
        source=_source(),
        python=sys.version.split()[0],
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        cores=os.cpu_count() or 1,
        packages={name: _version(name) for name in _dependencies()},
    )


def _dependencies() -> list[str]:
    """Return the names of what the project needs, without its extras."""
    try:
        stated = distribution(_DISTRIBUTION).requires or []
    except PackageNotFoundError:
        return []
    needs = (Requirement(line) for line in stated)
    return sorted({need.name for need in needs if "extra" not in str(need.marker or "")})


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _source() -> str:
    """Hash the code and the prompts that run, by package and path."""
    import hashlib

    root = Path(__file__).resolve().parents[2]
    found = hashlib.sha256()
    for package in ("agent", "tools", "prompts", "graphs", "evals"):
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            decides = path.suffix in {".py", ".md", ".toml"} and not name.startswith(_LAYING_OUT)
            if decides and path.is_file():
                found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


Key = tuple[str, str, str]
"""Collection, arm, question."""
_TABLE = """
CREATE TABLE IF NOT EXISTS measured (
  collection TEXT NOT NULL, arm TEXT NOT NULL, question TEXT NOT NULL,
  result TEXT NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY (collection, arm, question)
) STRICT
"""


class Journal:
    """A table of measured cells in one SQLite file; used from one thread."""

    def __init__(self, path: Path) -> None:
        """Open a journal, or begin one; raise SettingsError where the file is damaged."""
        self._path = path
        try:
            with closing(self._open()) as database, database:
                database.execute(_TABLE)
        except sqlite3.DatabaseError as error:
            raise self._damaged(error) from error

    def add(self, key: Key, measured: Measured) -> None:
        """Write a cell down for good; one measured again replaces what was there."""
        told = json.dumps(measured.result.model_dump(mode="json"), ensure_ascii=False)
        with closing(self._open()) as database, database:
            database.execute(
                "INSERT OR REPLACE INTO measured VALUES (?, ?, ?, ?, ?)",
                (*key, told, measured.seconds),
            )

    def done(self) -> dict[Key, Measured]:
        """Return everything that was written; raise SettingsError where it cannot be read."""
        try:
            return dict(self._rows())
        except (sqlite3.DatabaseError, ValidationError) as error:
            raise self._damaged(error) from error

    def _rows(self) -> Iterator[tuple[Key, Measured]]:
        with closing(self._open()) as database:
            rows = database.execute("SELECT * FROM measured").fetchall()
        for collection, arm, question, result, seconds in rows:
            key = (str(collection), str(arm), str(question))
            yield key, Measured(Result.model_validate_json(result), float(seconds))

    def _damaged(self, error: sqlite3.DatabaseError | ValidationError) -> SettingsError:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        return SettingsError(
            f"the journal {str(self._path)!r} cannot be read: {first}; choose another folder, or "
            "delete the journal and measure again"
        )

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(self._path, timeout=30)


def written(value: JsonValue) -> str:
    """Return a value as indented JSON with sorted keys and a final newline."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def write_lines(path: Path, rows: Iterable[Mapping[str, JsonValue]]) -> None:
    """Replace a file by one of an object a line, keys sorted."""
    lines = (json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in rows)
    replace_text(path, "".join(lines))


def replace_text(path: Path, text: str) -> None:
    """Write a file beside the old one and put it in its place: a kill leaves one of the two."""
    draft = path.with_name(f"{path.name}.draft")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def read_lines(path: Path) -> list[dict[str, JsonValue]]:
    """Read a file of an object a line; raise OSError or ValueError where that is not what it is."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    if not all(isinstance(row, dict) for row in rows):
        raise ValueError(f"{path.name} has a line that is no object")
    return rows


_PLAN, _RESULTS, _TIMINGS = "run.json", "results.jsonl", "timings.jsonl"
_ENVIRONMENT, _JOURNAL = "environment.json", "journal.sqlite"
_ENVIRONMENTS = TypeAdapter(tuple[Environment, ...])


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it was left, finished or not."""

    plan: Plan
    measured: tuple[Measured, ...]
    """What is done, in the plan's order."""
    environments: tuple[Environment, ...]

    @property
    def cells(self) -> int:
        """How many there are to do in all."""
        return len(self.plan.arms) * sum(len(each.ids) for each in self.plan.collections)


class RunFolder:
    """The files of one run."""

    def __init__(self, root: Path, plan: Plan) -> None:
        """Begin a run in an empty or absent folder, or go on with the run of the same plan.

        Raises:
            SettingsError: the folder cannot be made, or holds another run or something else.
        """
        self.root = root
        try:
            root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"the run {str(root)!r} cannot be made: {error}") from error
        told = written(plan.model_dump(mode="json"))
        place = root / _PLAN
        if not place.exists() and any(each.name != UNDER_WAY for each in root.iterdir()):
            raise SettingsError(f"{str(root)!r} is not empty and holds no run: choose another")
        if place.exists() and place.read_text(encoding="utf-8") != told:
            raise SettingsError(
                f"{str(root)!r} holds a run of other questions, arms, seed or settings: choose "
                "another folder"
            )
        replace_text(place, told)
        self.journal = Journal(root / _JOURNAL)

    def enter(self, environment: Environment) -> None:
        """Note where the run is measured, once for each environment.

        Raises:
            SettingsError: other code has measured a part of it.
        """
        place = self.root / _ENVIRONMENT
        known = _environments(place)
        others = [each for each in known if each.source != environment.source]
        if others:
            raise SettingsError(
                f"{str(self.root)!r} was measured with other code ({others[0].source[:12]}, this "
                f"is {environment.source[:12]}): choose another folder, or delete it"
            )
        if environment not in known:
            told = _ENVIRONMENTS.dump_python((*known, environment), mode="json")
            replace_text(place, written(told))

    def export(self, order: Sequence[Key]) -> None:
        """Write results and timings of what is done in this order, whenever each was done."""
        done = self.journal.done()
        found = [(key, done[key]) for key in order if key in done]
        results = (each.result.model_dump(mode="json") for _, each in found)
        write_lines(self.root / _RESULTS, results)
        write_lines(self.root / _TIMINGS, (_timing(key, each) for key, each in found))


def load_run(root: Path) -> Run:
    """Read a run; of one that was killed, what its journal has.

    Raises:
        SettingsError: the folder holds no run, or one that cannot be read.
    """
    if not (root / _PLAN).is_file():
        raise SettingsError(f"{str(root)!r} holds no run: `headcount-eval ablate` makes one")
    try:
        plan = Plan.model_validate_json((root / _PLAN).read_text(encoding="utf-8"))
        measured = _measured(root, plan)
        environments = _environments(root / _ENVIRONMENT)
    except (OSError, ValueError, KeyError) as error:
        raise SettingsError(f"the run {str(root)!r} cannot be read: {error}") from error
    return Run(
        plan=plan,
        measured=tuple(measured),
        environments=environments,
    )


def _measured(root: Path, plan: Plan) -> list[Measured]:
    """Return what is done: by the journal, which a kill leaves ahead of the files for readers."""
    if (root / _JOURNAL).is_file():
        done = Journal(root / _JOURNAL).done()
        return [done[key] for key in plan.keys if key in done]
    timings = [_seconds(row) for row in read_lines(root / _TIMINGS)]
    results = [Result.model_validate(row) for row in read_lines(root / _RESULTS)]
    return list(map(Measured, results, timings))


def _environments(place: Path) -> tuple[Environment, ...]:
    if not place.exists():
        return ()
    return _ENVIRONMENTS.validate_json(place.read_text(encoding="utf-8"))


def _timing(key: Key, measured: Measured) -> dict[str, JsonValue]:
    collection, arm, question = key
    return {
        "collection": collection,
        "arm": arm,
        "question": question,
        "seconds": round(measured.seconds, 4),
    }


def _seconds(row: Mapping[str, JsonValue]) -> float:
    seconds = row["seconds"]
    if not isinstance(seconds, int | float):
        raise ValueError(f"{seconds!r} is no number of seconds")  # noqa: TRY004 - of a file
    return float(seconds)


UNDER_WAY: Final = "under-way"
