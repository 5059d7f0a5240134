"""The pool: what is raised, kept and cancelled."""

import _thread
import contextvars
import signal
import threading
from collections.abc import Iterator

import pytest

from agent.errors import SettingsError
from agent.reasoner import Prompt
from agent.reasoners.concurrency import answer_all
from tests.fake_provider.asking import prompts


@pytest.mark.parametrize("workers", [1, 4])
def test_errors_of_the_caller_are_raised(workers: int) -> None:
    def ask(prompt: Prompt) -> str:
        raise SettingsError("wrong")

    with pytest.raises(SettingsError):
        answer_all(ask, prompts(3), workers)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Take interrupts as a terminal's are, also where the tests were started with them ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_cancels_what_has_not_begun() -> None:
    begun: list[str] = []
    held = threading.Event()

    def ask(prompt: Prompt) -> str:
        begun.append(prompt.text)
        if len(begun) == 2:
            _thread.interrupt_main()
        held.wait(10)
        return prompt.text

    with pytest.raises(KeyboardInterrupt):
        answer_all(ask, prompts(20), 2)
    held.set()
    assert len(begun) == 2


def test_threads_see_the_callers_context() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="none")
    variable.set("caller")
    assert answer_all(lambda prompt: variable.get(), prompts(3), 3) == ["caller"] * 3
