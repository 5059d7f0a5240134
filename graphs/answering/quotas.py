"""Which items are in as many documents as a question wants: `every keeper`, `at least three`."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from agent.evidence import Finding
from agent.question import Quota
from graphs.answering.doubtful_names import between
from graphs.search.truth import Truths

__all__ = ("Items", "counted", "enough", "has_item", "joined")

Items = Mapping[str, tuple[str, Sequence[int]]]
"""By what tells them apart: how each item is shown, and the documents that have it."""


def has_item(
    documents: Collection[int],
    quota: Quota | None,
    sure: Collection[int],
    perhaps: Collection[int],
) -> bool | None:
    """Tell whether an item of some documents meets a quota; None where open ones could change it.

    Args:
        documents: those that have it.
        quota: in how many it must be; None for one.
        sure: the documents that match.
        perhaps: these and the documents that still may.
    """
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
    """Return how few and how many items meet a quota, whichever doubtful names are one.

    `items` are those of all documents in `perhaps`; `together` has their keys in groups of which
    each may be one.
    """
    matching, possible = frozenset(sure), frozenset(perhaps)
    places = {key: numbers for key, (_, numbers) in items.items()}
    return between(places, together, lambda each: has_item(each, quota, matching, possible))


def enough(
    told: Sequence[Finding],
    quota: Quota | None,
    truths: Truths,
    *,
    borderline: bool | None,
    unread: bool,
) -> bool | None:
    """Tell whether a name is in as many documents as a quota wants, by the findings about it.

    A document counts where its own findings make the conditions hold; those that the fields leave
    are all there are.

    Args:
        told: the findings about the name.
        quota: in how many documents it must be; None for one.
        truths: what is known of the conditions.
        borderline: what doubtful findings count for.
        unread: whether chunks without a verdict could still name it.
    """
    if quota is None:
        return True
    places: dict[str, list[Finding]] = defaultdict(list)
    for each in told:
        places[each.document].append(each)
    held = {
        name: truths.verdict(truths.of_name(findings, borderline=borderline, unread=False))
        for name, findings in places.items()
    }
    sure = sum(each is True for each in held.values())
    open_ = {name for name, each in held.items() if each is None}
    if unread:
        open_ |= {name for name in truths.unread_documents if held.get(name) is not True}
    lacking = len(truths.candidates) - sure - len(open_)
    return quota.met(sure, len(open_), lacking, 0)


def joined(*verdicts: bool | None) -> bool | None:
    """Join verdicts of which some may be open (Kleene).

    >>> joined(True, None), joined(None, False), joined(True, True)
    (None, False, True)
    """
    if False in verdicts:
        return False
    return None if None in verdicts else True
