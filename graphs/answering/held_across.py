"""Items that satisfy the conditions over all their documents together: a cutter, and no saw."""

from collections.abc import Sequence
from functools import partial

from agent.question import Condition
from graphs.search.truth import Truth, Truths

__all__ = ("held_across",)


def held_across(
    documents: Sequence[int],
    truths: Truths,
    *,
    borderline: bool | None = None,
    unread: bool | None = None,
) -> bool | None:
    """Tell whether the conditions hold for what stands in some documents; None where it is open.

    A condition holds where it holds in one of them; it fails where it fails in all.

    Args:
        documents: those that have the item.
        truths: what is known of the conditions in each.
        borderline: what doubtful findings count for.
        unread: what only chunks without a verdict could state.
    """
    each = [
        truths.of_document(number, borderline=borderline, unread=unread) for number in documents
    ]
    return truths.verdict(partial(_any, each))


def _any(documents: Sequence[Truth], atom: Condition) -> bool | None:
    found = {truth(atom) for truth in documents}
    return True if True in found else None if None in found else False
