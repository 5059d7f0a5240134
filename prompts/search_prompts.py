"""The prompts of the search: plan and observe filter calls, judge passages, compare names."""

from collections.abc import Sequence
from dataclasses import replace

from agent.evidence import Passage
from agent.history import render as render_history
from agent.prompt_values import AlignValues, JudgeValues, ObserveValues, PlanValues
from agent.question import MEASURE, Condition, Grain, Interpretation, Measure, atoms
from agent.reasoner import Prompt
from prompts.descriptions import collection, condition_list, interpretation_line, logic_line
from prompts.templates import excerpts, nonce_of, numbered_passages, one_line, render, sections

_TOTAL = (
    "The numbers are added up: give a piece of evidence for each number wanted that a passage\n"
    "  states, not for one that it states again; of numbers and their sum the sum alone."
)
"""How often a number is quoted that is one of several."""
_SAMPLE_CHARACTERS = 700
_REMARK = 300
"""Characters of a remark at most."""
_AROUND = 160
"""Characters of a quote around a name at most."""


def plan(values: PlanValues) -> Prompt:
    """Ask for the next filter call; answered by `Reasoner.choose`."""
    shown = {
        "interpretation": interpretation_line(values.interpretation),
        "conditions": condition_list(values.conditions),
        "collection": collection(values.corpus, values.interpretation.text),
        "snapshot": values.snapshot.id,
        "kept": str(values.snapshot.kept),
        "chunks": str(values.corpus.chunk_count),
        "decided": ", ".join(values.decided) or "none",
        "history": render_history(values.history),
    }
    return render("plan", shown, values)


def observe(values: ObserveValues) -> Prompt:
    """Ask for the verdict on a filter call, given samples; replied with `ObserveReply`."""
    step = values.step
    arguments = ", ".join(f"{name}={value!r}" for name, value in step.call.arguments.items())
    texts = [t for each in values.conditions for t in (each.text, *each.counts, *each.terms)]
    wanted = [*texts, *map(str, step.call.arguments.values())]
    shown = {
        "interpretation": interpretation_line(values.interpretation),
        "conditions": condition_list(values.conditions),
        "call": f"{step.call.tool}({arguments})",
        "kept": str(step.kept),
        "discarded": str(step.discarded),
        "kept_sample": _sample(values.kept, wanted),
        "held": _held(values.held),
        "discarded_sample": _sample(values.discarded, wanted),
        "snapshots": ", ".join(f"{shot.id} ({shot.kept} kept)" for shot in values.snapshots),
    }
    return render("observe", shown, values)


def _held(number: int) -> str:
    """Say that a call which is one branch of a union loses less than it discards."""
    if not number:
        return ""
    return (
        f" Of the discarded, {number} are held by another snapshot and not lost, so they are not in"
        " the sample; only union brings them back, so the verdict for a good branch is keep."
    )


def _sample(passages: Sequence[Passage] | None, wanted: Sequence[str]) -> str:
    if passages is None:
        return "(not shown)"
    if not passages:
        return "(none)"
    cut = excerpts(passages, wanted, characters=_SAMPLE_CHARACTERS)
    return numbered_passages(cut, nonce_of(cut))


def judge(values: JudgeValues) -> Prompt:
    """Ask for the evidence in a batch of passages; replied with `JudgeReply`.

    What differs from batch to batch stands at the end, so that providers can cache what is before.
    What was settled since is not told: it may say how many a trial found, and is in the conditions.
    """
    conditions, reading = values.conditions, values.interpretation
    nonce = nonce_of(values.passages)
    shown = {
        "question": one_line(values.question),
        "counted": _counted(reading),
        "logic": _logic(conditions, reading),
        "conditions": _conditions(conditions),
        "assumptions": _assumptions(reading.assumptions),
        "measure": _measure(reading.measure, conditions),
        "nonce": nonce,
        "passages": numbered_passages(values.passages, nonce),
        "once": _once(
            reading.grain,
            _by_place(reading.measure, conditions),
            total=reading.measure is not None and reading.measure.of == "total",
        ),
        "closing": _closing(values),
        **sections(
            "judge",
            {
                "lists": any(
                    each.counts or each.borderline or each.excludes for each in conditions
                ),
                "spellings": any(each.terms for each in conditions),
                "neighbours": any(each.before or each.after for each in values.passages),
            },
        ),
    }
    prompt = render("judge", shown, values)
    return replace(prompt, unused=_unused(reading) | ({"seek"} if not values.seek else set()))


def _unused(reading: Interpretation) -> frozenset[str]:
    """Return the members of a reply that a question has no use for."""
    unused = {"entity"} if reading.grain == "document" else set()
    if reading.measure is None or reading.measure.places:
        unused |= {"value", "unit"}
    return frozenset(unused)


def _logic(conditions: Sequence[Condition], reading: Interpretation) -> str:
    """Say how the conditions are joined, where a reader decides one of several."""
    if reading.conditions is None or isinstance(reading.conditions, Condition) or not conditions:
        return ""
    listed = {each.id for each in conditions}
    others = {each.id for each in atoms(reading.conditions)} - listed
    decided = f" (decided elsewhere: {', '.join(sorted(others))})" if others else ""
    both = " (readings of one question, of which nobody has chosen one yet)"
    alternatives = both if reading.readings > 1 else ""
    return (
        f"How the conditions are joined{alternatives}: {logic_line(reading.conditions, listed)}. "
        f"Report evidence for each by itself, wherever a passage states it{decided}."
    )


def _assumptions(assumed: Sequence[str]) -> str:
    if not assumed:
        return ""
    return "What is taken for granted: " + " ".join(map(one_line, assumed)) + "\n"


def _counted(reading: Interpretation) -> str:
    told = f"What is counted: {reading.entity_type}."
    if reading.grain == "document":
        return f"{told} Each document is one."
    whole = " If what is taken for granted says that parts count as their whole, name the whole."
    return (
        f"{told} The passages name them, so give as `entity` the name as it is written there, of "
        "several names the fullest, or what the question tells such things apart by; of a thing "
        "without a name, its noun with whose or which one it is, as the passage says it."
        f"{whole if reading.assumptions else ''}"
    )


def _conditions(conditions: Sequence[Condition]) -> str:
    if not conditions:
        return "No condition: naming such a thing is the evidence. Leave `condition` empty."
    return "The conditions, each with its id:\n" + condition_list(conditions)


def _by_place(measure: Measure | None, conditions: Sequence[Condition]) -> list[str]:
    """Return the conditions whose places only a reader can tell: mentions are found by code."""
    counted = measure.places if measure is not None else ()
    return [each.id for each in conditions if each.id in counted and not each.terms]


def _measure(measure: Measure | None, conditions: Sequence[Condition]) -> str:
    if measure is None or measure.places:
        return ""
    unit = f" Write the unit as {measure.unit!r} where it is that one." if measure.unit else ""
    apart = (
        f" Where it stands apart from the words of a condition, its own words are evidence for "
        f"`{MEASURE}`."
    )
    return (
        f"\nWith each piece of evidence give the number wanted ({measure.text}) as `value`, with "
        f"its unit, where the quote states it; never convert or compute it.{unit}"
        f"{apart if MEASURE in {each.id for each in conditions} else ''}\n"
    )


def _once(grain: Grain, by_place: Sequence[str], *, total: bool) -> str:
    if by_place:
        named = " and ".join(by_place)
        return (
            f"Every single place that states {named} is counted: give one piece of evidence for "
            "each,\n  also where a passage has several; for other conditions one quote is enough."
        )
    if total:
        return _TOTAL
    if grain == "document":
        return "One quote is enough for a condition that a passage states several times."
    return (
        "Report every single entity; one quote is enough for a condition that a passage states "
        "several times of the same entity."
    )


def _closing(values: JudgeValues) -> str:
    """Say how many passages there were, what earlier replies lacked, and what else to tell."""
    told, remarks = [f"These were the passages 1 to {len(values.passages)}."], values.remarks
    if remarks:
        told.append("An earlier reply could not be used for these of them:")
    told += [f"- passage {each}: {one_line(remarks[each], _REMARK)}" for each in sorted(remarks)]
    told += [each.rstrip() for each in sections("judge", {"seek": values.seek}).values() if each]
    return "\n".join(told)


def align(values: AlignValues) -> Prompt:
    """Ask which pairs of names are one entity; replied with `AlignReply`."""
    names = dict.fromkeys(name for pair in values.pairs for name in pair)
    quotes = values.quotes
    context = [
        f"- {_shown(name)}: {_around(quotes[name], name)!r}" for name in names if name in quotes
    ]
    lines = [
        f"{number}. {_shown(left)} and {_shown(right)}"
        for number, (left, right) in enumerate(values.pairs, start=1)
    ]
    shown = {
        "entity_type": values.entity_type,
        "question": one_line(values.question),
        "assumptions": _assumptions(values.assumptions),
        "names": "\n".join(context) or "(no words were kept)",
        "pairs": "\n".join(lines),
    }
    return render("align", shown, values)


def _shown(name: str) -> str:
    return repr(one_line(name))


def _around(quote: str, name: str) -> str:
    """Return the words of a quote around a name; its beginning where the name is not in it."""
    text = one_line(quote)
    at = max(0, text.casefold().find(one_line(name).casefold()))
    start = max(0, min(at - _AROUND // 3, len(text) - _AROUND))
    cut = text[start : start + _AROUND]
    return f"{'… ' if start else ''}{cut}{' …' if start + _AROUND < len(text) else ''}"
