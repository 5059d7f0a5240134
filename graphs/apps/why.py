"""`headcount report --chunk`: what happened to a chunk, and why."""

import re
from collections.abc import Iterator, Mapping

from agent.coverage import SKIPPED, Cause, Standing
from agent.errors import SettingsError
from graphs.apps.in_words import call_text
from graphs.apps.stored_runs import StoredRun
from tools.corpus.corpus import Corpus
from tools.passage_windows import form_of
from tools.runs.coverage_ledger import BY_FIELDS, ConditionStory, Transition, account, stories

_NAMED = re.compile(r"(?:(.+):)?([0-9]{1,18})", re.DOTALL)

STATES = {
    "unseen": "not read",
    "reverted": "a candidate again, not read",
    "pruned": "ruled out",
    "yes": "judged, a match",
    "no": "judged, no match",
    "unparsable": "unusable reply",
    "failed": "failed request",
}


def story_lines(run: StoredRun, chunk: str) -> list[str]:
    """Return what happened to the named chunks, in lines; raises SettingsError or CorpusError."""
    searched = run.interpretations()
    chunks = _chunks_named(run.corpus, chunk)
    lines = []
    for each in searched:
        lines += [f"interpretation {each.scope}"] if len(searched) > 1 else []
        causes = account(run.store, each.scope, each.history).causes
        for number, story in stories(run.store, each.scope, run.corpus, chunks).items():
            document = run.corpus.documents[run.corpus.chunk_document[number]]
            start, end = run.corpus.chunk_start[number], run.corpus.chunk_end[number]
            form = form_of(run.corpus, number)
            noted = f": {form} by its form, read last" if form else ""
            lines.append(f"chunk {number} · {document}, characters {start} to {end}{noted}")
            for told in story:
                lines += _story(told, each.texts, causes)
    return lines


def _chunks_named(corpus: Corpus, chunk: str) -> list[int]:
    if chunk in corpus.documents:
        return list(corpus.chunks_of(corpus.document_index(chunk)))
    told = _NAMED.fullmatch(chunk)
    if told is None:
        raise SettingsError(
            f"{chunk!r} is neither a document, nor a chunk's number, nor DOCUMENT:OFFSET"
        )
    name, offset = told.groups()
    if name is None:
        if int(chunk) >= len(corpus):
            raise SettingsError(f"the corpus has the chunks 0 to {len(corpus) - 1}, not {chunk}")
        return [int(chunk)]
    found = corpus.chunks_at(corpus.document_index(name), int(offset), int(offset))
    if not found:
        length = len(corpus.document_text(corpus.document_index(name)))
        raise SettingsError(f"no chunk of {name!r} holds character {offset}; it has {length}")
    return list(found)


def cause_text(standing: Standing, causes: Mapping[int, Cause]) -> str:
    """Name what put a chunk into its state; empty if nothing is recorded.

    >>> cause_text(Standing(state="failed", reason="time-out"), {})
    'time-out'
    """
    if standing.step is not None:
        return step_text(standing.step, causes)
    told = "" if standing.reason == SKIPPED else standing.reason
    return f"by {standing.by}" if standing.by else told


def standing_text(standing: Standing, causes: Mapping[int, Cause]) -> str:
    """Name the state and what put the chunk there.

    >>> standing_text(Standing(state="pruned", step=3), {3: Cause(step=3, tool="bm25",
    ...     arguments={"n": 5})})
    'ruled out: step 3, bm25: n 5'
    """
    cause = cause_text(standing, causes)
    state = state_text(standing, causes)
    return f"{state}: {cause}" if cause else state


def state_text(standing: Standing, causes: Mapping[int, Cause]) -> str:
    """Name the state; what code decides, nobody judged, and where reading stops, nothing is ruled.

    >>> [state_text(Standing(state="pruned", step=step), {2: Cause(step=2, tool="feedback",
    ...     arguments={})}) for step in (0, 1, 2)]
    ['decided by code', 'ruled out', 'not read, where reading stopped']
    >>> [state_text(Standing(state="yes", by=by), {}) for by in ("words", "gpt")]
    ['decided, a match', 'judged, a match']
    """
    if standing.state == "pruned" and standing.step == BY_FIELDS:
        return "decided by code"
    if standing.reason == SKIPPED:
        return SKIPPED
    cause = causes.get(standing.step or 0)
    if standing.state == "pruned" and cause is not None and cause.tool == "feedback":
        return "not read, where reading stopped"
    by_code = standing.by in {"metadata", "words"}
    return STATES[standing.state].replace("judged", "decided" if by_code else "judged")


def change_text(change: Transition, causes: Mapping[int, Cause]) -> str:
    """Describe one change of state, and the step that made it unless the new state names it."""
    after = standing_text(change.after, causes)
    if change.step in {None, BY_FIELDS, change.after.step}:
        return after
    return f"{after} (during {step_text(change.step, causes)})"


def step_text(step: int | None, causes: Mapping[int, Cause]) -> str:
    """Name a step: its number, its call, and whether it was rolled back."""
    if step is None:
        return "outside any recorded step"
    if step == BY_FIELDS:
        return "a field of the document, or its words"
    cause = causes.get(step)
    if cause is None:
        return f"step {step}"
    undone = ", rolled back later" if cause.undone else ""
    return f"step {step}, {call_text(cause.tool, cause.arguments)}{undone}"


def _story(
    story: ConditionStory, texts: Mapping[str, str], causes: Mapping[int, Cause]
) -> Iterator[str]:
    moves = [change_text(change, causes) for change in story.changes]
    text = texts.get(story.condition, "")
    yield f"  {story.condition}: {text}" if text else f"  {story.condition or 'the question'}"
    yield f"    {moves[-1] if moves else standing_text(story.now, causes)}"
    for each in story.quotes:
        words = " ".join(each.quote.split())
        yield f"      “{words}” ({each.by}, characters {each.start} to {each.end})"
    if len(moves) > 1:
        yield f"    before: not read → {' → '.join(moves[:-1])}"
