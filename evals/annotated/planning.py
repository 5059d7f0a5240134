"""Filter calls chosen by rule: the words of the conditions, then likeness, then both together."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.corpus_view import CorpusView
from agent.history import Step
from agent.prompt_values import PlanValues
from agent.question import Condition
from agent.reasoner import Prompt, ToolCall
from evals.names import FUNCTION_WORDS, tokens

_FEW: Final = 400
"""So few candidates are read rather than filtered."""
_SHARES: Final = (0.7, 0.85, 1.0)
"""Of the corpus, what words may keep: more each time that a call was undone."""
_COMMON: Final = 0.3
"""Words in more of the chunks than this say nothing."""
_LIKE: Final = {"semantic": "min_cosine", "bm25": "min_score"}
"""The filters by likeness, each with the argument of its floor."""
_LIKE_SHARE: Final = 0.25
_LIKE_LEAST: Final = 100
_ROOT: Final = 4
_ENDING: Final = re.compile(
    r"(?:ations?|itions?|itors?|ions?|able|ible|ive|ment|[ae]nce|ing|ed|e?s|e)$"
)
_ENDINGS: Final = (
    *("e", "er", "ers", "or", "ors", "ion", "ions", "ation", "ations", "ition", "itions", "itor"),
    *("itors", "itive", "ative", "ment", "ments", "al", "able", "ible", "ance", "ence", "ive"),
)
_NAME: Final = re.compile(r"(?<=[\w,=] )[A-Z][\w-]+")


def planned(prompt: Prompt) -> ToolCall:
    """Return the next filter call for the prompt `plan`; `finish` where nothing is left to try."""
    values = prompt.values_as(PlanValues)
    made = [(step.call.tool, step.call.arguments) for step in values.history]
    for call in _proposals(values):
        if call.tool in values.tools and (call.tool, call.arguments) not in made:
            return call
    return _finish("nothing is left to try")


def _tried(search: PlanValues, *tools: str) -> list[Step]:
    """Return the rounds that called one of the tools."""
    return [step for step in search.history if step.call.tool in tools]


def _standing(search: PlanValues, *tools: str) -> Step | None:
    """Return the last round of one of the tools that was neither refused nor undone."""
    undone = {"again", "rollback"}
    tried = _tried(search, *tools)
    good = [step for step in tried if not step.refused and step.verdict not in undone]
    return good[-1] if good else None


def _proposals(search: PlanValues) -> Iterator[ToolCall]:
    """Yield what to call, the best first: words, then likeness among the same, then both."""
    words, rounds = _standing(search, "keywords"), len(_tried(search, "keywords"))
    conditions = [each for each in search.conditions if each.id not in search.decided]
    if not conditions:
        yield _finish("no condition is left for reading")
    if search.snapshot.kept <= _FEW and not rounds:
        yield _finish(f"{search.snapshot.kept} candidates are few enough to read them all")
    if words is None and rounds < len(_SHARES):
        telling = _telling(conditions, search.corpus, _SHARES[rounds])
        if telling:
            yield ToolCall(
                tool="keywords",
                arguments={"words": [*telling], "match": "any", "at_least": None, "stem": True},
                why="a chunk that states a condition has one of its telling words",
            )
    # what names nothing may be stated in other words than its own
    loose = [each for each in conditions if not (each.terms or _names(each))]
    if loose and not _tried(search, *_LIKE):
        yield from _by_likeness(loose, search, words)
    if words is not None and search.snapshot.id != words.after:
        yield from _together(search, words)


def _telling(conditions: Sequence[Condition], corpus: CorpusView, share: float) -> tuple[str, ...]:
    """Return the rarest word of each way to put a condition, and more while few chunks have any."""
    wanted: dict[str, float] = {}
    spare: dict[str, float] = {}
    for told in (each for condition in conditions for each in _wordings(condition, corpus)):
        known = {word: _commonness(word, corpus) for word in told}
        rare = sorted((part, word) for word, part in known.items() if 0 < part <= _COMMON)
        wanted |= {word: part for part, word in rare[:1]}
        spare |= {word: part for part, word in rare[1:]}
    absent = 1.0
    for part in wanted.values():
        absent *= 1 - part
    for word, part in sorted(spare.items(), key=lambda each: each[1]):
        if word not in wanted and 1 - absent * (1 - part) <= share:
            wanted[word] = part
            absent *= 1 - part
    return tuple(dict.fromkeys(form for word in wanted for form in _derived(word, corpus)))


def _derived(word: str, corpus: CorpusView) -> Iterator[str]:
    """Yield a word and the corpus's words that are derived from it: `competitor` of `competing`."""
    yield word
    root = _ENDING.sub("", word)
    if len(root) >= _ROOT:
        for ending in _ENDINGS:
            if corpus.lexicon.frequency(root + ending):
                yield root + ending


def _wordings(condition: Condition, corpus: CorpusView) -> Iterator[Sequence[str]]:
    """Yield the words of each way to put a condition, as the documents spell them."""
    names = _names(condition)
    if condition.terms or names:
        yield condition.terms or names
        return
    for each in (condition.text, *condition.counts):
        words = [word for word in tokens(each) if word not in FUNCTION_WORDS]
        yield [
            word
            if corpus.lexicon.frequency(word)
            else next(iter(corpus.lexicon.spellings(word)), word)
            for word in words
        ]


def _names(condition: Condition) -> list[str]:
    """Return the words that name something: written in capitals, not at the beginning."""
    return [word.casefold() for word in _NAME.findall(condition.text)]


def _commonness(word: str, corpus: CorpusView) -> float:
    """Return the share of the chunks that have an inflection of a word, at most."""
    forms = corpus.lexicon.inflections(word) or (word,)
    return min(1.0, sum(map(corpus.lexicon.frequency, forms)) / max(1, corpus.chunk_count))


def _by_likeness(
    loose: Sequence[Condition], search: PlanValues, words: Step | None
) -> Iterator[ToolCall]:
    """Go back to the words' parent, and look there for what is put in other words."""
    if words is not None and search.snapshot.id == words.after:
        yield _rollback(
            words.before, "what is put in other words is looked for among the same candidates"
        )
    best = max(_LIKE_LEAST, round(_LIKE_SHARE * search.snapshot.kept))
    here = words is None or search.snapshot.id == words.before
    query = "; ".join(" ".join((each.text, *each.counts)) for each in loose)
    for tool, floor in _LIKE.items() if here and best < search.snapshot.kept else ():
        yield ToolCall(
            tool=tool,
            arguments={"query": query, "best": best, floor: None},
            why="the passages most like the conditions' own words",
        )


def _together(search: PlanValues, words: Step) -> Iterator[ToolCall]:
    """Join what words and likeness keep; where likeness brought nothing, return to the words."""
    like = _standing(search, *_LIKE)
    if like is None:
        yield _rollback(words.after, "likeness brought nothing more")
    elif search.snapshot.id == like.after:
        yield ToolCall(
            tool="union",
            arguments={"snapshots": [words.after, like.after]},
            why="a chunk that either way found may state a condition",
        )


def _rollback(snapshot: str, why: str) -> ToolCall:
    return ToolCall(tool="rollback", arguments={"snapshot": snapshot}, why=why)


def _finish(why: str) -> ToolCall:
    return ToolCall(tool="finish", arguments={}, why=why)
