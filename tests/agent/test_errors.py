"""The tree drawn in the module's docstring is the tree of the classes."""

import inspect
import re

from agent import errors

_DRAWN = re.compile(r"^(?P<stem>[│├└─ ]*)(?P<name>[A-Z]\w+)(?: {2,}(?P<said>\S.*))?$")


def _drawn() -> dict[str, tuple[str, str]]:
    """Return class → (parent, what is said of it), read from the drawing; four signs a level."""
    path: list[str] = []
    tree: dict[str, tuple[str, str]] = {}
    for line in inspect.cleandoc(errors.__doc__ or "").splitlines():
        found = _DRAWN.match(line)
        if found is None or (not path and found["name"] != "HeadcountError"):
            continue
        depth = len(found["stem"]) // 4
        tree[found["name"]] = (path[depth - 1] if depth else "Exception", found["said"] or "")
        path[depth:] = [found["name"]]
    return tree


DRAWN = _drawn()


def test_the_drawn_tree_is_the_real_one() -> None:
    real = {
        name: each.__bases__[0].__name__
        for name, each in vars(errors).items()
        if isinstance(each, type) and issubclass(each, Exception)
    }
    assert {name: parent for name, (parent, _) in DRAWN.items()} == real
