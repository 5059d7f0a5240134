"""What a schema takes from the names of documents."""

from agent.reasoners.rules.records.induce import induce
from agent.records.induction import Extract, SampleDocument


def test_a_year_that_all_names_share_is_an_attribute_all_the_same() -> None:
    documents = [
        SampleDocument(
            name=f"{name}-2031",
            extracts=(Extract(text=f"Brewery: {name}\nKegs: {n}00\nHead brewer: Ann {n}\n"),),
        )
        for n, name in enumerate(("alder", "birch", "cedar", "dogwood"), start=3)
    ]
    (kind,) = induce({"documents": documents}).kinds
    year = next(each for each in kind.attributes if each.name == "year")
    assert (year.type, set(year.examples)) == ("integer", {"2031"})
