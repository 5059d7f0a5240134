"""`headcount chat`: a conversation with a corpus, its trace shown as it happens."""

import signal
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.text import Text

from agent.ambiguity import Turn
from agent.answer import Answer
from agent.errors import HeadcountError
from agent.settings import load_settings
from agent.value import counted
from graphs.apps.answer_view import show
from graphs.apps.exits import stoppable
from graphs.apps.from_settings import Request, open_context
from graphs.apps.terminal import one_line, say
from graphs.apps.trace import print_event
from graphs.context import new_run_id
from graphs.conversation import turn_of
from graphs.runs.run_session import Event
from graphs.sessions import Session

_HELP = """\
Ask a question; a follow-up may refer to the one before ("and of those, which …?").
  /evidence N   all quotes of item N of the last answer
  /help         this
  /quit         end; so does Ctrl-D. Ctrl-C ends a question, not the conversation"""
_ROWS = 20


def run_chat(corpus: Path, flags: Mapping[str, object]) -> None:
    """Talk until /quit or the end of the input."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # it ends the conversation, not a question
    chosen = {"on_ambiguity": "ask"} | {k: v for k, v in flags.items() if v is not None}
    console = Console(highlight=False)
    with Session(open_context(corpus, load_settings(**chosen))) as session:
        Chat(session, console, _reader(console), Request(corpus=corpus, flags=flags).resumed).run()


def _reader(console: Console) -> Callable[[str], str]:
    """Return a reader of lines; in a terminal with keys for editing, a pasted block one line."""
    if not console.is_terminal:
        return lambda prompt: console.input(Text(prompt))
    import readline

    readline.parse_and_bind("set enable-bracketed-paste on")  # Python turns it off
    return input  # it knows its prompt, which stays when a line is drawn again


@dataclass(slots=True)
class Chat:
    """One conversation: its turns, and what a line of input does."""

    session: Session
    console: Console
    read: Callable[[str], str]
    """Reads a line; raises EOFError at the end."""
    resumed: Callable[[str], str]
    turns: list[tuple[Turn, Answer]] = field(default_factory=list)
    unanswered: tuple[Turn, ...] = ()
    """The question since that was declined: `of those` may be meant of it."""

    def run(self) -> None:
        """Read and answer lines until the end."""
        corpus = self.session.context.corpus
        model = self.session.context.reasoner.name
        self._say(
            f"{counted(len(corpus.documents), 'document')}, {counted(len(corpus), 'chunk')}, "
            f"model {model}; "
            "/help lists the commands"
        )
        while (line := self._line()) is not None:
            match line.split(maxsplit=1):
                case ["/quit" | "/exit" | "quit" | "exit"]:
                    break
                case ["/evidence", *argument]:
                    self._evidence("".join(argument))
                case ["/help", *_]:
                    self._say(_HELP)
                case [name, *_] if name.startswith("/"):
                    self._say(f"unknown command {name}; /help lists the commands")
                case [_, *_]:
                    self._ask(line)

    def _line(self) -> str | None:
        """Read a line; None at the end, an empty one after Ctrl-C."""
        try:
            return " ".join(self.read("> ").split())
        except EOFError:
            self._say("")
            return None
        except KeyboardInterrupt:
            self._say("")
            self._say("/quit or Ctrl-D ends the conversation")
            return ""

    def _ask(self, question: str) -> None:
        """Answer a question; an error or Ctrl-C ends the question, not the conversation."""
        run = new_run_id()
        conversation = tuple(turn for turn, _ in self.turns)
        if not self.session.context.reasoner.paid:
            conversation += self.unanswered
        self.unanswered = (Turn(question=question),)
        try:
            with stoppable():
                events = self.session.start(question, run=run, conversation=conversation)
                self._follow(events, run)
            answer = self.session.outcome(run)
        except HeadcountError as error:
            self._say(f"error: {error}", style="red")
            return
        except (EOFError, KeyboardInterrupt):
            self._say("")
            self._say(f"stopped; resume with: {self.resumed(run)}")
            return
        self.turns.append((turn_of(self.session.state(run), answer), answer))
        self.unanswered = ()
        show(answer, self.console, rows=_ROWS)

    def _follow(self, events: Iterator[Event], run: str) -> None:
        """Show the trace; ask what the run asks, and continue with the reply."""
        asked, problem = None, ""
        for event in events:
            if event["kind"] == "waiting":
                asked = self.session.state(run).clarification
                problem = event["asked"].get("problem", "")
            else:
                print_event(event, self.console)
        if asked is None:
            return
        if problem:
            self._say(problem)
        self._say(asked.question, style="bold")
        for position, option in enumerate(asked.options, start=1):
            self._say(f"  {position}. {one_line(f'{option.label}: {option.in_words}')}")
        self._follow(self.session.reply(run, self.read("number or words> ")), run)

    def _evidence(self, argument: str) -> None:
        entities = self.turns[-1][1].entities if self.turns else ()
        if not self.turns:
            self._say("no items yet: ask a question first")
        elif not entities:
            self._say("the last answer has no items")
        elif not argument.isdecimal() or not 1 <= int(argument) <= len(entities):
            self._say(f"/evidence N: N from 1 to {len(entities)}, the item's number")
        else:
            entity = entities[int(argument) - 1]
            self._say(entity.name, style="bold")
            for each in entity.evidence:
                place = f"{each.document}, {each.place}: {each.condition}"
                self._say(f"  {place}", style="dim")
                self._say(f"    “{' '.join(each.quote.split())}”")

    def _say(self, text: str, style: str = "") -> None:
        say(self.console, text, style)
