"""A parenthesis behind a name is an alias, a gloss or an exclusion."""

import pytest

from agent.reasoners.rules.reading.aliases import read_gloss


@pytest.mark.parametrize(
    ("name", "inner", "aliases"),
    [
        ("WebAssembly", "wasm", ("wasm",)),
        ("Global Interpreter Lock", "GIL", ("GIL",)),
        ("TUF", "The Update Framework", ("The Update Framework",)),
        ("SBOM", "software bill of materials", ("software bill of materials",)),
        ("covariance", "covariant, covariantly", ("covariant", "covariantly")),
        ("Hatch", "or Hatchling", ("Hatchling",)),
        ("Istanbul", "also known as Constantinople", ("Constantinople",)),
        ("Cargo", "Rust", ()),
        ("Pyre", "the type checker", ()),
    ],
)
def test_aliases_are_told_from_glosses(name: str, inner: str, aliases: tuple[str, ...]) -> None:
    gloss = read_gloss(inner, name)
    assert gloss.aliases == aliases
    assert gloss.counts == (() if aliases else (inner,))


def test_what_does_not_count_is_excluded() -> None:
    gloss = read_gloss("the planet; the metal does not count", "Mercury")
    assert gloss.counts == ("the planet",)
    assert gloss.excludes == ("the metal does not count",)
