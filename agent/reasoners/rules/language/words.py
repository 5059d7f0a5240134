"""The words of a question: tokens with spans, stems, and English's closed classes."""

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal, get_args

from agent.reasoners.rules.language.spelling import american

__all__ = (
    "ADVERBS",
    "AUXILIARIES",
    "CONJUNCTIONS",
    "DETERMINERS",
    "FUNCTION_WORDS",
    "NEGATIONS",
    "NUMBER_WORDS",
    "PREPOSITIONS",
    "PRONOUNS",
    "RELATIVES",
    "Kind",
    "Token",
    "akin",
    "low_at",
    "plain_words",
    "singular",
    "stem",
    "stretch",
    "tokenize",
    "word_set",
)

Kind = Literal["word", "number", "quote", "paren", "mark"]
_KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


AUXILIARIES: Final = word_set(
    "is are was were be been being am has have had having do does did can could may might must "
    "shall should will would isn't aren't wasn't weren't hasn't haven't hadn't don't doesn't "
    "didn't can't cannot couldn't won't wouldn't shouldn't"
)
DETERMINERS: Final = word_set(
    "a an the this that these those all any each every some no another other both either neither "
    "its their his her my our your such same"
)
PRONOUNS: Final = word_set("it they them he she him we us you i one ones there itself themselves")
PREPOSITIONS: Final = word_set(
    "of in on at by for from to with without about into under over between among amongst within "
    "during before after since until till through via per against across as than like upon "
    "concerning regarding towards toward behind below above near around"
)
RELATIVES: Final = word_set("that which who whom whose where when")
NEGATIONS: Final = word_set(
    "not never no neither nor without lack lacks lacking isn't aren't wasn't weren't hasn't "
    "haven't hadn't don't doesn't didn't can't cannot won't"
)
ADVERBS: Final = word_set(
    "also still already yet ever never not only just exactly currently now then both either "
    "neither nor too very at least most more less fewer up own actually explicitly merely "
    "directly officially formally finally eventually later earlier together in total"
)
CONJUNCTIONS: Final = word_set("and or but nor")
FUNCTION_WORDS: Final = (
    AUXILIARIES | DETERMINERS | PRONOUNS | PREPOSITIONS | RELATIVES | ADVERBS | CONJUNCTIONS
)
_COUNTED = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBER_WORDS: Final = {word: value for value, word in enumerate(_COUNTED.split())} | {
    "single": 1,
    "dozen": 12,
    "fifteen": 15,
    "twenty": 20,
    "thirty": 30,
    "fifty": 50,
    "hundred": 100,
    "thousand": 1000,
}

_TOKEN = re.compile(
    r"""(?P<quote>"[^"]+"|“[^”]+”|‘[^’]+’|(?<!\w)'[^']+'(?!\w)|`[^`]+`)
    |(?P<paren>\((?:[^()]|\([^()]*\))*\))
    |(?P<number>\d{4}-\d{2}-\d{2}|(?:1[5-9]|20)\d{2}-(?:0[1-9]|1[0-2])(?![\d-])
        |\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)*)(?:st|nd|rd|th|%)?(?![^\W_])
    |(?P<word>[^\W_](?:[^\W_]|[.'’@&](?=[^\W_]))*[+#]*)
    |(?P<mark>[,;:?!.…–—/]|[^\w\s])""",
    re.VERBOSE,
)
_PLAIN: Final = ("word", "number")
_POSSESSIVE = re.compile(r"['’]s$|(?<=s)['’]$")
_SUFFIXES = re.compile(
    r"(?:e|er|ers|or|ors|ee|ees|eed|eeing|eer|ion|ions|ment|ments|ant|ing|ed|s|es|d)?"
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, quotation, parenthesis or mark, with its span in the question."""

    text: str
    start: int
    end: int
    kind: Kind

    @property
    def low(self) -> str:
        """The text without case, a possessive ending and quotation marks."""
        return _low(self.text.strip("\"'“”‘’`") if self.kind == "quote" else self.text)

    @property
    def inner(self) -> str:
        """The words inside quotation marks or parentheses."""
        return self.text[1:-1].strip() if self.kind in {"quote", "paren"} else self.text

    @property
    def capital(self) -> bool:
        """Whether it is written with a capital."""
        return self.kind == "word" and any(letter.isupper() for letter in self.text)

    @property
    def function(self) -> bool:
        """Whether it is a function word or a mark."""
        return self.kind == "mark" or (self.kind == "word" and self.low in FUNCTION_WORDS)


def tokenize(text: str) -> list[Token]:
    """Cut a question into tokens; words joined by hyphens are several tokens.

    >>> [token.text for token in tokenize('topic-Governance ("x y"), 3.12')]
    ['topic', '-', 'Governance', '("x y")', ',', '3.12']
    """
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = next(each for each in _KINDS if match.group(each) is not None)
        found.append(Token(match.group(), match.start(), match.end(), kind))
    return found


def plain_words(text: str) -> list[str]:
    """Return the words and numbers of a text, each as its token's `low`: in a third of the time.

    >>> plain_words("The Lessor's `x y`, 3.12 (b) U.S.")
    ['the', 'lessor', '3.12', 'u.s']
    """
    return [_low(match.group()) for match in _TOKEN.finditer(text) if match.lastgroup in _PLAIN]


def _low(text: str) -> str:
    low = text.casefold()
    return _POSSESSIVE.sub("", low) or low if "'" in low or "’" in low else low


def low_at(tokens: Sequence[Token], at: int) -> str:
    """Return a token's text without case; empty before the first and behind the last."""
    return tokens[at].low if 0 <= at < len(tokens) else ""


class _Stemmers(threading.local):
    """A stemmer a thread: it takes longer to make than to stem, and is not for two at a time."""

    @cached_property
    def english(self) -> Any:
        import snowballstemmer

        return snowballstemmer.stemmer("english")


_stemmers: Final = _Stemmers()


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the English (Snowball) stem of a word, without case.

    >>> stem("rejected"), stem("Licenses")
    ('reject', 'licens')
    """
    return str(_stemmers.english.stemWord(word.casefold()))


def akin(one: str, other: str) -> bool:
    """Tell whether two words share a root: inflected or derived alike (report, reporter).

    >>> akin("assigned", "Assignee"), akin("from", "form"), akin("create", "credit")
    (True, False, False)
    """
    a, b = american(one.casefold()), american(other.casefold())
    if stem(a) == stem(b):
        return True
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return (
        shared >= 5
        and _SUFFIXES.fullmatch(a[shared:]) is not None
        and _SUFFIXES.fullmatch(b[shared:]) is not None
    )


def singular(noun: str) -> str:
    """Return the singular of a regular plural, and of the common irregular ones.

    >>> singular("companies"), singular("people"), singular("PEPs"), singular("process")
    ('company', 'person', 'PEP', 'process')
    """
    irregular = {"people": "person", "men": "man", "women": "woman", "children": "child"}
    low = noun.casefold()
    if low in irregular:
        return irregular[low]
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("xes", "x"),
        ("tuses", "tus"),
        ("ruses", "rus"),
        ("ches", "ch"),
        ("shes", "sh"),
    ):
        if low.endswith(ending) and len(low) > len(ending) + 1:
            return noun[: -len(ending)] + instead
    if low.endswith("s") and not low.endswith(("ss", "us", "is")) and len(low) > 2:
        return noun[:-1]
    return noun


def stretch(text: str, tokens: Sequence[Token]) -> str:
    """Return the words of the question from the first to the last of the tokens."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""
