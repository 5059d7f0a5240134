"""Which features of the OpenAI interface a server has, learnt from its refusals."""

import threading
from dataclasses import dataclass, replace
from typing import Literal

ReplyForm = Literal["json_schema", "json_object", "text"]
ToolForm = Literal["required", "auto", "text"]
LengthField = Literal["max_completion_tokens", "max_tokens", "none"]

_REPLY_WORDS = ("response_format", "json_schema", "json_object", "structured output", "grammar")
_TOOL_WORDS = ("tool", "function call")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """How requests are put to one server."""

    reply: ReplyForm = "json_schema"
    in_words: bool = False
    """Whether the prompt says the schema although the request carries it."""
    tools: ToolForm = "required"
    length: LengthField = "none"
    """The parameter that limits a reply's tokens."""
    temperature: bool = False
    """Whether a temperature is sent."""


def weaker(form: Form, refusal: str, *, choosing: bool) -> Form | None:
    """Return the form without what a refusal names, or None when it names nothing we can leave.

    >>> weaker(Form(), "unknown parameter: response_format", choosing=False).reply
    'json_object'
    """
    text = refusal.lower()
    if choosing and form.tools != "text" and any(word in text for word in _TOOL_WORDS):
        keeps_tools = form.tools == "required" and "tool_choice" in text
        return replace(form, tools="auto" if keeps_tools else "text")
    if not choosing and form.reply != "text" and any(word in text for word in _REPLY_WORDS):
        return replace(form, reply="json_object" if form.reply == "json_schema" else "text")
    if form.temperature and "temperature" in text:
        return replace(form, temperature=False)
    if form.length != "none" and form.length in text:
        other = form.length == "max_tokens" and "max_completion_tokens" in text
        return replace(form, length="max_completion_tokens" if other else "none")
    return None


class Dialect:
    """The form that works with one server; it only ever gets weaker. Safe in several threads."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._lock = threading.Lock()

    @property
    def form(self) -> Form:
        """The form that requests take now."""
        return self._form

    def concede(self, used: Form, refusal: str, *, choosing: bool) -> bool:
        """Weaken the form after a refusal; tell whether asking again makes sense.

        `used` is the form that was refused: when another thread has conceded since, it is only
        the new form that is tried.
        """
        with self._lock:
            if used != self._form:
                return True
            conceded = weaker(used, refusal, choosing=choosing)
            if conceded is None:
                return False
            self._form = conceded
            return True

    def distrust(self, used: Form) -> None:
        """Say the schema in the prompt too, from now on: the server let a reply break it."""
        with self._lock:
            if used == self._form and used.reply == "json_schema" and not used.in_words:
                self._form = replace(used, in_words=True)
