"""What happened to the chunks of a run, as a section of its page; lists are capped and say so."""

from collections.abc import Mapping, Sequence
from html import escape

from agent.coverage import CoverageState
from graphs.apps.standings import cause_text, state_text, step_text
from tools.corpus.corpus import Corpus
from tools.runs.chunk_story import Account
from tools.runs.coverage_ledger import Part

__all__ = ("happened",)

_ROWS = 40
"""Rows of a condition at most, the largest parts first."""
_LISTED = 25
"""Chunks that a row lists at most."""
_ALL_LISTED = 200
"""Chunks that all rows of a reading list at most."""
_EFFECTS: tuple[tuple[tuple[CoverageState, ...], str], ...] = (
    (("pruned",), "ruled out"),
    (("reverted",), "taken back"),
    (("yes",), "judged a match"),
    (("no",), "judged no match"),
    (("failed", "unparsable"), "no verdict"),
)
_WITHOUT_VERDICT: tuple[CoverageState, ...] = ("failed", "unparsable")


def happened(account: Account, texts: Mapping[str, str], corpus: Corpus) -> str:
    """Render for each condition where its chunks stand and why, and what each step did.

    Args:
        account: what happened; of the corpus as it is.
        texts: the conditions' words by id.
        corpus: where the places of chunks are looked up.
    """
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
    """Render what each step did, folded: also what a later step has undone."""
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
        told = f"{len(rest)} more rows, the smallest: `headcount report … --json` has all"
        rows.append(f"<tr><td></td><td class=n>{count}</td><td class=soft>{escape(told)}</td></tr>")
    return rows, room


def _listed(part: Part, corpus: Corpus, room: int) -> tuple[str, int]:
    """List the chunks of a part that has no verdict, few enough to be read."""
    if part.standing.state not in _WITHOUT_VERDICT:
        return "", room
    shown = part.ids[: min(_LISTED, room)]
    items = "".join(f"<li>{escape(_place(chunk, corpus))}</li>" for chunk in shown)
    left = len(part.ids) - len(shown)
    more = f"<p class=soft>… and {left} more, all in <code>--json</code></p>" if left else ""
    told = "which chunk" if len(part.ids) == 1 else f"which {len(part.ids)} chunks"
    body = f"<ul class=soft>{items}</ul>" if items else ""
    return f"<details><summary>{told}</summary>{body}{more}</details>", room - len(shown)


def _place(chunk: int, corpus: Corpus) -> str:
    document = corpus.documents[corpus.chunk_document[chunk]]
    start, end = corpus.chunk_start[chunk], corpus.chunk_end[chunk]
    return f"chunk {chunk}: {document}, characters {start} to {end}"
