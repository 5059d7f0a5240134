"""A run's folder: what was asked, what came of it, and apart from that when and where.

RUN/
  run.json          the plan: arms, collections, seed, questions
  results.jsonl     a result a line, in the plan's order; the same plan and replies give these bytes
  timings.jsonl     the seconds that each took
  environment.json  where it was measured, once for each time that it was started
  journal.sqlite    what is done so far
  under-way/        what is gone when it ends; see `evals.experiments.workspace`
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue, TypeAdapter

from agent.errors import SettingsError
from evals.experiments.environment import Environment
from evals.experiments.experiment import Plan
from evals.experiments.journal import Journal, Key
from evals.experiments.lines import read_lines, replace_text, write_lines, written
from evals.experiments.measuring import Measured
from evals.experiments.result import Result
from evals.experiments.workspace import UNDER_WAY

__all__ = ("Run", "RunFolder", "load_run")

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
