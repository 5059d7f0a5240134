"""The prompts that read evidence: judge passages, align names."""

from collections.abc import Sequence

from agent.corpus import CorpusView
from agent.evidence import Passage
from agent.question import Condition, Grain, Measure
from agent.reasoner import Prompt
from prompts.template import render
from prompts.wording import condition_list, nonce_of, numbered_passages, plain

__all__ = ("align", "judge")


def judge(
    *,
    conditions: Sequence[Condition],
    entity_type: str,
    grain: Grain,
    measure: Measure | None,
    passages: Sequence[Passage],
    corpus: CorpusView,
) -> Prompt:
    """Ask for the evidence in a batch of passages; replied with `JudgeReply`."""
    nonce = nonce_of(passages)
    return render(
        "judge",
        {
            "entity_type": entity_type,
            "grain": _grain(grain),
            "conditions": condition_list(conditions),
            "measure": _measure(measure),
            "nonce": nonce,
            "passages": numbered_passages(passages, nonce),
            "several": "" if grain == "document" else ", but report every single entity",
        },
        {
            "conditions": tuple(conditions),
            "entity_type": entity_type,
            "grain": grain,
            "measure": measure,
            "passages": tuple(passages),
            "corpus": corpus,
        },
    )


def _grain(grain: Grain) -> str:
    if grain == "document":
        return "is one document; leave `entity` empty. These conditions are looked for:"
    return "is named in the passages; give its name as written. It must satisfy:"


def _measure(measure: Measure | None) -> str:
    if measure is None:
        return ""
    unit = f" in {measure.unit}" if measure.unit else ""
    return (
        f"With each piece of evidence give as value the {measure.text}{unit}, where it is stated.\n"
    )


def align(*, entity_type: str, pairs: Sequence[tuple[str, str]]) -> Prompt:
    """Ask which pairs of names are one entity; replied with `AlignReply`."""
    lines = [
        f"{number}. {plain(left)!r} and {plain(right)!r}"
        for number, (left, right) in enumerate(pairs, start=1)
    ]
    return render(
        "align",
        {"entity_type": entity_type, "pairs": "\n".join(lines)},
        {"entity_type": entity_type, "pairs": tuple(pairs)},
    )
