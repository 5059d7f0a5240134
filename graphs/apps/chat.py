"""`headcount chat`: a conversation with a corpus, its trace shown as it happens."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from agent.ambiguity import Clarification
from agent.answer import Answer
from agent.conversation import Turn
from agent.cost import Cost
from agent.errors import HeadcountError
from agent.settings import load_settings
from graphs.apps.opening import open_context
from graphs.apps.progress import told
from graphs.apps.shown import cost_line, show
from graphs.context import new_run_id
from graphs.nodes.clarify import understood
from graphs.sessions import Event, Session

__all__ = ("Chat", "run_chat")

HELP = "/evidence N shows an item's quotes · /undo · /cost · /export FILE · /quit"
_NAMES = 20


def run_chat(corpus: Path, flags: Mapping[str, object]) -> None:
    """Talk until /quit or the end of the input."""
    chosen = {"on_ambiguity": "ask"} | {k: v for k, v in flags.items() if v is not None}
    session = Session(open_context(corpus, load_settings(**chosen)))
    console = Console(highlight=False)
    Chat(session, console, _reader(console)).run()


def _reader(console: Console) -> Callable[[str], str]:
    def read(prompt: str) -> str:
        return console.input(escape(prompt))

    return read


@dataclass(slots=True)
class Chat:
    """One conversation: its turns, and what a line of input does."""

    session: Session
    console: Console
    read: Callable[[str], str]
    """Reads a line; raises EOFError at the end."""
    turns: list[tuple[Turn, Answer]] = field(default_factory=list)

    def run(self) -> None:
        """Read and answer lines until the end."""
        corpus = self.session.context.corpus
        self._say(f"{len(corpus.documents)} documents, {len(corpus)} chunks. {HELP}")
        while True:
            try:
                line = self.read("> ").strip()
            except (EOFError, KeyboardInterrupt):
                break
            if line in {"/quit", "/exit"}:
                break
            if line.startswith("/"):
                self._command(line)
            elif line:
                self._ask(line)

    def _command(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        commands: dict[str, Callable[[str], None]] = {
            "/cost": self._cost,
            "/evidence": self._evidence,
            "/export": self._export,
            "/help": lambda _: self._say(HELP),
            "/undo": self._undo,
        }
        command = commands.get(name)
        if command is None:
            self._say(f"unknown command {name}; {HELP}")
        else:
            command(argument.strip())

    def _ask(self, question: str) -> None:
        """Answer a question; an error or Ctrl-C ends the question, not the conversation."""
        run = new_run_id()
        try:
            conversation = tuple(turn for turn, _ in self.turns)
            self._follow(self.session.start(question, run=run, conversation=conversation), run)
            answer = self.session.outcome(run)
        except HeadcountError as error:
            self._say(f"error: {error}")
            return
        except KeyboardInterrupt:
            self._say(f"interrupted; headcount ask CORPUS --resume {run} goes on with it")
            return
        self.turns.append((_turn(question, answer, self.session, run), answer))
        show(answer, self.console)

    def _follow(self, events: Iterator[Event], run: str) -> None:
        """Show the trace; ask what the run asks, and go on with the reply."""
        asked: Clarification | None = None
        for event in events:
            line = told(event)
            if line:
                self.console.print(line, style="dim", markup=False)
            if event["kind"] == "waiting":
                asked = self.session.state(run).clarification
        if asked is not None:
            self._clarify(asked, run)

    def _clarify(self, asked: Clarification, run: str) -> None:
        self._say(asked.question)
        for number, option in enumerate(asked.options, start=1):
            self._say(f"  {number}. {option.label}: {option.meaning}")
        while True:
            reply = understood(self.read("number or words> "), asked)
            if not isinstance(reply, str):
                break
            self._say(reply)
        self._follow(self.session.reply(run, reply), run)

    def _evidence(self, argument: str) -> None:
        """Show all quotes of an item of the last answer."""
        entities = self.turns[-1][1].entities if self.turns else ()
        if not argument.isdigit() or not 1 <= int(argument) <= len(entities):
            self._say(f"/evidence N: N from 1 to {len(entities)}, the item's number")
            return
        entity = entities[int(argument) - 1]
        self._say(entity.name)
        for each in entity.evidence:
            self._say(f"  {each.document} [{each.start}:{each.end}] {each.condition}")
            self._say(f"    “{each.quote}”")

    def _undo(self, argument: str) -> None:
        if argument or not self.turns:
            self._say("nothing to undo" if not self.turns else "/undo takes no argument")
            return
        turn, _ = self.turns.pop()
        self._say(f"forgotten: {turn.question}")

    def _cost(self, argument: str) -> None:
        total = sum((answer.cost for _, answer in self.turns), Cost())
        if not self.turns or argument:
            self._say("nothing was asked yet" if not self.turns else "/cost takes no argument")
            return
        last = self.turns[-1][1]
        self._say(cost_line(last))
        self._say(
            f"this conversation: {total.model_calls} calls, {total.input_tokens} + "
            f"{total.output_tokens} tokens, {total.seconds:.1f} s"
        )

    def _export(self, argument: str) -> None:
        """Write the last answer's JSON to a file."""
        if not argument or not self.turns:
            self._say("/export FILE writes the last answer as JSON")
            return
        try:
            Path(argument).write_text(
                self.turns[-1][1].model_dump_json(indent=2) + "\n", encoding="utf-8"
            )
        except OSError as error:
            self._say(f"not written: {error}")
            return
        self._say(f"written: {argument}")

    def _say(self, text: str) -> None:
        self.console.print(text, markup=False)


def _turn(question: str, answer: Answer, session: Session, run: str) -> Turn:
    return Turn(
        question=question,
        interpretation=session.state(run).interpretation,
        value=answer.value,
        entities=tuple(entity.name for entity in answer.entities[:_NAMES]),
    )
