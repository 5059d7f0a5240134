"""Which field tells the kinds of a mixed collection apart."""

from prompts.kinds import kinds_of
from prompts.wording import collection
from tests.agent.reasoners.rules.papers import Papers

MIXED = Papers(
    {
        **{f"jar-{n}": {"Sheet": "Jar", "Glaze": "blue", "Layer": str(n)} for n in range(4)},
        **{f"coin-{n}": {"Sheet": "Coin", "Weight": "3 g", "Layer": str(n)} for n in range(4)},
        "coin-9": {"Sheet": "Coin", "Layer": "2", "Hoard": "North"},
    }
)
ALIKE = Papers(
    {f"note-{n}": {"Status": "open" if n % 2 else "done", "Filed": "2001"} for n in range(6)}
)
LOOSE = Papers(
    {
        f"note-{n}": {"Status": "open" if n % 2 else "done"} | ({"Due": "2001"} if n % 3 else {})
        for n in range(12)
    }
)


def test_the_field_that_tells_which_other_fields_stand_in_a_document_tells_the_kind() -> None:
    kinds = kinds_of(MIXED)
    assert kinds is not None
    assert kinds.field == "Sheet"
    assert kinds.having("Glaze") == "only where Sheet is Jar"
    assert kinds.having("Hoard") == "only where Sheet is Coin"
    assert kinds.having("Layer") == ""


def test_a_field_on_which_no_other_depends_tells_no_kinds() -> None:
    assert kinds_of(ALIKE) is None
    assert kinds_of(LOOSE) is None


def test_a_mixed_collection_says_which_kind_has_a_field() -> None:
    assert "- Glaze (text, 44%, only where Sheet is Jar): blue (4)" in collection(MIXED)
