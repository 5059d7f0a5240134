"""The desk at which a person reads: what is open comes up on a screen, a key is a verdict."""

import getpass
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

from agent.coverage import Purpose
from agent.english import FUNCTION_WORDS, stem
from agent.evidence import Judgement, Passage
from agent.prompt_values import JudgeValues
from agent.question import Condition
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from graphs.context import now
from tools.corpus.chunking.chunker import sentences
from tools.corpus.corpus import Corpus
from tools.corpus.words.lexicon import words
from tools.quotes import locate
from tools.runs.reviews import Reviewed, Reviews

KEYS: Final = (
    "y yes · b borderline · n no · + - quote the next or the previous sentence · w quote words "
    "that you give · t a note · s skip · u undo · q stop · ? this"
)
_JUDGEMENTS: Final[dict[str, Judgement]] = {"y": "yes", "b": "borderline", "n": "no"}
_PURPOSES: Final[dict[Purpose, str]] = {
    "search": "the likeliest of what nobody read",
    "audit": "drawn at random from what nobody read, so that the bound holds",
}
_STOPPING: Final = {"q", "\x03", "\x04"}
_LEAVING: Final = {"s", "u", *_STOPPING}
NOTE: Final = "note"
"""The text that is asked for to be kept with a verdict."""
_WORD: Final = re.compile(r"[^\W_]+")
_MARGIN: Final = 0.2
"""By which share a sentence has to have more of a condition than any other to be proposed."""
_AROUND: Final = 300
"""Characters that are shown before and after a passage."""


def reader_name() -> str:
    """Return the name under which this person's verdicts are kept."""
    return getpass.getuser()


class BegunAnew(Exception):
    """The person changed what is known of passages that are not on the desk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A passage on the screen."""

    passage: Passage
    condition: Condition
    asked: str
    why: str
    told: str
    """How far reading has come, and how many verdicts of each kind were given."""
    marked: tuple[int, int]
    """What will be quoted, in the passage's text."""
    sought: tuple[tuple[int, int], ...]
    """The words of the condition, in the passage's text."""
    before: str = ""
    """The document's words before the passage, some; empty where it begins with it."""
    after: str = ""
    note: str = ""

    @property
    def place(self) -> str:
        """Where the passage stands: the document by name and title, the headings above it."""
        passage = self.passage
        told = (passage.document, passage.title, *passage.headings)
        return " · ".join(dict.fromkeys(filter(None, told)))

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
    audit: int
    """Passages that an audit may take after the last round."""

    def told(self, done: int, purpose: Purpose) -> str:
        """Say how far it is once so many of those on the desk were judged."""
        at, left = self.read + done, self.left - done
        then = f", then more while they find, then an audit of at most {self.audit}"
        search = f"read {at}, {left} left in this round{then if self.audit else ''}"
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
    def sought(self) -> Mapping[str, str]:
        """The condition's words by stem, but for the thing's own: each passage is of one."""
        said, own = _stems(self.condition.words), _stems(self.asked.interpretation.entity_type)
        return {each: word for each, word in said.items() if each not in own} or said


@dataclass(slots=True)
class ReviewDesk:
    """Asks for what nobody judged yet; keeps each verdict as soon as it is given."""

    corpus: Corpus
    reviews: Reviews
    screen: Screen
    who: str
    now: Callable[[], str]
    given: dict[int, tuple[_Key, Judgement]] = field(default_factory=dict)
    """The verdicts given here, by their numbers in the store, in order."""
    known: set[_Key] = field(default_factory=set)
    """What was judged in earlier reviews."""
    why: str = ""
    """Why the passages are shown, where it is not for a search."""
    progress: Progress | None = None
    """How far the search has come; None where it is no search."""
    stopped: bool = False
    _skipped: list[_Key] = field(default_factory=list)
    """In order."""
    _notes: dict[_Spot, str] = field(default_factory=dict)
    """What was noted last, for when it is shown again."""
    _since: int = 0
    """How many had been skipped when the last verdict was given: later ones are undone first."""

    def judge(self, asked: Sequence[JudgeValues]) -> Sequence[JudgeReply | None]:
        """Show each passage under each condition that is open, the likeliest first.

        Raises BegunAnew: a verdict of an earlier round was taken back.
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
        self.known |= judged - {key for key, _ in self.given.values()}
        while not self.stopped:
            open_ = [each for each in places if self._is_open(each)]
            if not open_:
                break
            done = len({each.passage.chunk for each in places})
            done -= len({each.passage.chunk for each in open_})
            taken = self._taken(open_[0], done) or self.stopped
            undone = not taken and self.undo(open_[0].asked.question)
            if undone and len(open_) == sum(map(self._is_open, places)):
                raise BegunAnew
        return [self._reply(each) for each in asked]

    def _is_open(self, place: _Place) -> bool:
        return place.key not in self._skipped and self._verdict(place) is None

    def undo(self, question: str) -> bool:
        """Take back what was said last, in an earlier sitting, too; tell whether there is any."""
        if len(self._skipped) > self._since:
            self._skipped.pop()
            return True
        found = self.reviews.last(question, self.who)
        if found is None:
            self.screen.say("there is nothing to undo")
            return False
        number, verdict = found
        self.reviews.withdraw(number)
        self._notes.setdefault((verdict.document, verdict.start, verdict.condition), verdict.note)
        self.given.pop(number, None)
        self.screen.say(f"undone: {verdict.judgement}, {verdict.document}")
        return True

    def _taken(self, place: _Place, done: int) -> bool:
        """Show a passage until it is judged or skipped; False where the person undoes or stops.

        `done` are the passages on the desk that were.
        """
        text = place.passage.text
        spans = list(dict.fromkeys([*sentences(text), (0, len(text))]))
        mark, note = self._likeliest(place, spans), self._notes.get(place.spot, "")
        self._show(place, spans[mark], done, note)
        while (key := self.screen.key()) not in _JUDGEMENTS:
            if key in {"+", "-", "w"}:
                mark = self._moved(key, mark, spans, text)
                self._show(place, spans[mark], done, note)
            elif key == "t":
                note = self._notes[place.spot] = self.screen.text(NOTE)
            elif key in _LEAVING:
                self.stopped = key in _STOPPING
                self._skipped += [place.key] if key == "s" else []
                return key == "s"
            elif key.strip():
                self.screen.say(KEYS)
        self._keep(place, _JUDGEMENTS[key], spans[mark], note)
        return True

    def _likeliest(self, place: _Place, spans: Sequence[tuple[int, int]]) -> int:
        """Return the sentence that shares most of the condition, its rare words above all.

        Where another shares nearly as much, nothing tells which it is: the whole passage, the last.
        """
        lexical, whole = self.corpus.lexical, len(self.corpus) + 1

        def rarity(word: str) -> float:
            held = sum(map(lexical.frequency, lexical.inflections(word)))
            return math.log(whole / (min(held, whole - 1) + 0.5))

        rare = {each: max(0.0, rarity(word)) for each, word in place.sought.items()}
        text = place.passage.text
        shared = [
            sum(rare.get(each, 0.0) for each in _stems(text[slice(*span)])) for span in spans[:-1]
        ]
        *_, second, best = sorted([0.0, 0.0, *shared])
        clear = second < best * (1 - _MARGIN)
        return shared.index(best) if clear else len(spans) - 1

    def _moved(self, key: str, mark: int, spans: list[tuple[int, int]], text: str) -> int:
        """Return which span is marked next: a neighbour, or one of words that the person gives."""
        if key != "w":
            return (mark + (1 if key == "+" else -1)) % len(spans)
        if found := locate(self.screen.text("words to quote"), text):
            spans.insert(mark, found)
        else:
            self.screen.say("give words of the passage as they stand in it, without a gap")
        return mark

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
        number = self.reviews.put(self.corpus, chunk, verdict)
        self.given[number] = place.key, judgement
        self._since = len(self._skipped)

    def _verdict(self, place: _Place) -> Reviewed | None:
        return self.reviews.verdict(self.corpus, place.passage.chunk, place.condition)

    def _reply(self, asked: JudgeValues) -> JudgeReply | None:
        """Put the verdicts on a request's passages together, without the open; None if all are."""
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
        given = Counter(judgement for _, judgement in self.given.values())
        told = ", ".join(f"{given[each]} {each}" for each in _JUDGEMENTS.values())
        told = f"{far}given: {told}"
        if self.known:
            told += f", {len(self.known)} in earlier reviews"
        text, sought, of = place.passage.text, place.sought, place.condition.text
        whole = of == place.asked.question
        document = self.corpus.document_text(self.corpus.document_index(place.passage.document))
        start, end = place.passage.start, place.passage.start + len(text)
        self.screen.show(
            Shown(
                passage=place.passage,
                condition=place.condition,
                asked=f"Does this passage {'answer' if whole else 'show'}: {of}",
                why=self.why or _PURPOSES[place.asked.purpose],
                told=told,
                marked=marked,
                sought=tuple(
                    found.span() for found in _WORD.finditer(text) if stem(found.group()) in sought
                ),
                before=" ".join(document[max(0, start - _AROUND) : start].split()),
                after=" ".join(document[end : end + _AROUND].split()),
                note=note,
            )
        )


@contextmanager
def sitting(corpus: Corpus, screen: Screen, who: str = "") -> Iterator[ReviewDesk]:
    """Open a desk, whose verdicts are kept with the corpus."""
    corpus.runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    with Reviews(corpus.runs) as reviews:
        yield ReviewDesk(corpus, reviews, screen, who or reader_name(), now)


def _stems(text: str) -> dict[str, str]:
    """Return the words of a text that say something, by stem."""
    said = (each for each in words(text) if len(each) > 1 and each not in FUNCTION_WORDS)
    return {stem(each): each for each in said}
