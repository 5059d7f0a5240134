"""A clause that metadata decides: its words bound to fields and values the corpus really has."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent.question import Node
from agent.reasoners.rules.language.words import Token
from agent.reasoners.rules.reading.binding import Binding
from agent.reasoners.rules.reading.elements import read_elements
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("Decision", "decide")


@dataclass(frozen=True, slots=True)
class Decision:
    """What metadata makes of a clause."""

    node: Node | None
    """None where metadata decides nothing of it."""
    left: tuple[int, ...]
    """Indexes of the tokens that metadata does not account for."""

    @property
    def void(self) -> bool:
        """Whether the clause says nothing beyond what its verb and noun already said."""
        return self.node is None and not self.left

    @property
    def whole(self) -> bool:
        """Whether metadata decides the clause as a whole."""
        return self.node is not None and not self.left


def decide(tokens: Sequence[Token], scene: Scene, *, modifier: bool = False) -> Decision:
    """Bind a clause to metadata, as far as its words allow.

    Args:
        tokens: the clause, marks between words included.
        scene: the question's context; assumptions are recorded there only for whole decisions.
        modifier: whether the words stand before the entity's noun, where `and` joins alternatives.
    """
    kept = [token for token in tokens if token.text not in {"-", "/"} or token.kind != "mark"]
    if not kept:
        return Decision(None, ())
    assumed = len(scene.assumptions)
    binding = Binding(kept, scene, modifier=modifier)
    for element in read_elements(kept, scene.labels, scene.nouns):
        binding.add(element)
    node, left = binding.finish()
    if node is None or (left and not modifier):
        del scene.assumptions[assumed:]
    positions = {id(token): index for index, token in enumerate(tokens)}
    return Decision(node, tuple(positions[id(kept[index])] for index in left))
