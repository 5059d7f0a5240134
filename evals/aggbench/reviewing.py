"""Merging a review into a benchmark that was built: the same queries, new truths."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agent.errors import SettingsError
from evals.aggbench.annotation import truths_of
from evals.aggbench.benchmark import Benchmark, write_questions
from evals.aggbench.condition import Mined
from evals.aggbench.folder import ADDED, CORE, EXPANDED, Folder
from evals.aggbench.logic import Logic, combined
from evals.aggbench.query import Query
from evals.aggbench.review import read_rows
from evals.aggbench.revision import Revised, agreements, revise

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("merge_reviews",)


def merge_reviews(place: Path, files: Sequence[Path]) -> dict[str, dict[str, "JsonValue"]]:
    """Merge reviews, write everything that follows, and return agreement and statistics by name.

    Queries that nothing satisfies any more are dropped; the others keep their ids.

    Raises:
        SettingsError: the folder is no benchmark, or a review cannot be used.
    """
    folder = Folder(place)
    conditions = folder.conditions()
    core = folder.documents(CORE)
    reviews = [read_rows(each) for each in files]
    known = {each.id for each in conditions}
    for row in (row for rows in reviews for row in rows if row.condition not in known):
        raise SettingsError(f"the review names {row.condition!r}, which is no condition")
    revised = revise(folder.annotations(), reviews, core)
    conditions = [_reviewed(each, revised) for each in conditions]
    recipe = folder.json("recipe.json")
    expansion = cast("Mapping[str, Sequence[str]]", recipe.get("expansion") or {})
    added = folder.documents(EXPANDED) if expansion else []
    made = Benchmark(
        core=core,
        conditions=conditions,
        annotations=revised.annotations,
        queries=_queries(folder, conditions, revised),
        added=[each for each in added if each.name.startswith(ADDED)],
        generic=expansion.get("generic", ()),
    )
    folder.write_lines("conditions.jsonl", [each.model_dump(mode="json") for each in conditions])
    told = agreements(reviews)
    folder.write_json("agreement.json", told)
    agreed = cast("dict[str, JsonValue]", told["machine_and_person"])
    return {"machine and person": agreed, **write_questions(made, folder)}


def _reviewed(condition: Mined, revised: Revised) -> Mined:
    """Return the condition, decided by people where they changed a judgement of it."""
    if condition.id not in revised.corrected:
        return condition
    said = condition.decided_by.partition(";")[0]
    return condition.model_copy(update={"rule": None, "decided_by": f"{said}; corrected by people"})


def _queries(folder: Folder, conditions: Sequence[Mined], revised: Revised) -> dict[int, Query]:
    by_id = {each.id: each for each in conditions}
    truths = truths_of(conditions, revised.annotations)
    found = {}
    for record in folder.lines(f"{CORE}.jsonl"):
        labels = cast("Sequence[Mapping[str, str]]", record["conditions"])
        parts = tuple(by_id[each["label"]] for each in labels)
        logic = cast("Logic", record["logic"])
        whole = combined(logic, [truths[each.id] for each in parts])
        if whole.satisfied:
            number = int(str(record["id"]).rpartition("-")[2])
            found[number] = Query(parts, logic, whole)
    return found
