"""Which items are in as many documents as a question wants: `every keeper`, `at least three`."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from agent.evidence import Finding
from agent.question import Condition, Quota
from graphs.search.condition_evaluator import ConditionEvaluator, Truth

_Told = TypeVar("_Told")


def between(
    told: Mapping[str, Sequence[_Told]],
    together: Iterable[Sequence[str]],
    verdict: Callable[[Sequence[_Told]], bool | None],
) -> tuple[int, int]:
    """Return how few and how many pass, whichever of the doubtful names are one.

    Args:
        told: what is known of each name: the documents that have it, or the findings about it.
        together: the names in groups of which each may be one.
        verdict: tells of what is known whether it passes; None where that is open.

    >>> between({"a": [1], "b": [2], "c": []}, [["a", "b"], ["c"]], bool)
    (1, 2)
    """
    fewest = most = 0
    for members in together:
        apart = [verdict(told[name]) for name in members]
        as_one = verdict([each for name in members for each in told[name]])
        fewest += True in apart and as_one is True
        most += max(sum(each is not False for each in apart), int(as_one is not False))
    return fewest, most


Items = Mapping[str, tuple[str, Sequence[int]]]
"""By what tells them apart: how each item is shown, and the documents that have it."""


def has_item(
    documents: Collection[int],
    quota: Quota | None,
    sure: Collection[int],
    perhaps: Collection[int],
) -> bool | None:
    """Tell whether an item of some documents meets a quota; None where that is open."""
    matching, possible = frozenset(sure), frozenset(perhaps)
    having = frozenset(documents)
    held, open_ = len(matching & having), len((possible - matching) & having)
    unsure = len(possible - matching) - open_
    return (quota or Quota()).met(held, open_, len(matching) - held, unsure)


def counted(
    items: Items,
    quota: Quota | None,
    sure: Collection[int],
    perhaps: Collection[int],
    together: Iterable[Sequence[str]],
) -> tuple[int, int]:
    """Return how few and how many items meet a quota, whichever doubtful names are one."""
    matching, possible = frozenset(sure), frozenset(perhaps)
    places = {key: numbers for key, (_, numbers) in items.items()}
    return between(places, together, lambda each: has_item(each, quota, matching, possible))


def enough(
    told: Sequence[Finding],
    quota: Quota | None,
    evaluator: ConditionEvaluator,
    *,
    borderline: bool | None,
    unread: bool,
) -> bool | None:
    """Tell whether a name is in as many documents as a quota wants, by the findings about it.

    A document counts where its own findings make the conditions hold; those that the fields leave
    are all there are.
    """
    if quota is None:
        return True
    places: dict[str, list[Finding]] = defaultdict(list)
    for each in told:
        places[each.document].append(each)
    held = {
        name: evaluator.verdict(evaluator.of_name(findings, borderline=borderline, unread=False))
        for name, findings in places.items()
    }
    sure = sum(each is True for each in held.values())
    open_ = {name for name, each in held.items() if each is None}
    if unread:
        open_ |= {name for name in evaluator.unread_documents if held.get(name) is not True}
    lacking = len(evaluator.candidates) - sure - len(open_)
    return quota.met(sure, len(open_), lacking, 0)


def joined(*verdicts: bool | None) -> bool | None:
    """Join verdicts of which some may be open (Kleene).

    >>> joined(True, None), joined(None, False), joined(True, True)
    (None, False, True)
    """
    if False in verdicts:
        return False
    return None if None in verdicts else True


def holds_across(
    documents: Sequence[int],
    evaluator: ConditionEvaluator,
    *,
    borderline: bool | None = None,
    unread: bool | None = None,
) -> bool | None:
    """Tell whether the conditions hold for what stands in some documents; None where it is open.

    A condition holds where it holds in one of them; it fails where it fails in all.
    """
    each = [
        evaluator.of_document(number, borderline=borderline, unread=unread) for number in documents
    ]
    return evaluator.verdict(partial(_any, each))


def _any(documents: Sequence[Truth], atom: Condition) -> bool | None:
    found = {truth(atom) for truth in documents}
    return True if True in found else None if None in found else False
