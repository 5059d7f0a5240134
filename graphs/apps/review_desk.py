"""The desk at which a person reads in a terminal: a passage, its marked words, a key a verdict."""

import getpass
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from agent.coverage import Purpose
from agent.english import stem
from agent.evidence import Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from graphs.apps.in_words import criteria
from graphs.apps.terminal import one_line, printable, say
from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus
from tools.corpus.words.tokenizer import words
from tools.runs.reviews import Judgement, Reviewed, Reviews

KEYS: Final = (
    "y yes · b borderline · n no · + - the marked words · t a note · s skip · u undo · q stop"
)
_JUDGEMENTS: Final[dict[str, Judgement]] = {"y": "yes", "b": "borderline", "n": "no"}
_PURPOSES: Final[dict[Purpose, str]] = {
    "search": "the best of what is unread",
    "audit": "drawn at random from what nobody read, so that the bound holds",
}
_STOPPING: Final = {"q", "\x03", "\x04"}
_LEAVING: Final = {"s", "u", *_STOPPING}
_WORD: Final = re.compile(r"[^\W_]+")


def reader_name() -> str:
    """Return the name under which this person's verdicts are kept."""
    return getpass.getuser()


class Undone(Exception):
    """The person took back a verdict by which passages were chosen since."""


class Keys:
    """What the person types: single keys in a terminal, the letters of each line from a pipe."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._line = ""

    def key(self) -> str:
        """Return the next key; `q` at the end of the input."""
        if sys.stdin.isatty():
            try:
                return typer.getchar()
            except (EOFError, KeyboardInterrupt):
                return "q"
        while not self._line:
            read = sys.stdin.readline()
            if not read:
                return "q"
            self._line = read.strip()
        key, self._line = self._line[0], self._line[1:]
        return key

    def text(self, asked: str) -> str:
        """Return a line of text: the rest of the line, from a pipe."""
        if sys.stdin.isatty():
            return self._console.input(f"{asked}: ").strip()
        text, self._line = self._line.strip(), ""
        return text


@dataclass(frozen=True, slots=True)
class _Place:
    """A passage with a condition that it may show."""

    asked: JudgeValues
    passage: Passage
    condition: Condition


@dataclass(slots=True)
class TerminalDesk:
    """Asks for what nobody judged yet; keeps each verdict as soon as it is given."""

    corpus: Corpus
    reviews: Reviews
    console: Console
    who: str
    now: Callable[[], str]
    read: Keys
    given: list[tuple[int, _Place]] = field(default_factory=list)
    """The verdicts given here, by their numbers in the store, in order."""
    known: int = 0
    """How many were taken from earlier reviews."""
    _told: Counter[str] = field(default_factory=Counter)
    _skipped: set[tuple[int, str]] = field(default_factory=set)
    why: str = ""
    """Why the passages are shown, where it is not for a search."""
    stopped: bool = False
    _asked: Condition | None = None
    """The condition whose criteria were shown last."""

    def judge(self, asked: Sequence[JudgeValues]) -> Sequence[JudgeReply | None]:
        """Show each passage under each condition that is open; return the verdicts on them.

        Raises Undone: a verdict of an earlier round was taken back.
        """
        places = list(_places(asked))
        self.known += sum(map(self._is_decided, places))
        while not self.stopped:
            place = next((each for each in places if not self._is_decided(each)), None)
            if place is None:
                break
            if not self._taken(place) and not self.stopped:
                number, last = self.given.pop()
                self.reviews.withdraw(number)
                if last not in places:
                    raise Undone
        return [self._reply(each) for each in asked]

    def _is_decided(self, place: _Place) -> bool:
        known = self._verdict(place.passage, place.condition) is not None
        return known or _skip_key(place) in self._skipped

    def _taken(self, place: _Place) -> bool:
        """Show a passage until it is judged or skipped; False where the person undoes or stops."""
        spans = sentences(place.passage.text) or [(0, len(place.passage.text))]
        sought = _stems(_sought(place.condition))
        hits = [_hits(place.passage.text[start:end], sought) for start, end in spans]
        mark, note = hits.index(max(hits)), ""
        self._show(place, spans[mark], sought)
        while (key := self.read.key()) not in _JUDGEMENTS:
            if key in {"+", "-"}:
                mark = (mark + (1 if key == "+" else -1)) % len(spans)
                self._show(place, spans[mark], sought)
            elif key == "t":
                note = self.read.text("note")
            elif key in _LEAVING and (key != "u" or self.given):
                self.stopped = key in _STOPPING
                self._skipped |= {_skip_key(place)} if key == "s" else set()
                return key == "s"
            elif key.strip():
                say(self.console, "there is nothing to undo" if key == "u" else KEYS)
        self._keep(place, _JUDGEMENTS[key], spans[mark], note)
        return True

    def _keep(self, place: _Place, judgement: Judgement, span: tuple[int, int], note: str) -> None:
        reading, shows = place.asked.interpretation, judgement != "no"
        named = shows and reading.grain == "entity" and reading.entity_field is None
        verdict = Reviewed(
            document=place.passage.document,
            condition=place.condition.text,
            judgement=judgement,
            entity=self.read.text(f"which {reading.entity_type}") if named else "",
            quote=place.passage.text[slice(*span)] if shows else "",
            note=note,
            who=self.who,
            made=self.now(),
            question=place.asked.question,
        )
        number = self.reviews.put(self._text(place.passage), place.condition, verdict)
        self.given.append((number, place))
        self._told[judgement] += 1

    def _verdict(self, passage: Passage, condition: Condition) -> Reviewed | None:
        return self.reviews.verdict(self._text(passage), condition)

    def _text(self, passage: Passage) -> str:
        """Return the whole chunk's words: those shown depend on what is shown beside them."""
        return self.corpus.chunk_text(passage.chunk)

    def _reply(self, asked: JudgeValues) -> JudgeReply | None:
        """Put the verdicts on a request's passages together; None where all are open.

        What is open or skipped is left out: it has no verdict.
        """
        shown, none = [], []
        for number, passage in enumerate(asked.passages, start=1):
            found = [(each, self._verdict(passage, each)) for each in asked.conditions]
            if any(verdict is None for _, verdict in found):
                continue
            evidence = [
                EvidenceReply(
                    condition=condition.id,
                    entity=verdict.entity,
                    quote=verdict.quote,
                    certainty="borderline" if verdict.judgement == "borderline" else "certain",
                )
                for condition, verdict in found
                if verdict is not None and verdict.judgement != "no"
            ]
            if evidence:
                shown.append(ChunkReply(passage=number, reason="", evidence=evidence))
            else:
                none.append(number)
        nothing = self.stopped and not (shown or none)
        return None if nothing else JudgeReply(passages=shown, none=none)

    def _show(self, place: _Place, marked: tuple[int, int], sought: frozenset[str]) -> None:
        passage = place.passage
        told = ", ".join(f"{self._told[each]} {each}" for each in _JUDGEMENTS.values())
        self.console.print()
        head = " · ".join((passage.document, *passage.headings))
        say(self.console, one_line(head), style="bold")
        why = self.why or _PURPOSES[place.asked.purpose]
        say(self.console, f"{why} · so far: {told}", style="dim")
        text = Text(printable(f"… {passage.before} ") if passage.before else "", style="dim")
        text.append_text(_highlighted(passage.text, marked, sought))
        text.append(printable(f" {passage.after} …") if passage.after else "", style="dim")
        self.console.print(Padding(text, (0, 0, 0, 2)))  # no line passes for one of Headcount's own
        if place.condition != self._asked:
            self._asked = place.condition
            say(self.console, one_line(criteria(place.condition).strip()))
        asked = one_line(place.condition.text)
        say(self.console, f"Does it show: {asked} [y b n + - t s u q ?]", style="bold")


def _places(asked: Iterable[JudgeValues]) -> Iterator[_Place]:
    for each in asked:
        for passage in each.passages:
            for condition in each.conditions:
                yield _Place(each, passage, condition)


def _skip_key(place: _Place) -> tuple[int, str]:
    return place.passage.chunk, place.condition.id


def _sought(condition: Condition) -> str:
    return " ".join((condition.text, *condition.counts, *condition.terms))


def _stems(text: str) -> frozenset[str]:
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS

    return frozenset(stem(each) for each in words(text) if each not in ENGLISH_STOP_WORDS)


def _hits(text: str, sought: frozenset[str]) -> int:
    return len(_stems(text) & sought)


def _highlighted(text: str, marked: tuple[int, int], sought: frozenset[str]) -> Text:
    """Return a passage with the words sought in bold, and what would be quoted underlined."""
    shown = Text(printable(text))
    if len(shown) == len(text):
        for found in _WORD.finditer(text):
            if stem(found.group()) in sought:
                shown.stylize("bold", *found.span())
        shown.stylize("underline", *marked)
    return shown
