from pathlib import Path

from agent.errors import MalformedReply
from agent.reasoner import Prompt
from agent.reasoners import ScriptedReasoner
from evals.spiderqa.database import read_database
from evals.spiderqa.document import render
from evals.spiderqa.template import plain_template
from evals.spiderqa.templating import TableValues, model_templates

BATTLE = "Battle {#} (id {ID}) was fought at {Name} in {Year}."
SHIP = (
    "Ship {#}, number {Ship_ID}, is {Name} of {Tonnage} tons, a {Kind}, lost in {Lost_in_battle}."
)


def test_a_models_sentences_state_the_rows(ships: Path) -> None:
    database = read_database(ships, "ships")
    model = ScriptedReasoner({"template": [{"sentence": BATTLE}, {"sentence": SHIP}]})
    said: list[str] = []
    rendered = render(database, model_templates(model, database, said.append))
    start, end = rendered.places["ship", 10]
    assert rendered.text[start:end] == (
        "Ship 1, number 10, is Avon of 391 tons, a Brig, lost in 1 (battle Rusion)."
    )
    assert not said
    shown = model.prompts[1].text
    for told in ("Ship_ID, Name, Tonnage", "Lost_in_battle refers to ID of Battle", "10, Avon"):
        assert told in shown


def test_a_sentence_that_leaves_out_a_column_is_replaced_and_told(ships: Path) -> None:
    def reply(prompt: Prompt) -> dict[str, str] | Exception:
        table = prompt.values_as(TableValues).table
        if getattr(table, "name", "") == "Ship":
            return MalformedReply("prose")
        return {"sentence": "Battle {#} was fought at {Name}."}

    database = read_database(ships, "ships")
    said: list[str] = []
    found = model_templates(ScriptedReasoner({"template": reply}), database, said.append)
    assert found == {each.name: plain_template(each) for each in database.tables}
    assert "missing ['ID', 'Year']" in said[0]
    assert "prose" in said[1]
