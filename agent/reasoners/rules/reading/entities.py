"""Which things are the entities: the documents, the items of a field, or things named in texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from agent.question import Grain
from agent.reasoners.rules.language.words import Token, singular
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.nouns import PERSONS, NounPhrase
from agent.reasoners.rules.reading.roles import plays, role_of_verb
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("Entity", "read_entity", "valued_head")

_GENERIC: Final = frozenset({"document", "file", "text", "item", "one", "entry"})


@dataclass(frozen=True, slots=True)
class Entity:
    """What is counted or listed."""

    noun: str
    grain: Grain
    field: Facts | None = None


def valued_head(tokens: Sequence[Token], scene: Scene) -> int:
    """Return how many words at the end of the noun phrase are one value of a short list, or 0."""
    words = [token for token in tokens if token.text != "-"]
    for size in (3, 2, 1):
        if size > len(words):
            continue
        hits = scene.labels.hits(words[-size:], 0)
        if any(
            hit.size == size and hit.whole and hit.facts.label and not hit.facts.fact
            for hit in hits
        ):
            return size
    return 0


def read_entity(noun: NounPhrase, scene: Scene) -> Entity:
    """Decide what the question's noun denotes in this corpus."""
    if noun.head is None:
        return Entity("document", "document")
    name = singular(noun.head.text)
    if noun.head.low == "times":
        scene.assume("Each document counts once, however often the words stand in it.")
        return Entity("document", "document")
    generic = name.casefold() in _GENERIC
    if generic or scene.names_documents(name) or _in_rows(name, scene):
        rows = not generic and _in_rows(name, scene)
        return Entity(name, "entity" if rows else "document")
    if name.casefold() in PERSONS:
        return Entity("person", "entity", _made_by(noun.after, scene))
    own = None if _valued(noun, scene) else _own_field(name, scene)
    if own is not None:
        return Entity(name, "entity", own)
    return Entity(name, "entity" if _named_in_texts(noun, scene) else "document")


def _named_in_texts(noun: NounPhrase, scene: Scene) -> bool:
    """Tell whether the noun means things that texts name, not the documents."""
    if _valued(noun, scene):
        return False
    return noun.distinct or _in_texts(noun.after)


def _valued(noun: NounPhrase, scene: Scene) -> bool:
    """Tell whether the noun itself is a value that marks documents: `desserts`, `side dishes`."""
    if noun.head is None:
        return False
    return bool(valued_head([*noun.before, noun.head], scene))


def _own_field(name: str, scene: Scene) -> Facts | None:
    """Return the field that the noun names, unless every document has a value of its own in it."""
    cue = scene.labels.cue(scene.labels.tokens(name), 0)
    if cue is None or cue.strength < 2:
        return None
    noun = name.casefold()
    plain = [each for each in cue.fields if noun in {*each.words, *map(singular, each.words)}]
    fields = [each for each in plain if not each.unique and not each.fact]
    itemised = [each for each in fields if each.field.type in {"text", "list"}]
    return max(itemised, key=lambda each: each.field.documents, default=None)


def _made_by(after: Sequence[Token], scene: Scene) -> Facts | None:
    """Return the field of persons that a verb names: `people who sponsored …`."""
    for at in range(len(after)):
        cue = scene.labels.cue(after, at)
        if cue is not None and cue.strength >= 2:
            people = [each for each in cue.fields if each.field.type in {"text", "list"}]
            if people and not people[0].label | people[0].unique:
                return people[0]
            if people and any(plays(each, "maker") for each in people):
                return people[0]
    roles = [role for token in after if (role := role_of_verb(token.low))]
    for role in roles:
        for each in scene.labels.fields:
            if plays(each, role) and each.field.type in {"text", "list"}:
                return each
    return None


def _in_texts(after: Sequence[Token]) -> bool:
    """Tell whether the question asks for things named in the texts: `are mentioned in …`."""
    low = [token.low for token in after[:3]]
    return low[1:2] in (["named"], ["mentioned"], ["listed"]) and low[2:3] == ["in"]


def _in_rows(name: str, scene: Scene) -> bool:
    """Tell whether the corpus is rows of records, the noun being a kind of row."""
    lexicon = scene.corpus.lexicon
    rows = max(lexicon.frequency("record"), lexicon.frequency("row"))
    named = lexicon.frequency(name.casefold()) or lexicon.inflections(name.casefold())
    return rows >= 0.5 * scene.corpus.chunk_count > 0 and bool(named)
