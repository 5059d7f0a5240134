"""Choose the next filter call: fields, then words, then likeness, then both together."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from pydantic import JsonValue

from agent.corpus_view import CorpusView
from agent.history import Snapshot, Step
from agent.question import AllOf, Condition, Interpretation, Node
from agent.reasoner import ToolCall
from agent.reasoners.rules.language.compounds import with_partings
from agent.reasoners.rules.searching.search_words import is_pinned, mention_pattern, search_words

__all__ = ("choose",)

_FEW: Final = 400
_SHARES: Final = (0.7, 0.85, 1.0)
_LIKE_SHARE: Final = 0.25
_LIKE_LEAST: Final = 100


@dataclass(frozen=True, slots=True)
class _Search:
    """Where the search stands."""

    interpretation: Interpretation
    conditions: tuple[Condition, ...]
    history: tuple[Step, ...]
    snapshot: Snapshot
    corpus: CorpusView
    decided: frozenset[str]
    tools: frozenset[str]

    @property
    def open(self) -> tuple[Condition, ...]:
        """The conditions that text has to decide."""
        return tuple(each for each in self.conditions if each.id not in self.decided)

    def tried(self, *tools: str) -> list[Step]:
        """Return the rounds that called one of the tools, with whatever effect."""
        return [step for step in self.history if step.call.tool in tools]

    def standing(self, *tools: str) -> Step | None:
        """Return the last round of one of the tools that was neither refused nor undone."""
        good = [
            step
            for step in self.tried(*tools)
            if not step.refused and step.verdict not in {"again", "rollback"}
        ]
        return good[-1] if good else None


def choose(values: Mapping[str, object]) -> ToolCall:
    """Return the next filter call; `finish` where none can discard only what is irrelevant.

    Whatever may support any of the open conditions is kept: first by the words that express
    them, more generously each time that was undone; then, from the same parent, by likeness to
    their text; then the union of both.

    Args:
        values: of the prompt `plan`: interpretation, conditions, history, snapshot, corpus,
            decided, tools.
    """
    search = _Search(
        interpretation=cast("Interpretation", values["interpretation"]),
        conditions=tuple(cast("Sequence[Condition]", values["conditions"])),
        history=tuple(cast("Sequence[Step]", values["history"])),
        snapshot=cast("Snapshot", values["snapshot"]),
        corpus=cast("CorpusView", values["corpus"]),
        decided=frozenset(cast("Sequence[str]", values["decided"])),
        tools=frozenset(cast("Sequence[str]", values["tools"])),
    )
    for call in _proposals(search):
        if call.tool in search.tools and not _repeats(call, search.history):
            return call
    return _finish("no further call would discard only what is irrelevant")


def _proposals(search: _Search) -> Iterator[ToolCall]:
    yield from _by_fields(search)
    if not search.open:
        yield _finish("no condition is left for reading")
    if search.snapshot.kept <= _FEW and not search.tried("keywords", "regex"):
        yield _finish(f"{search.snapshot.kept} candidates are few enough to read them all")
    stages: tuple[Callable[[_Search], Iterator[ToolCall]], ...] = (
        _by_words,
        _back,
        _by_likeness,
        _together,
    )
    for stage in stages:
        yield from stage(search)


def _by_fields(search: _Search) -> Iterator[ToolCall]:
    predicates = [
        atom.predicate.model_dump(mode="json")
        for atom in _required(search.interpretation.conditions)
        if atom.predicate is not None and atom.id not in search.decided
    ]
    if predicates and not search.tried("metadata"):
        yield ToolCall(
            tool="metadata",
            arguments={"predicates": predicates, "match": "all"},
            why="metadata fields decide these conditions",
        )


def _required(node: Node | None) -> Iterator[Condition]:
    """Yield the conditions without which none can match: those joined by AND at the top."""
    match node:
        case Condition():
            yield node
        case AllOf():
            for part in node.parts:
                yield from _required(part)
        case _:
            return


def _by_words(search: _Search) -> Iterator[ToolCall]:
    tried = len(search.tried("keywords", "regex"))
    if search.standing("keywords", "regex") or tried >= len(_SHARES):
        return
    if all(condition.terms for condition in search.open):
        terms = [term for each in search.open for term in each.terms]
        pattern = mention_pattern(with_partings(terms, search.corpus.lexicon))
        yield ToolCall(
            tool="regex",
            arguments={"pattern": pattern, "case_sensitive": False},
            why="every spelling of what has to be mentioned",
        )
    words = search_words(
        search.open, search.interpretation.entity_type, search.corpus, _SHARES[tried]
    )
    if words:
        yield ToolCall(
            tool="keywords",
            arguments={"words": list(words), "match": "any", "at_least": None, "stem": True},
            why="a chunk that states a condition has one of its telling words",
        )


def _back(search: _Search) -> Iterator[ToolCall]:
    """Go back to the words' parent: likeness finds what is put in other words."""
    words = search.standing("keywords")
    if words is None or not _unpinned(search) or search.tried("semantic", "bm25"):
        return
    if search.snapshot.id == words.after:
        yield ToolCall(
            tool="rollback",
            arguments={"snapshot": words.before},
            why="what is put in other words is looked for among the same candidates",
        )


def _by_likeness(search: _Search) -> Iterator[ToolCall]:
    words = search.standing("keywords")
    meant = _unpinned(search)
    if not meant or search.tried("semantic", "bm25"):
        return
    if words is not None and search.snapshot.id != words.before:
        return
    best = max(_LIKE_LEAST, round(_LIKE_SHARE * search.snapshot.kept))
    query = "; ".join(" ".join((each.text, *each.counts)) for each in meant)
    why = "the passages most like the conditions' own words"
    if best < search.snapshot.kept:
        for tool, floor in (("semantic", "min_cosine"), ("bm25", "min_score")):
            arguments = {"query": query, "best": best, floor: None}
            yield ToolCall(tool=tool, arguments=arguments, why=why)


def _unpinned(search: _Search) -> list[Condition]:
    """Return the open conditions that may be stated in other words than their own."""
    kind = search.interpretation.entity_type
    if not search_words(search.open, kind, search.corpus, 0.0):
        return []
    return [each for each in search.open if not is_pinned(each, kind, search.corpus)]


def _together(search: _Search) -> Iterator[ToolCall]:
    """Join what words and likeness keep; where likeness brought nothing, return to the words."""
    words, like = search.standing("keywords"), search.standing("semantic", "bm25")
    if words is None or search.snapshot.id == words.after:
        return
    if like is None:
        arguments: dict[str, JsonValue] = {"snapshot": words.after}
        yield ToolCall(tool="rollback", arguments=arguments, why="likeness brought nothing more")
    elif search.snapshot.id == like.after:
        snapshots: list[JsonValue] = [words.after, like.after]
        why = "a chunk that either way found may state a condition"
        yield ToolCall(tool="union", arguments={"snapshots": snapshots}, why=why)


def _repeats(call: ToolCall, history: Sequence[Step]) -> bool:
    return any(
        step.call.tool == call.tool and step.call.arguments == call.arguments for step in history
    )


def _finish(why: str) -> ToolCall:
    return ToolCall(tool="finish", arguments={}, why=why)
