"""Annotation where code cannot decide: a model reads every chunk (section 4.3, first stage)."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from agent.errors import ModelError
from agent.reasoner import Failure, Prompt, PromptValues, Reasoner
from evals.aggbench.annotation import Annotation
from evals.aggbench.condition import Mined
from evals.aggbench.source import Source
from evals.names import normal_name
from evals.prompting import render
from prompts.templates import one_line, plain, unforgeable
from tools.quotes import locate

__all__ = ("AnnotateReply", "FindingReply", "annotate_claims")

_TITLE: Final = 80


class FindingReply(BaseModel):
    """One place that states a condition of one thing."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    reason: str
    """What the words state, in at most fifteen words."""
    condition: int
    """The condition's number."""
    entity: str
    """The thing's name as the passage gives it; empty where documents are the things."""
    quote: str
    """The words that state it, copied from the passage, at most 60 words."""
    certainty: Literal["certain", "borderline"]
    """certain, or borderline: one careful reader would count it, another would not."""


class AnnotateReply(BaseModel):
    """What a passage states."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    findings: list[FindingReply]
    """Every finding; empty where the passage states none of the conditions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotateValues(PromptValues):
    """A passage to be annotated, and the document that it is from."""

    passage: str
    document: str


@dataclass(frozen=True, slots=True)
class _Look:
    """One chunk to be read for the conditions on one type."""

    source: Source
    start: int
    end: int
    conditions: Sequence[Mined]

    @property
    def text(self) -> str:
        return self.source.text[self.start : self.end]


def annotate_claims(
    reasoner: Reasoner,
    conditions: Sequence[Mined],
    sources: Sequence[Source],
    say: Callable[[str], None],
) -> list[Annotation]:
    """Return what a model finds in every chunk; a quote that is not in the chunk is refused.

    Raises:
        ModelError: a chunk could not be read, so that nobody knows what it states. What was read
            is paid for once where replies are kept: run again.
    """
    by_type: defaultdict[str, list[Mined]] = defaultdict(list)
    for each in conditions:
        by_type[each.entity_type].append(each)
    looks = [
        _Look(source, chunk.start, chunk.end, asked)
        for asked in by_type.values()
        for source in sources
        for chunk in source.chunks
    ]
    replies = reasoner.ask_many([_prompt(each) for each in looks], AnnotateReply)
    failed = [each for each in replies if isinstance(each, Failure)]
    if failed:
        raise ModelError(
            f"{len(failed)} of {len(looks)} chunks could not be read, the first for: "
            f"{failed[0].error}; run again, what was read is kept"
        )
    found: list[Annotation] = []
    refused = 0
    for look, reply in zip(looks, replies, strict=True):
        if not isinstance(reply, Failure):
            placed = list(_placed(look, reply, reasoner.name))
            refused += len(reply.findings) - len(placed)
            found += placed
    if refused:
        say(f"{refused} findings were refused: their words are not in the chunk, or their number")
    return _one_name_each(found)


def _prompt(look: _Look) -> Prompt:
    nonce = unforgeable([look.text])
    first = look.conditions[0]
    named = (
        "leave it empty: each document is one."
        if first.documents
        else "its name as the passage gives it; nothing without a name."
    )
    return render(
        "aggbench/annotate",
        {
            "entity": f"{first.plural}, each one {first.entity_type}",
            "conditions": "\n".join(_numbered(look.conditions)),
            "named": named,
            "nonce": nonce,
            "title": one_line(look.source.name, _TITLE),
            "passage": plain(look.text),
        },
        AnnotateValues(passage=look.text, document=look.source.name),
    )


def _numbered(conditions: Sequence[Mined]) -> Iterator[str]:
    for number, each in enumerate(conditions, start=1):
        yield f"{number}. {each.phrase}"
        if each.counts:
            yield f"   counts: {each.counts}"
        if each.excludes:
            yield f"   does not count: {each.excludes}"


def _placed(look: _Look, reply: AnnotateReply, model: str) -> Iterator[Annotation]:
    for each in reply.findings:
        span = locate(each.quote, look.text)
        if span is None or not 1 <= each.condition <= len(look.conditions):
            continue
        condition = look.conditions[each.condition - 1]
        entity = look.source.name if condition.documents else one_line(each.entity)
        if not entity:
            continue
        start, end = look.start + span[0], look.start + span[1]
        yield Annotation(
            condition=condition.id,
            document=look.source.name,
            entity=entity,
            start=start,
            end=end,
            quote=look.source.text[start:end],
            doubted=each.certainty == "borderline",
            by=model,
        )


def _one_name_each(found: Sequence[Annotation]) -> list[Annotation]:
    """Give names that differ in case, accents and marks only the form written most often."""
    written: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for each in found:
        written[normal_name(each.entity)][each.entity] += 1
    best = {
        key: min(names, key=lambda name: (-names[name], name)) for key, names in written.items()
    }
    return [each.model_copy(update={"entity": best[normal_name(each.entity)]}) for each in found]
