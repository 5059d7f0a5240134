"""Prompts that carry their own answer, so that a server without a model can give it."""

import json
from collections.abc import Sequence

__all__ = ("answer_in", "tokens_in", "with_answer")

_OPENS = "\n<answer-key>"
_CLOSES = "</answer-key>"
_CHARACTERS_PER_TOKEN = 4


def with_answer(text: str, answer: str) -> str:
    r"""Return the prompt's text with a JSON answer below it.

    >>> answer_in(with_answer("Which?", '{"is": "<this>"}'))
    '{"is": "\\u003cthis>"}'
    """
    return f"{text}{_OPENS}{answer.replace('<', chr(92) + 'u003c')}{_CLOSES}"


def answer_in(content: str) -> str:
    """Return the answer that a message carries, empty without one."""
    _, opened, rest = content.rpartition(_OPENS)
    return rest.partition(_CLOSES)[0] if opened else ""


def tokens_in(contents: Sequence[str], *beside: object) -> int:
    """Return the tokens of messages without their answers and of what is sent beside them.

    Four characters are one, as everywhere in the evaluation.

    >>> tokens_in([with_answer("Which?", "{}"), "Go on"])
    3
    """
    told = sum(len(each) - _key_length(each) for each in contents)
    schemas = sum(len(json.dumps(each)) for each in beside if each)
    return -(-(told + schemas) // _CHARACTERS_PER_TOKEN)


def _key_length(content: str) -> int:
    answer = answer_in(content)
    return len(answer) + len(_OPENS) + len(_CLOSES) if answer else 0
