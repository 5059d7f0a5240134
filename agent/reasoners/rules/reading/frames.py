"""The frame of a question: operation, entity, number asked for, and what restricts the entity."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.question import Operation
from agent.reasoners.rules.language.words import Token, singular, word_set
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.groups import fronted_group, grouped, grouped_by
from agent.reasoners.rules.reading.metadata import decide
from agent.reasoners.rules.reading.nouns import NounPhrase, read_noun_phrase
from agent.reasoners.rules.reading.openers import MOST, Opener, read_opener
from agent.reasoners.rules.reading.scene import Scene
from agent.reasoners.rules.reading.superlatives import ranked
from agent.reasoners.rules.reading.verbs import verb_like

__all__ = ("read_frame",)

_FRONTS: Final = word_set(
    "among amongst of for in within from based considering across during since before after between"
)
_OWNING: Final = word_set("of for in among across per that over by from")
"""Words before the entity of a number."""
_RESTRICTING: Final = word_set("on at within with without during since before after under where")
"""Words that may also belong to the number's own name, as in `time on site`."""
_EMPTY: Final = word_set("are is were do does did we there exist have you find i in total know")


def read_frame(text: str, scene: Scene) -> Frame:
    """Take a question apart."""
    tokens = _without_end(scene.labels.tokens(text))
    fronted, main = _front(tokens, scene)
    opener = read_opener(main) or Opener("list", 0)
    words = {token.low for token in main[: opener.end]}
    scene.stated = bool(words & {"many", "which", "what"}) and not words & {"is", "are"}
    counted, body = _and_how_many(main[opener.end :])
    operation: Operation = "count" if counted else opener.operation
    extreme = _extreme(body, scene) if opener.operation == "list" else None
    if extreme is not None:
        frame = extreme
    elif opener.measured:
        at, group = grouped_by(body, scene)
        frame = replace(_measured(opener, body[:at], fronted, scene), group=group)
    else:
        frame = grouped(ranked(Frame(operation, read_noun_phrase(body, scene))), scene)
    group = () if frame.group else fronted_group(fronted, scene)
    if group and frame.operation != "top_k":
        grouping: Operation = "group_by" if frame.operation == "count" else frame.operation
        return replace(frame, operation=grouping, group=group)
    return _with_front(frame, fronted, body, scene)


def _without_end(tokens: Sequence[Token]) -> list[Token]:
    kept = list(tokens)
    while kept and kept[-1].text in {"?", ".", "!", ":"}:
        kept.pop()
    return kept


def _front(tokens: Sequence[Token], scene: Scene) -> tuple[list[Token], list[Token]]:
    """Cut `Among the contracts signed in 2020, how many …` at the comma before the opener.

    Behind `For each owner` a list may be asked for without one: `the towns`.
    """
    if not tokens or tokens[0].low not in _FRONTS:
        return [], list(tokens)
    for at in range(1, len(tokens) - 1):
        if tokens[at].low != ",":
            continue
        if fronted_group(tokens[:at], scene) or read_opener(tokens[at + 1 :]) is not None:
            return list(tokens[:at]), list(tokens[at + 1 :])
    for at in range(2, len(tokens) - 1):
        if [token.low for token in tokens[at : at + 2]] == ["how", "many"]:
            return list(tokens[:at]), list(tokens[at:])
    return [], list(tokens)


def _and_how_many(tokens: Sequence[Token]) -> tuple[bool, list[Token]]:
    low = [token.low for token in tokens]
    for at in range(len(low) - 2):
        if low[at : at + 3] == ["and", "how", "many"] and set(low[at + 3 :]) <= {
            *_EMPTY,
            "of",
            "them",
            "such",
        }:
            return True, _without_comma(tokens[:at])
    return False, list(tokens)


def _without_comma(tokens: Sequence[Token]) -> list[Token]:
    return list(tokens[:-1]) if tokens and tokens[-1].low == "," else list(tokens)


def _measured(
    opener: Opener, body: Sequence[Token], fronted: Sequence[Token], scene: Scene
) -> Frame:
    """Read `average NUMBER of the ENTITIES …`; the entity may stand in front instead."""
    low = [token.low for token in body]
    skip = 2 if low[:2] in (["number", "of"], ["amount", "of"]) else 0
    cut = next(
        (at for at in range(skip + 1, len(body)) if _ends_measure(body, at, scene)), len(body)
    )
    rest = body[cut:]
    narrowed = _narrowed(rest, scene)
    if 0 < narrowed < len(rest) and not fronted:
        fronted, rest = rest[:narrowed], rest[narrowed:]
        noun = read_noun_phrase(rest[1:], scene)
        measure, ascending = tuple(body[:cut]), not opener.largest
        return Frame(opener.operation, noun, measure, tuple(fronted), ascending=ascending)
    if rest and (fronted or low[cut] in {"that", "from"} or narrowed):
        noun = NounPhrase(None, (), tuple(rest))
    else:
        behind = rest[1:] if rest else body[skip:] if skip and not fronted else []
        noun = read_noun_phrase(behind, scene) if behind else NounPhrase(None, (), ())
    return Frame(opener.operation, noun, tuple(body[:cut]), ascending=not opener.largest)


def _ends_measure(body: Sequence[Token], at: int, scene: Scene) -> bool:
    """Tell whether the words for a number end here: at its entity, or at what restricts that."""
    low = [token.low for token in body[at : at + 3]]
    if low[0] in _RESTRICTING:
        return _narrowed(body[at:], scene) > 0
    if low[0] == "in" and (_is_unit(body[at + 1 :]) or low[2:] in (["of"], ["for"])):
        return False
    return low[0] in _OWNING


def _narrowed(tokens: Sequence[Token], scene: Scene) -> int:
    """Return where the phrase ends that narrows the documents, before the entity's; 0 without."""
    if _restricts(tokens, scene):
        return len(tokens)
    ends = (at for at in range(2, len(tokens) - 1) if tokens[at].low in {"for", "of", "among"})
    return next((at for at in ends if _restricts(tokens[:at], scene)), 0)


def _restricts(tokens: Sequence[Token], scene: Scene) -> bool:
    """Tell whether a phrase narrows the documents by a field's value: `in the Surgery ward`."""
    content = [token for token in tokens[1:] if not token.function]
    if not content or scene.names_documents(singular(content[0].low)):
        return False
    first = list(tokens).index(content[0])
    places = [first] if tokens[0].low in _OWNING - {"in"} else range(first, len(tokens))
    valued = any(scene.labels.hits(tokens, at) for at in places)
    return (valued or content[0].kind == "number") and decide(tokens, scene).whole


def _extreme(body: Sequence[Token], scene: Scene) -> Frame | None:
    """Read `the height of the tallest object …`: the extreme of a number that a field holds."""
    low = [token.low for token in body]
    start = 1 if low[:1] == ["the"] else 0
    cue = scene.labels.cue(body, start) if start < len(body) else None
    at = start + cue.size if cue is not None else 0
    if cue is None or low[at : at + 2] != ["of", "the"] or low[at + 2 : at + 3] == ["most"]:
        return None
    largest = MOST.get(low[at + 2]) if at + 2 < len(low) else None
    numeric = cue.strength >= 2 and any(each.field.type == "number" for each in cue.fields)
    if largest is None or not numeric:
        return None
    noun = read_noun_phrase(body[at + 3 :], scene)
    measure = tuple(body[start:at])
    return Frame("max" if largest else "min", noun, measure, ascending=not largest)


def _is_unit(tokens: Sequence[Token]) -> bool:
    """Tell whether `in` is followed by one plain word at the end: `in days`."""
    return len(tokens) == 1 and tokens[0].kind == "word" and not tokens[0].capital


def _with_front(
    frame: Frame, fronted: Sequence[Token], body: Sequence[Token], scene: Scene
) -> Frame:
    """Add what stood in front: the entity with its restrictions, or a restriction alone."""
    if not fronted or fronted[0].low == "based":
        return frame
    inner = read_noun_phrase(fronted[1:], scene)
    told = bool(frame.measure) and frame.noun.head is None
    if inner.head is None or not (told or _opens_with_verb(body, scene)):
        return replace(frame, fronted=tuple(fronted))
    after = frame.noun.after if told else tuple(body)
    noun = replace(frame.noun, head=inner.head, before=inner.before, after=after)
    return replace(frame, noun=noun, fronted=inner.after)


def _opens_with_verb(body: Sequence[Token], scene: Scene) -> bool:
    """Tell whether the main clause has no noun of its own: `how many carry a banner`."""
    them = [token.low for token in body[:2]]
    return not body or them[:1] == ["of"] or verb_like(body, 0, scene)
