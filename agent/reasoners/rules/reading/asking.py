"""Whether words ask anything: small talk and commands are answered with an error, not a list."""

import re
from collections.abc import Sequence
from typing import Final

from agent.corpus_view import CorpusView
from agent.errors import QuestionError
from agent.question import Condition
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    FUNCTION_WORDS,
    Token,
    singular,
    tokenize,
    word_set,
)
from agent.reasoners.rules.reading.openers import read_opener
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import InterpretReply

__all__ = ("check_asked", "check_kind", "check_small_talk", "phrase_sought", "without_courtesies")

_TALK: Final = word_set(
    "hello hi hey hallo howdy greetings welcome cheers thanks thank thx bye goodbye please sorry "
    "pardon ok okay fine great nice cool yes yeah yep no nope maybe help exit quit stop cancel "
    "test testing"
)
"""Words of greetings, thanks, assent and commands."""
_FILLERS: Final = word_set(
    "good morning evening afternoon day night well you all everyone there so much very a lot end "
    "again none nothing how are who what is it can do your name"
)
"""Words that ask nothing beside those, nor alone where nothing was asked before."""
_GREETING: Final = re.compile(
    r"\s*(?:hi|hello|hey|dear\s+\w+|good\s+(?:morning|afternoon|evening|day)|ok(?:ay)?|thanks|"
    r"thank\s+you)\b(?:\s+(?:there|all|everyone|again))?\s*[,!.;:–-]+\s*(?=\w)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"(?:so\s+|and\s+)?(?:please\s+)?(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?(?:tell|show)"
    r"\s+me|tell\s+me|(?:i|we)(?:['’]d|\s+would)?\s+(?:want|need|like)\s+to\s+know|do\s+you\s+know|"
    r"i\s+wonder)\s*[,:]?\s+(?=(?:in\s+)?(?:how\s+(?:many|much)|which|what|who|whose)\b)",
    re.IGNORECASE,
)
"""What politely leads to a question that stands behind it."""
_DISPLAY: Final = re.compile(
    r"(?<=[.?!])\s+(?:please\s+)?(?:show|list|present|display|put|give|return|print|sort|order)\s+"
    r"(?:me\s+)?(?:them|it|these|those|(?:all|both) of them|the\s+results?)\b[^.?!]*[.?!]?\s*$",
    re.IGNORECASE,
)
"""A last sentence about how an answer is to be shown."""
_TELLING: Final = word_set(
    "explain describe summarise summarize write draft compose translate define discuss elaborate "
    "clarify paraphrase rewrite advise recommend suggest"
)
"""Verbs that ask for prose."""
_SOME: Final = word_set("any anyone anybody some someone somebody every all each there")
_POLITE: Final = word_set("please and so then now also")
_OFTEN: Final = word_set("many much often frequently few")
_COMPUTED: Final = word_set("ratio quotient difference share percentage proportion fraction range "
                            "spread variance")  # fmt: skip
"""Nouns for what is computed from two or more numbers."""
_WHOLE: Final = frozenset({"all", "every", "each"})


def without_courtesies(question: str) -> str:
    """Return a question without greeting and polite lead, and the wish about its display behind.

    >>> without_courtesies("Hi, how many leases allow dogs? Show them in one table.")
    'how many leases allow dogs?'
    """
    bare = _GREETING.sub("", question.strip(), count=1)
    lead = _LEAD.match(bare)
    return _DISPLAY.sub("", bare[lead.end() :] if lead else bare)


def check_small_talk(question: str, *, alone: bool) -> None:
    """Raise QuestionError where the words are but a greeting, thanks, an assent or a command.

    `alone` says that no question was asked before.
    """
    words = {token.low for token in _words(question) if token.kind != "number"}
    if words <= _TALK | _FILLERS and (alone or words & _TALK):
        raise _error(question)


def check_asked(question: str, reply: InterpretReply, scene: Scene) -> None:
    """Raise QuestionError where a list is read into words that name no entity and no condition."""
    if reply.conditions or reply.operation != "list" or reply.entity_field or _computes(question):
        return
    words = [token for token in _words(question) if token.low not in FUNCTION_WORDS]
    opener = read_opener(tokenize(question))
    heads = [
        token for token in words if opener is None or token.start >= _start(question, opener.end)
    ]
    if not heads or not _is_entity(heads, scene, asked=opener is not None, text=question):
        raise _error(question)


def check_kind(question: str, reply: InterpretReply, scene: Scene) -> None:
    """Raise QuestionError where a reason, a manner, a fact, a yes or prose is asked for.

    `Does any lease allow dogs?` asks for leases.
    """
    tokens = tokenize(question)
    if (opener := read_opener(tokens)) is not None:
        one = _asks_one_thing(tokens[: opener.end]) and not _computes(question)
        if one and _unheard_of(reply, scene):
            raise _no_list(question)
        return
    words = [token.low for token in tokens if token.kind == "word" and token.low not in _POLITE]
    lead, then = [*words, "", ""][:2]
    unlisted = (
        lead in {"why", "when", "where", *_TELLING}
        or (lead == "how" and then not in _OFTEN)
        or (lead in AUXILIARIES and not _SOME & set(words))
    )
    if unlisted:
        raise _no_list(question)


def phrase_sought(before: tuple[Token, ...], head: Token | None, scene: Scene) -> Condition | None:
    """Read a bare phrase in the plural as what documents have: `arbitration clauses`."""
    words = [token for token in (*before, *((head,) if head else ())) if token.kind == "word"]
    if head is None or len(words) < 2 or not _is_plural(head) or scene.names_documents(head.low):
        return None
    if read_opener(tokenize(scene.text)) is not None or words[0].low in FUNCTION_WORDS:
        return None
    if not all(_is_known(token.low, scene.corpus) for token in words):
        return None
    return Condition(id="", text=f"has {scene.words(words)}")


def _asks_one_thing(opening: Sequence[Token]) -> bool:
    low = [token.low for token in opening]
    return low[:1] in (["what"], ["who"]) and low[-1] in {"is", "was"}


def _computes(question: str) -> bool:
    """Tell whether a number computed from several is asked for: `the ratio of … to …`.

    The word alone asks for nothing: it must be of things, in the plural or counted.
    """
    low = [token.low for token in _words(question)]
    for at, word in enumerate(low[:-2]):
        if word in _COMPUTED and low[at + 1] in {"of", "between", "in"}:
            rest = [token for token in _words(question)[at + 2 :] if token.kind == "word"]
            return any(_is_plural(token) for token in rest) or "number" in low[at + 2 :]
    return False


def _unheard_of(reply: InterpretReply, scene: Scene) -> bool:
    """Tell whether a list is asked for of what neither texts nor fields nor names speak of."""
    noun = reply.entity_type.split()[-1] if reply.entity_type else ""
    if reply.operation != "list" or reply.entity_field or not noun:
        return False
    known = _is_known(noun.casefold(), scene.corpus) or scene.names_documents(singular(noun))
    return not known and noun.casefold().rstrip("s") not in {"document", "file"}


def _words(question: str) -> list[Token]:
    return [token for token in tokenize(question) if token.kind != "mark"]


def _start(question: str, opener: int) -> int:
    """Return where the words begin that follow so many tokens."""
    tokens = tokenize(question)
    return tokens[opener].start if opener < len(tokens) else len(question)


def _is_entity(heads: list[Token], scene: Scene, *, asked: bool, text: str) -> bool:
    """Tell whether the last of the words names something that the corpus may have."""
    noun = heads[-1]
    if noun.kind != "word":
        return noun.kind in {"quote", "paren"}
    named = scene.names_documents(singular(noun.low)) or scene.labels.cue([noun], 0) is not None
    if named or scene.labels.hits([noun], 0) or noun.low.rstrip("s") in {"document", "file"}:
        return True
    known = _is_known(noun.low, scene.corpus)
    whole = any(token.low in _WHOLE for token in tokenize(text))
    return whole or (known and (asked or _is_plural(noun)))


def _is_plural(token: Token) -> bool:
    return len(token.low) > 3 and singular(token.text) != token.text


def _is_known(word: str, corpus: CorpusView) -> bool:
    lexicon = corpus.lexicon
    return bool(lexicon.frequency(word) or lexicon.inflections(word))


def _no_list(question: str) -> QuestionError:
    return QuestionError(
        f"{' '.join(question.split())[:60]!r} asks for nothing that can be counted or listed: ask "
        "a question such as 'How many documents …?' or 'Which documents …?'; an ordinary question "
        "is answered by `headcount readings`"
    )


def _error(question: str) -> QuestionError:
    return QuestionError(
        f"{' '.join(question.split())[:60]!r} asks for nothing that can be counted or listed: ask "
        "a question such as 'How many documents mention …?' or 'Which documents …?'"
    )
