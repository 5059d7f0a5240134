"""Figures of a chapter that are no run of arms: kept on disk, so that nothing is measured twice."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.errors import SettingsError
from evals.experiments.environment import environment
from evals.experiments.lines import replace_text, written

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("kept",)


def kept(
    place: Path, asked: "JsonValue", measure: Callable[[], "dict[str, JsonValue]"]
) -> dict[str, Any]:
    """Return what was measured of the same questions with the same code, or measure it.

    Args:
        place: the file of JSON.
        asked: what decides the figures, besides the code.
        measure: measures them.

    Raises:
        SettingsError: the file is of other questions or other code.
    """
    told: JsonValue = {"questions": asked, "code": environment().source}
    if not place.is_file():
        measured = {"asked": told, **measure()}
        replace_text(place, written(measured))
        return measured
    known = json.loads(place.read_text(encoding="utf-8"))
    if not isinstance(known, dict) or known.get("asked") != told:
        raise SettingsError(
            f"{str(place)!r} was measured of other questions or with other code: choose another "
            "folder for --runs, or delete it"
        )
    return known
