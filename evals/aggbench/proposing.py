"""Types of entities and conditions on them, proposed by a model that sees a sample."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from agent.reasoner import PromptValues, Reasoner
from evals.aggbench.condition import Mined, Noun
from evals.aggbench.source import Source
from evals.prompting import render
from prompts.templates import one_line, plain, unforgeable

__all__ = ("ProposeReply", "propose_claims")

_PASSAGES: Final = 16
_CONDITIONS: Final = 12
_PHRASE: Final = 200


class _Reply(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class ConditionReply(_Reply):
    """One condition."""

    phrase: str = Field(min_length=3)
    """The predicate of the plural, without a question mark."""
    counts: str
    """What counts as satisfying it under other words; empty where nothing needs saying."""
    excludes: str
    """What looks alike but does not count; empty where nothing needs saying."""


class TypeReply(_Reply):
    """One type of things to count."""

    one: str = Field(min_length=2)
    """The noun in the singular."""
    many: str = Field(min_length=2)
    """The noun in the plural."""
    documents: bool
    """Whether each document is one of them."""
    conditions: list[ConditionReply]
    """The conditions on it."""


class ProposeReply(_Reply):
    """What can be asked of the collection."""

    types: list[TypeReply]
    """The most countable first; empty where nothing can be counted."""


def propose_claims(
    reasoner: Reasoner,
    sources: Sequence[Source],
    noun: Noun,
    terms: Sequence[str],
    rng: np.random.Generator,
) -> list[Mined]:
    """Return the conditions that a model proposes, each once.

    Args:
        reasoner: the model.
        sources: the documents, of which it sees passages from up to 16.
        noun: what documents are called, whatever the model calls them.
        terms: frequent terms, as a hint.
        rng: draws the passages.

    Raises:
        HeadcountError: as the reasoner does.
    """
    passages = list(_drawn(sources, rng))
    nonce = unforgeable(passages)
    shown = "\n\n".join(f"=== {nonce} ===\n{each}" for each in passages)
    prompt = render(
        "aggbench/propose",
        {
            "most": str(_CONDITIONS),
            "terms": ", ".join(one_line(each) for each in terms) or "(none)",
            "nonce": nonce,
            "passages": f"{shown}\n=== {nonce} end ===",
        },
        PromptValues(),
    )
    reply = reasoner.ask(prompt, ProposeReply)
    found = [each for kind in reply.types for each in _mined(kind, noun, reasoner.name)]
    return list({each.id: each for each in found}.values())


def _drawn(sources: Sequence[Source], rng: np.random.Generator) -> Iterator[str]:
    for at in rng.permutation(len(sources))[:_PASSAGES]:
        source = sources[int(at)]
        chunk = source.chunks[int(rng.integers(len(source.chunks)))]
        yield plain(source.text[chunk.start : chunk.end])


def _mined(kind: TypeReply, noun: Noun, model: str) -> Iterator[Mined]:
    one, many = (noun.one, noun.many) if kind.documents else (kind.one, kind.many)
    for each in kind.conditions[:_CONDITIONS]:
        phrase = one_line(each.phrase, _PHRASE).rstrip(".?! ")
        key = re.sub(r"\W+", " ", phrase.casefold()).strip()
        yield Mined(
            id=f"claim: {one} {key}",
            entity_type=one,
            plural=many,
            kind="claim",
            phrase=phrase,
            documents=kind.documents,
            counts=one_line(each.counts),
            excludes=one_line(each.excludes),
            decided_by=f"{model} per chunk, for people to review",
        )
