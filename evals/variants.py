"""The product without one of its parts: named values of the policy, never edited code."""

from collections.abc import Mapping
from typing import Final

Values = Mapping[str, bool | int | str]
"""Of the policy, those that are not the product's."""
WHOLE: Final = "headcount"
"""The product as it is: what every variant is compared with."""
_DFA: Values = {
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
_REVIEW: Values = {
    "few_candidates": 0,
    "ranked": True,
    "trial": 0,
    "disambiguation": "none",
    "route": "text",
}

BY_GROUP: Final[Mapping[str, Mapping[str, Values]]] = {
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
VARIANTS: Final[Mapping[str, Values]] = {
    name: policy for variants in BY_GROUP.values() for name, policy in variants.items()
}
"""All by their names."""
