"""The product without one of its parts: named values of the policy, never edited code."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from agent.errors import SettingsError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from evals.experiment import Arm

WHOLE: Final = "headcount"
"""The product as it is: what every variant is compared with."""
_DFA: "Mapping[str, JsonValue]" = {
    "disambiguation": "guided",
    "route": "text",
    "certain": False,
    "scan": False,
    "few_candidates": 0,
    "preview": False,
    "feedback": False,
    "audit": 0,
    "batching": "algorithm_1",
}
"""DFA's steps (section 5), by our planner's prompt or a fixed rule in a model's place: every
ambiguity found is minded, a filter call is planned for every question, all candidates are read, in
batches by algorithm 1."""
_REVIEW: "Mapping[str, JsonValue]" = {
    "few_candidates": 0,
    "ranked": True,
    "trial": 0,
    "disambiguation": "none",
    "route": "text",
}

BY_GROUP: "Final[Mapping[str, Mapping[str, Mapping[str, JsonValue]]]]" = {
    "search": {
        # all candidates of the filters are read, and no others
        "no-feedback": {"feedback": False},
        "no-audit": {"audit": 0},
        # filters are called also where reading at once, or by rank alone, is cheaper
        "no-scan": {"scan": False},
        # every question is answered from the texts, none from records
        "text-only": {"route": "text"},
    },
    "reading": {
        # as `headcount review` shows passages to a person
        "review": _REVIEW,
        # and on, by audits of any size, until the recall is proven
        "review-proven": {**_REVIEW, "audit": 5000, "max_audits": 6},
    },
    "filtering": {
        # as published: it filters, judges the candidates and stops
        "dfa": _DFA,
        # besides, without a look at what filters discard (DFA, A.8.2)
        "dfa-no-observation": {**_DFA, "observe_discarded": False},
        "no-observation": {"scan": False, "observe_discarded": False},
        "no-preview": {"scan": False, "preview": False},
    },
    # MuDABench, table 1: an extractor that is shown so many chunks of each document
    "extraction": {f"chunks-{each}": {"chunks": each} for each in (1, 3, 5)},
    "batching": {"algorithm-1": {"batching": "algorithm_1"}},
    "disambiguation": {
        # every ambiguity found is minded, also where the count is the same
        "ask-always": {"disambiguation": "guided"},
        # one open question instead of classification (DFA, table 8)
        "direct": {"disambiguation": "direct"},
        "no-disambiguation": {"disambiguation": "none"},
    },
}
GROUPS: Final = tuple(BY_GROUP)
VARIANTS: "Final[Mapping[str, Mapping[str, JsonValue]]]" = {
    name: policy for variants in BY_GROUP.values() for name, policy in variants.items()
}
"""All by their names: the values of the policy that are not the product's."""


def system_arm(name: str, reasoner: str) -> "Arm":
    """Return the arm of a system, or of one under a variant: `records-gold+chunks-3`.

    Raises SettingsError: there is no such variant.
    """
    from evals.experiment import Arm

    system, _, variant = name.partition("+")
    if variant and variant not in VARIANTS:
        raise SettingsError(f"there is no variant {variant!r}; choose among {', '.join(VARIANTS)}")
    return Arm(name=name, system=system, reasoner=reasoner, policy={**VARIANTS.get(variant, {})})


def arms_of(names: tuple[str, ...], reasoner: str) -> "tuple[Arm, ...]":
    """Return the whole product first, then the variants of those names; a group is all of its own.

    Raises SettingsError: there is no variant of a name.
    """
    from evals.experiment import Arm

    unknown = [name for name in names if name not in VARIANTS and name not in BY_GROUP]
    if unknown:
        known = ", ".join((*GROUPS, *VARIANTS))
        raise SettingsError(f"there is no ablation {unknown[0]!r}; choose among {known}")
    chosen = dict.fromkeys(each for name in names for each in BY_GROUP.get(name, (name,)))
    variants = (Arm(name=each, reasoner=reasoner, policy=dict(VARIANTS[each])) for each in chosen)
    return (Arm(name=WHOLE, reasoner=reasoner), *variants)
