"""The tree of a question's conditions, and how lists of them are joined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.question import AllOf, AnyOf, Condition, Node, Not

Join = Literal["", "and", "or", ","]


@dataclass(slots=True)
class Placed:
    """A condition at its place in the question."""

    node: Node
    key: str
    """What list it can belong to: a field's name, `kind`, `mention`, or its own."""
    join: Join = ""
    listed: bool = False
    """Whether the field holds several items a document."""
    negated: str = ""
    before_kind: bool = False
    words: range = range(0)
    """The places of the words of a value; empty of anything else."""
    stated: bool = False
    """Whether its denial is of documents that state the field alone."""


def clusters(items: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield runs of conditions that form one list: values of one field, kinds, mentions."""
    cluster: list[Placed] = []
    for each in items:
        apart = cluster and (each.key, each.negated) != (cluster[-1].key, cluster[-1].negated)
        if cluster and (apart or not each.join):
            yield cluster
            cluster = []
        cluster.append(each)
    if cluster:
        yield cluster


def joined_by(cluster: Sequence[Placed]) -> Node:
    """Join a list: of one value a document, any; of several items, as it is said."""
    first, nodes = cluster[0], [each.node for each in cluster]
    any_ = first.negated or "or" in {each.join for each in cluster[1:]}
    every = not any_ and (first.listed or first.key == "mention")
    node = all_of(nodes) if every else any_of(nodes)
    return Not(part=node) if first.negated else node


def all_of(nodes: Sequence[Node]) -> Node:
    """Join conditions by and."""
    return nodes[0] if len(nodes) == 1 else AllOf(parts=tuple(nodes))


def any_of(nodes: Sequence[Node]) -> Node:
    """Join conditions by or."""
    return nodes[0] if len(nodes) == 1 else AnyOf(parts=tuple(nodes))


def in_words(node: Node) -> str:
    """Say a tree for a person."""
    match node:
        case Condition():
            return node.text
        case Not():
            return f"not ({in_words(node.part)})"
        case AllOf() | AnyOf():
            joined = [isinstance(each, AllOf | AnyOf) for each in node.parts]
            words = zip(map(in_words, node.parts), joined, strict=True)
            return f" {node.kind} ".join(f"({told})" if own else told for told, own in words)
