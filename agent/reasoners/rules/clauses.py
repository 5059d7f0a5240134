"""Restrictions of the entity: clauses split where they are joined, each read as far as it goes."""

import re
from collections.abc import Sequence
from typing import Final

from agent.question import Condition, Node
from agent.reasoners.rules.draft import all_of, any_of, negated
from agent.reasoners.rules.mentions import mention_at, mentioned, read_mention
from agent.reasoners.rules.metadata import decide
from agent.reasoners.rules.modality import is_force_verb
from agent.reasoners.rules.roles import is_role_verb
from agent.reasoners.rules.scene import Scene
from agent.reasoners.rules.sharing import denied_objects, is_sure_verb, objects_apart
from agent.reasoners.rules.words import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    NEGATIONS,
    NUMBER_WORDS,
    PREPOSITIONS,
    PRONOUNS,
    RELATIVES,
    Token,
    stem,
)

__all__ = ("restriction", "trimmed", "verb_like")

_ADJUNCT: Final = re.compile(
    r"[\s,]*(?:according to (?:the|its|their)\s+\w+|"
    r"in (?:the|its|their)(?: own)? (?:headers?|metadata|front matter|body|text)|"
    r"in (?:the|this|our|your) (?:database|corpus|collection|dataset|records?|knowledge base)|"
    r"at least once|anywhere|by name|in total|altogether|overall|\(or both\)|\(or all\)|or both|"
    r"spelling variants merged|each spelling by itself)\s*$",
    re.IGNORECASE,
)
_CONDITIONS: Final = frozenset({"conditions", "criteria", "requirements", "following", "these"})


def restriction(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read what restricts the entity: a clause, or several joined ones; None for nothing."""
    relative = bool(tokens) and tokens[0].low in RELATIVES
    tokens = trimmed(tokens, scene)
    if not _content(tokens):
        return None
    listed = _clausal(tokens, scene) or _enumerated(tokens, scene)
    if listed is not None:
        return listed
    if (without := denied_objects(tokens)) is not None and not _mentions(tokens):
        kept, gone = (restriction(part, scene) for part in without)
        if kept is not None and gone is not None and not _decided(tokens, scene):
            return all_of([kept, negated(gone)])
    if not _mentions(tokens):
        decision = decide(tokens, scene)
        if decision.whole or (decision.void and scene.entity_field is not None):
            return decision.node
    if relative and scene.stated and (main := _main_verb(tokens)) is not None:
        parts = [tokens[:main], tokens[main:]]
        return all_of([restriction(part, scene) for part in parts])
    return _joined(tokens, scene) or _prefixed(tokens, scene) or _leaf(tokens, scene)


def _joined(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read clauses that `and`, `or`, `but` or `neither … nor` join."""
    if (none := _neither(tokens, scene)) is not None:
        return none
    split = _split(tokens, scene)
    if split is None:
        return None
    joint, parts = split
    nodes = [restriction(part, scene) for part in parts]
    return any_of(nodes) if joint == "or" else all_of(nodes)


def trimmed(tokens: Sequence[Token], scene: Scene) -> list[Token]:
    """Drop what stands at the edges and restricts nothing."""
    kept = list(tokens)
    while kept:
        found = _ADJUNCT.search(scene.words(kept))
        if found is None or not found.group().strip(" ,"):
            break
        edge = kept[0].start + found.start()
        kept = [token for token in kept if token.start < edge]
    while kept and kept[-1].low in {",", ".", "?", "!", ";", ":", "there", "and", "or", "both"}:
        kept.pop()
    while kept and (kept[0].low in {",", ";", ":", "and", "they", "it", "there"}):
        kept.pop(0)
    if kept and kept[0].low in RELATIVES - {"whose", "where", "when"}:
        kept = kept[1:]
    return kept


def _content(tokens: Sequence[Token]) -> bool:
    return any(
        token.kind in {"quote", "number"}
        or (token.kind == "word" and (token.low not in FUNCTION_WORDS or token.low == "no"))
        for token in tokens
    )


def _mentions(tokens: Sequence[Token]) -> bool:
    return any(
        mention_at(tokens, at) is not None and stem(tokens[at].low) != "name"
        for at in range(len(tokens))
    )


def _clausal(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `are A, or are B and C`: clauses with verbs of their own, set off by a comma."""
    cuts = [
        at
        for at in range(2, len(tokens) - 1)
        if tokens[at].low == "or"
        and tokens[at - 1].low == ","
        and tokens[0].low in AUXILIARIES
        and verb_like(tokens, at + 1, scene)
    ]
    if not cuts:
        return None
    edges = [-1, *cuts, len(tokens)]
    parts = [tokens[edges[at] + 1 : edges[at + 1]] for at in range(len(edges) - 1)]
    return any_of([restriction(part, scene) for part in parts])


def _neither(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `neither limit A nor require B`."""
    low = [token.low for token in tokens]
    if low[0] != "neither" or "nor" not in low:
        return None
    edges = [0, *(at for at, word in enumerate(low) if word == "nor"), len(low)]
    parts = [tokens[edges[at] + 1 : edges[at + 1]] for at in range(len(edges) - 1)]
    joined = any_of([restriction(part, scene) for part in parts])
    return negated(joined) if joined is not None else None


def _main_verb(tokens: Sequence[Token]) -> int | None:
    """Return where the main clause begins behind a relative one: the last auxiliary's run."""
    for at in range(len(tokens) - 2, 1, -1):
        before = tokens[at - 1]
        opens = tokens[at].low in AUXILIARIES and before.low not in AUXILIARIES
        if opens and not before.function:
            return at
    return None


def _enumerated(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `meet at least one of these conditions: they …; they …`."""
    colon = next((at for at, token in enumerate(tokens) if token.low == ":"), None)
    if colon is None or not any(token.low in _CONDITIONS for token in tokens[:colon]):
        return None
    lead = {token.low for token in tokens[:colon]}
    parts: list[list[Token]] = [[]]
    for token in tokens[colon + 1 :]:
        if token.low == ";":
            parts.append([])
        else:
            parts[-1].append(token)
    nodes = [restriction(part, scene) for part in parts]
    every = bool(lead & {"all", "each", "every", "both"})
    joined = all_of(nodes) if every else any_of(nodes)
    denied = bool(lead & {"none", "neither", "no"})
    return negated(joined) if denied and joined is not None else joined


def verb_like(tokens: Sequence[Token], at: int, scene: Scene, *, strict: bool = True) -> bool:
    """Tell whether a finite verb of a plural subject may stand at the token `at`."""
    if at >= len(tokens) or tokens[at].kind != "word" or tokens[at].capital:
        return False
    word = tokens[at].low
    if word in AUXILIARIES or mention_at(tokens, at) is not None:
        return True
    if word in FUNCTION_WORDS or word.endswith(("s", "ed", "ing", "ly")):
        return False
    follower = tokens[at + 1] if at + 1 < len(tokens) else None
    if follower is None or follower.low in {"of", ",", "and", "or"}:
        return False
    opens = (
        follower.low in DETERMINERS | PRONOUNS
        or follower.low in NUMBER_WORDS
        or follower.kind in {"number", "quote"}
        or follower.capital
    )
    return opens or (not strict and _conjugated(word, scene))


def _conjugated(word: str, scene: Scene) -> bool:
    forms = scene.corpus.lexicon.inflections(word)
    return any(form.endswith(("ing", "ed")) for form in forms) or not forms


def _split(tokens: Sequence[Token], scene: Scene) -> tuple[str, list[list[Token]]] | None:
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
        return not (bare and _mentions(tokens[:at]))
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


def _prefixed(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `created in 2015 that mention X`: metadata first, then the rest."""
    for end in range(len(tokens) - 1, 0, -1):
        if not _boundary(tokens, end, scene) or _mentions(tokens[:end]):
            continue
        decision = decide(tokens[:end], scene)
        if decision.whole:
            return all_of([decision.node, restriction(tokens[end:], scene)])
    return _accompanied(tokens, scene) or _two_clauses(tokens, scene)


def _accompanied(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `without onions use lentils`: what comes along, then the main verb."""
    if tokens[0].low not in {"with", "without", "lacking"}:
        return None
    for at in range(2, len(tokens) - 1):
        main = is_sure_verb(tokens[at].low) or mention_at(tokens, at) is not None
        if main and not tokens[at - 1].function and tokens[at + 1].low != "of":
            parts = (tokens[:at], tokens[at:])
            return all_of([restriction(part, scene) for part in parts])
    return None


def _boundary(tokens: Sequence[Token], at: int, scene: Scene) -> bool:
    low = tokens[at].low
    if low in RELATIVES or low in {"but", "and", "or"}:
        return True
    return verb_like(tokens, at, scene)


def _two_clauses(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read `governed by the law of Texas impose a fee`: a participle's phrase, then the verb."""
    if tokens[0].low in AUXILIARIES or not re.search(r"(?:ed|en|ing|wn)$", tokens[0].low):
        return None
    for at in range(2, len(tokens) - 1):
        name_before = tokens[at - 1].capital or tokens[at - 1].kind in {"quote", "number"}
        if name_before and verb_like(tokens, at, scene):
            first = _leaf(tokens[:at], scene)
            return all_of([first, restriction(tokens[at:], scene)])
    return None


def _leaf(tokens: Sequence[Token], scene: Scene) -> Node | None:
    """Read one clause of the text: a mention, or else a meaning in its own words."""
    kept, denied = _undenied(trimmed(tokens, scene))
    if not _content(kept) or _merely_mentioned(kept):
        return None
    lacking = denied and tokens[0].low in {"without", "lacking", "lack"}
    node = (
        _mention(kept, scene)
        or all_of([_meaning(part, scene) for part in objects_apart(kept)])
        or _meaning(kept, scene, lead="have " if lacking else "")
    )
    return negated(node) if denied and node is not None else node


def _decided(tokens: Sequence[Token], scene: Scene) -> bool:
    return decide(tokens, scene).whole


def _merely_mentioned(tokens: Sequence[Token]) -> bool:
    """Tell whether a clause says only that the entity stands in the texts: `are named in …`."""
    bare = [token for token in tokens if token.low not in AUXILIARIES]
    return (
        len(bare) < len(tokens)
        and mention_at(tokens, len(tokens) - len(bare)) is not None
        and (len(bare) == 1 or bare[1].low in {"in", "by", "within", "throughout", "across"})
    )


def _undenied(tokens: Sequence[Token]) -> tuple[list[Token], bool]:
    """Drop a negation that stands before the verb, and the auxiliary it needs."""
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
