"""Reading files of questions whose ambiguity is known, in any of the three formats."""

import json
import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from agent.errors import QuestionError
from agent.taxonomy import CODES
from evals.ambiguity.case import Case
from evals.ambiguity.formats import LeftOut, parse

__all__ = ("CONTROLS", "Loaded", "load", "wanted_codes")

CONTROLS = "none"
"""Stands among codes for the clear questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The questions to ask."""

    cases: tuple[Case, ...]
    left_out: Mapping[str, int]
    """How many questions cannot be asked, by the reason."""


def load(
    paths: Sequence[Path],
    *,
    codes: Collection[str] = (),
    sample: int | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Loaded:
    """Read the questions of some files, in their order.

    Args:
        paths: files with a JSON object a line.
        codes: take only questions with one of these; empty takes all.
        sample: draw so many at random, without replacement; None takes all.
        seed: what is drawn depends on it alone.
        limit: take the first so many of those.

    Raises:
        QuestionError: a file cannot be read, a line is not a question, an id occurs twice, or
            nothing is left.
    """
    lines = [(path, number, each) for path in paths for number, each in _lines(path)]
    dumps = _dumps(paths, [each for _, _, each in lines])
    cases: dict[str, Case] = {}
    left_out: Counter[str] = Counter()
    for path, number, members in lines:
        case = _case(path, number, members, dumps)
        if isinstance(case, LeftOut):
            left_out[case.why] += 1
        elif case.id in cases:
            raise QuestionError(f"{path.name} has two questions with the id {case.id!r}")
        else:
            cases[case.id] = case
    taken = [case for case in cases.values() if not codes or set(codes) & _told(case)]
    if not taken:
        raise QuestionError(f"no question is left to ask in {', '.join(map(str, paths))}")
    return Loaded(cases=tuple(_drawn(taken, sample, seed)[:limit]), left_out=left_out)


def wanted_codes(text: str) -> frozenset[str]:
    """Read codes parted by commas; `none` are the controls.

    Raises:
        QuestionError: one is no code.
    """
    codes = {part.strip() for part in text.split(",") if part.strip()}
    unknown = sorted(codes - {*CODES, CONTROLS})
    if unknown:
        raise QuestionError(f"{unknown[0]!r} is none of {', '.join((*CODES, CONTROLS))}")
    return frozenset(codes)


def _told(case: Case) -> set[str]:
    return {CONTROLS} if case.control else set(case.codes)


def _drawn(cases: Sequence[Case], sample: int | None, seed: int) -> list[Case]:
    """Draw some, in the order of the files; the draw does not depend on that order."""
    if sample is None or sample >= len(cases):
        return list(cases)
    ids = sorted(case.id for case in cases)
    drawn = set(random.Random(seed).sample(ids, sample))  # noqa: S311 - no secret
    return [case for case in cases if case.id in drawn]


def _case(
    path: Path, number: int, members: Mapping[str, JsonValue], dumps: Mapping[str, str]
) -> Case | LeftOut:
    try:
        return parse(members).case(dumps)
    except QuestionError as error:
        raise QuestionError(f"{path.name}, line {number}, is not a question: {error}") from error


def _lines(path: Path) -> Iterator[tuple[int, dict[str, JsonValue]]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        why = error.strerror or str(error)
        raise QuestionError(f"cannot read the questions {str(path)!r}: {why}") from error
    except UnicodeDecodeError as error:
        broken = error.object[: error.start].count(b"\n") + 1
        raise QuestionError(
            f"{path.name}, line {broken}, is not UTF-8 text: save the questions as UTF-8, one JSON "
            "object a line"
        ) from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, _object(path, number, line)


def _object(path: Path, number: int, line: str) -> dict[str, JsonValue]:
    where = f"{path.name}, line {number}, is not a question"
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QuestionError(f"{where}: it is not JSON: {error}") from error
    if not isinstance(members, dict):
        raise QuestionError(f"{where}: it is not an object")
    return members


def _dumps(paths: Sequence[Path], lines: Sequence[Mapping[str, JsonValue]]) -> dict[str, str]:
    """Return the SQL of each database; where some is missing, look in the files beside these."""
    known = dict(_told_dumps(lines))
    wanted = {str(each["db_file"]) for each in lines if "db_file" in each}
    beside = {file for path in paths for file in path.resolve().parent.glob("*.jsonl")}
    for file in sorted(beside - {path.resolve() for path in paths}):
        if wanted <= known.keys():
            break
        known = {**dict(_told_dumps([each for _, each in _lines(file)])), **known}
    return known


def _told_dumps(lines: Sequence[Mapping[str, JsonValue]]) -> Iterator[tuple[str, str]]:
    for each in lines:
        file, dump = each.get("db_file"), each.get("db_dump")
        if isinstance(file, str) and isinstance(dump, str):
            yield file, dump
