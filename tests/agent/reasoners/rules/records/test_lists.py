import pytest

from agent.reasoners.rules.records.extract import extract
from agent.reasoners.rules.records.lists import lists_items
from tests.agent.reasoners.rules.records.small_documents import kinds_in, sample

EXTRAS = ("garden, sauna", "sauna", "lift, garden", "sauna, lift", "garden", "lift, sauna")


@pytest.mark.parametrize(
    ("values", "listed"),
    [
        (EXTRAS, True),
        (("pool, bar, gym", "pool, bar and gym", "gym"), True),
        (("deep; ice-free", "canal; deep"), True),
        (("Graz, Austria", "Wels, Austria", "Ulm, Germany", "Austria"), False),
        (("Bell, Ann", "Chen, Bo", "Ann, Bo", "Falk, Eva"), False),
        (("12, 14", "14, 12", "13, 15", "15, 13"), False),
        ((), False),
    ],
    ids=[
        "pairs that change places",
        "long",
        "semicolons",
        "place and land",
        "names",
        "numbers",
        "-",
    ],
)
def test_a_column_lists_items_where_the_order_means_nothing(
    values: tuple[str, ...], listed: bool
) -> None:
    assert lists_items(values) is listed


def test_short_lists_are_drawn_up_and_read_item_by_item() -> None:
    leases = [
        sample(f"lease-{at}", f"City: {city}\nExtras: {extras}\nRooms: {at + 2}\n")
        for at, (city, extras) in enumerate(zip("ABCDEF", EXTRAS, strict=True))
    ]
    kinds = kinds_in(leases)
    attribute = kinds[0].attribute("extras")
    assert attribute is not None
    assert attribute.many
    for document, extras in zip(leases, EXTRAS, strict=True):
        fields = {"Extras": extras}
        values = {"kinds": kinds, "document": document.name, "text": document.text}
        (record,) = extract(values | {"fields": fields}).records
        found = [each.value for each in record.cells if each.attribute == "extras"]
        assert found == extras.split(", ")


def test_a_list_that_only_a_field_states_is_read_item_by_item() -> None:
    leases = [
        sample(f"lease-{at}", f"City: {city}\nExtras: {extras}\nRooms: {at + 2}\n")
        for at, (city, extras) in enumerate(zip("ABCDEF", EXTRAS, strict=True))
    ]
    values = {"kinds": kinds_in(leases), "document": "new", "text": "City: G\nRooms: 9\n"}
    (record,) = extract(values | {"fields": {"Extras": "garden; sauna"}}).records
    found = [each.value for each in record.cells if each.attribute == "extras"]
    assert found == ["garden", "sauna"]
