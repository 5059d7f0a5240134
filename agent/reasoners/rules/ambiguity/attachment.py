"""B2: a modifier that can belong to more than one part of the question."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.ambiguity.members import Members, is_adjective, members_at, names_year
from agent.reasoners.rules.ambiguity.nested import nested
from agent.reasoners.rules.ambiguity.windows import in_window, likeliest_bound
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    Token,
    word_set,
)
from agent.reasoners.rules.reading.elements import Joint, Values, read_elements
from agent.replies import FoundAmbiguity

__all__ = ("SETTLING", "attachments")

SETTLING: Final = word_set(
    "either both neither nor whichever respectively just only also each any whether same too "
    "every common then they them it their its order"
)
"""Words with which a question says itself to which part a description belongs."""
_WHOLE: Final = word_set(
    "collection corpus archive database dataset documents files records texts table total all list"
)
"""Nouns for everything there is: a phrase with them belongs to the question as a whole."""
_TITLED: Final = word_set("called named titled entitled labelled labeled")
_TIMED: Final = 2
"""Words of an expression of time with its participle: `recently filed`."""
_CLAUSAL: Final = word_set("that which who whom whose where")


def attachments(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield the first modifier that can belong to one part or to several."""
    for look in (_premodified, _postmodified, nested):
        one = look(doubt)
        if one is not None:
            yield one
            return


def _premodified(doubt: Doubt) -> FoundAmbiguity | None:
    """Find `closed day and boarding schools`, `damaged jars and bowls`."""
    return _modified_values(doubt) or _modified_nouns(doubt)


def _modified_values(doubt: Doubt) -> FoundAmbiguity | None:
    """Find a value of one field before two joined values of another, and their noun."""
    head = doubt.frame.noun.head
    before = [token for token in doubt.frame.noun.before if token.text != "-"]
    if head is not None and not doubt.scene.names_documents(head.low):
        before.append(head)
    elements = read_elements(before, doubt.scene.labels, ())
    for at in range(1, len(elements) - 2):
        second, joint, third = (each.what for each in elements[at : at + 3])
        if not (isinstance(joint, Joint) and joint.word == "and"):
            continue
        if not (isinstance(second, Values) and isinstance(third, Values)):
            continue
        words = [doubt.scene.words(before[e.start : e.end]) for e in elements[at : at + 3]]
        last = elements[at - 1]
        if isinstance(last.what, Values) and _modifies_two((last.what, second, third)):
            first = doubt.scene.words(before[last.start : last.end])
            return _before_values(doubt, first, words[0], words[2])
        timed = _timed(before[max(0, last.end - _TIMED) : last.end], doubt)
        if timed is not None and _of_one_field(second, third):
            return _dated_values(doubt, timed, words[0], words[2])
    return None


def _timed(tokens: Sequence[Token], doubt: Doubt) -> Sequence[Token] | None:
    """Return the expression of time, with its participle, that ends the words; None for none."""
    start = next((at for at, each in enumerate(tokens) if in_window(doubt, each)), None)
    return None if start is None else tokens[start:]


def _of_one_field(*values: Values) -> bool:
    first, second = ({hit.facts.name for hit in each.hits} for each in values)
    return bool(first & second)


def _modifies_two(values: Sequence[Values]) -> bool:
    first, second, third = ({hit.facts.name for hit in each.hits} for each in values)
    return bool(second & third) and not first & second & third


def _before_values(doubt: Doubt, first: str, second: str, third: str) -> FoundAmbiguity:
    start = doubt.question.find(first)
    adverb = re.search(r"\b\w+ly $", doubt.question[:start])
    if adverb is not None:
        start, first = adverb.start(), f"{adverb.group()}{first}"
    end = doubt.question.find(third, start) + len(third)
    head = doubt.frame.noun.head
    noun = head.text if head is not None else "documents"
    if head is not None and head.start >= end:
        end = head.end
    elif head is not None and head.end == end:
        noun = "documents"
    span = doubt.question[start:end]
    both = doubt.question.replace(f"{second} and {third}", f"{second} or {third}", 1)
    asked = f"{doubt.question[:start]}{noun}"
    apart = _alternatives(
        doubt, asked, doubt.question[end:], f"are {first} and {second}", f"are {third}"
    )
    return found(
        "B2", span, f"“{first}” can describe both kinds or only the first.",
        [reading(f"both kinds {first}", both), reading(f"only {second} ones {first}", apart)],
    )  # fmt: skip


def _dated_values(
    doubt: Doubt, timed: Sequence[Token], second: str, third: str
) -> FoundAmbiguity | None:
    """Find `recently filed day and boarding schools`; the time is bounded in every reading."""
    start, close = timed[0].start, timed[-1].end
    bound, date = likeliest_bound(doubt, start, close), doubt.date
    place = doubt.question.find(third, close)
    if bound is None or date is None or place < 0:
        return None
    end = place + len(third)
    head = doubt.frame.noun.head
    noun = head.text if head is not None else "documents"
    end = head.end if head is not None and head.start >= end else end
    dated, first = f"with {date.name} {bound.words}", doubt.question[start:close]
    plain = doubt.without(start, close).replace(f"{second} and {third}", f"{second} or {third}", 1)
    asked, rest = f"{doubt.question[:start]}{noun}", doubt.question[end:]
    apart = _alternatives(doubt, asked, rest, f"are {second} {dated}", f"are {third}")
    return found(
        "B2", doubt.question[start:end], f"“{first}” can describe both kinds or only the first.",
        [
            reading(f"both kinds, {bound.label}", doubt.with_clause(plain, dated)),
            reading(f"only {second} ones, {bound.label}", apart),
        ],
    )  # fmt: skip


def _alternatives(doubt: Doubt, asked: str, rest: str, *ways: str) -> str:
    """Return the question for what satisfies one of several descriptions."""
    rest = re.sub(r"^\s*(?:are there|are|exist)$", "", rest.rstrip("?. "))
    verbal = rest.split()[:1] and rest.split()[0].casefold() in AUXILIARIES
    meet = "that meet" if doubt.listing else "meet"
    listed = "; ".join(f"they {way}" for way in ways)
    lead = f"{asked}{' that' if verbal else ''}{rest} {meet}"
    text = f"{lead} at least one of these conditions: {listed}?"
    return re.sub(r"\s{2,}", " ", text)


def _modified_nouns(doubt: Doubt) -> FoundAmbiguity | None:
    """Find an adjective before two joined plural nouns that are asked for."""
    tokens = doubt.asked
    for at, token in enumerate(tokens):
        if token.low != "and":
            continue
        pair = members_at(tokens, at, doubt)
        if pair is None or not pair.plural or _settled(tokens[pair.start : pair.end], doubt):
            continue
        left = tokens[pair.start : at]
        right = tokens[at + 1 : pair.end]
        if len(left) < 2 or not is_adjective(left[0]) or len(right) > 2 or not pair.asked:
            continue
        if is_adjective(right[0]) or left[1].text == "-":
            continue
        first, one, other = left[0].text, doubt.scene.words(left[1:]), doubt.scene.words(right)
        span = doubt.between(pair.start, pair.end)
        return found("B2", span, f"“{first}” can describe both or only the first.", [
            reading(f"both {first}", doubt.put(span, f"{first} {one} and {first} {other}")),
            reading(f"only {one} {first}", doubt.put(span, f"{first} {one}, and any {other}")),
        ])  # fmt: skip
    return None


def _postmodified(doubt: Doubt) -> FoundAmbiguity | None:
    """Find a phrase or clause behind two joined nouns or names."""
    tokens = doubt.asked
    for at, token in enumerate(tokens):
        if token.low not in {"and", "or"}:
            continue
        pair = members_at(tokens, at, doubt)
        if pair is None or (token.low == "or" and not doubt.listing):
            continue
        if any(each.low in {"either", "both"} for each in tokens):
            continue
        end = _modifier(tokens, pair, doubt)
        if end is not None and not _settled(
            tokens[max(0, pair.start - 2) : min(end, pair.end + 4)], doubt
        ):
            return _behind(doubt, pair, at, end)
    return None


def _modifier(tokens: Sequence[Token], pair: Members, doubt: Doubt) -> int | None:
    """Return where the modifier behind the members ends; None where none begins there."""
    at = pair.end
    if at + 1 >= len(tokens):
        return None
    word = tokens[at].low
    end = next(
        (step for step in range(at + 1, len(tokens)) if tokens[step].text in {",", ";"}),
        len(tokens),
    )
    if word in _CLAUSAL:
        return end if pair.asked else None
    if word in _TITLED or (pair.plural and _participle(tokens, at, doubt)):
        return end if pair.asked or doubt.listing else None
    return _phrase(tokens, pair, end, doubt)


def _phrase(tokens: Sequence[Token], pair: Members, end: int, doubt: Doubt) -> int | None:
    """Return where a phrase with a preposition ends that can describe one member or both."""
    at = pair.end
    word, follower = tokens[at].low, tokens[at + 1]
    if word not in PREPOSITIONS - {"of", "than", "as", "like", "between"}:
        return None
    if word == "for" and (follower.low in DETERMINERS or follower.kind == "number"):
        return None
    if any(token.low in _WHOLE for token in tokens[at + 1 : at + 4]):
        return None
    stop = AUXILIARIES | _CLAUSAL
    close = next((step for step in range(at + 1, end) if tokens[step].low in stop), end)
    return close if pair.asked or _attributive(tokens[at:close], pair, doubt) else None


def _participle(tokens: Sequence[Token], at: int, doubt: Doubt) -> bool:
    """Tell whether a participle's phrase begins here rather than the main clause."""
    word = tokens[at].low
    if not re.search(r"(?:ed|ing|wn|en|ught|told|sold|built|held|made|set)$", word):
        return False
    later = any(token.low in AUXILIARIES for token in tokens[at + 1 :])
    return at + 1 < len(tokens) and (doubt.listing or later)


def _attributive(phrase: Sequence[Token], pair: Members, doubt: Doubt) -> bool:
    """Tell whether a phrase behind names or objects can describe the last of them alone."""
    if pair.names:
        article = phrase[1].low in {"a", "an"} and phrase[0].low in {"with", "without"}
        return names_year(phrase) or article or _named(phrase[1:])
    return doubt.listing and len(phrase) > 1


def _named(phrase: Sequence[Token]) -> bool:
    return any(token.capital for token in phrase)


def _settled(tokens: Sequence[Token], doubt: Doubt) -> bool:
    """Tell whether words part the members, or a comma or a repeated determiner does."""
    if any(token.low in SETTLING or token.text in {",", ";"} for token in tokens):
        return True
    return doubt.scene.words(tokens).casefold() in doubt.labels_written


def _behind(doubt: Doubt, pair: Members, joint: int, end: int) -> FoundAmbiguity:
    tokens = doubt.asked
    one = doubt.between(pair.start, joint)
    other = doubt.between(joint + 1, pair.end)
    phrase = doubt.between(pair.end, end)
    span = doubt.between(pair.start, end)
    lead, preposition = _lead(doubt, pair)
    rest = doubt.question[tokens[end - 1].end :]
    if pair.names and (preposition or pair.asked):
        whole = doubt.put(span, f"{one} or {other} {phrase}")
        named = re.sub(r"^(?:that|which|who) ", "", phrase)
        before = "" if pair.asked else f" {lead}"
        asked = doubt.question[: doubt.question.index(span)].rstrip()
        asked = f"{asked} documents" if pair.asked else asked[: len(asked) - len(lead)].rstrip()
        ways = (f"are{before} {one}", f"are{before} {other} and {named}")
        apart = _alternatives(doubt, asked, rest, *ways)
    else:
        whole = doubt.put(span, f"{one} {phrase} and {other} {phrase}")
        apart = doubt.put(span, f"{one} of any kind, and {other} {phrase}")
    why = f"“{phrase}” can describe both or only the last."
    return found("B2", span, why, [
        reading("it describes both", whole), reading(f"it describes only {other}", apart),
    ])  # fmt: skip


def _lead(doubt: Doubt, pair: Members) -> tuple[str, bool]:
    """Return the word before the members and whether it is a preposition."""
    if not pair.start:
        return "", False
    token = doubt.asked[pair.start - 1]
    return token.text, token.low in PREPOSITIONS
