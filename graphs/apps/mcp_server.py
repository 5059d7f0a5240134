"""`headcount mcp`: questions, passages and evidence for another agent, over MCP."""

import hmac
import os
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_args

from anyio import from_thread, to_thread
from mcp.server.mcpserver import Context as Request
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import ToolAnnotations
from pydantic import Field
from pyroaring import BitMap
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from agent.answer import Answer
from agent.errors import HeadcountError, LimitReached, NeedsRecords, RunError
from agent.evidence import Entity, Passage
from agent.reasoner import ToolCall
from agent.reasoners import select_reasoner
from agent.settings import load_settings
from agent.value import Value
from graphs.apps.desk import Shown, reader_name
from graphs.apps.exits import Exit
from graphs.apps.from_settings import open_context
from graphs.apps.stored_runs import StoredRun, stored_run
from graphs.apps.terminal import write_line
from graphs.apps.trace import event_text
from graphs.apps.web.corpus_folder import CorpusFolder
from graphs.apps.web.jobs import Job, Jobs
from graphs.context import new_run_id
from graphs.runs.run_entry import check_question
from graphs.runs.run_session import Event
from graphs.sessions import Session
from tools.filters.registry import FILTERS, apply
from tools.passage_windows import passages

_NAME: Final = "headcount"
_CORPUS: Final = "headcount://{corpus}"
_INSTRUCTIONS: Final = """\
Answers questions that need every match in a collection of documents: how many, which, averages,
groups. `corpora` lists the collections. `ask` gives the number with its bounds, the items and the
words that prove them; repeat bounds and warnings with the number. Status `candidates`: nobody has
read the passages, there is no number. Status `needs_clarification`: put what `ambiguity` asks to
the person, then use `answer_clarification`. `find` only filters. `review_next` has you, or whom
you ask, read in a model's place: passage by passage, each with a verdict, until the answer."""
_ITEMS: Final = 20
"""Items of an answer that are listed, where the caller says nothing."""
_MOST: Final = 200
"""Passages or pieces of evidence in one reply, at most."""
_READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_SPENDS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False)

Name = Annotated[str, Field(description="A collection's name, as `corpora` lists it.")]
Run = Annotated[str, Field(description="The `run` of an answer.")]
Items = Annotated[int, Field(ge=0, le=_MOST, description="Items to list; the number counts all.")]
Verdict = Literal["yes", "borderline", "no", "skip", "undo", "stop"]
_KEYS: Final = dict(zip(get_args(Verdict), "ybnsuq", strict=True))
_ARGUMENTS: Final = "By filter: " + "; ".join(
    f"{name}: {', '.join(each.arguments.model_fields)}" for name, each in FILTERS.items()
)
FilterName = Annotated[str, Field(json_schema_extra={"enum": [*FILTERS]})]


class Held(Value):
    """One collection."""

    name: str
    documents: int = 0
    chunks: int = 0
    problem: str = ""
    """Why it cannot be asked."""


class Found(Value):
    """What a filter keeps."""

    kept: int
    """Chunks in all."""
    chunks: int
    """Chunks of the collection."""
    passages: tuple[Passage, ...]
    """The first of them, in the documents' order."""


class Sitting(Value):
    """A review: what waits for a verdict, or how it ended."""

    run: str
    status: str
    turn: int = 0
    """Counts what was shown: a verdict comes with it."""
    shown: Shown | None = None
    said: tuple[str, ...] = ()
    """What came of the last verdict."""
    answer: Answer | None = None


@contextmanager
def _telling(told: type[ToolError | ResourceError]) -> Iterator[None]:
    """Have errors of ours reach the client in their words; all others are crashes."""
    try:
        yield
    except NeedsRecords as error:
        raise told(f"{error}: `headcount analyse` reads the documents for it") from error
    except HeadcountError as error:
        raise told(str(error)) from error


class Collections:
    """The collections of a folder, and what another agent can do with them.

    Raises SettingsError: there is no such folder, or the model needs a key that is not set.
    """

    def __init__(self, folder: Path, flags: dict[str, object]) -> None:
        select_reasoner(load_settings(**flags))
        self.folder = CorpusFolder(folder)
        self.flags = flags
        self.jobs = Jobs(flags, self.folder.corpus)

    def server(self) -> MCPServer[Any]:
        """Return the server of the tools and resources below."""
        made = MCPServer[Any](_NAME, instructions=_INSTRUCTIONS, log_level="WARNING")
        for spends in (self.ask, self.answer_clarification, self.review_next):
            made.add_tool(spends, annotations=_SPENDS)
        for reads in (self.corpora, self.find, self.evidence):
            made.add_tool(reads, annotations=_READS)
        made.resource(f"{_CORPUS}/runs/{{run}}", mime_type="application/json")(self.run)
        made.resource(f"{_CORPUS}/documents/{{+document}}", mime_type="text/plain")(self.document)
        return made

    async def ask(
        self,
        corpus: Name,
        question: Annotated[str, Field(description="In plain words, as a person would ask.")],
        request: Request[Any, Any],
        items: Items = _ITEMS,
    ) -> Answer:
        """Find every match in a collection: a number with bounds, the items, their evidence."""
        with _telling(ToolError):
            check_question(question)
            run = new_run_id()
            started = lambda session: session.start(question, run=run)  # noqa: E731
            found = await to_thread.run_sync(self._followed, corpus, started, run, request)
            return found.shortened(items)

    async def answer_clarification(
        self,
        corpus: Name,
        run: Run,
        reply: Annotated[str, Field(description="The number of an option, or words.")],
        request: Request[Any, Any],
        items: Items = _ITEMS,
    ) -> Answer:
        """Give the person's reply to what an answer asked, and go on."""
        with _telling(ToolError):
            replied = _replying(run, reply)
            found = await to_thread.run_sync(self._followed, corpus, replied, run, request)
            return found.shortened(items)

    async def review_next(
        self,
        corpus: Name,
        question: Annotated[str, Field(description="The same one goes on where it was.")],
        verdict: Annotated[Verdict | None, Field(description="On what was shown last.")] = None,
        run: Annotated[str, Field(description="The `run` that it was shown with.")] = "",
        turn: Annotated[int, Field(description="The `turn` that it was shown with.")] = 0,
        quote: Annotated[str, Field(description="Its words that prove a yes, not `quoted`.")] = "",
    ) -> Sitting:
        """Judge the passage shown last, and get the next; in the end, the answer."""
        with _telling(ToolError):
            check_question(question)
            who = f"{reader_name()}, over MCP"
            job = Job(new_run_id(), question, "", corpus, who=who)
            job = self.jobs.review(job, {})
            shown = await self._sitting(job)
            keys = [("w", quote)] * bool(quote) + [(_KEYS[verdict], "")] if verdict else []
            for key, text in keys:
                taken = job.screen and run == job.name and job.screen.press(key, turn, text)
                told = "its `run` and `turn` are not those of what is shown: ask for that"
                shown = await self._sitting(job)
                if not taken or (key == "w" and shown.said):
                    raise RunError(f"no verdict was taken: {told if not taken else shown.said[-1]}")
                turn = shown.turn
            return shown

    @_telling(ToolError)
    def corpora(self) -> list[Held]:
        """List the collections that can be asked."""
        listed: list[Held] = []
        for name in self.folder.places():
            try:
                held = self.folder.held(name)
                listed.append(Held(name=name, documents=held.documents, chunks=held.chunks))
            except HeadcountError as error:
                listed.append(Held(name=name, problem=str(error)))
        return listed

    @_telling(ToolError)
    def find(
        self,
        corpus: Name,
        filter: FilterName,  # noqa: A002 - what a caller reads
        arguments: Annotated[dict[str, Any], Field(description=_ARGUMENTS)],
        limit: Annotated[int, Field(ge=1, le=_MOST)] = _ITEMS,
    ) -> Found:
        """Filter a collection's passages by code alone: no model, no verdict, no bound."""
        opened = self.folder.corpus(corpus)
        call = ToolCall(tool=filter, arguments=arguments)
        kept = apply(opened, BitMap(range(len(opened))), call)
        shown = passages(opened, list(kept[:limit]))
        return Found(kept=len(kept), chunks=len(opened), passages=shown)

    @_telling(ToolError)
    def evidence(
        self,
        corpus: Name,
        run: Run,
        item: Annotated[str, Field(description="The name of an item of the answer.")],
    ) -> list[Entity]:
        """Return an item of an answer with all its quotes: one for each interpretation."""
        with self._stored(corpus, run) as (_, answer):
            every = [*answer.entities, *(each for one in answer.readings for each in one.entities)]
        named = [each for each in every if item == each.name]
        found = named or [each for each in every if item in each.aliases]
        if not found:
            raise RunError(f"run {run!r} found no item {item!r}")
        return found

    @_telling(ResourceError)
    def run(self, corpus: str, run: str) -> str:
        """Return an answer whole, as `headcount ask --json` prints it."""
        with self._stored(corpus, run) as (_, answer):
            return answer.model_dump_json()

    @_telling(ResourceError)
    def document(self, corpus: str, document: str) -> str:
        """Return a document's text as indexed, which the offsets of quotes count."""
        opened = self.folder.corpus(corpus)
        return opened.document_text(opened.document_index(document))

    def _followed(
        self,
        corpus: str,
        events: Callable[[Session], Iterator[Event]],
        run: str,
        request: Request[Any, Any],
    ) -> Answer:
        """Follow a run to its end in this thread, telling each step; a cancelled request ends it.

        What was paid for is kept, and the run goes on where it was by the command line.

        Raises RunError: a reply cannot be used; it says why.
        """
        context = open_context(self.folder.corpus(corpus), load_settings(**self.flags))
        problem = ""
        with Session(context) as session:
            try:
                for number, event in enumerate(events(session), start=1):
                    from_thread.check_cancelled()
                    if event["kind"] == "waiting":
                        problem = event["asked"].get("problem", "")
                    if text := event_text(event):
                        from_thread.run(request.report_progress, number, None, text)
                answer = session.outcome(run)
            except LimitReached as limit:
                answer = session.unread(session.state(run).question, run, limit)
        if problem:
            raise RunError(problem)
        return answer

    @contextmanager
    def _stored(self, corpus: str, run: str) -> Iterator[tuple[StoredRun, Answer]]:
        """Open a run with its answer; raises RunError where there is none."""
        with stored_run(self.folder.corpus(corpus), run) as opened:
            if opened.corpus_changed:
                raise RunError(
                    f"the documents were indexed anew since run {run!r}, so that its places may "
                    "hold other words now: ask the question again"
                )
            answer = opened.store.answer(run)
            if answer is None:
                raise RunError(f"run {run!r} has no answer yet: {opened.status}")
            yield opened, answer

    async def _sitting(self, job: Job) -> Sitting:
        """Wait until a review shows a passage or has ended; raises RunError where it failed."""
        async for _, told in job.feed.follow(0):
            if told.kind == "turn" and (not job.alive or (job.screen and job.screen.asks)):
                break
        if job.problem:
            raise RunError(job.problem)
        if job.alive and (screen := job.screen):
            now = {"turn": screen.turn, "shown": screen.shown, "said": screen.said}
            return Sitting.model_validate({"run": job.name, "status": job.goes_on, **now})
        with self._stored(job.corpus, job.name) as (opened, answer):
            ended = answer.shortened(_ITEMS)
            return Sitting(run=job.name, status=opened.status, answer=ended)


def _replying(run: str, reply: str) -> Callable[[Session], Iterator[Event]]:
    """Return what takes a reply; it raises RunError where nothing is asked."""

    def events(session: Session) -> Iterator[Event]:
        session.context.store.info(run)
        return session.reply(run, reply)

    return events


class Bearer:
    """Lets in requests over HTTP that carry the token of this server."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        given = Headers(scope=scope).get("authorization", "") if scope["type"] == "http" else None
        if given is None or hmac.compare_digest(given.encode(), self._wanted):
            await self._app(scope, receive, send)
            return
        told = "Send the token that `headcount mcp` printed: Authorization: Bearer TOKEN"
        await PlainTextResponse(told, 401)(scope, receive, send)


def run_mcp(folder: Path, port: int | None, flags: dict[str, object]) -> None:
    """Serve over stdin and stdout, or over HTTP on this machine alone, until the client ends it.

    Raises SettingsError: there is no such folder, the settings are wrong, or the port is taken.
    """
    served = Collections(folder, flags)
    try:
        _run(served.server(), port)
    finally:
        served.jobs.close()
        if served.jobs.alive:
            os._exit(Exit.ANSWERED)  # what does not end by itself goes on where it was


def _run(server: MCPServer[Any], port: int | None) -> None:
    if port is None:
        server.run("stdio")
        return
    import uvicorn

    from graphs.apps.web.serve import HOST, listening_on

    listening, token = listening_on(port), secrets.token_urlsafe(24)
    app = Bearer(server.streamable_http_app(host=HOST), token)
    write_line(f"http://{HOST}:{listening.getsockname()[1]}/mcp, Authorization: Bearer {token}")
    uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
