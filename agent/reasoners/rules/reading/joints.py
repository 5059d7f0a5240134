"""Joints of whole clauses: the `but`, `or` and `and` behind which another one opens."""

from collections.abc import Sequence

from agent.reasoners.rules.language.modality import is_force_verb
from agent.reasoners.rules.language.words import AUXILIARIES, PREPOSITIONS, RELATIVES, Token
from agent.reasoners.rules.reading.content import has_mention
from agent.reasoners.rules.reading.mentions import mention_at
from agent.reasoners.rules.reading.scene import Scene
from agent.reasoners.rules.reading.sharing import is_sure_verb
from agent.reasoners.rules.reading.verbs import verb_like

__all__ = ("split_at_joints",)


def split_at_joints(tokens: Sequence[Token], scene: Scene) -> tuple[str, list[list[Token]]] | None:
    """Cut at the joints that join whole clauses: `but` first, then `or`, then `and`."""
    if tokens[0].low == "neither":
        return None
    both = tokens[0].low == "both"
    either = tokens[0].low == "either"
    body = list(tokens[1:]) if both or either else list(tokens)
    for joint in ("but", "or", "and"):
        cuts = [
            at
            for at in range(1, len(body) - 1)
            if body[at].low == joint
            and _opens_clause(body, at, scene, marked=both if joint == "and" else either)
        ]
        if cuts:
            edges = [-1, *cuts, len(body)]
            parts = [body[edges[at] + 1 : edges[at + 1]] for at in range(len(edges) - 1)]
            return joint, [part for part in parts if part]
    return None


def _opens_clause(tokens: Sequence[Token], at: int, scene: Scene, *, marked: bool) -> bool:
    following = tokens[at + 1]
    comma = tokens[at - 1].low == ","
    joint = tokens[at].low
    if joint == "but":
        bare = following.low == "not" and not verb_like(tokens, at + 2, scene)
        return not (bare and has_mention(tokens[:at]))
    if following.low in AUXILIARIES or following.low in RELATIVES:
        return joint == "and" or following.low in AUXILIARIES or comma
    if mention_at(tokens, at + 1) is not None or _parallel(tokens, at):
        return True
    if joint == "or" and not (comma or marked):
        return False
    return verb_like(tokens, at + 1, scene, strict=not (comma or marked))


def _parallel(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a verb with its object follows a joint, as one began the clause."""
    verb = tokens[at + 1]
    if tokens[0].low in AUXILIARIES or at + 2 >= len(tokens) or verb.capital:
        return False
    then = tokens[at + 2]
    if then.low in PREPOSITIONS or then.low in {",", "and", "or"}:
        return False
    past = verb.low.endswith("ed") and then.low in {"a", "an", "the", "no", "any"}
    return past or is_sure_verb(verb.low) or is_force_verb(verb.low)
