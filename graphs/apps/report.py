"""`headcount report`: one self-contained HTML page about a run; everything in it is escaped."""

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

from rich.console import Console

from agent.answer import Answer
from agent.errors import RunError
from agent.evidence import Entity, Evidence
from agent.history import Step
from graphs.apps.shown import cost_line, headline
from graphs.context import Context
from graphs.sessions import Session
from tools.corpus.corpus import Corpus, open_corpus
from tools.runs.store import RunStore

__all__ = ("page", "run_report")

_CONTEXT = 160


def run_report(run: str, place: Path | None, out: Path | None) -> None:
    """Write the page about a run and say where it is."""
    corpus = _corpus_of(run, place)
    session = Session(Context(corpus=corpus))
    target = out or Path(f"{run}.html")
    text = page(session.outcome(run), corpus, session.state(run).history)
    target.write_text(text, encoding="utf-8")
    Console().print(f"written: {target}", markup=False)


def _corpus_of(run: str, place: Path | None) -> Corpus:
    """Open the named corpus, or find the one in this folder that has the run."""
    if place is not None:
        return open_corpus(place)
    for store in sorted(Path().glob("**/*.corpus/runs/runs.sqlite")):
        with RunStore(store) as opened:
            if run in {info.run for info in opened.runs()}:
                return open_corpus(store.parents[1])
    raise RunError(f"no corpus below this folder has a run {run!r}; name it with --corpus")


def page(answer: Answer, corpus: Corpus, history: Sequence[Step]) -> str:
    """Render the page."""
    template = files("graphs.apps").joinpath("report.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=escape(f"{answer.question} · Headcount"),
        question=escape(answer.question),
        value=escape(headline(answer)),
        reading=_reading(answer),
        notes=_list(answer.warnings),
        items=str(len(answer.entities)),
        entities="\n".join(_entity(entity, corpus) for entity in answer.entities),
        funnel=_funnel(answer),
        coverage=_coverage(answer),
        history=_history(history),
        cost=f"<p>{escape(cost_line(answer))}</p>",
    )


def _reading(answer: Answer) -> str:
    reading = answer.interpretation
    if reading is None:
        return ""
    return f"<p>Read as: {escape(reading.text)}</p>{_list(reading.assumptions)}"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f'<ul class="soft">{items}</ul>' if items else ""


def _entity(entity: Entity, corpus: Corpus) -> str:
    value = "" if entity.value is None else f" · {entity.value}"
    aliases = f" (also {', '.join(entity.aliases)})" if entity.aliases else ""
    quotes = "".join(_quote(each, corpus) for each in entity.evidence)
    title = escape(f"{entity.name}{aliases}{value}")
    return f"<details><summary>{title}</summary>{quotes}</details>"


def _quote(evidence: Evidence, corpus: Corpus) -> str:
    """Show a quote highlighted between the words around it."""
    text = corpus.document_text(corpus.document_index(evidence.document))
    before = text[max(0, evidence.start - _CONTEXT) : evidence.start]
    after = text[evidence.end : evidence.end + _CONTEXT]
    place = f"{evidence.document}, characters {evidence.start} to {evidence.end}"
    caption = escape(f"{place} · {evidence.condition}")
    return (
        f"<figure><blockquote>…{escape(before)}<mark>{escape(evidence.quote)}</mark>"
        f"{escape(after)}…</blockquote><figcaption>{caption}</figcaption></figure>"
    )


def _funnel(answer: Answer) -> str:
    if not answer.snapshots:
        return "<p>No filter was called.</p>"
    whole = max(1, answer.coverage.chunks)
    rows = []
    for shot in answer.snapshots:
        arguments = ", ".join(f"{name}={value}" for name, value in shot.arguments.items())
        call = escape(f"{shot.tool}({arguments})")
        css = ' class="undone"' if shot.outcome == "rolled_back" else ""
        bar = f'<div class="bar" style="width:{100 * shot.kept / whole:.1f}%"></div>'
        rows.append(
            f"<tr><td{css}>{call}{bar}</td><td class=n>{shot.kept}</td>"
            f"<td class=n>{shot.discarded}</td><td class=soft>{escape(shot.why)}</td></tr>"
        )
    head = "<tr><th>call</th><th>kept</th><th>discarded</th><th>why</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _coverage(answer: Answer) -> str:
    rows = "".join(
        f"<tr><td>{escape(name)}</td><td class=n>{number}</td></tr>"
        for name, number in answer.coverage.model_dump().items()
    )
    bound = answer.completeness.recall_lower_bound
    recall = "" if bound is None else f"Recall is at least {bound:.1%}: "
    return f"<p>{escape(recall + answer.completeness.method)}</p><table>{rows}</table>"


def _history(history: Sequence[Step]) -> str:
    lines = []
    for step in history:
        effect = step.refused or f"kept {step.kept}, discarded {step.discarded}"
        verdict = f"{step.verdict or ''} {step.why} {step.summary}".strip()
        arguments = ", ".join(f"{name}={value!r}" for name, value in step.call.arguments.items())
        lines.append(f"{step.call.tool}({arguments}): {effect}. {verdict}")
    items = "".join(f"<li>{escape(line)}</li>" for line in lines)
    return f"<ol>{items}</ol>" if items else "<p>No round of filtering was needed.</p>"
