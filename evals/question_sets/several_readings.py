"""Questions with several supported readings, mined from what documents say differently.

Each kind of passage gives one wording that its documents answer otherwise: a term is defined, a
name stands for something, a section begins with what its heading is, a number stands in a sentence
that is else the same, a field stands in the header of documents about one topic. A reading names
the document; statements that nearly agree are one reading. A control is asked in the same way about
what one document alone has.
"""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, Literal, get_args

from pydantic import JsonValue

from agent.languages import stems
from evals.names import FUNCTION_WORDS, token_f1, tokens
from evals.question_sets.source_documents import (
    OutputFolder,
    Source,
    bare_title,
    gold_evidence,
    read_sources,
)
from tools.corpus.chunking.chunker import sentences
from tools.corpus.words.lexicon import words
from tools.retrieval import alternating

Kind = Literal["definition", "name", "section", "number", "field"]
SAME: Final = 0.5
"""Token F1 from which on two answers are one: what covers a reading (D-F1) covers no other."""
_READINGS: Final = range(2, 7)
"""How many a question has; with more it is about the whole collection."""
_LONGEST: Final = 30
"""Words of an answer."""
_SHORTEST: Final = 3
"""Characters of a term."""
_DEFINED: Final = re.compile(
    r"[\"“`*]+(?P<term>[A-Za-z][\w -]{2,40})[\"”`*]+(?: \([^()]{0,40}\))?[,:]? "
    r"(?:shall mean|means?|refers? to|is defined as|denotes?):?,? (?P<answer>[^;:]+)"
)
_PARTY: Final = re.compile(
    r"(?P<answer>[A-Z][\w&'’.-]*(?:,? (?:(?:of|and|for|the|in) )?[A-Z&][\w&'’.-]*){1,7})"
    r"(?:, an? [^()\"“”.;]{0,120}?)? \((?:the |hereinafter (?:referred to as )?(?:the )?)?"
    r"[\"“](?P<term>[A-Z][\w -]{2,40})[\"”]\)"
)
_SHORT: Final = re.compile(r"(?P<long>(?:[\w'’-]+ ){2,8})\((?P<term>[A-Z]{2,6})s?\)")
_NO_NAME: Final = frozenset(("this", "agreement", "amendment", "whereas", "between", "section"))
_ENDS: Final = re.compile(r",? (?:including|which|provided|except|but|so|if|as)\b.*|[.;,]+$")
_NUMBER: Final = re.compile(r"(?<![^\s$€£])-?\d(?:[\d,.]*\d)?%?(?=[.,;]?(?:\s|$))")
_PROSE: Final = re.compile(r"(?<![^\s])[A-Za-z]{3,}(?=[.,]?(?:\s|$))")
_MARKUP: Final = frozenset("`*_<>{}[]|#=\\")
_FEWEST: Final = 4
"""Words of prose beside a number."""
_VERBS: Final = frozenset("is are was were means has have can may must will should does do".split())
_FORWARD: Final = re.compile(r"\b(?:following|follows|below|above|mentioned|section)\b")
_NOTHING: Final = frozenset(("n/a", "none", "none?", "todo", "tbd", "unknown"))
_TELLING: Final = 12
"""So many words of a document, by tf-idf, tell what it is about."""


@dataclass(frozen=True, slots=True)
class Said:
    """What one place of a document answers to a wording."""

    kind: Kind
    term: str
    wording: str
    """The question; a reading adds its document."""
    answer: str
    source: Source
    start: int
    end: int

    @property
    def rewritten(self) -> str:
        """The question about this document, by name and title."""
        title = f" ({_title(self.source)})" if _title(self.source) else ""
        named = self.source.name + title
        if self.kind == "field":
            return re.sub("the document about “.*?”", lambda _: named, self.wording)
        return f"{self.wording[:-1]} in {named}?"

    @property
    def stands(self) -> bool:
        """Whether the answer is one: short, in the passage, and more than the question's words."""
        said = " ".join(self.source.text[self.start : self.end].split())
        count = len(self.answer.split())
        new = set(tokens(self.answer)) - set(tokens(self.rewritten))
        stated = self.answer in said and ";" not in self.answer and count <= _LONGEST
        empty = self.answer.casefold() in _NOTHING or self.answer.startswith(("(", "that "))
        return stated and bool(new) and not empty


Found = Sequence[Sequence[Said]]
"""The readings of one wording, each with all places that give its answer."""


def _in_sentences(source: Source) -> Iterator[Said]:
    for start, end in sentences(source.text):
        text = " ".join(source.text[start:end].split())
        place = (source, start, end)
        for match in _DEFINED.finditer(text):
            term, asked = match["term"], f"What does “{match['term']}” mean?"
            yield Said("definition", term.casefold(), asked, _cut(match["answer"]), *place)
        named = [*_PARTY.finditer(text), *filter(_abbreviates, _SHORT.finditer(text))]
        for match in named:
            term, answer = match["term"], match.groupdict().get("answer") or _expansion(match)
            if not _NO_NAME & {*tokens(answer)}:
                asked = f"What does “{term}” stand for?"
                yield Said("name", term.casefold(), asked, _cut(answer), *place)
        for match in list(_NUMBER.finditer(text))[-1:]:
            asked, tail = _cloze(text, match)
            prose = len(_PROSE.findall(tail)) >= _FEWEST and len(tail.split()) < _LONGEST
            if prose and not tail.startswith("…") and not set(tail) & _MARKUP:
                yield Said("number", tail, asked, match[0], *place)


def _cut(answer: str) -> str:
    return _ENDS.sub("", answer.strip()).strip()


def _abbreviates(match: re.Match[str]) -> bool:
    return bool(_expansion(match))


def _expansion(match: re.Match[str]) -> str:
    """Return the words before an abbreviation whose initials are it; empty where they are not."""
    before = match["long"].split()
    for count in range(len(match["term"]), len(before) + 1):
        own = [word for word in before[-count:] if word.casefold() not in FUNCTION_WORDS]
        if "".join(word[0] for word in own).upper() == match["term"]:
            return " ".join(before[-count:])
    return ""


def _cloze(text: str, last: re.Match[str]) -> tuple[str, str]:
    """Return the question for a sentence's last number, and the sentence without its numbers."""
    earlier = [each.end() for each in _NUMBER.finditer(text, 0, last.start())]
    start = max(earlier, default=0)
    tail = f"{text[start : last.start()]}…{text[last.end() :]}".strip(" ,.;:-")
    return f"Which number stands in “{tail}”?", tail


def _in_sections(source: Source) -> Iterator[Said]:
    """Yield sentences that begin a section and have its heading for their subject."""
    found = sentences(source.text)
    for each in source.headings:
        title = bare_title(each.heading.title) if each.heading else ""
        subject = stems(words(title))
        for start, end in [span for span in found if span[0] >= each.end][:1]:
            text = " ".join(source.text[start:end].split())
            said = [each for each in words(text) if each not in {"the", "a", "an"}]
            about = subject and stems(said[: len(subject)]) == subject
            verb = said[len(subject) : len(subject) + 1]
            if about and _VERBS & {*verb} and text.endswith(".") and not _FORWARD.search(text):
                asked = f"What is said about “{title}”?"
                yield Said("section", title.casefold(), asked, text, source, start, end)


def _in_headers(sources: Sequence[Source]) -> Iterator[Said]:
    """Yield the fields of each document for the words of its title that tell what it is about."""
    from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

    vectorizer = TfidfVectorizer(tokenizer=tokens, token_pattern=None, lowercase=False)
    weights = vectorizer.fit_transform(each.text for each in sources)
    names = vectorizer.get_feature_names_out()
    for source, row in zip(sources, weights, strict=True):
        best = row.indices[row.data.argsort()[::-1][:_TELLING]]
        titled = {*tokens(_title(source)), *tokens(source.name)} - ENGLISH_STOP_WORDS
        for topic in sorted(titled & {*map(str, names[best])}):
            for key, held in source.header.items():
                start, end = source.text.rfind("\n", 0, held.start or 0) + 1, held.end or 0
                value = held.raw.strip()
                if len(topic) > _SHORTEST and not re.search(r"://|@|^#?\d+$", value):
                    asked = f"Which “{key}” does the document about “{topic}” state?"
                    yield Said("field", f"{topic} {key}", asked, value, source, start, end)


def _title(source: Source) -> str:
    held = source.fields.get("title")
    return held.raw if held else ""


def readings_of(said: Iterable[Said]) -> list[list[Said]]:
    """Join what nearly agrees; each is near to the first of its group."""
    groups: list[list[Said]] = []
    for each in said:
        near = (one for one in groups if token_f1(one[0].answer, each.answer) >= SAME)
        group = next(near, None)
        if group is None:
            groups.append([each])
        elif each.source not in {one.source for one in group}:
            group.append(each)
    return groups


def mined(sources: Sequence[Source]) -> Iterator[tuple[Kind, Found]]:
    """Yield every wording with its readings, several or one, in the order of the documents."""
    found: defaultdict[tuple[Kind, str], list[Said]] = defaultdict(list)
    ways: Sequence[Callable[[Source], Iterator[Said]]] = (_in_sentences, _in_sections)
    for each in (said for source in sources for way in ways for said in way(source)):
        found[each.kind, each.term].append(each)
    for each in _in_headers(sources):
        found[each.kind, each.term].append(each)
    for (kind, _), said in found.items():
        readings = readings_of(each for each in said if each.stands)
        if readings and _one_a_document(readings):
            yield kind, readings


def _one_a_document(readings: Found) -> bool:
    """Tell whether naming the document settles the reading."""
    places = Counter(each.source.name for reading in readings for each in reading)
    return max(places.values()) == 1


def chosen(
    sources: Sequence[Source], most: int, draw: random.Random
) -> tuple[list[Found], list[Found]]:
    """Return at most so many questions with several readings, and half as many controls.

    The kinds come in turn. Of questions with mostly the same passages the first stays, so that a
    topic is asked about for one field. A control's term stands in no other document.
    """
    several: dict[Kind, list[Found]] = {each: [] for each in get_args(Kind)}
    single: dict[Kind, list[Found]] = {each: [] for each in get_args(Kind)}
    for kind, readings in mined(sources):
        if len(readings) in _READINGS:
            several[kind].append(readings)
        elif len(readings) == 1 and len(readings[0]) == 1:
            single[kind].append(readings)
    for pool in (*several.values(), *single.values()):
        draw.shuffle(pool)
    questions = list(_unlike(alternating(several.values())))[:most]
    kinds = Counter(each[0][0].kind for each in questions)
    alone = (each for kind, pool in single.items() for each in _unlike(pool) if kinds[kind])
    folded = {each.name: " ".join(each.lowered.split()) for each in sources}
    clear = (each for each in alternating(_grouped(alone)) if _only_there(each[0][0], folded))
    return questions, list(islice(clear, len(questions) // 2))


def _grouped(found: Iterable[Found]) -> list[list[Found]]:
    groups: defaultdict[Kind, list[Found]] = defaultdict(list)
    for each in found:
        groups[each[0][0].kind].append(each)
    return list(groups.values())


def _unlike(found: Iterable[Found]) -> Iterator[Found]:
    before: set[frozenset[tuple[str, str]]] = set()
    for readings in found:
        kind = readings[0][0].kind
        own = frozenset((kind, each.source.name) for one in readings for each in one)
        if own not in before:
            before.add(own)
            yield readings


def _only_there(said: Said, texts: Mapping[str, str]) -> bool:
    """Tell whether a term stands in its own document alone; a whole sentence always does."""
    term = said.term.split()[0] if said.kind == "field" else said.term
    others = (text for name, text in texts.items() if name != said.source.name)
    return said.kind == "number" or not any(term in text for text in others)


def _question(number: str, corpus: str, readings: Found) -> dict[str, JsonValue]:
    first = readings[0][0]
    return {
        "id": number,
        "corpus": corpus,
        "question": first.wording,
        "decided_by": f"passage: {first.kind}",
        "readings": [
            {
                "rewritten": one[0].rewritten,
                "answer": [one[0].answer],
            }
            for one in readings
        ],
        "gold_evidence": [
            gold_evidence(each.source.name, each.source.text, each.start, each.end, condition=str(n))
            for n, one in enumerate(readings, start=1)
            for each in one
        ],
    }


def build_readings(
    folders: Sequence[Path], into: Path, say: Callable[[str], None], *, most: int, seed: int
) -> dict[str, dict[str, JsonValue]]:
    """Write the folders' documents and one file of questions about them; return statistics."""
    output, told, asked = OutputFolder(into), {}, []
    for folder in folders:
        name = f"{folder.resolve().parent.name}-{folder.name}"
        sources = read_sources(folder, say)
        several, single = chosen(sources, most, random.Random(seed))
        output.write_documents(name, {each.name: each.text for each in sources})
        asked += [
            _question(f"{name}-{number}", name, each)
            for number, each in enumerate([*several, *single], start=1)
        ]
        told[name] = _figures(sources, several, single)
    output.write_questions("questions.jsonl", asked)
    return told


def _figures(
    sources: Sequence[Source], several: Sequence[Found], single: Sequence[Found]
) -> dict[str, JsonValue]:
    kinds = Counter(each[0][0].kind for each in several)
    counts = sum(map(len, several))
    return {
        "documents": len(sources),
        "questions": len(several),
        "controls": len(single),
        "readings_each": counts / len(several) if several else 0.0,
        "of_kind": dict(sorted(kinds.items())),
    }
