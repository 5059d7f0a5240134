"""How a model read a question: replies of which a test says what matters, the rest being plain."""

from typing import Any

__all__ = ("atom", "interpreted", "measured")


def atom(name: str = "c1", **told: Any) -> dict[str, Any]:
    """Return a condition as an interpretation's reply has it."""
    blank = {"counts": [], "excludes": [], "terms": [], "values": [], "of": "value"}
    about = {"id": name, "text": f"is about {name}", "field": None, "comparison": None}
    return blank | about | told


def measured(text: str) -> dict[str, Any]:
    """Return a measure that no field holds."""
    return {"text": text, "field": None, "of": "value", "unit": None, "places": []}


def interpreted(logic: str = "c1", *conditions: dict[str, Any], **told: Any) -> dict[str, Any]:
    """Return how a question was read; without conditions, those that the logic names."""
    named = dict.fromkeys(word for word in logic.split() if word.strip("()").startswith("c"))
    blank = {"entity_field": None, "measure": None, "group_by": None, "k": None}
    reading = {
        "restated": "How many letters are about it?",
        "entity_type": "letter",
        "grain": "document",
        "conditions": list(conditions) or [atom(each.strip("()")) for each in named],
        "logic": logic,
        "operation": "count",
        "ascending": False,
        "quota": None,
        "across": False,
        "show": [],
        "assumptions": [],
    }
    return blank | reading | told
