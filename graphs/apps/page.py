"""A run as one self-contained HTML page; everything that is not ours is escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from itertools import zip_longest
from string import Template

from agent.answer import Answer, AnswerReading
from agent.evidence import Entity
from agent.history import Step
from agent.question import atoms
from agent.value import counted
from graphs.apps.happened import happened
from graphs.apps.progress import call_text, criteria
from graphs.apps.quoting import figure
from graphs.apps.shown import beside, cost_line, headline, number
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import Account

__all__ = ("page",)

_OPEN = 1
"""So many items show their quotes without a click."""
_STATES = (
    ("matched", "matched"),
    ("judged", "judged, no match"),
    ("unparsable", "unusable replies"),
    ("failed", "failed requests"),
    ("unseen", "not read"),
    ("pruned", "ruled out"),
)


def page(
    answer: Answer,
    corpus: Corpus,
    history: Sequence[Step] = (),
    facts: Sequence[str] = (),
    accounts: Sequence[Account] = (),
) -> str:
    """Render the page.

    Args:
        answer: what the page is about.
        corpus: where the words around the quotes are looked up.
        history: the rounds of filtering, oldest first.
        facts: what else is known of the run, a line each.
        accounts: what happened to the chunks, of each reading; none where the corpus has changed.
    """
    template = files("graphs.apps").joinpath("report.html").read_text(encoding="utf-8")
    if answer.readings:
        sections = _readings(answer, corpus, accounts)
    else:
        sections = _sections(answer, corpus, next(iter(accounts), None))
    body = [sections, _asked(answer), _history(history), _bill(answer, facts)]
    return Template(template).substitute(
        title=escape(f"{answer.question} · Headcount"),
        question=escape(answer.question),
        body="\n".join(part for part in body if part),
    )


def _sections(answer: Answer, corpus: Corpus, account: Account | None) -> str:
    """Render one reading: its number, its items, its funnel and its coverage."""
    return "\n".join(
        [
            f'<p class="value">{escape(headline(answer))}</p>',
            _read_as(answer.interpretation),
            "".join(f'<p class="note">{escape(warning)}</p>' for warning in answer.warnings),
            _items(answer.entities, corpus),
            "<h2>How the candidates were narrowed</h2>",
            _funnel(answer),
            "<h2>What happened to the chunks</h2>",
            _coverage(answer),
            happened(account, _texts(answer), corpus) if account else "",
        ]
    )


def _texts(answer: Answer) -> dict[str, str]:
    node = answer.interpretation.conditions if answer.interpretation else None
    return {condition.id: condition.text for condition in atoms(node)}


def _readings(answer: Answer, corpus: Corpus, accounts: Sequence[Account]) -> str:
    """Render the readings side by side."""
    columns = "".join(
        f"<section>{_sections(each, corpus, account)}</section>"
        for each, account in zip_longest(answer.readings, accounts[: len(answer.readings)])
    )
    told = f"The question has {len(answer.readings)} readings; each is answered."
    return f'<p>{told}</p><div class="side">{columns}</div>'


def _read_as(reading: AnswerReading | None) -> str:
    if reading is None:
        return ""
    conditions = (
        f"{condition.text}{criteria(condition)}" for condition in atoms(reading.conditions)
    )
    assumed = (f"assumed: {assumption}" for assumption in reading.assumptions)
    return f"<p>Read as: {escape(reading.text)}</p>{_list((*conditions, *assumed))}"


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
    quotes = "".join(figure(each, corpus) for each in entity.evidence)
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
    told = f"{counted(coverage.chunks, 'chunk')}. {recall}{complete.method}."
    return f'<div class="stack">{bars}</div><p class="key soft">{key}</p><p>{escape(told)}</p>'


def _asked(answer: Answer) -> str:
    """Render what the question left open and what was replied."""
    ambiguity = answer.ambiguity
    if not ambiguity.codes and not ambiguity.asked:
        return ""
    lines = [f"Kinds of ambiguity found: {', '.join(ambiguity.codes)}"] if ambiguity.codes else []
    for each in ambiguity.asked:
        options = " | ".join(each.options)
        reply = "no reply yet" if each.reply is None else f"reply: {each.reply}"
        lines.append(f"{each.question} ({options}) — {reply}")
    return f"<h2>What the question left open</h2>{_list(lines)}"


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
    told = f'{verdict}<span class="soft">{escape(said)}</span>'
    return f"<code>{call}</code><br>{escape(effect)}<br>{told}"


def _bill(answer: Answer, facts: Sequence[str]) -> str:
    lines = "".join(f"<p>{escape(line)}</p>" for line in (cost_line(answer), *facts))
    return f'<h2>Bill</h2><div class="soft">{lines}</div>'
