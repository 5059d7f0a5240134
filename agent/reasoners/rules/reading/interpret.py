"""From the words of a question to a reading: entity, conditions, operation, measure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, cast

from agent.ambiguity import Turn
from agent.corpus_view import CorpusView
from agent.question import Condition, Node, Operation, Predicate, atoms
from agent.reasoners.rules.language.past import read_past
from agent.reasoners.rules.language.words import FUNCTION_WORDS, Token, singular, tokenize
from agent.reasoners.rules.reading.alternatives import written_out
from agent.reasoners.rules.reading.asking import (
    check_asked,
    check_kind,
    check_small_talk,
    phrase_sought,
    without_courtesies,
)
from agent.reasoners.rules.reading.clauses import restriction
from agent.reasoners.rules.reading.content import trimmed
from agent.reasoners.rules.reading.document_quotas import document_quota, quota_told
from agent.reasoners.rules.reading.draft import all_of, expression, numbered
from agent.reasoners.rules.reading.entities import Entity, read_entity, valued_head
from agent.reasoners.rules.reading.followup import continued
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.frames import read_frame
from agent.reasoners.rules.reading.holders import Holding, holding
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.measures import read_measure
from agent.reasoners.rules.reading.mending import mended
from agent.reasoners.rules.reading.merging import restated_with, without_rule
from agent.reasoners.rules.reading.metadata import decide
from agent.reasoners.rules.reading.places import counting_places
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import InterpretReply

__all__ = ("interpret", "read_question")

_NUMERIC: Final = frozenset({"sum", "avg", "min", "max", "median", "top_k"})
_DESCRIBING: Final = ("ed", "al", "ive", "ous", "ic", "ful", "able", "ible", "less", "ish", "ary")
_ASKED: Final[dict[Operation, str]] = {
    "count": "Count every {noun}",
    "list": "List every {noun}",
    "sum": "Sum the {measure} over every {noun}",
    "avg": "Average the {measure} over every {noun}",
    "min": "Find the smallest {measure} over every {noun}",
    "max": "Find the largest {measure} over every {noun}",
    "median": "Find the median {measure} over every {noun}",
    "top_k": "Rank by {measure} every {noun}",
    "group_by": "Count, for each {group}, every {noun}",
}


def interpret(values: Mapping[str, object]) -> InterpretReply:
    """Read a question: `question`, `conversation`, `corpus`.

    Raises:
        QuestionError: the words ask for nothing that can be counted or listed.
    """
    question = cast("str", values["question"])
    corpus = cast("CorpusView", values["corpus"])
    conversation = cast("tuple[Turn, ...]", values.get("conversation") or ())
    question = without_courtesies(question)
    check_small_talk(question, alone=not conversation)
    followed = continued(question, conversation, corpus, read_question)
    if followed is not None:
        return followed
    reply = read_question(question, corpus)
    scene = Scene(question, corpus, Labels.of(corpus))
    check_asked(question, reply, scene)
    check_kind(question, reply, scene)
    return reply


def read_question(question: str, corpus: CorpusView) -> InterpretReply:
    """Read a question that stands alone."""
    places = counting_places(question, lambda asked: read_question(asked, corpus))
    whole = places or written_out(question, corpus, read_question)
    return whole or _read_clauses(question, corpus)


def _read_clauses(question: str, corpus: CorpusView) -> InterpretReply:
    """Read a question as one noun and what restricts it."""
    labels = Labels.of(corpus)
    question, rule = without_rule(without_courtesies(question))
    question, changes = mended(labels.quoting(question), labels, corpus.lexicon)
    scene = Scene(question, corpus, labels)
    for wrong, right in changes:
        scene.assume(f"“{wrong}” is read as “{right}”.")
    frame = read_frame(question, scene)
    entity = read_entity(frame.noun, scene)
    scene.entity_field = entity.field
    scene.nouns = _nouns(frame, entity, scene)
    quota, after = None, list(frame.noun.after)
    if entity.field is not None and frame.operation in {"list", "count"}:
        quota, after = document_quota(after, entity.field, scene)
    before = list(frame.noun.before)
    if frame.noun.head is not None and entity.grain == "document" and _marks(frame, entity, scene):
        before.append(frame.noun.head)
    sought = phrase_sought(frame.noun.before, frame.noun.head, scene)
    type_words, modifiers = ("", None) if sought else _modifiers(before, entity, scene)
    node = all_of(
        [
            sought or modifiers,
            restriction(frame.fronted, scene),
            _behind(after, entity, scene),
        ]
    )
    if node is None and entity.grain == "entity" and entity.field is None:
        node = _named_at_all(frame, scene)
    if sought is not None:
        entity = Entity("document", "document")
    held = Holding(node, quota=quota, told=quota_told(node, quota))
    if quota is None:
        held = holding(node, after if entity.field else (), scene)
    reply = _reply(frame, entity, type_words, held, scene)
    return reply if rule is None else restated_with(reply, rule)


def _named_at_all(frame: Frame, scene: Scene) -> Node | None:
    """Make being named the condition where things named in texts are asked for and nothing else."""
    head = frame.noun.head
    if head is None:
        return None
    return Condition(id="", text=f"names {scene.words([*frame.noun.before, head])}")


def _marks(frame: Frame, entity: Entity, scene: Scene) -> bool:
    """Tell whether the noun is itself a value to test, as in `vegan desserts`."""
    head = frame.noun.head
    if head is None or scene.names_documents(entity.noun):
        return False
    return valued_head([*frame.noun.before, head], scene) > 0


def _nouns(frame: Frame, entity: Entity, scene: Scene) -> tuple[str, ...]:
    """Return the words for the documents: the entity's noun, and any that their names bear."""
    words = {
        token.low
        for token in tokenize(scene.text)
        if token.kind == "word"
        and token.low not in FUNCTION_WORDS
        and scene.names_documents(token.low)
        and not _names_field(token, scene)
    }
    if entity.grain == "document" and _marks(frame, entity, scene):
        return tuple(sorted(words))
    head = {singular(frame.noun.head.low)} if frame.noun.head is not None else set()
    return tuple(sorted(words | head | {entity.noun.casefold()}))


def _names_field(token: Token, scene: Scene) -> bool:
    """Tell whether a word is a field's whole name, though the documents' names share its root."""
    cue = scene.labels.cue([token], 0)
    return cue is not None and cue.strength == 3


def _modifiers(before: Sequence[Token], entity: Entity, scene: Scene) -> tuple[str, Node | None]:
    """Read the words before the noun: values of metadata, else kinds or qualities."""
    tokens = [token for token in before if token.low not in {"the", "all", "of"}]
    if all(token.low == "," for token in tokens):
        return "", None
    decision = decide(tokens, scene, modifier=True)
    left = [tokens[index] for index in decision.left]
    if decision.node is None:
        left = [token for token in tokens if not token.function and token.low != ","]
    qualities, kinds = _qualities(left)
    if kinds and entity.grain == "document":
        scene.assume(
            f"No metadata tells which are “{scene.words(kinds)}”: every document is taken."
        )
    described: list[Node | None] = [
        Condition(id="", text=f"is {scene.words(words)}") for words in qualities
    ]
    return scene.words(kinds), all_of([decision.node, *described])


def _qualities(tokens: Sequence[Token]) -> tuple[list[list[Token]], list[Token]]:
    """Tell words that describe, with the adverbs before them, from words that name a kind."""
    qualities: list[list[Token]] = []
    kinds: list[Token] = []
    adverbs: list[Token] = []
    for token in tokens:
        if token.low.endswith("ly"):
            adverbs.append(token)
        elif token.low.endswith(_DESCRIBING):
            qualities.append([*adverbs, token])
            adverbs = []
        else:
            kinds.extend([*adverbs, token])
            adverbs = []
    return qualities, [*kinds, *adverbs]


def _behind(after: Sequence[Token], entity: Entity, scene: Scene) -> Node | None:
    """Read the clauses behind the noun; where a field holds the entities, its verb says nothing."""
    tokens = _stated(after)
    if entity.grain == "entity" and entity.field is not None:
        _learn_noun(trimmed(tokens, scene), scene)
    return restriction(tokens, scene)


def _stated(after: Sequence[Token]) -> list[Token]:
    """Drop `are there`, `do we have`, `exist` around what is stated."""
    tokens = list(after)
    for phrase in (["are", "there"], ["is", "there"], ["do", "we", "have"], ["exist"], ["are"],
                   ["do", "you", "have"], ["were", "there"], ["in", "total"]):  # fmt: skip
        low = [token.low for token in tokens]
        if low[: len(phrase)] == phrase and (len(phrase) > 1 or len(low) == 1):
            tokens = tokens[len(phrase) :]
        elif low[-len(phrase) :] == phrase and len(low) >= len(phrase):
            tokens = tokens[: -len(phrase)]
    return tokens


def _learn_noun(tokens: Sequence[Token], scene: Scene) -> None:
    """Take the last noun of `authored a final typing PEP` for the documents' own."""
    left = decide(tokens, scene).left
    if len(left) == 1 and tokens[left[0]].kind == "word":
        scene.nouns = (*scene.nouns, singular(tokens[left[0]].low))


def _tell_undated(node: Node | None, scene: Scene) -> None:
    """Say of a stretch up to now that no field dates it: texts are searched for its words alone."""
    for atom in atoms(node):
        tokens = tokenize(atom.text) if atom.predicate is None else ()
        found = next((at for at in range(len(tokens)) if read_past(tokens, at)), None)
        past = read_past(tokens, found) if found is not None else None
        if found is not None and past is not None:
            words = atom.text[tokens[found].start : tokens[past[1] - 1].end]
            scene.assume(f"“{words}” is not understood as a time: no field here dates that.")


def _having(field: str) -> Condition:
    """Return the condition that a document has a field: what has none belongs to no group."""
    return Condition(
        id="", text=f"{field} is given", predicate=Predicate(field=field, comparison="exists")
    )


def _reply(
    frame: Frame, entity: Entity, type_words: str, held: Holding, scene: Scene
) -> InterpretReply:
    operation = frame.operation
    measure = read_measure(frame, scene) if operation in _NUMERIC else None
    group = scene.labels.cue(frame.group, 0) if frame.group else None
    grouped = group.fields[0].name if group else None
    noun = f"{type_words} {entity.noun}".strip()
    asked = _ASKED[operation].format(
        noun=noun, measure=measure.text if measure else "", group=grouped or ""
    )
    if grouped and operation == "list":
        having = _having(grouped)
        told = f"{having.text} and {held.told}" if held.told else having.text
        held = replace(held, node=all_of([having, held.node]), told=told)
    _tell_undated(held.node, scene)
    conditions, logic = expression(numbered(held.node))
    where = f" for which this holds: {held.told}" if held.told else ""
    apart = f", for each {grouped}" if grouped and operation != "group_by" else ""
    return InterpretReply(
        restated=f"{asked}{apart}{where}.",
        entity_type=noun,
        grain=entity.grain,
        entity_field=entity.field.name if entity.field else None,
        conditions=conditions,
        logic=logic,
        operation=operation,
        measure=measure,
        group_by=None if operation == "list" else grouped,
        k=frame.k,
        ascending=frame.ascending,
        quota=held.quota,
        across=held.across,
        show=[grouped] if grouped and operation == "list" else [],
        assumptions=scene.assumptions,
    )
