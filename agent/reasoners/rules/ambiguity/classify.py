"""Which ambiguities a question shows; conservative, since most questions show none."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, cast

from agent.corpus_view import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.attachment import attachments
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.gradable import degrees
from agent.reasoners.rules.ambiguity.identity import duplicates, kinds, levels
from agent.reasoners.rules.ambiguity.scope import negations
from agent.reasoners.rules.ambiguity.universal import universals
from agent.reasoners.rules.ambiguity.unknown_labels import unknown_labels
from agent.reasoners.rules.ambiguity.windows import windows
from agent.reasoners.rules.reading.followup import without_opener
from agent.replies import ClassifyReply, FoundAmbiguity
from agent.taxonomy import FAMILIES, Family

__all__ = ("classify",)

Detector = Callable[[Doubt], Iterator[FoundAmbiguity]]

_DETECTORS: Final[Mapping[Family, tuple[Detector, ...]]] = {
    "A": (degrees, windows),
    "B": (negations, universals, attachments),
    "C": (levels, kinds, duplicates, unknown_labels),
}


def classify(values: Mapping[str, object]) -> ClassifyReply:
    """Find ambiguities: `question`, `interpretation`, `corpus`; of one `family`, or of all."""
    doubt = Doubt.of(
        without_opener(cast("str", values["question"])),
        cast("Interpretation", values["interpretation"]),
        cast("CorpusView", values["corpus"]),
    )
    family = cast("Family | None", values.get("family"))
    return ClassifyReply(
        ambiguities=[
            each
            for name in (FAMILIES if family is None else (family,))
            for detect in _DETECTORS[name]
            for each in detect(doubt)
        ]
    )
