"""The desk at which a person reads: what is open comes up on a screen, a key is a verdict."""

import getpass
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, Protocol

from agent.coverage import Purpose
from agent.english import FUNCTION_WORDS, stem
from agent.evidence import Judgement, Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus
from tools.corpus.words.tokenizer import words
from tools.passage_windows import passages
from tools.quotes import locate
from tools.runs.reviews import WHOLE, Reviewed, Reviews

KEYS: Final = (
    "y yes · b borderline · n no · d no, and nothing in this document · + - quote the next or the "
    "previous sentence · w quote words that you give · t a note · s skip · u undo · q stop · ? this"
)
_JUDGEMENTS: Final[dict[str, Judgement]] = {"y": "yes", "b": "borderline", "n": "no"}
_PURPOSES: Final[dict[Purpose, str]] = {
    "search": "the best of what is unread",
    "audit": "drawn at random from what nobody read, so that the bound holds",
}
_STOPPING: Final = {"q", "\x03", "\x04"}
_LEAVING: Final = {"s", "u", "d", *_STOPPING}
NOTE: Final = "note"
"""The text that is asked for to be kept with a verdict."""
_WORD: Final = re.compile(r"[^\W_]+")


def reader_name() -> str:
    """Return the name under which this person's verdicts are kept."""
    return getpass.getuser()


class Undone(Exception):
    """The person took back a verdict by which passages were chosen since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A passage on the screen."""

    passage: Passage
    condition: Condition
    asked: str
    """What the person is asked of it."""
    why: str
    """Why it is shown."""
    told: str
    """How far reading has come, and how many verdicts of each kind were given."""
    marked: tuple[int, int]
    """What will be quoted, in the passage's text."""
    sought: tuple[tuple[int, int], ...]
    """The words of the condition, in the passage's text."""
    note: str = ""
    """What is kept with the verdict."""

    @property
    def quoted(self) -> str:
        """What a yes keeps as the proof."""
        text, span = self.passage.text, slice(*self.marked)
        return "the whole passage" if text[span] == text else f"“{text[span]}”"


class Progress(NamedTuple):
    """How far a search, or its audit, has come when passages of it are put on the desk."""

    read: int
    left: int
    """Passages that the round has left, or the audit's sample, at most."""
    found: str
    """The number by then, with its bounds."""

    def told(self, done: int, purpose: Purpose) -> str:
        """Say how far it is once so many of those on the desk were judged."""
        at, left = self.read + done, self.left - done
        search = f"read {at}, {left} left in this round"
        told = search if purpose == "search" else f"audit {at + 1} of {at + left}"
        return f"{told} · before this round {self.found} · "


class Screen(Protocol):
    """What a person looks at and types into: a terminal, or a page."""

    def show(self, shown: Shown) -> None:
        """Show a passage, and ask for a key."""

    def say(self, text: str) -> None:
        """Tell the person a line."""

    def key(self) -> str:
        """Return the next key; `q` where nobody types any more."""

    def text(self, asked: str) -> str:
        """Return a line of text."""


_Key = tuple[int, str]
"""A chunk and a condition."""
_Spot = tuple[str, int, str]
"""A document, where a passage begins in it, and a condition's words."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A passage with a condition that it may show."""

    asked: JudgeValues
    passage: Passage
    condition: Condition

    @property
    def key(self) -> _Key:
        """The chunk and the condition."""
        return self.passage.chunk, self.condition.id

    @property
    def spot(self) -> _Spot:
        """Where its verdicts stand."""
        return self.passage.document, self.passage.start, self.condition.text

    @property
    def sought(self) -> frozenset[str]:
        """The stems of the condition's words."""
        return _stems(self.condition.words)


@dataclass(slots=True)
class ReviewDesk:
    """Asks for what nobody judged yet; keeps each verdict as soon as it is given."""

    corpus: Corpus
    reviews: Reviews
    screen: Screen
    who: str
    now: Callable[[], str]
    given: list[int] = field(default_factory=list)
    """The numbers in the store of the verdicts given here, in order."""
    known: set[_Key] = field(default_factory=set)
    """What was judged in earlier reviews."""
    why: str = ""
    """Why the passages are shown, where it is not for a search."""
    progress: Progress | None = None
    """How far the search has come; None where it is no search."""
    stopped: bool = False
    again: Judgement | None = None
    """Which of the verdicts that were given before are asked for once more."""
    _mine: dict[int, _Key] = field(default_factory=dict)
    """By the numbers of the verdicts given here, what they are on."""
    _told: Counter[str] = field(default_factory=Counter)
    _skipped: list[_Key] = field(default_factory=list)
    """In order."""
    _notes: dict[_Spot, str] = field(default_factory=dict)
    """What was noted last, for when it is shown again."""
    _since: int = 0
    """How many had been skipped when the last verdict was given: later ones are undone first."""

    def judge(self, asked: Sequence[JudgeValues]) -> Sequence[JudgeReply | None]:
        """Show each passage under each condition that is open, the likeliest first.

        Raises Undone: a verdict of an earlier round was taken back.
        """
        places = [
            _Place(each, passage, condition)
            for each in asked
            for passage in each.passages
            for condition in each.conditions
        ]
        every = {each.id: each for of in asked for each in of.conditions}
        likely = {one: self.corpus.lexical.bm25(each.words) for one, each in every.items()}
        places.sort(key=lambda each: -likely[each.condition.id][each.passage.chunk])
        judged = {each.key for each in places if self._verdict(each) is not None}
        self.known |= judged - {*self._mine.values()}
        while not self.stopped:
            open_ = [each for each in places if self._is_open(each)]
            if not open_:
                break
            done = len({each.passage.chunk for each in places})
            done -= len({each.passage.chunk for each in open_})
            taken = self._taken(open_[0], done) or self.stopped
            undone = not taken and self.undo(open_[0].asked.question)
            if undone and len(open_) == sum(map(self._is_open, places)):
                raise Undone
        return [self._reply(each) for each in asked]

    def _is_open(self, place: _Place) -> bool:
        said = self._verdict(place)
        again = said is not None and said.judgement == self.again
        again &= place.key not in self._mine.values()
        return place.key not in self._skipped and (said is None or again)

    def undo(self, question: str) -> bool:
        """Take back what was said last, in an earlier sitting, too; tell whether there is any."""
        if len(self._skipped) > self._since:
            self._skipped.pop()
            return True
        found = self.reviews.last(question, self.who)
        if found is None:
            self.screen.say("there is nothing to undo")
            return False
        verdict = found[1]

        def by_the_same_key(one: Reviewed) -> bool:
            alike = replace(one, start=verdict.start, made=verdict.made) == verdict
            return one == verdict or (alike and verdict.of_document)

        while found is not None and by_the_same_key(found[1]):
            number, one = found
            self.reviews.withdraw(number)
            if not one.of_document:
                self._notes.setdefault((one.document, one.start, one.condition), one.note)
            if number in self.given:
                self.given.remove(number)
                del self._mine[number]
                self._told[verdict.judgement] -= 1
            found = self.reviews.last(question, self.who)
        self.screen.say(f"undone: {verdict.judgement}, {verdict.document}")
        return True

    def _taken(self, place: _Place, done: int) -> bool:
        """Show a passage until it is judged or skipped; False where the person undoes or stops.

        `done` are the passages on the desk that were.
        """
        text = place.passage.text
        spans = list(dict.fromkeys([*sentences(text), (0, len(text))]))
        mark, note = _likeliest(place, spans), self._notes.get(place.spot, "")
        self._show(place, spans[mark], done, note)
        while (key := self.screen.key()) not in _JUDGEMENTS:
            if key in {"+", "-", "w"}:
                mark = self._moved(key, mark, spans, text)
                self._show(place, spans[mark], done, note)
            elif key == "t":
                note = self._notes[place.spot] = self.screen.text(NOTE)
            elif key in _LEAVING:
                self.stopped = key in _STOPPING
                if key == "d":
                    self._rule_out(place, note)
                    return True
                self._skipped += [place.key] if key == "s" else []
                return key == "s"
            elif key.strip():
                self.screen.say(KEYS)
        self._keep(place, _JUDGEMENTS[key], spans[mark], note)
        return True

    def _moved(self, key: str, mark: int, spans: list[tuple[int, int]], text: str) -> int:
        """Return which span is marked next: a neighbour, or one of words that the person gives."""
        if key != "w":
            return (mark + (1 if key == "+" else -1)) % len(spans)
        if found := locate(self.screen.text("words to quote"), text):
            spans.insert(mark, found)
        else:
            self.screen.say("give words of the passage as they stand in it, without a gap")
        return mark

    def _rule_out(self, place: _Place, note: str) -> None:
        """Keep a no for each passage of the document that is not judged under the condition."""
        document = self.corpus.document_index(place.passage.document)
        for shown in passages(self.corpus, list(self.corpus.chunks_of(document))):
            each = _Place(place.asked, shown, place.condition)
            if each.key == place.key or self._verdict(each) is None:
                self._keep(each, "no", (0, 0), f"{note} {WHOLE}".strip())

    def _keep(self, place: _Place, judgement: Judgement, span: tuple[int, int], note: str) -> None:
        verdict = Reviewed(
            document=place.passage.document,
            start=place.passage.start,
            condition=place.condition.text,
            judgement=judgement,
            quote="" if judgement == "no" else place.passage.text[slice(*span)],
            note=note,
            who=self.who,
            made=self.now(),
            question=place.asked.question,
        )
        chunk = place.passage.chunk
        self.given.append(self.reviews.put(self.corpus, chunk, place.condition, verdict))
        self._mine[self.given[-1]] = place.key
        self._since = len(self._skipped)
        self._told[judgement] += 1

    def _verdict(self, place: _Place) -> Reviewed | None:
        return self.reviews.verdict(self.corpus, place.passage.chunk, place.condition)

    def _reply(self, asked: JudgeValues) -> JudgeReply | None:
        """Put the verdicts on a request's passages together; None where all are open.

        What is open or skipped is left out: it has no verdict.
        """
        shown, none = [], []
        for number, passage in enumerate(asked.passages, start=1):
            found = [
                (each, self._verdict(_Place(asked, passage, each))) for each in asked.conditions
            ]
            if any(verdict is None for _, verdict in found):
                continue
            evidence = [
                EvidenceReply(
                    condition=condition.id,
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

    def _show(self, place: _Place, marked: tuple[int, int], done: int, note: str) -> None:
        far = self.progress.told(done, place.asked.purpose) if self.progress else ""
        told = ", ".join(f"{self._told[each]} {each}" for each in _JUDGEMENTS.values())
        told = f"{far}given: {told}"
        if self.known:
            told += f", {len(self.known)} in earlier reviews"
        text, sought, of = place.passage.text, place.sought, place.condition.text
        whole = of == place.asked.question
        self.screen.show(
            Shown(
                passage=place.passage,
                condition=place.condition,
                asked=f"Does it answer: {of}" if whole else f"Does it show “{of}”?",
                why=self.why or _PURPOSES[place.asked.purpose],
                told=told,
                marked=marked,
                sought=tuple(
                    found.span() for found in _WORD.finditer(text) if stem(found.group()) in sought
                ),
                note=note,
            )
        )


def _stems(text: str) -> frozenset[str]:
    said = (each for each in words(text) if len(each) > 1 and each not in FUNCTION_WORDS)
    return frozenset(map(stem, said))


def _likeliest(place: _Place, spans: Sequence[tuple[int, int]]) -> int:
    """Return the sentence with the most words of the condition, where one alone has as many.

    Else nothing tells which it is: the whole passage, which is the last.
    """
    shared = [len(_stems(place.passage.text[slice(*span)]) & place.sought) for span in spans[:-1]]
    best = max(shared, default=0)
    return shared.index(best) if best and shared.count(best) == 1 else len(spans) - 1
