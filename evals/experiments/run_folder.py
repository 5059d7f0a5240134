"""A run: what is done stays done, the rest is measured, the whole is written into a folder.

RUN/
  run.json       the plan: arms, collections, seed, questions, and the code that measures them
  results.jsonl  a result a line, in the plan's order; the same plan and replies give these bytes
  journal.jsonl  what is done so far, and the seconds that each took
"""

import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent.errors import SettingsError
from evals.experiments.experiment import Experiment, Key, Measured, Plan, laid_out, measured
from tools.corpus.generations import replace_file

_PLAN, _RESULTS, _JOURNAL = "run.json", "results.jsonl", "journal.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it was left, finished or not."""

    plan: Plan
    measured: tuple[Measured, ...]


def run(
    experiment: Experiment,
    into: Path,
    place: Path | None,
    say: Callable[[str], None],
    *,
    jobs: int = 1,
) -> Run:
    """Measure what is not done yet, and return the whole run.

    Questions that a model's server or the index failed are not done.

    A folder that holds the same experiment is gone on with; without a `place`, indexes and replies
    are thrown away.
    """
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="headcount-eval-", dir=place) as own:
        plan, cells = laid_out(experiment, place or Path(own), Path(own), say)
        _begin(into, plan)
        journal = into / _JOURNAL
        if journal.exists():
            os.truncate(journal, len(_whole(journal)))  # or the next line joins one cut off
        done = {key for key, found in _done(journal).items() if not found.passing}
        missing = [cell for cell in cells if cell.key not in done]
        if done:
            say(f"{len(cells) - len(missing)} of {len(cells)} were done before")
        try:
            for number, found in enumerate(measured(missing, jobs), start=1):
                _add(found, journal)
                say(f"{number}/{len(missing)} {found.collection} {found.arm} {found.line}")
        finally:
            _export(into)
    return load_run(into)


def _begin(root: Path, plan: Plan) -> None:
    """Begin a run in an empty folder, or go on with the run of the same plan."""
    told = json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True)
    told, place = f"{told}\n", root / _PLAN
    root.mkdir(parents=True, exist_ok=True)
    if not place.exists() and any(root.iterdir()):
        raise SettingsError(f"{str(root)!r} is not empty and holds no run: choose another")
    if place.exists() and place.read_text(encoding="utf-8") != told:
        raise SettingsError(
            f"{str(root)!r} holds a run of other questions, arms, seed, settings or code: choose "
            "another folder"
        )
    replace_file(place, told)


def _export(root: Path) -> None:
    """Write the results of what is done in the plan's order, whenever each was done."""
    found = (each.model_dump(mode="json", exclude={"seconds"}) for each in load_run(root).measured)
    lines = (json.dumps(each, ensure_ascii=False, sort_keys=True) + "\n" for each in found)
    replace_file(root / _RESULTS, "".join(lines))


def load_run(root: Path) -> Run:
    """Read a run, or what a killed one's journal has; raises SettingsError where there is none."""
    if not (root / _PLAN).is_file():
        raise SettingsError(f"{str(root)!r} holds no run: `headcount-eval ablate` makes one")
    try:
        plan = Plan.model_validate_json((root / _PLAN).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"the run {str(root)!r} cannot be read: {error}") from error
    done = _done(root / _JOURNAL)
    return Run(plan=plan, measured=tuple(done[key] for key in plan.keys if key in done))


def _add(found: Measured, journal: Path) -> None:
    """Write down for good what was measured; measured again, it replaces what was there."""
    with journal.open("ab") as file:
        file.write(found.model_dump_json().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _done(journal: Path) -> dict[Key, Measured]:
    """Return everything that was written; raise SettingsError where it cannot be read."""
    try:
        found = [Measured.model_validate_json(line) for line in _whole(journal).splitlines()]
    except ValueError as error:
        raise SettingsError(
            f"the journal {str(journal)!r} cannot be read: choose another folder, or delete "
            "the journal and measure again"
        ) from error
    return {(each.collection, each.arm, each.question): each for each in found}


def _whole(journal: Path) -> bytes:
    """Return the journal without a last line that a kill cut off."""
    written = journal.read_bytes() if journal.exists() else b""
    return written[: written.rfind(b"\n") + 1]
