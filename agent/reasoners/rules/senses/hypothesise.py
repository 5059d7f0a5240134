"""A hypothetical passage without a model: the sentences at the centre of a reading's passages."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, cast

from agent.adf_state import Form, SubQuestion
from agent.corpus_view import CorpusView
from agent.evidence import Passage
from agent.reasoners.rules.senses.telling import content, rarity, said
from agent.replies import HypothesiseReply

__all__ = ("hypothesise",)

_SENTENCES: Final[Mapping[Form, int]] = {"short": 2, "long": 5}


def hypothesise(values: Mapping[str, object]) -> HypothesiseReply:
    """Put together the sentences that share most with their passages and with the question.

    Nothing is invented, so the latent pathway looks for more of what the cluster has; it is empty
    where no sentence shares a word with the question.

    Args:
        values: of the prompt `hypothesise`: reading, form, passages, corpus.
    """
    reading = cast("SubQuestion", values["reading"])
    passages = cast("Sequence[Passage]", values["passages"])
    weights = _weights(reading, passages, cast("CorpusView", values["corpus"]))
    found = [
        (strength, -place, " ".join(passage.text[start:end].split()))
        for place, passage in enumerate(passages)
        for strength, start, end in said(passage, weights)
    ]
    best = sorted(found, reverse=True)[: _SENTENCES[cast("Form", values["form"])]]
    return HypothesiseReply(passage=" ".join(dict.fromkeys(text for *_, text in best)))


def _weights(
    reading: SubQuestion, passages: Sequence[Passage], corpus: CorpusView
) -> dict[str, float]:
    """Weigh roots by rarity and by how many of the passages have them; the question's double."""
    asked = content(f"{reading.question} {reading.label}")
    held = Counter(root for each in passages for root in {root for _, root in content(each.text)})
    forms = {root: word for each in passages for word, root in content(each.text)}
    weights = {
        root: times / len(passages) * rarity([forms[root]], corpus)
        for root, times in held.items()
        if times > 1 or len(passages) == 1
    }
    for word, root in asked:
        weights[root] = weights.get(root, 0.0) + 2 * rarity([word], corpus)
    if not {root for _, root in asked} & held.keys():
        return {}
    return weights
