"""Whether words ask anything: small talk and commands are answered with an error, not a list."""

import re
from typing import Final

from agent.corpus import CorpusView
from agent.errors import QuestionError
from agent.question import Condition
from agent.reasoners.rules.openers import read_opener
from agent.reasoners.rules.scene import Scene
from agent.reasoners.rules.words import FUNCTION_WORDS, Token, singular, tokenize, word_set
from agent.replies import InterpretReply

__all__ = ("check_asked", "check_small_talk", "phrase_sought", "without_courtesies")

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
_DISPLAY: Final = re.compile(
    r"(?<=[.?!])\s+(?:please\s+)?(?:show|list|present|display|put|give|return|print|sort|order)\s+"
    r"(?:me\s+)?(?:them|it|these|those|(?:all|both) of them|the\s+results?)\b[^.?!]*[.?!]?\s*$",
    re.IGNORECASE,
)
"""A last sentence about how an answer is to be shown."""
_WHOLE: Final = frozenset({"all", "every", "each"})


def without_courtesies(question: str) -> str:
    """Return a question without the greeting before it and the wish about its display behind it.

    >>> without_courtesies("Hi, how many leases allow dogs? Show them in one table.")
    'how many leases allow dogs?'
    """
    return _DISPLAY.sub("", _GREETING.sub("", question, count=1))


def check_small_talk(question: str, *, alone: bool) -> None:
    """Raise QuestionError where the words are but a greeting, thanks, an assent or a command.

    `alone` says that no question was asked before.
    """
    words = {token.low for token in _words(question) if token.kind != "number"}
    if words <= _TALK | _FILLERS and (alone or words & _TALK):
        raise _error(question)


def check_asked(question: str, reply: InterpretReply, scene: Scene) -> None:
    """Raise QuestionError where a list is read into words that name no entity and no condition."""
    if reply.conditions or reply.operation != "list" or reply.entity_field:
        return
    words = [token for token in _words(question) if token.low not in FUNCTION_WORDS]
    opener = read_opener(tokenize(question))
    heads = [
        token for token in words if opener is None or token.start >= _start(question, opener.end)
    ]
    if not heads or not _is_entity(heads, scene, asked=opener is not None, text=question):
        raise _error(question)


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


def _error(question: str) -> QuestionError:
    return QuestionError(
        f"{' '.join(question.split())[:60]!r} asks for nothing that can be counted or listed: ask "
        "a question such as 'How many documents mention …?' or 'Which documents …?'"
    )
