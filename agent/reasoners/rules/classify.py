"""Which ambiguities a question shows; conservative, since most questions show none."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from agent.corpus import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.doubt import Doubt
from agent.reasoners.rules.followup import without_opener
from agent.reasoners.rules.gradable import degrees, windows
from agent.reasoners.rules.identity import duplicates, levels, unknown_labels
from agent.reasoners.rules.scope import attachments, negations
from agent.replies import ClassifyReply, FoundAmbiguity

__all__ = ("classify",)

Detector = Callable[[Doubt], Iterator[FoundAmbiguity]]

_DETECTORS: Final[tuple[Detector, ...]] = (
    degrees, windows, negations, attachments, levels, duplicates, unknown_labels,
)  # fmt: skip


def classify(values: Mapping[str, object]) -> ClassifyReply:
    """Find ambiguities: `question`, `interpretation`, `corpus`."""
    doubt = Doubt.of(
        without_opener(cast("str", values["question"])),
        cast("Interpretation", values["interpretation"]),
        cast("CorpusView", values["corpus"]),
    )
    return ClassifyReply(ambiguities=[each for detect in _DETECTORS for each in detect(doubt)])
