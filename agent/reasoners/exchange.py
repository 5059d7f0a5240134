"""Exchanges with one server: paced, booked, retried, in the dialect the server takes."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.reasoners.completion import BadResponse, Completion, Request, RequestRefused, complete
from agent.reasoners.dialect import Dialect, Form
from agent.reasoners.ledger import Ledger, OpenCall
from agent.reasoners.rate import RateLimit
from agent.reasoners.usage import Usage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = ("Exchange",)

_RETRIES = 2
_PAUSE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """Sends requests to a chat model; safe in several threads."""

    model: "BaseChatModel"
    dialect: Dialect
    ledger: Ledger
    rate: RateLimit
    slots: threading.BoundedSemaphore
    """As many as there may be requests in flight."""
    sleep: Callable[[float], None] = time.sleep

    def send(self, phrase: Callable[[Form], Request], *, choosing: bool) -> Completion:
        """Send what `phrase` makes of the current form and return the usable completion.

        A refused form is weakened and remembered. A broken 200 is asked again twice: the client
        retries only what the server itself calls an error.

        Raises:
            ModelError: the reply is truncated or refused.
            ProviderError: the server fails or rejects.
            LimitReached: the budget does not allow the request.
        """
        while True:
            form = self.dialect.form
            try:
                completion = self._persistently(phrase(form))
            except RequestRefused as error:
                if not self.dialect.concede(form, str(error), choosing=choosing):
                    raise
            except NotImplementedError as error:
                if not choosing or not self.dialect.concede(form, "no tools", choosing=True):
                    raise NotImplementedError(f"{self.model!r} takes no request") from error
            else:
                completion.raise_unless_usable()
                return completion

    def _persistently(self, request: Request) -> Completion:
        for attempt in range(_RETRIES):
            try:
                return self._once(request)
            except BadResponse:
                self.sleep(_PAUSE * 2**attempt)
        return self._once(request)

    def _once(self, request: Request) -> Completion:
        with self.slots, self.ledger.call(request.tokens) as call:
            self.rate.wait()
            return self._booked(request, call)

    def _booked(self, request: Request, call: OpenCall) -> Completion:
        try:
            completion = complete(self.model, request)
        except BadResponse:
            call.usage = Usage(request.tokens, 0, estimated=True)
            raise
        call.usage = completion.usage
        return completion
