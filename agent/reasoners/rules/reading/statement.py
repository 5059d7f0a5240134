"""One clause that is not split any further: a mention, or a meaning in its own words."""

import re
from collections.abc import Sequence

from agent.question import Condition, Node
from agent.reasoners.rules.language.words import AUXILIARIES, NEGATIONS, Token, stem
from agent.reasoners.rules.reading.content import has_content, trimmed
from agent.reasoners.rules.reading.draft import all_of, negated
from agent.reasoners.rules.reading.mentions import mention_at, mentioned, read_mention
from agent.reasoners.rules.reading.metadata import decide
from agent.reasoners.rules.reading.roles import is_role_verb
from agent.reasoners.rules.reading.scene import Scene
from agent.reasoners.rules.reading.sharing import holds_nothing, objects_apart

__all__ = ("statement",)


def statement(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read one clause of the text: a mention, or else a meaning in its own words."""
    kept, denied = _undenied(trimmed(tokens, scene))
    if not has_content(kept) or _merely_mentioned(kept):
        return None
    lacking = denied and tokens[0].low in {"without", "lacking", "lack"}
    node = (
        _mention(kept, scene)
        or all_of([_meaning(part, scene) for part in objects_apart(kept)])
        or _meaning(kept, scene, lead="have " if lacking else "")
    )
    return negated(node) if denied and node is not None else node


def _merely_mentioned(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause says only that the entity stands in the texts: `are named in …`."""
    bare = [token for token in tokens if token.low not in AUXILIARIES]
    return (
        len(bare) < len(tokens)
        and mention_at(tokens, len(tokens) - len(bare)) is not None
        and (len(bare) == 1 or bare[1].low in {"in", "by", "within", "throughout", "across"})
    )


def _undenied(tokens: Sequence[Token]) -> tuple[list[Token], bool]:
    """Drop a negation before the verb, with the auxiliary it needs, or before its object."""
    if holds_nothing(tokens):
        return [tokens[0], *tokens[2:]], True
    for at, token in enumerate(tokens[:4]):
        if token.low in NEGATIONS - {"no", "neither", "nor"}:
            before = [each for each in tokens[:at] if each.low not in {"do", "does", "did"}]
            return [*before, *tokens[at + 1 :]], True
        if token.low not in AUXILIARIES and not token.low.endswith("ly"):
            break
    return list(tokens), False


def _mention(tokens: Sequence[Token], scene: Scene) -> Node | None:
    bare = [*tokens]
    while bare and bare[0].low in AUXILIARIES and mention_at(bare, 0) is None:
        bare = bare[1:]
    if bare and stem(bare[-1].low) in {
        stem("mentioned"),
        stem("cited"),
        stem("named"),
        stem("discussed"),
    }:
        return mentioned(scene.text, bare[:-1])
    if not bare or mention_at(bare, 0) is None:
        return None
    for cut in range(2, len(bare) - 1):
        if _tail_opens(bare[cut]):
            decision = decide(bare[cut:], scene)
            named = read_mention(scene.text, bare[:cut])
            if decision.whole and named is not None:
                return all_of([named, decision.node])
    return read_mention(scene.text, bare)


def _tail_opens(token: Token) -> bool:
    prepositions = {"from", "in", "since", "before", "after", "during", "between", "by"}
    return token.low in prepositions or is_role_verb(token.low)


def _meaning(tokens: Sequence[Token], scene: Scene, lead: str = "") -> Condition:
    """Keep the clause's own words; a name of the concept in parentheses also counts."""
    kept = [token for token in tokens if token.text.casefold() != "(or both)"]
    counts = [
        part.strip()
        for token in kept[-1:]
        if token.kind == "paren"
        for part in re.split(r"[,;]", token.inner)
        if 0 < len(part.split()) <= 6
    ]
    return Condition(id="", text=lead + scene.words(kept).strip(" ,"), counts=tuple(counts))
