"""Requests side by side: a bounded pool."""

import contextvars
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from agent.errors import LimitReached, ModelError, ProviderError
from agent.reasoner import Failure, Prompt

T = TypeVar("T")
STOPPING = threading.Event()
"""Set while the command ends that a person stopped: no request begins any more."""
_FAILED: contextvars.ContextVar[list[BaseException]] = contextvars.ContextVar("failed")
"""What has ended the pool that a thread works for."""


def answer_all(
    ask: Callable[[Prompt], T], prompts: Sequence[Prompt], workers: int
) -> list[T | Failure]:
    """Ask every prompt with at most `workers` threads and return the answers in order.

    Failures of the model, the provider and the budget are returned in place; any other error, such
    as a reply that cannot be kept, and Ctrl-C cancel what has not begun and are raised. Calls in
    flight run to their end, so that their replies still reach the cache.
    """
    failed: list[BaseException] = []

    def attempt(prompt: Prompt) -> T | Failure:
        _FAILED.set(failed)
        raise_failure()
        try:
            return ask(prompt)
        except (ModelError, ProviderError, LimitReached) as error:
            return Failure(error)
        except BaseException as error:
            failed.append(error)
            raise

    threads = min(workers, len(prompts))
    if threads <= 1:
        return [contextvars.copy_context().run(attempt, prompt) for prompt in prompts]
    executor = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="reasoner")
    try:
        futures = [
            executor.submit(contextvars.copy_context().run, attempt, prompt) for prompt in prompts
        ]
        return [future.result() for future in futures]
    finally:
        executor.shutdown(wait=STOPPING.is_set(), cancel_futures=True)


def raise_failure() -> None:
    """Raise what has ended the pool that this thread works for: no request may follow it."""
    if failed := _FAILED.get([]):
        raise failed[0]
