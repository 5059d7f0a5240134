"""A run as one self-contained HTML page; everything that is not ours is escaped."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from pathlib import Path
from string import Template

from rich.console import Console

from agent.answer import Answer, AnswerReading
from agent.coverage import CoverageState
from agent.errors import CorpusError, RunError
from agent.evidence import Entity, Evidence
from agent.history import Step
from agent.question import atoms
from agent.value import counted
from graphs.answering.answers import assembled, waiting
from graphs.apps.answer_view import beside, cost_line, headline
from graphs.apps.in_words import call_text, criteria, number
from graphs.apps.stored_runs import StoredRun
from graphs.apps.terminal import styled
from graphs.apps.why import cause_text, place, state_text, step_text
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import Account
from tools.runs.coverage_ledger import Part

_OPEN = 1
"""Items whose quotes are shown without a click."""
_STATES = (
    ("matched", "matched"),
    ("judged", "judged, no match"),
    ("unparsable", "unusable replies"),
    ("failed", "failed requests"),
    ("unseen", "not read"),
    ("pruned", "ruled out"),
)
_CONTEXT = 220
"""Characters shown before and after a quote."""
_ROWS = 40
"""Rows of a condition at most, the largest parts first."""
_LISTED = 25
"""Chunks that a row lists at most."""
_LISTED_AS = "chunk {chunk}: {document}, characters {start} to {end}"
_ALL_LISTED = 200
"""Chunks that all rows of an interpretation list at most."""
_EFFECTS: tuple[tuple[tuple[CoverageState, ...], str], ...] = (
    (("pruned",), "ruled out"),
    (("reverted",), "taken back"),
    (("yes",), "judged a match"),
    (("no",), "judged no match"),
    (("failed", "unparsable"), "no verdict"),
)
_WITHOUT_VERDICT: tuple[CoverageState, ...] = ("failed", "unparsable")


def write_page(run: StoredRun, out: Path | None) -> None:
    """Write the page about a run and print where it is."""
    info = run.info
    facts = [f"corpus {run.corpus.path}, model {info.model}, started {info.created}, {info.status}"]
    if run.corpus_changed:
        facts.append("the corpus has changed since: its chunks are no longer those of this run")
    answer = _answer(run)
    searched = run.state.snapshot and answer.status != "needs_clarification"
    accounts = run.accounts() if searched and not run.corpus_changed else ()
    target = out or Path(f"{run.run}.html")
    text = page(answer, run.corpus, run.state.history, facts, accounts)
    target.write_text(text, encoding="utf-8")
    Console().print(styled(f"written: {target}"), soft_wrap=True)


def _answer(run: StoredRun) -> Answer:
    """Return the answer; of a run that is not finished, what is known so far."""
    stored = run.store.answer(run.run)
    if stored is not None and not run.session.unfinished(run.run):
        return stored
    state = run.state
    if state.interpretation is None:
        raise RunError(f"run {run.run!r} has not interpreted its question yet: nothing to report")
    if state.clarification is not None or not state.snapshot:
        return waiting(state)
    so_far = "the run is not finished: this is what has been found so far"
    return assembled(state, run.session.context).model_copy(
        update={"status": "partial", "warnings": (so_far, *state.warnings)}
    )


def page(
    answer: Answer,
    corpus: Corpus,
    history: Sequence[Step] = (),
    facts: Sequence[str] = (),
    accounts: Sequence[Account] = (),
) -> str:
    """Render the page."""
    template = files("graphs.apps").joinpath("report.html").read_text(encoding="utf-8")
    if answer.readings:
        sections = _interpretations(answer, corpus, accounts)
    else:
        sections = _sections(answer, corpus, next(iter(accounts), None))
    body = [sections, _asked(answer), _history(history), _bill(answer, facts)]
    return Template(template).substitute(
        title=escape(f"{answer.question} · Headcount"),
        question=escape(answer.question),
        body="\n".join(part for part in body if part),
    )


def _sections(answer: Answer, corpus: Corpus, account: Account | None) -> str:
    """Render one interpretation: its number, its items, its funnel and its coverage."""
    return "\n".join(
        [
            f'<p class="value">{escape(_value(answer))}</p>',
            _interpretation(answer.interpretation),
            "".join(f'<p class="note">{escape(warning)}</p>' for warning in answer.warnings),
            _items(answer.entities, corpus),
            "<h2>How the candidates were narrowed</h2>",
            _funnel(answer),
            "<h2>What happened to the chunks</h2>",
            _coverage(answer),
            _happened(account, _texts(answer), corpus) if account else "",
        ]
    )


def _value(answer: Answer) -> str:
    unread = "Nobody has read these: " if answer.status == "candidates" else ""
    return unread + headline(answer)


def _texts(answer: Answer) -> dict[str, str]:
    node = answer.interpretation.conditions if answer.interpretation else None
    return {condition.id: condition.text for condition in atoms(node)}


def _interpretations(answer: Answer, corpus: Corpus, accounts: Sequence[Account]) -> str:
    """Render the interpretations side by side."""
    columns = "".join(
        f"<section>{_sections(each, corpus, account)}</section>"
        for each, account in zip_longest(answer.readings, accounts[: len(answer.readings)])
    )
    intro = f"The question has {len(answer.readings)} interpretations; each is answered."
    return f'<p>{intro}</p><div class="side">{columns}</div>'


def _interpretation(interpretation: AnswerReading | None) -> str:
    if interpretation is None:
        return ""
    conditions = (
        f"{condition.text}{criteria(condition)}" for condition in atoms(interpretation.conditions)
    )
    assumed = (f"assumed: {assumption}" for assumption in interpretation.assumptions)
    return f"<p>Interpreted as: {escape(interpretation.text)}</p>{_list((*conditions, *assumed))}"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="soft">{items}</ul>' if items else ""


def _items(entities: Sequence[Entity], corpus: Corpus) -> str:
    shown = (_item(entity, corpus, opened=n < _OPEN) for n, entity in enumerate(entities))
    return f"<h2>Items ({len(entities)})</h2>\n" + "\n".join(shown)


def _item(entity: Entity, corpus: Corpus, *, opened: bool) -> str:
    value = "" if entity.value is None else f" · {number(entity.value)}"
    value += f" · {beside(entity)}" if entity.shown else ""
    also = f"also {', '.join(entity.aliases)}; " if entity.aliases else ""
    plural = "" if len(entity.evidence) == 1 else "s"
    counted = f"{also}{len(entity.evidence)} quote{plural}"
    quotes = "".join(_figure(each, corpus) for each in entity.evidence)
    return (
        f"<details{' open' if opened else ''}><summary>{escape(entity.name + value)} "
        f'<span class="soft">{escape(counted)}</span></summary>{quotes}</details>'
    )


def _funnel(answer: Answer) -> str:
    if not answer.snapshots:
        return "<p>No filter was called: every chunk was a candidate.</p>"
    whole = max(1, answer.coverage.chunks)
    rows = [
        f"<tr><td>the whole corpus{_bar(1)}</td><td class=n>{whole}</td><td></td><td></td></tr>"
    ]
    for shot in answer.snapshots:
        undone = shot.outcome == "rolled_back"
        css = ' class="undone"' if undone else ""
        why = f"rolled back: {shot.why}" if undone else shot.why
        rows.append(
            f"<tr><td><code{css}>{escape(call_text(shot.tool, shot.arguments))}</code>"
            f"{_bar(shot.kept / whole)}</td><td class=n>{shot.kept}</td>"
            f"<td class=n>{shot.discarded}</td><td class=soft>{escape(why)}</td></tr>"
        )
    head = "<tr><th>call</th><th class=n>kept</th><th class=n>discarded</th><th>why</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _bar(share: float) -> str:
    return f'<div class="bar"><i style="width:{100 * min(1.0, share):.2f}%"></i></div>'


def _coverage(answer: Answer) -> str:
    coverage, complete = answer.coverage, answer.completeness
    counts = coverage.model_dump() | {"judged": coverage.judged - coverage.matched}
    whole = max(1, coverage.chunks)
    states = [(name, said, counts[name]) for name, said in _STATES if counts[name]]
    bars = "".join(
        f'<i class="{name}" style="width:{100 * count / whole:.2f}%"></i>'
        for name, _, count in states
    )
    key = "".join(
        f'<span><i class="{name}"></i>{count} {said}</span>' for name, said, count in states
    )
    bound = complete.recall_lower_bound
    sure = f" (confidence {complete.confidence:.0%})" if complete.confidence else ""
    recall = (
        "" if bound is None else f"At least {bound:.1%} of the relevant chunks were read{sure}: "
    )
    summary = f"{counted(coverage.chunks, 'chunk')}. {recall}{complete.method}."
    return f'<div class="stack">{bars}</div><p class="key soft">{key}</p><p>{escape(summary)}</p>'


def _asked(answer: Answer) -> str:
    """Render what was ambiguous and what was replied."""
    ambiguity = answer.ambiguity
    if not ambiguity.codes and not ambiguity.asked:
        return ""
    lines = [f"Kinds found: {', '.join(ambiguity.codes)}"] if ambiguity.codes else []
    for each in ambiguity.asked:
        options = " | ".join(each.options)
        reply = "no reply yet" if each.reply is None else f"reply: {each.reply}"
        lines.append(f"{each.question} ({options}) — {reply}")
    return f"<h2>Ambiguities</h2>{_list(lines)}"


def _history(history: Sequence[Step]) -> str:
    if not history:
        return ""
    items = "".join(f"<li>{_round(step)}</li>" for step in history)
    return f"<h2>History</h2><ol>{items}</ol>"


def _round(step: Step) -> str:
    lost = f", {step.lost} known positives lost" if step.lost else ""
    effect = f"kept {step.kept}, discarded {step.discarded}{lost}"
    if step.refused:
        effect = f"refused: {step.refused}"
    elif step.after == step.before:
        effect = "changed nothing"
    said = " · ".join(part for part in (step.why, step.summary) if part)
    verdict = f"<b>{escape(step.verdict)}</b> " if step.verdict else ""
    call = escape(call_text(step.call.tool, step.call.arguments))
    assessed = f'{verdict}<span class="soft">{escape(said)}</span>'
    return f"<code>{call}</code><br>{escape(effect)}<br>{assessed}"


def _bill(answer: Answer, facts: Sequence[str]) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in (cost_line(answer), *facts))
    return f'<h2>Bill</h2><div class="soft">{lines}</div>'


def _happened(account: Account, texts: Mapping[str, str], corpus: Corpus) -> str:
    """Render for each condition the state of its chunks and why, and what each step did."""
    by_condition: dict[str, list[Part]] = {}
    for part in account.parts:
        by_condition.setdefault(part.condition, []).append(part)
    sections = []
    room = _ALL_LISTED
    for condition, parts in by_condition.items():
        ordered = sorted(parts, key=lambda part: -len(part.ids))
        rows, room = _rows(ordered, account, corpus, room)
        text = texts.get(condition)
        name = f"{condition}: {text}" if text else condition or "the question"
        head = "<tr><th>state</th><th class=n>chunks</th><th>by what</th></tr>"
        sections.append(
            f"<p><b>{escape(name)}</b></p><table>{head}{''.join(rows)}</table>"
            f"{_effects(account, condition)}"
        )
    return "\n".join(sections)


def _effects(account: Account, condition: str) -> str:
    """Render what each step did, folded, including what a later step has undone."""
    effects = account.effects.get(condition)
    if not effects:
        return ""
    head = "".join(f"<th class=n>{said}</th>" for _, said in _EFFECTS)
    rows = [
        f"<tr><td><code>{escape(step_text(step, account.causes))}</code></td>"
        + "".join(f"<td class=n>{_sum(moved, states)}</td>" for states, _ in _EFFECTS)
        + "</tr>"
        for step, moved in list(effects.items())[:_ROWS]
    ]
    left = len(effects) - len(rows)
    more = f"<p class=soft>… and {left} more steps</p>" if left else ""
    table = f"<table><tr><th>step</th>{head}</tr>{''.join(rows)}</table>"
    return f"<details><summary>what each step did</summary>{table}{more}</details>"


def _sum(moved: Mapping[CoverageState, int], states: Sequence[CoverageState]) -> str:
    count = sum(moved.get(state, 0) for state in states)
    return str(count) if count else ""


def _rows(
    parts: Sequence[Part], account: Account, corpus: Corpus, room: int
) -> tuple[list[str], int]:
    """Render the largest parts; return the rows and how many chunks may still be listed."""
    rows = []
    for part in parts[:_ROWS]:
        listed, room = _listed(part, corpus, room)
        cause = escape(cause_text(part.standing, account.causes))
        rows.append(
            f"<tr><td>{escape(state_text(part.standing))}</td><td class=n>{len(part.ids)}</td>"
            f"<td>{cause}{listed}</td></tr>"
        )
    rest = parts[_ROWS:]
    if rest:
        count = sum(len(part.ids) for part in rest)
        more = f"{len(rest)} more rows, the smallest: `headcount report … --json` has all"
        rows.append(f"<tr><td></td><td class=n>{count}</td><td class=soft>{escape(more)}</td></tr>")
    return rows, room


def _listed(part: Part, corpus: Corpus, room: int) -> tuple[str, int]:
    """List the chunks of a part that has no verdict, few enough to be read."""
    if part.standing.state not in _WITHOUT_VERDICT:
        return "", room
    shown = part.ids[: min(_LISTED, room)]
    items = "".join(
        f"<li>{escape(_LISTED_AS.format(**place(chunk, corpus)))}</li>" for chunk in shown
    )
    left = len(part.ids) - len(shown)
    more = f"<p class=soft>… and {left} more, all in <code>--json</code></p>" if left else ""
    which = "which chunk" if len(part.ids) == 1 else f"which {len(part.ids)} chunks"
    body = f"<ul class=soft>{items}</ul>" if items else ""
    return f"<details><summary>{which}</summary>{body}{more}</details>", room - len(shown)


def _figure(evidence: Evidence, corpus: Corpus) -> str:
    """Render a quote with its context.

    If the corpus has changed and the quote is no longer in its place, the quote is shown alone and
    the caption says so.
    """
    before, after, moved = _around(evidence, corpus)
    place = f"{evidence.document}, characters {evidence.start} to {evidence.end}"
    caption = " · ".join(part for part in (place, evidence.condition, moved) if part)
    return (
        f"<figure><blockquote>{escape(before)}<mark>{escape(evidence.quote)}</mark>"
        f"{escape(after)}</blockquote><figcaption>{escape(caption)}</figcaption></figure>"
    )


def _around(evidence: Evidence, corpus: Corpus) -> tuple[str, str, str]:
    """Return the words before and after, and what is wrong with the place, if anything."""
    try:
        text = corpus.document_text(corpus.document_index(evidence.document))
    except CorpusError:
        return "", "", "the document was removed from the corpus since"
    start, end = evidence.start, evidence.end
    if text[start:end] != evidence.quote:
        return "", "", "the document has changed since"
    before = text[max(0, start - _CONTEXT) : start]
    after = text[end : end + _CONTEXT]
    if start > _CONTEXT:
        before = "… " + before.partition(" ")[2]
    if end + _CONTEXT < len(text):
        after = after.rpartition(" ")[0] + " …"
    return before, after, ""
