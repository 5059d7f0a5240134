"""What a run depends on but does not store: corpus, reasoner, policy, run store, clock."""

import time
import uuid
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, ValidationError
from pydantic_core import CoreSchema

from agent.errors import SettingsError
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.reasoners import ChatReasoner, reasoner_around, select_reasoner
from agent.records.record import RecordsPlace
from agent.settings import load_settings
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.manifest import corpus_id
from tools.postgres.address import ServerAddress, server_of
from tools.runs.reviews import Reviews
from tools.runs.store import RunStore

if TYPE_CHECKING:
    from pyroaring import BitMap

    from agent.coverage import ReadingRound
    from agent.prompt_values import ObserveValues
    from agent.question import Interpretation
    from agent.records.record import Span
    from agent.records.record_schema import Kind
    from agent.state import State
    from graphs.search.cost_model import Choice
    from graphs.search.rank_unread import NextRound
    from graphs.search.search_progress import SearchProgress
    from tools.packing import Method

    NextOf = Callable[[State, Sequence[ReadingRound], SearchProgress, "Context"], NextRound]


def new_run_id() -> str:
    """Return a fresh run id: 12 hexadecimal digits."""
    return uuid.uuid4().hex[:12]


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def refuse_unknown(given: Iterable[str], known: Collection[str]) -> None:
    """Raise SettingsError where a context is given a key that is none of the known ones."""
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, n=1)
            told = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(sorted(known))}"
            raise SettingsError(f"the context has no {key!r}: {told}")


def store_of(corpus: Path, runs: Path, server: ServerAddress | None) -> RunStore:
    """Open the store of a corpus's runs: on a server, or in their folder."""
    if server is None:
        return RunStore(runs / "runs.sqlite")
    from tools.runs.server_database import server_store

    return server_store(server, corpus_id(corpus))


def _no_corpus() -> Corpus:
    raise SettingsError(
        "which corpus? Give the graph context=Context(corpus=…), or by LangGraph's server "
        'context={"corpus": "DIR.corpus"}'
    )


@dataclass(frozen=True, kw_only=True)
class Components:
    """The parts of a search that an experiment may replace; None keeps the product's own."""

    interpreted: "Callable[[Interpretation], Interpretation] | None" = None
    """What of the interpretation a search goes by."""
    way: "Callable[[State, Context], Choice] | None" = None
    """Whether everything is read, the best by rank, or what filters keep."""
    unfiltered: "Callable[[State, Context], str] | None" = None
    """Why no filter is called; empty where filters may spare more than they cost."""
    foreseen: "Callable[[BitMap, str, State, Context], str] | None" = None
    """Why a filter call, given what it would keep, is refused; empty where it is carried out."""
    observed: "Callable[[ObserveValues], ObserveValues] | None" = None
    """What is shown of a filter call before it is judged."""
    next_round: "NextOf | None" = None
    """What is read next."""
    parts: "Callable[[int, Sequence[Kind], Context], tuple[Span, ...]] | None" = None
    """Which parts of a document are read into records."""
    batches: "Method | None" = None
    """How passages are put into requests."""


@dataclass(frozen=True, kw_only=True)
class Context:
    """The dependencies of a run, injected into every node."""

    corpus: Corpus = field(default_factory=_no_corpus)
    """What is searched; raises SettingsError where none is given."""
    reasoner: Reasoner = field(default_factory=lambda: select_reasoner("lexical"))
    """Who reads; the lexical reader unless a model is given, by name or as LangChain's chat model.
    """
    policy: Policy = Policy()  # noqa: RUF009 - frozen, hence safe to share
    """How the run goes about it."""
    components: Components = Components()
    """What an experiment puts in the place of parts of the search."""
    runs: Path | None = None
    """Where snapshots, coverage, findings and answers are kept; None is beside the corpus."""
    server: ServerAddress | None = field(default_factory=lambda: None)
    """The server that keeps the runs instead, for many machines; None keeps them in files."""
    records: RecordsPlace | None = None
    """Records made for the one question; None are those of the corpus."""
    clock: Callable[[], float] = time.monotonic
    """Seconds, for the bill."""
    new_run: Callable[[], str] = new_run_id
    """Names a run that the caller did not name."""
    now: Callable[[], str] = now
    """The time as ISO 8601, for the list of runs."""

    def __new__(cls, **given: object) -> Self:
        """Refuse what is no field: LangGraph makes it of whatever a caller gives."""
        refuse_unknown(given, [each.name for each in fields(cls)])
        return super().__new__(cls)

    def __post_init__(self) -> None:
        """Put aside what is given by its place or name, as a server's JSON context gives it.

        Raises SettingsError: the policy has a wrong value, or the reasoner is none.
        """
        given: dict[str, Any] = vars(self)
        try:
            given["policy"] = Policy.model_validate(given["policy"])
        except ValidationError as error:
            told = "; ".join(f"{each['loc'][0]}: {each['msg']}" for each in error.errors())
            raise SettingsError(f"the policy of the context cannot be used: {told}") from error
        named = {name for name in ("corpus", "reasoner") if isinstance(given[name], str | Path)}
        if "corpus" in named and self.runs is None and self.server is None:
            named.add("server")
        if "reasoner" not in named and not hasattr(given["reasoner"], "abilities"):
            given["reasoner"] = reasoner_around(given["reasoner"])
        given["_named"] = {name: given.pop(name) for name in named}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Open what was put aside when a node, in a thread of its own, first needs it.

            The context is made in a server's event loop, which nothing may block.
            """
            named = vars(self).get("_named", {})
            if name not in named:
                raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}")
            opened = {
                "corpus": open_corpus,
                "reasoner": select_reasoner,
                "server": lambda _: server_of(load_settings()),
            }[name](named[name])
            return vars(self).setdefault(name, opened)

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: object, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        """Describe the context as JSON gives it: a server shows this form to whoever asks."""
        return handler.generate_schema(ContextInJson)

    @cached_property
    def store(self) -> RunStore:
        """The store of snapshots, coverage, findings and answers."""
        server = self.server if self.runs is None else None
        return store_of(self.corpus.path, self.runs or self.corpus.runs, server)

    @property
    def prices_of(self) -> str:
        """Whose prices, or of which day, the bill is counted by; empty where that is unknown."""
        return self.reasoner.prices_of if isinstance(self.reasoner, ChatReasoner) else ""

    @property
    def reviews(self) -> Reviews | None:
        """What people judged of the corpus's passages; None where nobody did so far."""
        return self._reviews if self._reviews.path.exists() else None

    @cached_property
    def _reviews(self) -> Reviews:
        return Reviews(self.corpus.runs)


class ContextInJson(BaseModel):
    """What a run depends on: a corpus, who reads, and how it goes about it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    corpus: str
    """The corpus's directory on the server's machine."""
    reasoner: str = "lexical"
    """`lexical` (embedded), or a chat model's name; its key and address are the server's
    settings."""
    policy: Policy = Policy()
    """How the run goes about it."""
