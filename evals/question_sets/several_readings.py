"""Questions with several supported readings, mined from what documents say differently.

Each kind of passage gives a wording that documents answer otherwise: a term is defined, a name
stands for somebody, a number stands in a sentence that is else the same, a field stands in the
header of documents about one topic. A reading names its document; statements that nearly agree are
one reading. A control is asked in the same way about what one document alone has.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal

from pydantic import JsonValue

from agent.errors import QuestionError, SettingsError
from agent.languages import stems
from evals.names import token_f1, tokens
from evals.question_sets.source_documents import (
    OutputFolder,
    Source,
    gold_evidence,
    read_sources,
)
from tools.corpus.chunking.chunker import sentences
from tools.corpus.words.lexicon import words
from tools.retrieval import alternating

Kind = Literal["definition", "name", "number", "field"]
SAME: Final = 0.5
"""Token F1 from which on two answers are one: what covers a reading (D-F1) covers no other."""
_READINGS: Final = range(2, 7)
"""How many a question has; with more it is about the whole collection."""
_LONGEST: Final = 30
"""Words of an answer."""
_DEFINED: Final = re.compile(
    r"[\"“`*]+(?P<term>[A-Za-z][\w -]{2,40})[\"”`*]+(?: \([^()]{0,40}\))?[,:]? "
    r"(?:shall mean|means?|refers? to|is defined as|denotes?):?,? (?P<answer>[^;:]+)"
)
_PARTY: Final = re.compile(
    r"(?P<answer>[A-Z][\w&'’.-]*(?:,? (?:(?:of|for|the|in) )?[A-Z&][\w&'’.-]*){1,7})"
    r"(?:, an? [^()\"“”.;]{0,120}?)? \((?:the |hereinafter (?:referred to as )?(?:the )?)?"
    r"[\"“](?P<term>[A-Z][\w -]{2,40})[\"”]\)"
)
_NO_NAME: Final = frozenset(("this", "agreement", "amendment", "whereas", "between", "section"))
_ENDS: Final = re.compile(r",? (?:including|which|provided|except|but|so|if|as)\b.*|[.;,]+$")
_NUMBER: Final = re.compile(r"(?<![^\s$€£])-?\d(?:[\d,.]*\d)?%?(?=[.,;]?(?:\s|$))")
_PROSE: Final = re.compile(r"(?<!\S)[A-Za-z]{3,}(?=[.,]?(?:\s|$))")
_FEWEST: Final = 4
"""Words of prose beside a number."""
_MARKUP: Final = frozenset("`*_<>{}[]|#=\\")
_NOTHING: Final = frozenset(("n/a", "none", "none?", "todo", "tbd", "unknown"))
_ELSEWHERE: Final = re.compile(r"://|@|^#?\d+$")
"""A field's value that says nothing by itself."""
_TELLING: Final = 12
"""So many words of a document, by tf-idf, tell what it is about."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one place of a document answers to a wording."""

    kind: Kind
    term: str
    wording: str
    answer: str
    source: Source
    start: int
    end: int

    @property
    def rewritten(self) -> str:
        """The question about this document, by name and title."""
        named = _titled(self.source)
        if self.kind == "field":
            return re.sub("the document about “.*?”", lambda _: named, self.wording)
        return f"{self.wording[:-1]} in {named}?"

    @property
    def stands(self) -> bool:
        """Whether the answer is one: short, in the passage, and more than the question's words."""
        said = " ".join(self.source.text[self.start : self.end].split())
        stated = self.answer in said and len(self.answer.split()) <= _LONGEST
        empty = self.answer.casefold() in _NOTHING or self.answer.startswith(("(", "that "))
        new = set(tokens(self.answer)) - set(tokens(self.rewritten))
        return stated and bool(new) and not empty and ";" not in self.answer


def _titled(source: Source) -> str:
    title = source.fields.get("title")
    return f"{source.name} ({title.raw})" if title else source.name


def _in_sentences(source: Source) -> Iterator[Said]:
    for start, end in sentences(source.text):
        text = " ".join(source.text[start:end].split())
        place = (source, start, end)
        for match in _DEFINED.finditer(text):
            asked, answer = f"What does “{match['term']}” mean?", _ENDS.sub("", match["answer"])
            yield Said("definition", match["term"].casefold(), asked, answer.strip(), *place)
        for match in _PARTY.finditer(text):
            asked, answer = f"What does “{match['term']}” stand for?", match["answer"].rstrip(".,")
            if not _NO_NAME & {*tokens(answer)} and f'"{answer}"' not in source.text:
                yield Said("name", match["term"].casefold(), asked, answer, *place)
        for match in list(_NUMBER.finditer(text))[-1:]:
            tail = _without_numbers(text, match)
            prose = len(_PROSE.findall(tail)) >= _FEWEST and len(tail.split()) < _LONGEST
            if prose and tail[0].isupper() and not set(tail) & _MARKUP:
                asked = f"Which number stands in “{tail}”?"
                yield Said("number", tail, asked, match[0], *place)


def _without_numbers(text: str, last: re.Match[str]) -> str:
    """Return what a sentence says of its last number, behind the number before it."""
    start = max((each.end() for each in _NUMBER.finditer(text, 0, last.start())), default=0)
    return f"{text[start : last.start()]}…{text[last.end() :]}".strip(" ,.;:-")


def _in_headers(sources: Sequence[Source]) -> Iterator[Said]:
    """Yield the fields of each document for the words of its title that tell what it is about."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

    vectorizer = TfidfVectorizer(tokenizer=tokens, token_pattern=None, lowercase=False)
    weights = vectorizer.fit_transform(each.text for each in sources)
    names = vectorizer.get_feature_names_out()
    for source, row in zip(sources, weights, strict=True):
        best = map(str, names[row.indices[row.data.argsort()[::-1][:_TELLING]]])
        for topic in sorted({*tokens(_titled(source))}.intersection(best) - ENGLISH_STOP_WORDS):
            for key, held in source.header.items():
                start, end = source.text.rfind("\n", 0, held.start or 0) + 1, held.end or 0
                if len(topic) > 3 and not _ELSEWHERE.search(held.raw.strip()):
                    asked = f"Which “{key}” does the document about “{topic}” state?"
                    place = (source, start, end)
                    yield Said("field", f"{topic} {key}", asked, held.raw.strip(), *place)


Readings = Sequence[Sequence[Said]]
"""The readings of one wording, each with all places that give its answer."""


def readings_of(said: Iterable[Said]) -> Readings:
    """Join what nearly agrees; none where naming a document does not settle the reading."""
    groups: list[list[Said]] = []
    for each in said:
        near = (one for one in groups if token_f1(one[0].answer, each.answer) >= SAME)
        group = next(near, None)
        if group is None:
            groups.append([each])
        elif each.source not in {one.source for one in group}:
            group.append(each)
    places = Counter(each.source.name for group in groups for each in group)
    return groups if max(places.values(), default=0) == 1 else ()


def mined(sources: Sequence[Source]) -> Iterator[Readings]:
    """Yield every wording's readings, several or one; inflections of one term are one wording."""
    found: defaultdict[tuple[str, ...], list[Said]] = defaultdict(list)
    stated = (said for source in sources for said in _in_sentences(source))
    for each in (*stated, *_in_headers(sources)):
        found[each.kind, *stems(words(each.term))].append(each)
    for said in found.values():
        if readings := readings_of(each for each in said if each.stands):
            yield readings


def chosen(sources: Sequence[Source], most: int, seed: int) -> tuple[list[Readings], ...]:
    """Return at most so many questions with several readings, and half as many controls.

    The kinds come in turn. Of questions of a kind about the same documents one is taken: a topic is
    asked about for one field. What a control asks about stands in no other document.
    """
    several: dict[Kind, list[Readings]] = defaultdict(list)
    single: dict[Kind, list[Readings]] = defaultdict(list)
    for readings in mined(sources):
        kind = readings[0][0].kind
        if len(readings) in _READINGS:
            several[kind].append(readings)
        elif len(readings) == len(readings[0]) == 1:
            single[kind].append(readings)
    for pools in (several, single):
        for kind in sorted(pools):
            random.Random(seed).shuffle(pools[kind])  # noqa: S311 - no secret
    questions = list(islice(alternating(map(_unlike, several.values())), most))
    controls = (
        each
        for each in alternating(_unlike(single[kind]) for kind in several)
        if _only_there(each[0][0], sources)
    )
    return questions, list(islice(controls, len(questions) // 2))


def _unlike(pool: Iterable[Readings]) -> Iterator[Readings]:
    before: set[frozenset[str]] = set()
    for readings in pool:
        own = frozenset(each.source.name for one in readings for each in one)
        if own not in before:
            before.add(own)
            yield readings


def _only_there(said: Said, sources: Sequence[Source]) -> bool:
    """Tell whether a term stands in its own document alone, a topic in its title."""
    others = (each for each in sources if each.name != said.source.name)
    if said.kind == "field":
        topic = said.term.split()[0]
        return not any(topic in tokens(_titled(each)) for each in others)
    return said.kind == "number" or not any(said.term in each.lowered for each in others)


def build_readings(
    folders: Sequence[Path], into: Path, say: Callable[[str], None], *, most: int, seed: int
) -> dict[str, dict[str, JsonValue]]:
    """Write each folder's documents, and one file of questions about them; return statistics.

    Raises:
        SettingsError: a folder holds no documents, two would have one name, or `into` is full.
        QuestionError: nothing is answered differently.
    """
    output, asked = OutputFolder(into), list[dict[str, JsonValue]]()
    told: dict[str, dict[str, JsonValue]] = {}
    for folder in folders:
        name = f"{folder.resolve().parent.name}-{folder.name}".replace(" ", "_")
        if name in told:
            raise SettingsError(f"two folders would be called {name!r}: rename one")
        sources = read_sources(folder, say)
        several, single = chosen(sources, most, seed)
        output.write_documents(name, {each.name: each.text for each in sources})
        for each in (*several, *single):
            asked.append({"id": f"{name}-{len(asked) + 1}", "corpus": name, **_question(each)})
        told[name] = {
            "documents": len(sources),
            "questions": len(several),
            "controls": len(single),
            "readings": sum(map(len, several)),
            "of_kind": dict(Counter(each[0][0].kind for each in several)),
        }
    if not asked:
        raise QuestionError("the documents answer no wording differently: give other folders")
    output.write_questions("questions.jsonl", asked)
    return told


def _question(readings: Readings) -> dict[str, JsonValue]:
    numbered = [(str(number), each) for number, each in enumerate(readings, start=1)]
    places = [(number, each) for number, one in numbered for each in one]
    return {
        "question": readings[0][0].wording,
        "decided_by": f"passage: {readings[0][0].kind}",
        "readings": [
            {"rewritten": one[0].rewritten, "answer": [one[0].answer]} for _, one in numbered
        ],
        "gold_evidence": [
            gold_evidence(each.source.name, each.source.text, each.start, each.end, condition=n)
            for n, each in places
        ],
    }
