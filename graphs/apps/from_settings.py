"""A corpus and its reasoners, opened as settings say; the command that resumes a run."""

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent.cost import Cost
from agent.reasoner import Reasoner
from agent.reasoners import Recorder, select_reasoner
from agent.reasoners.reply_cache import ReplyCache
from agent.settings import Settings
from graphs.context import Context
from tools.corpus.build_settings import FileLimits
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.manifest import corpus_id
from tools.postgres.address import ServerAddress, server_of
from tools.runs.file_replies import FileReplies

_REPEATED = ("model", "base_url")
"""The flags that a resumed run needs again."""


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
    reasoner = open_reasoner(opened, settings, record)
    return Context(
        corpus=opened,
        reasoner=reasoner,
        second=_second(opened, settings),
        policy=settings.policy(),
        server=server_of(settings),
    )


def _second(corpus: Corpus, settings: Settings) -> Callable[[Cost], Reasoner] | None:
    """Return what makes the second reasoner; raise at once if it cannot be made."""
    if settings.second_opinion is None:
        return None
    other = settings.model_copy(update={"model": settings.second_opinion})

    def second(spent: Cost) -> Reasoner:
        return open_reasoner(corpus, other, spent=spent)

    second(Cost())
    return second


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


def resuming(corpus: Path, run: str, flags: Mapping[str, object], command: str = "ask") -> str:
    """Return the command that resumes a run, without the secrets of a store's address."""
    words = ["headcount", command, str(corpus), "--resume", run]
    if flags.get("store") is not None:
        words += ["--store", ServerAddress.parsed(str(flags["store"])).without_secrets]
    for name in _REPEATED:
        if flags.get(name) is not None:
            words += ["--" + name.replace("_", "-"), str(flags[name])]
    return shlex.join(words)


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
        """Return the command that resumes a run: as confirmed, with the same second opinion."""
        command = resuming(self.corpus, run, self.flags, self.command)
        if self.criteria is not None and not self.criteria.exists():
            command += f" --criteria {shlex.quote(str(self.criteria))}"
        other = self.flags.get("second_opinion")
        return command if other is None else f"{command} --second-opinion {shlex.quote(str(other))}"
