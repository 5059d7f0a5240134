"""A corpus and its reasoners, opened as settings say; the command that resumes a run."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from agent.cost import Cost
from agent.errors import SettingsError
from agent.reasoner import Reasoner
from agent.reasoners import Recorder, reasoner_around, select_reasoner
from agent.reasoners.chat_reasoner import ReplyCache
from agent.settings import Settings, load_settings
from graphs.context import Context
from tools.corpus.build_settings import FileLimits
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.manifest import corpus_id
from tools.postgres.address import server_of
from tools.runs.file_replies import FileReplies

_REPEATED = ("model", "base_url")
"""The flags that a resumed run needs again."""
_OF_CLIENTS = {
    "api_key", "base_url", "max_retries", "requests_per_second", "temperature", "timeout",
}  # fmt: skip
"""Settings that a LangChain chat model has itself."""


def file_limits(settings: Settings) -> FileLimits:
    """Return what reading one file may take."""
    return FileLimits(
        seconds=settings.file_seconds,
        memory_mb=settings.file_memory_mb,
        text_mb=settings.file_text_mb,
    )


def open_context(corpus: Path | Corpus, settings: Settings, record: Path | None = None) -> Context:
    """Open a corpus, unless it is open, and the reasoner that the settings name."""
    opened = open_corpus(corpus) if isinstance(corpus, Path) else corpus
    return Context(
        corpus=opened,
        reasoner=open_reasoner(opened, settings, record),
        policy=settings.policy(),
        server=server_of(settings),
    )


def given_context(corpus: Corpus, given: Mapping[str, object]) -> Context:
    """Open the reasoner of settings by name, of which `model` may be a LangChain chat model.

    Raises SettingsError: a setting cannot be used, or is the chat model's own to have.
    """
    model = given.get("model")
    if model is None or isinstance(model, str):
        return open_context(corpus, load_settings(**given))
    if own := sorted(name for name in _OF_CLIENTS if given.get(name) is not None):
        raise SettingsError(f"set {', '.join(own)} at the {type(model).__name__} itself")
    settings = load_settings(**{**given, "model": "lexical"})
    reasoner = reasoner_around(model, **settings.around_options())
    return replace(open_context(corpus, settings), reasoner=reasoner)


def open_reasoner(
    corpus: Corpus,
    settings: Settings,
    record: Path | None = None,
    spent: Cost | None = None,
) -> Reasoner:
    """Open the reasoner that the settings name, its replies cached where the runs are kept."""
    corpus.runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    reasoner = select_reasoner(settings, cache=_replies(corpus, settings), spent=spent)
    return reasoner if record is None else Recorder(reasoner, record)


def _replies(corpus: Corpus, settings: Settings) -> ReplyCache:
    server = server_of(settings)
    if server is None:
        return FileReplies(corpus.runs / "responses.sqlite")
    from tools.runs.server_database import server_replies

    return server_replies(server, corpus_id(corpus.path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asked for."""

    corpus: Path
    command: Literal["ask", "analyse"] = "ask"
    question: str = ""
    json: bool = False
    resume: str | None = None
    reply: str | None = None
    again: str | None = None
    criteria: Path | None = None
    """A file with how the question is read; one that is not there yet is written."""
    record: Path | None = None
    flags: Mapping[str, object]

    def resumed(self, run: str) -> str:
        """Return the command that resumes a run."""
        words = ["headcount", self.command, str(self.corpus), "--resume", run]
        for name in _REPEATED:
            if self.flags.get(name) is not None:
                words += ["--" + name.replace("_", "-"), str(self.flags[name])]
        if self.criteria is not None and not self.criteria.exists():
            words += ["--criteria", str(self.criteria)]
        return shlex.join(words)
