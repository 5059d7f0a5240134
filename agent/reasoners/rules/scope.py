"""B1 and B2: what a negation or quantifier reaches, what a modifier belongs to."""

import re
from collections.abc import Iterator
from typing import Final

from agent.question import AllOf, AnyOf, Condition, Node, Not
from agent.reasoners.rules.doubt import Doubt, found, reading
from agent.reasoners.rules.elements import Joint, Values, read_elements
from agent.replies import FoundAmbiguity

__all__ = ("attachments", "negations")

_DENIED: Final = re.compile(
    r"\b(?P<verb>(?:do|does|did|are|is|were|was|have|has|had)(?: not|n't|n’t)"
    r"(?: have| name| list| contain| include| mention)?)\s+"
    r"(?P<one>[^?;]+?),?\s+(?P<joint>and|or)\s+(?P<other>[^?;,]+)",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(r"\b(?:every|each|all)\s+\w+\s+and\s+\w+", re.IGNORECASE)
_ALL_NOT: Final = re.compile(
    r"\ball\s+(?:the\s+)?[\w-]+\s+(?:are|were|do|did|have|had|is|was)\s+not\b", re.IGNORECASE
)
_NOT_COUNT: Final = re.compile(
    r"\b(?:not|n't|n’t|never)\s+(?:\w+\s+){0,2}(?:at least|more than|at most|all|every|each)\b",
    re.IGNORECASE,
)
_AND_FROM: Final = re.compile(
    r"\band\s+(?:[A-Z][\w.'’-]*\s+)+(?:from|in|of)\s+(?:the\s+)?(?:[A-Z]\w+\s+)?\d{4}\b"
)
_WITH_FROM: Final = re.compile(
    r"\bwith\s+an?\s+(?P<noun>[\w-]+)\s+(?:from|in|of)\s+(?P<year>\d{4})\b"
)


def negations(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield negations and quantifiers whose scope is open."""
    question = doubt.question
    if re.search(r"\b(?:neither|nor|both)\b", question, re.IGNORECASE):
        return
    match = _DENIED.search(question)
    if match is not None and (_two_tests(doubt, match) or _listed_and(match)):
        yield _denied_pair(doubt, match)
        return
    for pattern in (_ALL_NOT, _NOT_COUNT, _EVERY):
        hit = pattern.search(question)
        if hit is not None and not (pattern is _EVERY and not _labels_around(doubt, hit)):
            yield _open_scope(doubt, hit)
            return


def _two_tests(doubt: Doubt, match: re.Match[str]) -> bool:
    """Tell whether the negation stands over two conditions that metadata decides apart."""
    tests = [*_denied_fields(doubt.interpretation.conditions, denied=False)]
    return len(set(tests)) > 1 and len(match.group("one").split()) <= 5


def _denied_fields(node: Node | None, *, denied: bool) -> Iterator[str]:
    match node:
        case Not():
            yield from _denied_fields(node.part, denied=True)
        case AllOf() | AnyOf():
            for part in node.parts:
                yield from _denied_fields(part, denied=denied)
        case Condition():
            if denied and node.predicate is not None:
                yield node.predicate.field
        case None:
            return


def _listed_and(match: re.Match[str]) -> bool:
    """Tell whether `and` joins things with articles under the negation: `a sponsor and a …`."""
    articles = r"(?:a|an|any|the)\s+[\w-]+(?:\s+[\w-]+)?"
    return (
        match["joint"].casefold() == "and"
        and re.fullmatch(rf"{articles}(?:,\s*{articles})*", match["one"], re.IGNORECASE) is not None
        and re.fullmatch(articles, match["other"].strip(), re.IGNORECASE) is not None
    )


def _denied_pair(doubt: Doubt, match: re.Match[str]) -> FoundAmbiguity:
    verb = re.sub(r"\s*(?:\bnot\b|n['’]t\b)", "", match["verb"]).strip()
    verb = re.sub(r"^(?:do|does|did)\s+", "", verb)
    ones = [part.strip() for part in match["one"].split(",") if part.strip()]
    other = match["other"].strip()
    neither = f"{verb} neither {' nor '.join([*ones, other])}"
    before, after = doubt.question[: match.start()], doubt.question[match.end() :]
    if match["joint"].casefold() == "and":
        second = reading(
            "not all of them together",
            f"{before}{match['verb']} both {', '.join(ones)} and {other}{after}",
        )
    else:
        second = reading(
            "not the first, or the second",
            f"{before}{match['verb']} {match['one']}, or {verb} {other}{after}",
        )
    why = "The negation can reach over one part or over all of them."
    return found(
        "B1", match.group(), why, [reading("none of them", f"{before}{neither}{after}"), second]
    )


def _open_scope(doubt: Doubt, match: re.Match[str]) -> FoundAmbiguity:
    phrase = match.group()
    if _EVERY.fullmatch(phrase):
        bare = re.sub(r"^(?:every|each|all)\s+", "", phrase, flags=re.IGNORECASE)
        whole, some = f"both {bare}", bare.replace(" and ", " or ")
    elif _ALL_NOT.fullmatch(phrase):
        bare = re.sub(r"^all\s+|\s+not$", "", phrase, flags=re.IGNORECASE)
        whole, some = f"no {bare}", f"not all {bare}"
    else:
        whole, some = f"{phrase} (taken together)", f"{phrase} (each by itself)"
    first, second = (doubt.question.replace(phrase, each, 1) for each in (whole, some))
    why = "The negation or quantifier can govern each part or all of them together."
    return found(
        "B1", phrase, why, [reading("all of them together", first), reading("any of them", second)]
    )


def _labels_around(doubt: Doubt, match: re.Match[str]) -> bool:
    """Tell whether both words joined after `every` are values of the corpus."""
    tokens = [token for token in doubt.tokens if match.start() <= token.start < match.end()]
    elements = read_elements(tokens, doubt.scene.labels, ())
    return sum(isinstance(each.what, Values) for each in elements) > 1


def attachments(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield modifiers that can belong to one part or to several."""
    before = list(doubt.frame.noun.before)
    elements = read_elements(
        [token for token in before if token.text != "-"], doubt.scene.labels, ()
    )
    for at in range(len(elements) - 3):
        first, second, joint, third = (each.what for each in elements[at : at + 4])
        joined = isinstance(joint, Joint) and joint.word == "and"
        values = [each for each in (first, second, third) if isinstance(each, Values)]
        if joined and len(values) == 3 and _modifies_two(values):
            words = [doubt.scene.words(before[e.start : e.end]) for e in elements[at : at + 4]]
            yield _premodified(doubt, words)
            return
    yield from _trailing(doubt)


def _modifies_two(values: list[Values]) -> bool:
    first, second, third = (each.hits[0].facts for each in values)
    return second is third and first is not second


def _premodified(doubt: Doubt, words: list[str]) -> FoundAmbiguity:
    first, second, _, third = words
    head = doubt.frame.noun.head
    noun = head.text if head is not None else "documents"
    span = f"{first} {second} and {third} {noun}"
    both = doubt.question.replace(f"{second} and {third}", f"{second} or {third}", 1)
    apart = doubt.question.replace(
        f"{first} {second} and {third} {noun}",
        f"{noun} that are {third}, or are {first} and {second},",
        1,
    )
    why = f"“{first}” can describe both kinds or only the first."
    return found(
        "B2", span, why,
        [reading(f"both kinds {first}", both), reading(f"only {second} ones {first}", apart)],
    )  # fmt: skip


def _trailing(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    question = doubt.question
    match = _AND_FROM.search(question)
    if match is not None:
        why = "The date can belong to both names or only to the last."
        both = question.replace(match.group(), match.group().replace("and ", "or ", 1), 1)
        yield found(
            "B2", match.group(), why,
            [
                reading("the date holds for both", both),
                reading("the date holds for the last", question.replace(
                    match.group(), match.group().replace("and ", "or also ", 1), 1)),
            ],
        )  # fmt: skip
        return
    match = _WITH_FROM.search(question)
    if match is not None:
        noun, year = match["noun"], match["year"]
        rest = question.replace(match.group(), f"with a {noun}", 1)
        date = doubt.date
        name = date.name if date is not None else "date"
        why = f"The year can date the whole or only the {noun}."
        yield found(
            "B2", match.group(), why,
            [
                reading(f"dated {year}", doubt.with_clause(rest, f"with {name} in {year}")),
                reading(f"the {noun} is of {year}", question.replace(
                    match.group(), f"whose text gives a {noun} of {year}", 1)),
            ],
        )  # fmt: skip
