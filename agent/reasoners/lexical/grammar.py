"""A question as a row of pieces, from left to right: each word is placed or left over.

The grammar is small and closed: operations, comparisons, mentions, groups, ranks and connectives
come from the tables here, everything else from the collection's own vocabulary.
"""

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from itertools import pairwise
from typing import Final, Literal, get_args

from agent.corpus_view import Field
from agent.english import FILLERS, FUNCTION_WORDS, MONTHS, VERB_FORMS, currency_of, word_set
from agent.name_variants import is_variant
from agent.question import Comparison, DatePart
from agent.reasoners.lexical import question_words as closed
from agent.reasoners.lexical.degrees import Degree, compared_degree, degree
from agent.reasoners.lexical.pieces import (
    Amounted,
    Ask,
    Dated,
    Gradable,
    Grouped,
    Joined,
    Kinds,
    Leftover,
    Mentioned,
    Named,
    Negated,
    Piece,
    Priced,
    Ranked,
    Valued,
)
from agent.reasoners.lexical.tokens import (
    YEAR,
    Amount,
    Token,
    amount_at,
    date_at,
    period_at,
    tokenize,
)
from agent.reasoners.lexical.vocabulary import NAMING, Kind, Vocabulary, norms

_POLITE: Final = re.compile(
    r"""^(?:good\s+(?:morning|afternoon|evening|day)\b[\s,!.]*
    |(?:please|kindly|hi|hello|hey|ok|okay|so|well|now)\b[\s,!.]*
    |(?:could|can|would|will)\s+you\s+|(?:could|can|may)\s+(?:i|we)\s+(?:have|get|see)\s+
    |(?:i|we)(?:\s+would|['’]d)\s+like\s+(?:to\s+(?:know|see|have|get)\s+)?
    |(?:i|we)\s+(?:want|need|wish)\s+(?:to\s+(?:know|see|have|get|find)\s+)?
    |i['’]?\s*a?m\s+(?:looking\s+for|trying\s+to\s+find(?:\s+out)?)\s+
    |do\s+you\s+know\s+|let\s+me\s+know\s+|help\s+me\s+(?:to\s+)?(?=find|list|count)
    |(?:quick\s+)?question\s*:\s*|just\s+(?=tell|give|show|list|count)
    |(?:tell\s+(?:me|us)|(?:check|find\s+out)(?=\s+(?:at\s+)?(?:if|whether|how|which|in\s+how)\b))
    \s+(?:(?:if|whether)\s+)?)""",
    re.IGNORECASE | re.VERBOSE,
)
_LAST: Final = re.compile(
    r""",?\s+(?:(?:\w+est|most\s+\w+)\s+first
    |(?:whatever|no\s+matter|regardless\s+of|irrespective\s+of)\s+(?:their|its|the)\s+\w+
    |(?:and\s+)?how\s+many\s+(?:of|for|in)\s+each
    |and\s+(?:how\s+many|how\s+much|what|which)(?:\s+\w+)?\s+(?:is|was)\s+it
    |alone\s+or\s+with\s+others)$""",
    re.IGNORECASE | re.VERBOSE,
)
"""What ends a question and asks for no more than the answer shows."""
_STATING: Final = re.compile(
    r""",?\s+(?:(?:leaving\s+(?:out|aside)|not\s+counting|ignoring|excluding)
        \s+(?:those|the\s+ones|documents)\s+(?:that|which)\s+(?:state|have|give|name)\s+none
    |(?:among\s+(?:those|the\s+ones)\s+)?(?:that|which)\s+(?:state|give|name)s?\s+(?:one|it))$""",
    re.IGNORECASE | re.VERBOSE,
)
"""That what is measured, or is put in groups, is of the documents alone that state it."""
_MEASURING: Final = re.compile(
    r"\b(?:average|mean|median|sum|total|highest|lowest|per|each|every)\b", re.IGNORECASE
)
_MONTH_NAMES: Final = tuple(each for each in MONTHS if len(each) > 4)
_NEAR: Final = 0.8
"""How like the name of a month a misspelt one is, by the letters in common."""
_THANKS: Final = re.compile(
    r"[\s,.!?–—-]*\b(?:please|thanks|thank\s+you|cheers)(?:\s+(?:a\s+lot|so\s+much|very\s+much|"
    r"in\s+advance|again))?[\s.!?]*$",
    re.IGNORECASE,
)


_WHEN: Final = re.compile(
    r"^when\s+(?:is|was)\s+(?=the\s+(?:(?:most|least)\s+recent|latest|last|earliest|first)\b)",
    re.IGNORECASE,
)
"""A date that is asked for by the document that has it."""


def polite(question: str) -> str:
    """Leave out what is said to be polite.

    >>> polite("Could you please tell me how many leases there are? Thanks a lot!")
    'how many leases there are'
    """
    text = question.strip()
    while (bare := _THANKS.sub("", _POLITE.sub("", text, count=1))) != text:
        text = bare
    text = _WHEN.sub("which is ", _LAST.sub("", text.strip().rstrip("?!. ")))
    return _STATING.sub("", text) if _MEASURING.search(text) else text


def pieces(question: str, vocabulary: Vocabulary) -> tuple[list[Token], list[Piece], list[str]]:
    """Cut a question, without what is polite, into tokens and pieces.

    Returns:
        The tokens, the pieces, and how misspelt words were read, a sentence each.
    """
    marks = {"-", "–", "?", "!", "."}
    cut = [each for each in tokenize(question) if each.text not in marks]
    written = list(_rejoined(cut, question, vocabulary))
    tokens = [_respelt(each, vocabulary) for each in written]
    for at, (token, behind) in enumerate(pairwise(tokens)):
        if YEAR.fullmatch(behind.text) and not vocabulary.knows(token.text):
            near = get_close_matches(token.low, _MONTH_NAMES, n=1, cutoff=_NEAR)
            tokens[at] = replace(token, text=near[0].capitalize()) if near else token
    told = [
        f"“{one.text}” is read as “{other.text}”"
        for one, other in zip(written, tokens, strict=True)
        if one != other
    ]
    return tokens, _Walk(question, tokens, vocabulary).pieces(), told


def _rejoined(tokens: Sequence[Token], question: str, vocabulary: Vocabulary) -> Iterator[Token]:
    """Yield the tokens, as one what a sign parts that a name or unit here has: `e-mail`, `km/h`."""
    units, at = {*vocabulary.units.values()}, 0
    while at < len(tokens):
        one, size = tokens[at], 1
        for last in tokens[at + 1 : at + 3]:
            whole = Token(question[one.start : last.end], one.start, last.end, "word")
            plain = Token(whole.text.replace("-", ""), one.start, last.end, "word")
            if plain.text.isalpha() and plain != whole and vocabulary.names(plain.norm):
                one, size = plain, 2
            elif "/" in whole.text and whole.norm in units:
                one, size = whole, 3
        yield one
        at += size


def _respelt(token: Token, vocabulary: Vocabulary) -> Token:
    """Read a word that nothing knows as the one of the collection's names that it is near to."""
    if token.start <= 4 and token.low in closed.FIRST and not vocabulary.names(token.norm):
        return Token(closed.FIRST[token.low], token.start, token.end, "word")
    told = token.low in FUNCTION_WORDS | closed.KNOWN | VERB_FORMS
    if token.kind != "word" or told or vocabulary.knows(token.text):
        return token
    near = None if vocabulary.names(token.norm) else vocabulary.corrected(token.norm)
    if near is not None and token.low.endswith("ed") and not near.endswith("ed"):
        near = None
    return token if near is None else Token(near, token.start, token.end, "word")


@dataclass
class _Walk:
    """One pass over the tokens."""

    question: str
    tokens: list[Token]
    vocabulary: Vocabulary
    found: list[Piece] = field(default_factory=list)
    at: int = 0

    def pieces(self) -> list[Piece]:
        """Place the words one after another."""
        steps = (
            self._foldered, self._done, self._told, self._joined, self._asked, self._ranked,
            self._mentioned, self._tabled, self._grouped,
            self._compared, self._priced, self._valued_verb, self._done_by, self._linked,
            self._valued_field, self._relative, self._held_thing, self._named, self._negated,
            self._graded,
        )  # fmt: skip
        while self.at < len(self.tokens):
            piece = next((made for step in steps if (made := step()) is not None), None)
            if piece is None:
                self._skip_or_leave()
            else:
                self.found.append(piece)
                self.at = piece.end
        return self.found

    def _skip_or_leave(self) -> None:
        skipped: tuple[str, ...] = next(
            (each for each in closed.ASIDES if self._lows(len(each)) == each), ()
        )
        if skipped and self.vocabulary.mixed:  # `in the register` may name a table
            table = self.vocabulary.kind_at(self.tokens, self.at + len(skipped) - 1)[0]
            skipped = () if table is not None and table.test is not None else skipped
        token = self.tokens[self.at]
        if token.low == "in" and self._is_unit(self.at + 1) and self._measures():
            skipped = self._lows(2)
        if not skipped and not self._is_idle(token):
            self.found.append(Leftover(start=self.at, end=self.at + 1, token=token))
        self.at += len(skipped) or 1

    def _is_idle(self, token: Token) -> bool:
        """Tell whether a question can lose a word here without a change of meaning."""
        low = token.low
        if token.kind == "mark" or low in FILLERS | closed.IDLE:
            return True
        if low in closed.LIGHT | closed.PLACED and self._low(1) in closed.PARTICLES:
            return False
        if low in closed.LIGHT and self._lows(3)[1:] in closed.COMING_IN:
            return False
        if low in closed.ONCE and self._only_asked():
            named = self.vocabulary.fields_at(self.tokens, self.at + 1)[1] > 0
            return named or self._low(1) in closed.PEOPLE
        if self._is_sort_of_field():
            return True
        said = low in closed.STATED | {"out"} or self._is_figure()
        return (
            low in closed.LIGHT
            or (low in closed.DOINGS and (self._low(-1) in closed.WE or self._low(1) == "us"))
            or (low in closed.DOINGS and self._is_done_by_name())
            or (self.at + 1 == len(self.tokens) and self._is_asked_of(low))
            or (said and self._behind_field())
            or (low in {"every", "each"} and self._only_asked())
            or (low in {"spend", "spent"} and self._measures())
            or (low == "about" and self._is_topical())
            or (
                low in {"go", "goes", "went", "remain", "remains"}
                and self.vocabulary.values_at(self.tokens, self._past(self.at + 1, {"to"}))[1] > 0
            )
            or self._lists_value()
            or self._goes_with_doing(low)
            or (low in closed.WORDED and self._words_at(self.at + 1, 1) and not self._low(1))
            or (low == "per" and self._measures() and self._is_kind(self.at + 1))
            or self._is_idle_before_next(low)
        )

    def _is_asked_of(self, verb: str) -> bool:
        """Tell whether a verb that ends the question only goes with what is measured.

        `how long does an inspection take`, `the lowest rating that any inspection gave`.
        """
        how = any(isinstance(each, Named) and each.before == "how" for each in self.found)
        measured = self._measures() and isinstance(self.found[-1], Kinds)
        light = closed.NEEDS | closed.CONTAINS | closed.BRINGING | closed.DOINGS
        return (how and verb in closed.COSTING) or (measured and verb in light)

    def _is_topical(self) -> bool:
        behind = self._past(self.at + 1, closed.DETERMINERS)
        items = self.vocabulary.values_at(self.tokens, behind)[0]
        return len(items) == 1 and bool(closed.TOPICS & {*norms(next(iter(items)))})

    def _lists_value(self) -> bool:
        """Tell whether a verb says that a field has a value: `list Ann Ray among their authors`."""
        size = self.vocabulary.values_at(self.tokens, self.at + 1)[1]
        if not size or self._only_asked():
            return False
        named = self._low() in {"name", "names"} and self._low(1 + size) in {"as", "among"}
        return named or self._low() in {"list", "lists"}

    def _goes_with_doing(self, low: str) -> bool:
        """Tell whether a word is of the verb that names a field: `after` of `Looked after by`."""
        doer = self.vocabulary.doer(self._low(-1))
        return doer is not None and low in norms(doer.name)[1:-1]

    def _is_kind(self, at: int) -> bool:
        return self.vocabulary.kind_at(self.tokens, at)[1] > 0

    def _done(self) -> Piece | None:
        """Read the verb of who does something, `did Bo Chen open`: a value it is not."""
        known = FUNCTION_WORDS | closed.DOINGS | closed.KNOWN | closed.IDLE | {"last", "first"}
        if self.tokens[self.at].low in known or not self._is_done_by_name():
            return None
        return Leftover(start=self.at, end=self.at + 1, token=self.tokens[self.at])

    def _is_done_by_name(self) -> bool:
        """Tell whether a name stands right before a verb, and `did` before it."""
        last = self.found[-1] if self.found else None
        if not isinstance(last, Valued):
            return False
        if not all(each.low in closed.IDLE for each in self.tokens[last.end : self.at]):
            return False
        before = [each.low for each in self.tokens[max(0, last.start - 2) : last.start]]
        doer = self.vocabulary.doer(self._low())
        doing = {"did", "does"} | ({"has", "have"} if doer is not None else set())
        return bool(doing & set(before[-1:] if before[-1:] != ["the"] else before))

    def _is_idle_before_next(self, low: str) -> bool:
        """Tell whether a word says nothing beside what stands behind it."""
        told = self._past(self.at + 1, closed.DETERMINERS)
        every = self._past(self.at + 1, closed.EVERY)
        match low:
            case _ if low in closed.CONTAINS | closed.NEEDS | closed.BRINGING:
                sized = self._comparison(told, ())
                told = self._past(told, closed.HIGH | closed.LOW | {"no"})
                named = self.vocabulary.fields_at(self.tokens, told)[1] > 0
                named |= isinstance(sized, Amounted) and bool(sized.fields)
                named |= self.vocabulary.values_at(self.tokens, told)[1] > 0
                return named or self._has_most_behind()
            case "under" | "into":
                named = self.vocabulary.fields_at(self.tokens, every)[1] > 0
                return named or self.vocabulary.values_at(self.tokens, every)[1] > 0
            case "over" if every > self.at + 1:
                return self._is_kind(every)
            case _:
                return (
                    (low in closed.PLACED and self._low(1) in FUNCTION_WORDS)
                    or (low in closed.HAVING_SO and self._has_value_behind())
                    or (low in closed.DOINGS and self._has_most_behind())
                    or (low in closed.COSTING and self._amount_near())
                    or (self._low(1) == "of" and self._is_figure() and self._measures())
                    or (self._low(1) == "in" and self._is_figure() and self._is_unit(self.at + 2))
                )

    # -- single steps: each returns a piece that begins here, or None ---------------------------

    def _is_figure(self) -> bool:
        return self.tokens[self.at].norm in closed.FIGURES

    def _behind_field(self) -> bool:
        last = self.found[-1] if self.found else None
        skipped = self.tokens[last.end : self.at] if last is not None else []
        light = all(each.low in FILLERS | closed.IDLE for each in skipped[:-1])
        return isinstance(last, Named | Grouped) and light

    def _has_value_behind(self) -> bool:
        """Tell whether a value of one field, or an amount of a named one, is what a verb is about.

        What the verb says is then what the field says: `built of timber`, `speak Hindi`.
        """
        at = self._past(self.at + 1, FILLERS | {"either", "both", "out", "under", "into"})
        items, _ = self.vocabulary.values_at(self.tokens, at)
        last = self._words_at(at, 2)
        if len(items) == 1 or (len(last) == 1 and self.vocabulary.values_akin(last[0])):
            return True
        compared = self._comparison(at, ())
        return isinstance(compared, Amounted) and bool(compared.fields)

    def _has_most_behind(self) -> bool:
        """Tell whether a verb only brings in what is ranked: `brought in the most takings`."""
        at = self._past(self.at + 1, FILLERS | closed.PARTICLES)
        return self._low_at(at) in closed.HIGH | closed.LOW

    def _measures(self) -> bool:
        return any(
            isinstance(each, Ranked)
            or (isinstance(each, Ask) and each.what not in {"count", "list"})
            for each in self.found
        )

    def _amount_near(self) -> bool:
        near = range(self.at + 1, self.at + 5)
        amounts = any(amount_at(self.tokens, each) is not None for each in near)
        ends = {self._low(1), self._low(2)}
        ranked = ends & (closed.HIGH | closed.LOW)
        money = currency_of(self._low(1)) or (self._low(1) == "in" and currency_of(self._low(2)))
        degrees = [each for each in ends if compared_degree(each, "est") is not None]
        return bool(amounts or ranked or money or degrees)

    def _joined(self) -> Piece | None:
        token = self.tokens[self.at]
        if token.text in {",", ";"}:
            return Joined(start=self.at, end=self.at + 1, by=",")
        beside = self._lows(3) == ("as", "well", "as")
        join = "and" if beside else closed.JOINS.get(token.low)
        if join is None or (token.low == "but" and self._excepts()):
            return None
        by: Literal["and", "or"] = "or" if join == "or" else "and"
        return Joined(start=self.at, end=self.at + (3 if beside else 1), by=by)

    def _asked(self) -> Piece | None:
        for size in range(min(4, len(self.tokens) - self.at), 0, -1):
            what = closed.OPERATIONS.get(self._lows(size))
            if what is None:
                continue
            alone = size == 1 and what in {"list", "count"} and self.at + 1 < len(self.tokens)
            ranked = bool(self.found) and isinstance(self.found[-1], Ranked)
            named = ranked and self.vocabulary.fields_at(self.tokens, self.at)[1] >= size
            if named or (alone and self.found and not self._only_asked()):
                return None  # `the highest total`
            if size == 1 and self.found and self._low() in closed.ORDERS:
                return None
            return Ask(start=self.at, end=self.at + size, what=what)
        yes_or_no = self._low() in {"do", "does", "did"} or (
            self._low() in {"is", "are", "has", "have"}
            and self._low(1) in {"any", "a", "an", "some"}
        )
        if not self.found and yes_or_no and self._mentioned_between() is None:
            return Ask(start=self.at, end=self.at + 1, what="list")
        return None

    def _only_asked(self) -> bool:
        return all(isinstance(each, Ask) for each in self.found)

    def _ranked(self) -> Piece | None:
        named = self.vocabulary.fields_at(self.tokens, self.at)[1] > 1  # `maximum speed`
        if named and (self._measures() or self._low() in closed.HIGH | closed.LOW):
            return None
        k, at = self._whole_number(self.at)
        made = self._superlative(at)
        if made is not None and k is None:
            k, end = self._whole_number(made.end)
            inner = self._superlative(end) if made.word == "top" and k is not None else None
            made = inner or replace(made, end=end)
        return made and replace(made, start=self.at, k=k)

    def _whole_number(self, at: int) -> tuple[int | None, int]:
        amount = amount_at(self.tokens, at)
        if amount is None or amount.unit or amount.number % 1:
            return None, at
        return int(amount.number), at + amount.size

    def _superlative(self, at: int) -> Ranked | None:
        word, after = (*self._words_at(at, 2), "", "")[:2]
        often = after in {"often", "frequently"} or (after == "" and self._low(-1) in closed.SEEING)
        common = after in {"common", "frequent", "usual", "popular"}
        named = self.vocabulary.fields_at(self.tokens, at + 2)[0]
        often |= common and bool(named) and named[0].type == "text"
        if word in {"most", "least"} and often and self.found:  # `the makers we see most`
            end = min(at + 2, len(self.tokens))
            return Ranked(start=at, end=end, ascending=word == "least", word="often")
        if word in {"most", "least"} and (told := degree(after)) is not None:
            return Ranked(start=at, end=at + 2, ascending=word == "least", degree=told)
        bound = word in {"most", "least"} and self._low(-1) == "at"
        plain = word in closed.HIGH | closed.LOW
        told = compared_degree(word, "est")
        ordinal = word in {"first", "last"} and not self._is_kind(self._whole_number(at + 1)[1])
        ordinal &= not (after == "" and self._behind_field())  # `which was decided first`
        if bound or ordinal or not (plain or told):
            return None
        named = self.vocabulary.fields_at(self.tokens, at + 1)[0]
        if any(each.type in {"number", "date", "list"} for each in named) and told is not None:
            told, plain = (None, True) if plain else (told, False)
        low = word in closed.LOW
        if plain and self._words_at(at + 1, 2) == ("number", "of"):  # `the largest number of`
            return Ranked(start=at, end=at + 3, ascending=low, word="fewest" if low else "most")
        return Ranked(start=at, end=at + 1, ascending=low and told is None, degree=told, word=word)

    def _mentioned(self) -> Piece | None:
        at = self._behind_verb()
        last = [type(each) for each in self.found[-3:]]
        if at is None and last == [Mentioned, Joined, Negated]:
            at = self.at
        if at is not None:
            return self._terms(at)
        if (passive := self._mentioned_between() or self._mentioned_behind()) is not None:
            return passive
        token = self.tokens[self.at]
        quoted = token.inner if token.kind == "quote" else ""
        if not quoted or self.vocabulary.values_at(tokenize(quoted), 0)[1]:
            return None
        return self._mention(quoted, self.at + 1)

    def _mention(self, term: str, end: int) -> Mentioned:
        return Mentioned(start=self.at, end=end, terms=(term,), joined="and")

    def _mentioned_between(self) -> Piece | None:
        """Read `is X mentioned`, `is the word X used`."""
        if self._low() not in closed.SAID_TO_BE or self._low(-1) in closed.SAID_TO_BE:
            return None
        phrase, stop = self._phrase(self.at + 1)
        said = self._words_at(stop, 2)
        used = {each.low for each in self.tokens[self.at + 1 : stop]} & closed.WORDED
        if used and said[:1] == ("used",):
            return self._mention(phrase, stop + 1)
        cited = phrase and said[:1] in {("mentioned",), ("cited",)}
        return self._mention(phrase, stop + 1) if cited else None

    def _mentioned_behind(self) -> Piece | None:
        """Read `X is mentioned`, `where X appears`."""
        phrase, stop = self._phrase(self.at)
        verbs = self._words_at(stop, 2)
        first, second = (*verbs, "", "")[:2]
        passive = first in closed.SAID_TO_BE and second in {"mentioned", "named"}
        appears = first in closed.SHOWING - {"mentioned"}
        brief = not self.found and verbs == ("mentioned", "anywhere")
        known = bool(self.found) and (passive or appears or verbs in closed.TURNING_UP)
        head = self._past(self.at, closed.ONCE)
        named = (
            self._low_at(head) in closed.PEOPLE or self.vocabulary.fields_at(self.tokens, head)[1]
        )
        if not phrase or not (brief or known) or (named and self._only_asked()):
            return None
        return self._mention(phrase, stop + (1 if appears else 2))

    def _behind_verb(self) -> int | None:
        """Return where the words begin that are to be mentioned."""
        low, after = self._low(), self._low(1)
        if low in closed.MENTIONS:
            return None if after in closed.CLAUSES else self.at + 1
        if low in {"name", "names"} and self.found and isinstance(self.found[-1], Kinds):
            following = [] if self._lists_value() else self.tokens[self.at + 1 : self.at + 2]
            return self.at + 1 if following and following[0].text[:1].isupper() else None
        if low in closed.REFERS and after == "to":
            return self.at + 2
        if low not in closed.SAYS | closed.CONTAINS:
            return None
        light = closed.LITERALLY | closed.WORDED if low in closed.SAYS else frozenset[str]()
        at = self._past(self.at + 1, closed.DETERMINERS | light)
        if at < len(self.tokens) and self.tokens[at].kind == "quote":
            return at
        worded = at < len(self.tokens) - 1 and self._low_at(at) in closed.WORDED
        named = self.vocabulary.fields_at(self.tokens, at)[1] > 0
        return at + 1 if low in closed.CONTAINS and worded and not named else None

    def _terms(self, at: int) -> Piece | None:
        """Read a list of what is mentioned; of commas only with `and` or `or` before its last."""
        first = 0
        terms: list[str] = []
        joined: Literal["and", "or"] = "and"
        lead, end = self._words_at(at, 2), at
        while True:
            phrase, stop = self._phrase(end)
            if not phrase:
                break
            told, end = self._variants(phrase, stop)
            terms += [phrase, *told]
            joined, stop = "or" if told else joined, end
            following, after = self._low_at(stop), stop + 1
            first = first or (stop if following == "," else 0)
            if following not in {"and", "or", "nor", ","}:
                break
            if following == "," and self._low_at(after) in {"and", "or"}:
                following, after = self._low_at(after), after + 1
            if not self._phrase(after)[0]:
                break
            joined = "or" if following in {"or", "nor"} else joined
            first = first if following == "," else 0
            end = after
        if not terms:
            return None
        if first and len(terms) > 1:
            terms, end = terms[:1], first
        return Mentioned(
            start=self.at, end=end, terms=tuple(terms), joined=joined,
            neither="neither" in lead, both="both" in lead,
        )  # fmt: skip

    def _variants(self, phrase: str, at: int) -> tuple[list[str], int]:
        """Return other writings of a phrase in brackets behind it, and where they end.

        They are its abbreviation or inflections, or said to be others: `Hatch (or Hatchling)`.
        """
        told: list[str] = []
        end = at + 1 if self._low_at(at) == "(" else len(self.tokens)
        while self._low_at(end) not in {"", ")"}:
            either = self._low_at(end) == "or"
            other, stop = self._phrase(end + either)
            if not other or not (either or is_variant(phrase, other)):
                return [], at
            told.append(other)
            end = stop + (self._low_at(stop) == ",")
        return (told, end + 1) if told else ([], at)

    def _phrase(self, at: int) -> tuple[str, int]:
        """Return the noun phrase or quotation at a place, and where it ends; empty for none."""
        at = self._past(at, closed.DETERMINERS | closed.WORDED | {"neither"})
        if at < len(self.tokens) and self.tokens[at].kind == "quote":
            return self.tokens[at].inner, at + 1
        stop = at
        while stop < len(self.tokens) and self._in_phrase(stop, at):
            stop += 1
        if stop == at or self._begins_other(at):
            return "", at
        end = stop + 2 if self._low_at(stop) == "of" else stop  # `analysis of variance (ANOVA)`
        stop = end if self._low_at(end) == "(" else stop
        return self._text(at, stop), stop

    def _in_phrase(self, at: int, start: int) -> bool:
        token = self.tokens[at]
        shortened = self.question[token.end : token.end + 1] == "."
        denies = token.low in closed.NEGATIONS and not shortened
        if (token.kind not in {"word", "number"} and token.text != "&") or denies:
            return False
        if at > start and self._text(at - 1, at + 1)[len(self.tokens[at - 1].text)] == "-":
            return True
        if self._words_at(at, 2) in closed.TURNING_UP:
            return False
        if (token.low == "of" or token.text == "&") and at > start:
            nearby = (self.tokens[at - 1], *self.tokens[at + 1 : at + 2])
            return all(each.text[:1].isupper() for each in nearby)
        if shortened and token.text[:1].isupper():
            return True
        return token.low not in FUNCTION_WORDS | closed.SHOWING | closed.ANYWHERE

    def _begins_other(self, at: int) -> bool:
        """Tell whether a comparison, not a noun phrase, begins here: `cost less than …`."""
        named, size = self.vocabulary.fields_at(self.tokens, at)
        begins = word_set("is are was less more over under at of before")
        return bool(named) and self._low_at(at + size) in begins

    def _grouped(self) -> Piece | None:
        for marker in closed.GROUPS:
            if self._lows(len(marker)) != marker:
                continue
            at = self._past(self.at + len(marker), word_set("the each every"))
            of = self._low_at(at + 1) == "of" and self.tokens[at].norm in closed.SORTS
            if of and self.vocabulary.fields_at(self.tokens, at)[1] < 3:
                at += 2  # `per type of event`
            named, size = self._group_at(at)
            if not named and (part := self._part_at(at, marker)) is not None:
                dates = tuple(self.vocabulary.of_type("date"))
                told = " ".join(marker)
                return Grouped(start=self.at, end=at + 1, fields=dates, marker=told, part=part)
            many = len(self.vocabulary.corpus.documents) >= NAMING and self._measures()
            if many and self.vocabulary.kind_at(self.tokens, at)[1] >= size > 0:
                named = named if marker == ("by",) else ()
            whose = self._low_at(at + size) == "of" and self._is_unknown(at + size + 1)
            compared = self._low_at(at + size) in closed.COMPARING and not whose
            if named and not (marker == ("by",) and compared):
                told = "by" if marker == ("in", "terms", "of") else " ".join(marker)
                end = self._past(at + size + 2 * whose, closed.SORTS)
                return Grouped(start=self.at, end=end, fields=named, marker=told)
        return None

    def _part_at(self, at: int, marker: tuple[str, ...]) -> DatePart | None:
        """Return the part of dates that a count is split by: `per year`, and no rate."""
        words = self._words_at(at, 2)
        rate = marker == ("per",) and not any(
            isinstance(each, Ask) and each.what == "count" for each in self.found
        )
        if rate or words[1:] == ("of",):
            return None
        return next((each for each in get_args(DatePart) if words[:1] == (each,)), None)

    def _group_at(self, at: int) -> tuple[tuple[Field, ...], int]:
        """Return the fields that a group is of: `per kind` of the type of documents."""
        named, size = self.vocabulary.fields_at(self.tokens, at)
        if at == len(self.tokens):
            return named, size
        if self.tokens[at].norm in closed.KINDS and not (named and named[0].written):
            return self.vocabulary.types or named, 1
        kind, noun = self.vocabulary.kind_at(self.tokens, at)
        if not named and kind is not None and kind.placed:  # `per inspection method`
            named, size = self.vocabulary.fields_at(self.tokens, at + noun)
            size += noun
        akin = None if named else self.vocabulary.field_akin(self.tokens[at].low)
        return ((akin,), 1) if akin is not None and akin.type == "text" else (named, size)

    def _foldered(self) -> Piece | None:
        """Read `in the folder Smith`: no value of a field is meant where no folder is called so."""
        start = self._past(self.at, word_set("in under from within the our file"))
        after = self.tokens[start + 1 : start + 2]
        if self._low_at(start) not in {"folder", "folders"} or not after:
            return None
        items, size = self.vocabulary.folders_at(self.tokens, start + 1)
        if not size:
            named = after[0].kind == "quote" or after[0].text[:1].isupper()
            end = start + 2
            return Leftover(start=self.at, end=end, token=after[0]) if named else None
        fields = tuple(each for each in self.vocabulary.fields if each.name in items)
        words = tuple(each.text for each in self.tokens[start + 1 : start + 1 + size])
        end = start + 1 + size
        return Valued(start=self.at, end=end, items=items, words=words, fields=fields)

    def _told(self) -> Piece | None:
        """Read `say who referred the customer`, `record in what condition it came`: the field."""
        at = self.at + 1 + (self._low(1) in closed.IN)
        asked, low = self._low_at(at), self._low()
        if low not in closed.SAYS | closed.STATING or asked not in {"who", "what", "which", "when"}:
            return None
        at = self._past(at + 1, FUNCTION_WORDS if asked == "when" else closed.BEING)
        if at == len(self.tokens):
            return None
        named, size = self.vocabulary.fields_at(self.tokens, at)
        doer = self.vocabulary.doer(self.tokens[at].low) if asked == "who" else None
        akin = doer or self.vocabulary.field_akin(self.tokens[at].low)
        fields = named or ((akin,) if akin is not None else ())
        if not fields or (asked == "when" and any(each.type != "date" for each in fields)):
            return None
        end = self._past_known(at + (size if named else 1))
        return Named(start=self.at, end=end, fields=fields, before="have")

    def _past_known(self, at: int) -> int:
        """Return where words end that name fields or documents, or say that something happens."""
        while at < len(self.tokens):
            size = self.vocabulary.kind_at(self.tokens, at)[1]
            size = size or self.vocabulary.fields_at(self.tokens, at)[1]
            low = self.tokens[at].low
            light = low in FILLERS | closed.LIGHT | closed.PARTICLES
            if low in closed.JOINS or not (size or light):
                break
            at += size or 1
        return at

    def _tabled(self) -> Piece | None:
        """Read `in the table`: the rows, where other documents stand beside them."""
        rows = self.vocabulary.kind(("row",)) if self.vocabulary.mixed else None
        if rows is None or self._lows(3) not in {("in", "the", "table"), ("of", "the", "table")}:
            return None
        return Kinds(start=self.at, end=self.at + 3, kind=rows, noun="row")

    def _priced(self) -> Piece | None:
        """Read a currency without an amount: `in pounds`, `euro contracts`, `priced in GBP`."""
        at = self.at + (self._low() == "in")
        unit = currency_of(self.tokens[at].text) if at < len(self.tokens) else None
        if unit is None or self.tokens[at].low in FUNCTION_WORDS | MONTHS.keys():
            return None
        held = any(unit in self.vocabulary.currencies[each.name] for each in self.vocabulary.fields)
        held = held or self.vocabulary.currency_column is not None
        end = at + 1 + (self._low_at(at + 1) == "sterling")
        return Priced(start=self.at, end=end, unit=unit) if held else None

    def _compared(self) -> Piece | None:
        """Read a comparison with a number or date, whose field is named before, behind, or not."""
        _, behind = self._whole_number(self.at)
        named = self.vocabulary.fields_at(self.tokens, behind)[0]
        things = bool(named) and all(each.type == "text" for each in named)
        if behind > self.at and self._only_asked() and (things or self._is_kind(behind)):
            return None
        made = self._comparison(self.at, ())
        match self.found[-2:]:
            case [Dated() as last, Joined()] if isinstance(made, Dated):
                return replace(made, fields=made.fields or last.fields)
            case [Dated() as last, Joined()] if date := date_at(self.tokens, self.at):
                same = replace(last, start=self.at, end=self.at + date[1], dates=(date[0],))
                return made or same
        return made

    def _comparison(self, at: int, named: tuple[Field, ...], *, bare: bool = False) -> Piece | None:
        between = self._between(at, named)
        if between is not None:
            return between
        words, comparison, told = self._comparative(at)
        behind = self._past(at + len(words), closed.ABOUT if words else closed.ABOUT - {"a"})
        inside = not words and self._low_at(at) in closed.IN
        dated = self._dated(behind + 1 if inside else behind, comparison, named)
        if dated is not None and told is not None and told.about.get("date", 1) < 0:
            dated = replace(dated, comparison=closed.TURNED[dated.comparison])
        measured = dated is not None and self._is_unit(dated.end)
        if dated and not measured and self._is_date(dated.dates[0], words, inside, named):
            return dated
        if words and words[0] in closed.ONLY_DATES:
            return None
        amount = amount_at(self.tokens, behind)
        end = behind + amount.size if amount is not None else behind
        told_behind = self._behind_amount(end)[0] or self._or_more(end)[1] > end
        often = self._low_at(end) == "times"
        if amount is None or often or not (words or bare or told_behind):
            return None
        return self._amounted(comparison, (amount,), end, named, told)

    def _is_unknown(self, at: int) -> bool:
        """Tell whether the word at a place ends a phrase and is no name: `by strain of bee`."""
        token = self.tokens[at] if at < len(self.tokens) else None
        known = token is None or token.kind != "word" or token.low in FUNCTION_WORDS
        following = self.tokens[at + 1 : at + 2]
        ends = not following or following[0].kind == "mark" or following[0].low in FUNCTION_WORDS
        return not known and ends and not self.vocabulary.names(self.tokens[at].norm)

    def _is_unit(self, at: int) -> bool:
        if at >= len(self.tokens) or self.tokens[at].kind != "word":
            return False
        word = self.tokens[at].norm
        code = currency_of(self.tokens[at].text) or word
        return any(
            self.vocabulary.units[each.name] in {word, code}
            or self.vocabulary.scaled(1, word, each) is not None
            for each in self.vocabulary.of_type("number")
        )

    def _comparative(self, at: int) -> tuple[tuple[str, ...], Comparison, Degree | None]:
        """Return the words that compare at a place, how, and by what adjective.

        No words say that it is the same.
        """
        for size in (3, 2, 1):
            here = self.tokens[at : at + size]
            lows = tuple(each.low if each.kind == "word" else each.text for each in here)
            if len(lows) == size and lows in closed.COMPARISONS:
                return lows, closed.COMPARISONS[lows], None
        lows = self._words_at(at, 4)
        no = lows[:1] in {("no",), ("not",)}
        rest = lows[1:] if no else lows
        more = rest[:1] == ("more",)
        told = degree(rest[1]) if more and len(rest) > 1 else compared_degree((*rest, "")[0], "er")
        size = int(no) + int(more) + 2
        if told is None or lows[size - 1 : size] != ("than",):
            return (), "is", None
        return lows[:size], "at_most" if no else "more_than", told

    def _dated(self, at: int, comparison: Comparison, named: tuple[Field, ...]) -> Dated | None:
        """Return the date at a place as a comparison, `or later` taken in."""
        period = period_at(self.tokens, at) if comparison == "is" else None
        if period is not None:
            return self._from_to((period[0], period[1]), at + period[2], named)
        edge = closed.EDGES.get(self._low_at(at), {}) if self._low_at(at + 1) == "of" else {}
        if comparison in edge:
            at, comparison = at + 2, edge[comparison]
        date = date_at(self.tokens, at, self.vocabulary.only_year or self._year_behind(at))
        if date is None:
            return None
        end = at + date[1]
        if comparison == "is":
            comparison, end = self._or_more(end)
        return Dated(start=self.at, end=end, comparison=comparison, dates=(date[0],), fields=named)

    def _year_behind(self, at: int) -> str:
        """Return the year that ends a list of months: `in April, May or June 2024`."""
        end = self._past(at, MONTHS.keys() | closed.JOINS.keys() | {","})
        joined = self._low_at(at + 1) in closed.JOINS.keys() | {","}
        found = date_at(self.tokens, end - 1) if joined and end - at > 2 else None
        return found[0][:4] if found is not None else ""

    def _from_to(self, dates: tuple[str, str], end: int, named: tuple[Field, ...]) -> Dated:
        return Dated(start=self.at, end=end, comparison="between", dates=dates, fields=named)

    def _or_more(self, end: int) -> tuple[Comparison, int]:
        """Read `or more`, `and under` behind a number or date."""
        first, second = (*self._words_at(end, 2), "", "")[:2]
        if first not in {"or", "and"} or second not in closed.OR:
            return "is", end
        return closed.OR[second], end + 2

    def _is_date(
        self,
        date: str,
        words: tuple[str, ...],
        inside: bool,  # noqa: FBT001
        named: tuple[Field, ...],
    ) -> bool:
        """Tell whether what reads as a date is one here: a bare year may be an amount."""
        if len(date) > 4 or any(each.type == "date" for each in named):
            return True
        if named:
            return False
        timed = {"after", "before", "since", "until", "till", "from", "by", "prior", "as",
                 "beyond", "past", "exactly"}  # fmt: skip
        compared = bool(words) and (words[0] in timed or words not in closed.COMPARISONS)
        return inside or compared

    def _between(self, at: int, named: tuple[Field, ...]) -> Piece | None:
        """Read `between A and B`, `from A to B`, of dates or of numbers."""
        if self._low_at(at) not in {"between", "from"}:
            return None
        numbers_only = bool(named) and not any(each.type == "date" for each in named)
        first = date_at(self.tokens, at + 1) or self._dated_as_the_next(at + 1)
        if first is not None and not (numbers_only and len(first[0]) == 4):
            until = self._behind_and(at + 1 + first[1])
            second = date_at(self.tokens, until, self.vocabulary.only_year)
            if second is not None:
                return self._from_to((first[0], second[0]), until + second[1], named)
        low = amount_at(self.tokens, at + 1)
        high = low and amount_at(self.tokens, self._behind_and(at + 1 + low.size))
        if low is None or high is None:
            return None
        return self._amounted("between", (low, high), at + 2 + low.size + high.size, named)

    def _dated_as_the_next(self, at: int) -> tuple[str, int] | None:
        """Return a month or day that has its year from the end of the range: `May to June 2023`."""
        day = self.tokens[at] if at < len(self.tokens) else None
        until = date_at(self.tokens, self._behind_and(at + 1))
        if day is not None and day.text.isdecimal() and len(day.text) < 3 and until:
            whole = len(until[0]) == 10 and int(day.text) < int(until[0][8:])
            return (f"{until[0][:8]}{int(day.text):02d}", 1) if whole else None
        first = date_at(self.tokens, at, "0000")
        behind = self._behind_and(at + first[1]) if first else len(self.tokens)
        second = date_at(self.tokens, behind, self.vocabulary.only_year)
        if not first or not second or len(second[0]) < 7:
            return None
        year = int(second[0][:4]) - (first[0][5:] > second[0][5:])
        return f"{year}{first[0][4:]}", first[1]

    def _behind_and(self, at: int) -> int:
        joins = {"and", "to", "until", "through", "till"}
        return at + 1 if self._low_at(at) in joins else len(self.tokens)

    def _amounted(
        self,
        comparison: Comparison,
        amounts: tuple[Amount, ...],
        end: int,
        named: tuple[Field, ...],
        told: Degree | None = None,
    ) -> Piece:
        """Take in what stands behind a number: its unit, its field, `or more`."""
        if comparison == "is":
            comparison, end = self._or_more(end)
        fields, unit, end = self._tail(end, named)
        if comparison == "is":
            comparison, end = self._or_more(end)
        return Amounted(
            start=self.at, end=end, comparison=comparison, amounts=amounts, fields=fields,
            unit=unit, degree=told,
        )  # fmt: skip

    def _tail(self, end: int, named: tuple[Field, ...]) -> tuple[tuple[Field, ...], str, int]:
        token = self.tokens[end] if end < len(self.tokens) else None
        if named:
            units = {self.vocabulary.units[each.name] for each in named}
            unit = token.norm if token is not None and token.kind == "word" else ""
            if not (unit in units or any(self.vocabulary.scaled(1, unit, e) for e in named)):
                unit = ""
            return named, unit, end + bool(unit)
        fields, size = self._behind_amount(end)
        if fields:
            return fields, "", end + size
        if token is not None and token.kind == "word" and token.low not in FUNCTION_WORDS:
            counted, size = self.vocabulary.fields_at(self.tokens, end + 2)
            if self._low_at(end + 1) == "of" and size:  # `12 hours of labour`
                return counted, token.norm, end + 2 + size
            return (), token.norm, end + 1
        return (), "", end

    def _behind_amount(self, at: int) -> tuple[tuple[Field, ...], int]:
        """Return the fields named behind a number: `5 tags`, `300 people attending`."""
        skipped = self._past(at, word_set("of in people persons")) - at
        named, size = self.vocabulary.fields_at(self.tokens, at + skipped)
        if named:
            return named, skipped + size
        if at + skipped < len(self.tokens):
            akin = self.vocabulary.field_akin(self.tokens[at + skipped].low)
            if akin is not None and akin.type in {"number", "list"}:
                return (akin,), skipped + 1
        return (), 0

    def _valued_field(self) -> Piece | None:
        """Read a field with what it is compared with: `district is Harbour`, `fee over 100`."""
        if self._low(-1) in closed.OWN and self._low(-2) not in closed.HAVING:
            return None
        named, size = self._field_here()
        if not named:
            return None
        at = self._past(self.at + size, closed.LINKS | {":", "="})
        negated = at if self._low_at(at) == "not" else None
        if negated is not None:
            at = self._past(at + 1, closed.BEING)
        person = self._past(at, closed.PERSONS | {"anything", "something"})
        if self._words_at(person, 2) == ("other", "than"):
            negated, at = person, person + 2
        left_out = closed.MISSING if negated is None else closed.STATED
        if self._low_at(at) in left_out:
            self.found.append(Negated(start=at, end=at + 1, word="not"))
            return Named(start=self.at, end=at + 1, fields=named, before="with")
        sized = any(each.type in {"number", "date"} for each in named)
        places = range(at, self.at + size - 1, -1) if sized else ()
        made = (self._comparison(each, named, bare=True) for each in places)
        compared = next((each for each in made if each is not None), None)
        if compared is None:
            behind = self._past(at, word_set("the by in a with"))
            compared = self._listed(at, named) or self._listed(behind, named)
        if compared is not None and negated is not None:
            self.found.append(Negated(start=negated, end=negated + 1, word="not"))
        return compared

    def _done_by(self) -> Piece | None:
        """Read `people who authored`, `people appear as authors`: the items of that field."""
        if self._low() not in closed.PEOPLE or not self._only_asked():
            return None
        at = self._past(self.at + 1, closed.BEING_AS)
        named, size = self.vocabulary.fields_at(self.tokens, at)
        if named and closed.BEING.union({"as"}) & {*self._words_at(self.at, at - self.at)}:
            return Named(start=self.at, end=at + size, fields=named, before=self._low(-1))
        at = self._past(self.at + 1, closed.WHO_HAVE)
        verb = self._low_at(at)
        akin = self.vocabulary.doer(verb) or self.vocabulary.field_akin(verb)
        if akin is None or akin.type not in {"text", "list"}:
            return None
        end = at + 1
        if self._low_at(end) in {"or", "and"}:  # `authored or co-authored`
            again = self._past(end + 1, frozenset({"co"}))
            end = again + 1 if self.vocabulary.field_akin(self._low_at(again)) is akin else end
        return Named(start=self.at, end=end, fields=(akin,), before=self._low(-1))

    def _linked(self) -> Piece | None:
        """Read a field with another document behind it: `replaced by another`, has it."""
        named, size = self.vocabulary.fields_at(self.tokens, self.at)
        every = len(self.vocabulary.corpus.documents)
        named = tuple(e for e in named if e.type != "date" and e.documents < every)
        at = self._past(self.at + size, closed.TOWARDS)
        other = self._past(at, closed.OTHER)
        size = self.vocabulary.kind_at(self.tokens, other)[1]
        if not named or other == at or not size:
            return None
        return Named(start=self.at, end=other + size, fields=named, before="with")

    def _past(self, at: int, words: Container[str]) -> int:
        while self._low_at(at) in words:
            at += 1
        return at

    def _listed(self, at: int, named: tuple[Field, ...]) -> Piece | None:
        for size in range(min(8, len(self.tokens) - at), 0, -1):
            words = tuple(each.norm for each in self.tokens[at : at + size])
            words = norms(self.tokens[at].inner) if size == 1 else words
            told = self.vocabulary.values_by_words(words)
            if items := {each.name: told[each.name] for each in named if each.name in told}:
                return Valued(start=self.at, end=at + size, items=items, words=words, fields=named)
        return None

    def _field_here(self) -> tuple[tuple[Field, ...], int]:
        named, size = self.vocabulary.fields_at(self.tokens, self.at)
        _, value_size = self.vocabulary.values_at(self.tokens, self.at)
        kind, kind_size = self.vocabulary.kind_at(self.tokens, self.at)
        placed = kind is not None and kind.placed
        kinds = kind is not None and kind_size >= size and (placed or self._at_head())
        if value_size > size or kinds:
            return (), 0
        return named, size

    def _at_head(self) -> bool:
        """Tell whether what is asked for is named here: nothing but the operation stands before."""
        return not any(isinstance(each, Kinds | Named | Leftover) for each in self.found)

    def _named(self) -> Piece | None:
        """Read a kind, a value or a field: the longest, at the head the kind first."""
        named, size = self._fields_named()
        kind, kind_size = self._kind_here(named, size)
        items, value_size = self.vocabulary.values_at(self.tokens, self.at)
        dated = self._akin() if value_size == 1 and self._low().endswith("ed") else None
        if isinstance(dated, Dated):  # `issued in 2016` beside a state `Issued`
            return dated
        longest = max(kind_size, value_size, size)
        if longest == 0:
            return self._akin() or self._named_in_part()
        own = kind is not None and kind.test is not None and kind.test.field
        partly = self._is_part(named, size)
        same = any(each.name == own for each in named) or (partly and kind_size >= size)
        same = same or own in items
        placed = kind is not None and kind.placed
        apart = self._at_head() or same or placed or not (items or named)
        whole = kind is not None and kind.test is None and not items
        whole &= partly or not (self.found and isinstance(self.found[-1], Ranked))
        if kind is not None and kind_size == longest and (apart or whole):
            return self._kind(kind, kind_size)
        if named and size == longest and not (partly and value_size == size):
            before = self._low(-1)
            if before in {"a", "an", "the", "any"} and self._low(-2) in closed.HAVING:
                before = self._low(-2)
            elif before in {"a", "an", "any"} and self._low(-2) in closed.STATING:
                before = "have"
            return Named(start=self.at, end=self.at + size, fields=named, before=before)
        if items and value_size == longest:
            return self._value(items, value_size)
        return self._kind(kind, kind_size) if kind is not None else None

    def _fields_named(self) -> tuple[tuple[Field, ...], int]:
        """Return the fields named here; none for `came from Bo`, beside a date `Came in`."""
        if self._is_sort_of_field():
            return (), 0
        named, size = self.vocabulary.fields_at(self.tokens, self.at)
        at = self._past(self.at + 1, closed.PREPOSITIONS | FILLERS)
        light = self._low() in closed.LIGHT and self._low(1) in closed.PREPOSITIONS - {"in"}
        light &= bool(named) and self._is_part(named, size)
        return ((), 0) if light and self.vocabulary.values_at(self.tokens, at)[1] else (named, size)

    def _is_sort_of_field(self) -> bool:
        """Tell whether a word only leads to a field: `what kind of goods`, of a field `Goods`."""
        leads = self._low() in closed.KINDS and self._low(1) == "of" and self._only_asked()
        field_behind = self.vocabulary.fields_at(self.tokens, self.at + 2)[1]
        return leads and field_behind > self.vocabulary.kind_at(self.tokens, self.at + 2)[1]

    def _is_part(self, named: tuple[Field, ...], size: int) -> bool:
        called = tuple(each.norm for each in self.tokens[self.at : self.at + size])
        return all(norms(each.name) != called for each in named)

    def _kind_here(self, named: tuple[Field, ...], size: int) -> tuple[Kind | None, int]:
        """Return the kind that begins here; a number that is called so goes before a guess."""
        kind, kind_size = self.vocabulary.kind_at(self.tokens, self.at)
        asked = self._at_head() or isinstance(self.found[-1], Ask)
        number = bool(named) and named[0].type == "number" and not self._is_part(named, size)
        guessed = kind is not None and bool(kind.assumed) and asked and number
        return (None, 0) if guessed else (kind, kind_size)

    def _held_thing(self) -> Piece | None:
        """Leave `pianos` of a `Loan piano: no` over: what is asked for is no loan piano."""
        named, size = self.vocabulary.fields_at(self.tokens, self.at)
        kinds = self._is_kind(self.at) or self._is_kind(self.at + size)
        valued = self.vocabulary.values_at(self.tokens, self.at)[1]
        if not (named and self._at_head() and self._is_part(named, size)) or kinds or valued:
            return None
        truths = all(map(self.vocabulary.holds_or_not, named))
        end = self.at + size
        return Leftover(start=self.at, end=end, token=self.tokens[self.at]) if truths else None

    def _kind(self, kind: Kind, size: int) -> Piece:
        end = self.at + size
        noun = self._text(self.at, end)
        every, more = self.vocabulary.kind_at(self.tokens, end)
        if kind.test is not None and every is not None and every.test is None:
            end += more  # `informational reports` where each document is a report
        elif end < len(self.tokens) and self.tokens[end].norm in closed.DOCUMENTARY:
            end += 1
        return Kinds(start=self.at, end=end, kind=kind, noun=noun)

    def _value(self, items: dict[str, tuple[str, ...]], size: int) -> Piece:
        """Take in the field's name behind a value: `Harbour district`, `Gwen owns`."""
        end = self.at + size
        words = tuple(each.norm for each in self.tokens[self.at : end])
        named, more = self.vocabulary.fields_at(self.tokens, end)
        named = tuple(each for each in named if each.name in items)
        if not named and end < len(self.tokens):
            akin = self.vocabulary.field_akin(self.tokens[end].low)
            if akin is not None and akin.name in items:
                named, more = (akin,), 1
        end += more if named else 0
        return Valued(start=self.at, end=end, items=items, words=words, fields=named)

    def _named_in_part(self) -> Piece | None:
        """Read a capitalised word of one name that a field has: `Moira` of `Moira Tennant`."""
        token = self.tokens[self.at]
        following = self.tokens[self.at + 1 : self.at + 2]
        alone = not following or following[0].kind == "mark" or following[0].low in FUNCTION_WORDS
        alone |= self._low(-1) in {"did", "does", "has", "have"}
        if token.kind != "word" or not token.text[0].isupper() or self.at == 0 or not alone:
            return None  # `German dogs` are no `German Shepherd`
        items = {} if token.low in FUNCTION_WORDS else self.vocabulary.named_in_part(token.inner)
        words = tuple(norms(token.inner))
        return Valued(start=self.at, end=self.at + 1, items=items, words=words) if items else None

    def _akin(self) -> Piece | None:
        """Read a word of a field's root with what follows: `sponsored by X`, `decided in 2023`."""
        akin = self.vocabulary.field_akin(self._low())
        if akin is None or self._low() in FUNCTION_WORDS:
            return None
        if self._low(-1) in closed.BEING and self._is_base_of(akin):
            return None
        at = self.at + 1
        compared = self._comparison(self._past(at, word_set("at for to")), (akin,))
        if isinstance(compared, Amounted) and akin.type in {"text", "list"}:
            compared = None
        if compared is None and akin.type == "number":
            return Named(start=self.at, end=at, fields=(akin,), before=self._low(-1))
        if compared is None:
            compared = self._listed(self._past(at, FILLERS | {"both"}), (akin,))
        return compared

    def _is_base_of(self, of: Field) -> bool:
        """Tell whether a word is a state, not the event that a field dates: `open` of `opened`."""
        low = self._low()
        return any(each.startswith(low) and each.endswith("ed") for each in norms(of.name))

    def _valued_verb(self) -> Piece | None:
        """Read a verb of the same root as a value: `did we decline`."""
        token = self.tokens[self.at]
        if token.kind != "word" or token.low in FUNCTION_WORDS | closed.KNOWN:
            return None
        behind = self._low(1)
        if self.vocabulary.field_akin(token.low) is not None or behind in closed.IN | {"by"}:
            return None
        items = self.vocabulary.values_akin(token.low)
        if not items:
            return None
        return Valued(start=self.at, end=self.at + 1, items=items, words=(token.norm,))

    def _relative(self) -> Piece | None:
        low = self._low()
        if low not in {"last", "past", "this", "previous"}:
            return None
        number = amount_at(self.tokens, self.at + 1)
        end = self.at + 1 + (number.size if number is not None else 0)
        if end >= len(self.tokens) or self.tokens[end].norm not in closed.SPANS:
            return None
        told = self._text(self.at, end + 1)
        return Gradable(start=self.at, end=end + 1, word=told, degree=None)

    def _graded(self) -> Piece | None:
        low = self._low()
        told = degree(low) if low not in {"early", "late"} else None
        if told is not None:
            return Gradable(start=self.at, end=self.at + 1, word=low, degree=told)
        told = degree(self._low(1)) if low == "how" else None
        fields = told.fields(self.vocabulary.fields, self.vocabulary) if told is not None else []
        if not fields:
            return None
        return Named(start=self.at, end=self.at + 2, fields=tuple(fields), before="how")

    def _negated(self) -> Piece | None:
        low = self._low()
        if low in closed.NEGATIONS:
            return Negated(start=self.at, end=self.at + 1, word=low)
        if low.endswith("n't") or (low == "but" and self._excepts()):
            return Negated(start=self.at, end=self.at + 1, word="not")
        if (low, self._low(1)) in {("other", "than"), ("apart", "from"), ("but", "not")}:
            return Negated(start=self.at, end=self.at + 2, word="not")
        return None

    def _excepts(self) -> bool:
        """Tell whether `but` is `except`: `all bookings but B1`."""
        every = bool(self.found) and isinstance(self.found[-1], Kinds)
        every &= any(each.low in {"all", "every", "any"} for each in self.tokens[: self.at])
        return every or self._low(-1) in closed.EVERYWHERE

    # -- looking around -------------------------------------------------------------------------

    def _low(self, ahead: int = 0) -> str:
        at = self.at + ahead
        if not 0 <= at < len(self.tokens):
            return ""
        token = self.tokens[at]
        return token.low if token.kind != "quote" else ""

    def _lows(self, size: int) -> tuple[str, ...]:
        return self._words_at(self.at, size)

    def _low_at(self, at: int) -> str:
        return self.tokens[at].low if at < len(self.tokens) else ""

    def _words_at(self, at: int, size: int) -> tuple[str, ...]:
        return tuple(each.low for each in self.tokens[at : at + size])

    def _text(self, start: int, stop: int) -> str:
        """Return words with what stands between them, such as the full stop behind an initial."""
        at, text = self.tokens[start].start, ""
        for each in self.tokens[start:stop]:
            written = self.question[each.start : each.end]
            told = written if written.startswith(each.text) else each.text
            text, at = text + self.question[at : each.start] + told, each.end
        return text
