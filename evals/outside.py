"""A system outside this project: a program that reads a question and prints an answer."""

import json
import os
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass
from typing import Final, Self

from agent.answer import Answer
from agent.errors import ProviderError, ProviderUnavailable, SettingsError
from evals.baselines.concluding import concluded
from evals.peer_answer import parsed, state_of
from graphs.context import Context
from graphs.runs.run_entry import open_run

__all__ = ("COMMAND", "TIMEOUT", "Command")

COMMAND: Final = "command:"
TIMEOUT: Final = 600.0
"""Seconds that a program may take for one question."""
_SHOWN: Final = 300
"""Characters of a program's last words in an error."""


@dataclass(frozen=True, slots=True)
class Command:
    """A program, started anew for each question."""

    words: tuple[str, ...]
    timeout: float = TIMEOUT

    @classmethod
    def of(cls, name: str, timeout: float = TIMEOUT) -> Self:
        """Return the program that `command:PROGRAM ARGUMENTS…` names; no shell reads it.

        Raises:
            SettingsError: it names none.
        """
        try:
            words = tuple(shlex.split(name.removeprefix(COMMAND)))
        except ValueError as error:
            raise SettingsError(f"{name!r} is no command line: {error}") from error
        if not words:
            raise SettingsError(f"{name!r} names no program: write {COMMAND}PROGRAM ARGUMENTS…")
        return cls(words, timeout)

    def answer(self, question: str, context: Context) -> Answer:
        """Have the program answer.

        It reads one JSON object: the question, `corpus` (the index) and `folders` (what was
        indexed).

        Raises:
            SettingsError: there is no such program.
            ProviderUnavailable: it took too long.
            ProviderError: it ended with another exit code than 0.
            MalformedReply: it printed something else than an answer.
        """
        corpus = context.corpus
        asked = {
            "question": question,
            "corpus": str(corpus.path),
            "folders": list(corpus.manifest.sources),
        }
        run = open_run(question, "", context)
        began = time.perf_counter()
        said = parsed(self._printed(json.dumps(asked)))
        seconds = time.perf_counter() - began
        return concluded(state_of(question, run, said, seconds, corpus), context)

    def _printed(self, given: str) -> str:
        """Run the program; return what it printed."""
        program = self.words[0]
        try:
            started = subprocess.Popen(  # noqa: S603 - the caller names the program
                self.words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise SettingsError(f"{program!r} cannot be started: {error.strerror}") from error
        with started:
            try:
                out, err = started.communicate(given.encode(), timeout=self.timeout)
            except subprocess.TimeoutExpired as error:
                os.killpg(started.pid, signal.SIGKILL)
                told = f"{program!r} took more than {self.timeout:g} s"
                raise ProviderUnavailable(told) from error
        if started.returncode:
            last = " ".join(err.decode("utf-8", "replace").split())[-_SHOWN:]
            code = started.returncode
            raise ProviderError(f"{program!r} ended with exit code {code}: {last}")
        return out.decode("utf-8", "replace")
