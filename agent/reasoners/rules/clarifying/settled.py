"""What earlier replies settled stays settled when the question is reread for a later one."""

from collections.abc import Sequence

from agent.corpus_view import CorpusView
from agent.interpretation import alike, interpretation_from
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, atoms
from agent.reasoners.rules.language.words import stem, tokenize
from agent.reasoners.rules.reading.draft import all_of, expression, numbered, said
from agent.reasoners.rules.reading.interpret import read_question
from agent.replies import InterpretReply, MeasureReply

__all__ = ("keeping",)


def keeping(
    reply: InterpretReply, question: str, span: str, now: Interpretation, corpus: CorpusView
) -> InterpretReply:
    """Return a rereading of a question with what the reading so far has beyond its words.

    Conditions that the reading so far gained are added, those that it gave up are left out; the
    entity, the operation and the measure stay where the rereading does not change them. Where only
    some of the alternatives gained have the word that a span describes, the rereading is of them.
    """
    names = [field.name for field in corpus.fields]
    first = interpretation_from(read_question(question, corpus), names)
    if alike(first, now):
        return reply
    target = interpretation_from(reply, names)
    before, since = _parts(first.conditions), _parts(now.conditions)
    gone = [part for part in before if part not in since]
    kept = [part for part in _parts(target.conditions) if part not in gone]
    gained = [part for part in since if part not in before and part not in kept]
    new = [part for part in kept if part not in before]
    within = [_within(part, new, _described(question, span)) for part in gained]
    if within != gained:
        kept = [part for part in kept if part in before]
    node = numbered(all_of([*kept, *within]))
    conditions, logic = expression(node)
    asked = reply.restated.partition(" for which this holds:")[0].rstrip(".")
    where = f" for which this holds: {said(node)}" if node is not None else ""
    update: dict[str, object] = {
        "conditions": conditions, "logic": logic, "restated": f"{asked}{where}.",
        **_entity(target, first, now), **_operation(target, first, now),
    }  # fmt: skip
    return reply.model_copy(update=update)


def _within(part: Node, new: Sequence[Node], word: str) -> Node:
    """Return alternatives with new conditions in those that say a word, where others do not."""
    if not (isinstance(part, AnyOf) and new and word):
        return part
    saying = [_says(each, word) for each in part.parts]
    if all(saying) or not any(saying):
        return part
    told = zip(part.parts, saying, strict=True)
    return AnyOf(parts=tuple(_both(each, new) if says else each for each, says in told))


def _both(part: Node, others: Sequence[Node]) -> Node:
    return AllOf(parts=(*_parts(part), *others))


def _described(question: str, span: str) -> str:
    """Return the word behind a span: `rejected` of `recently rejected maps`; empty for none."""
    tokens = tokenize(question.partition(span)[2]) if span else ()
    return tokens[0].low if tokens and tokens[0].kind == "word" and not tokens[0].function else ""


def _says(node: Node, word: str) -> bool:
    """Tell whether a condition of a node has a word, in whatever inflection."""
    return any(stem(each.low) == stem(word) for atom in atoms(node) for each in tokenize(atom.text))


def _entity(
    target: Interpretation, first: Interpretation, now: Interpretation
) -> dict[str, object]:
    same = (target.grain, target.entity_field) == (first.grain, first.entity_field)
    if not same:
        return {}
    return {"entity_type": now.entity_type, "grain": now.grain, "entity_field": now.entity_field}


def _operation(
    target: Interpretation, first: Interpretation, now: Interpretation
) -> dict[str, object]:
    if (target.operation, target.measure) != (first.operation, first.measure):
        return {}
    measure = now.measure
    told = measure and MeasureReply(**measure.model_dump())
    return {"operation": now.operation, "measure": told, "group_by": now.group_by, "k": now.k}


def _parts(node: Node | None) -> Sequence[Node]:
    """Return what is joined by and at the top, without ids."""
    if node is None:
        return ()
    bare = _bare(node)
    return bare.parts if isinstance(bare, AllOf) else (bare,)


def _bare(node: Node) -> Node:
    match node:
        case Condition():
            return node.model_copy(update={"id": ""})
        case Not():
            return Not(part=_bare(node.part))
        case AllOf() | AnyOf():
            return node.model_copy(update={"parts": tuple(_bare(each) for each in node.parts)})
