"""The product without one of its parts: named values of the policy, never edited code."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from agent.errors import SettingsError

if TYPE_CHECKING:
    from pydantic import JsonValue

    from evals.experiments.experiment import Arm

Group = Literal["search", "batching", "disambiguation", "filtering"]
GROUPS: Final = get_args(Group)
WHOLE: Final = "headcount"
"""The product as it is: what every variant is compared with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """The product with other values of its policy."""

    group: Group
    about: str
    """What is taken away, in a sentence's end: `without …`."""
    policy: "Mapping[str, JsonValue]"


_DFA: "Mapping[str, JsonValue]" = {"feedback": False, "audit": 0, "scan": False, "route": "text"}

VARIANTS: Final[Mapping[str, Variant]] = {
    "no-feedback": Variant(
        group="search",
        about="learning from what was judged: all candidates of the filters are read, no others",
        policy={"feedback": False},
    ),
    "no-audit": Variant(
        group="search",
        about="the audit of what nobody read",
        policy={"audit": 0},
    ),
    "no-scan": Variant(
        group="search",
        about="reading everything at once, or by rank alone, where that is cheaper than filters",
        policy={"scan": False},
    ),
    "text-only": Variant(
        group="search",
        about="records: every question is answered from the texts",
        policy={"route": "text"},
    ),
    "dfa": Variant(
        group="filtering",
        about="all that DFA does not have: it filters, judges the candidates and stops",
        policy=_DFA,
    ),
    "dfa-no-observation": Variant(
        group="filtering",
        about="besides, a look at what filters discard (DFA, A.8.2)",
        policy={**_DFA, "observe_discarded": False},
    ),
    "no-observation": Variant(
        group="filtering",
        about="a look at what filters discard, all else as it is",
        policy={"scan": False, "observe_discarded": False},
    ),
    "no-preview": Variant(
        group="filtering",
        about="a preview of what a filter call does, all else as it is",
        policy={"scan": False, "preview": False},
    ),
    **{
        f"no-{part}": Variant(
            group="batching",
            about=f"{told} in batching (DFA, table 9)",
            policy={"batching_without": part},
        )
        for part, told in {
            "tf-idf": "words",
            "embedding": "the embedding",
            "offline-clusters": "the clusters made while indexing",
            "greedy-batching": "packing several clusters into one request",
        }.items()
    },
    "coherence-gate": Variant(
        group="disambiguation",
        about="asking a model of every question: the coherence of a retrieval decides (ADF)",
        policy={"gate": "coherence"},
    ),
    "ask-always": Variant(
        group="disambiguation",
        about="weighing: every ambiguity found is minded, also where the count is the same",
        policy={"disambiguation": "guided"},
    ),
    "direct": Variant(
        group="disambiguation",
        about="classification: one open question instead (DFA, table 8)",
        policy={"disambiguation": "direct"},
    ),
    "no-disambiguation": Variant(
        group="disambiguation",
        about="any look at ambiguity",
        policy={"disambiguation": "none"},
    ),
}


def arms_of(names: tuple[str, ...], reasoner: str) -> "tuple[Arm, ...]":
    """Return the whole product first, then the variants of those names; a group is all of its own.

    Raises:
        SettingsError: there is no variant of a name.
    """
    from evals.experiments.experiment import Arm

    chosen = dict.fromkeys(variant for name in names for variant in _named(name))
    whole = Arm(name=WHOLE, reasoner=reasoner)
    return (
        whole,
        *(Arm(name=name, reasoner=reasoner, policy=dict(VARIANTS[name].policy)) for name in chosen),
    )


def _named(name: str) -> list[str]:
    if name in VARIANTS:
        return [name]
    found = [each for each, variant in VARIANTS.items() if variant.group == name]
    if not found:
        known = ", ".join((*GROUPS, *VARIANTS))
        raise SettingsError(f"there is no ablation {name!r}; choose among {known}")
    return found
