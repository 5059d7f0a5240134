"""Which questions are kept: each once, from databases of moderate size, the kinds in turn."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from evals.aggbench.mining import in_turn
from evals.spiderqa.conversion import Converted
from evals.spiderqa.document import Rendered
from evals.spiderqa.sql import normal_sql

__all__ = ("Moderation", "Rejected", "balanced", "moderate", "without_repeats")


@dataclass(frozen=True, slots=True, kw_only=True)
class Moderation:
    """Which databases and how many questions are kept."""

    questions: int = 201
    """In all, at most; the paper has 201 over 48 databases."""
    per_database: int = 8
    fewest: int = 2
    """Questions of a database, at least."""
    most_characters: int = 100_000
    """Of a database's document."""
    most_per_question: int = 25_000
    """Characters of a document for each of its questions."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A question, or with an empty one a database, that is not converted, and why."""

    db_id: str
    question: str
    why: str


def without_repeats(found: Iterable[Converted]) -> list[Converted]:
    """Return each query of a database once; its other wordings become paraphrases.

    A question in the words of an earlier one is left out, whatever its query.
    """
    kept: dict[tuple[str, str], Converted] = {}
    worded: set[tuple[str, str]] = set()
    for each in found:
        words = (each.asked.db_id, " ".join(each.asked.question.casefold().split()))
        if words in worded:
            continue
        worded.add(words)
        key = (each.asked.db_id, normal_sql(each.asked.query))
        first = kept.get(key)
        if first is None:
            kept[key] = each
        else:
            more = (*first.paraphrases, each.asked.question)
            kept[key] = replace(first, paraphrases=more)
    return list(kept.values())


def moderate(
    found: Sequence[Converted], rendered: Mapping[str, Rendered], limits: Moderation
) -> tuple[list[Converted], list[Rejected]]:
    """Return the questions of databases that are neither too large nor asked too little."""
    times = Counter(each.asked.db_id for each in found)
    rejected = []
    for name, document in rendered.items():
        size, asked = len(document.text), times[name]
        if asked < limits.fewest:
            rejected.append(Rejected(name, "", f"{asked} questions, fewer than {limits.fewest}"))
        elif size > limits.most_characters:
            rejected.append(Rejected(name, "", f"{size} characters, too many"))
        elif size > limits.most_per_question * asked:
            rejected.append(Rejected(name, "", f"{size} characters for {asked} questions"))
    dropped = {each.db_id for each in rejected}
    return [each for each in found if each.asked.db_id not in dropped], rejected


def balanced(found: Iterable[Converted], limits: Moderation) -> list[Converted]:
    """Return questions with aggregates and ways to join in turn, no database more than its share.

    The order is that of the databases, so that a file reads by document.
    """
    groups: defaultdict[tuple[str, str], list[Converted]] = defaultdict(list)
    for each in found:
        groups[each.aggregate.name, each.logic].append(each)
    taken: Counter[str] = Counter()

    def fits(each: Converted) -> bool:
        taken[each.asked.db_id] += 1
        return taken[each.asked.db_id] <= limits.per_database

    turns = in_turn(groups[key] for key in sorted(groups))
    chosen = list(islice(filter(fits, turns), limits.questions))
    return sorted(chosen, key=lambda each: each.asked.db_id)
