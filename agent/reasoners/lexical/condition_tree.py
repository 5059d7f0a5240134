"""The tree of a question's conditions, and how lists of them are joined."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.replies import AtomReply

Join = Literal["", "and", "or", ","]


@dataclass(frozen=True, slots=True)
class Tree:
    """A condition, or several joined."""

    kind: Literal["atom", "and", "or", "not"]
    parts: tuple["Tree", ...] = ()
    atom: AtomReply | None = None


@dataclass(slots=True)
class Placed:
    """A condition at its place in the question."""

    node: Tree
    join: Join
    key: str
    """What list it can belong to: a field's name, `kind`, `mention`, or its own."""
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


def joined_by(cluster: Sequence[Placed]) -> Tree:
    """Join a list: of one value a document, any; of several items, as it is said."""
    first = cluster[0]
    nodes = tuple(each.node for each in cluster)
    negated = first.negated
    if len(nodes) == 1:
        node = nodes[0]
    else:
        said = {each.join for each in cluster[1:]}
        every = "or" not in said and (first.listed or first.key == "mention")
        node = Tree("and" if every and not negated else "or", nodes)
    return Tree("not", (node,)) if negated else node


def all_of(nodes: Sequence[Tree]) -> Tree:
    """Join conditions by and."""
    return nodes[0] if len(nodes) == 1 else Tree("and", tuple(nodes))


def written_logic(node: Tree) -> str:
    """Write a tree as the order's logic."""
    if node.kind == "atom" and node.atom is not None:
        return node.atom.id
    if node.kind == "not":
        return f"not ({written_logic(node.parts[0])})"
    return "(" + f" {node.kind} ".join(written_logic(each) for each in node.parts) + ")"


def in_words(node: Tree) -> str:
    """Say a tree for a person."""
    if node.kind == "atom" and node.atom is not None:
        return node.atom.text
    if node.kind == "not":
        return f"not ({in_words(node.parts[0])})"
    return f" {node.kind} ".join(
        f"({in_words(each)})" if each.kind in {"and", "or"} else in_words(each)
        for each in node.parts
    )
