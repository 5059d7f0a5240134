import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.reasoners.rules.records.shapes import common_shape
from agent.reasoners.rules.records.structure.pairs import known_labels, pair_lines, split_pairs
from agent.reasoners.rules.records.structure.reader import read_entries
from agent.reasoners.rules.records.structure.slots import slots_in
from tests.agent.reasoners.rules.records.small_documents import cells_of, kinds_in, sample


def entries(text: str) -> list[dict[str, str]]:
    known = known_labels(pair_lines(text))
    found = read_entries(text, lambda line: known[line.head].__contains__)
    return [{each.label: each.value for each in entry.statements} for entry in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name | Weight\n--- | ---\nOak | 12\nElm | 9\n", [{"Name": "Oak", "Weight": "12"},
                                                           {"Name": "Elm", "Weight": "9"}]),
        ("name,age,city\nAnn,3,Rome\nBob,4,\"Paris, France\"\n",
         [{"name": "Ann", "age": "3", "city": "Rome"},
          {"name": "Bob", "age": "4", "city": "Paris, France"}]),
        ("Pool | No\nRooms | 12\nTown | Riga\nStars | 3\n",
         [{"Pool": "No", "Rooms": "12", "Town": "Riga", "Stars": "3"}]),
        ("Name: Oak\nAge: 4\nName: Elm\nAge: 5\n", [{"Name": "Oak", "Age": "4"},
                                                    {"Name": "Elm", "Age": "5"}]),
        ("- **Name:** Oak\n- **Height:** 12 m\n", [{"Name": "Oak", "Height": "12 m"}]),
    ],
    ids=["piped", "delimited", "upright", "blocks", "bold items"],
)  # fmt: skip
def test_lines_set_as_tables_and_keys_are_entries(
    text: str, expected: list[dict[str, str]]
) -> None:
    assert entries(text) == expected


def test_values_may_hold_what_parts_the_pairs() -> None:
    text = (
        "Site 1: note is Bastar, Bihar and more, is open is T and killed is 8.\n"
        "Site 2: note is The sea is calm, is open is F and killed is 0.\n"
        "Site 3: note is nothing, is open is T and killed is 2.\n"
        "Site 4: note is nothing, is open is T and killed is 3.\n"
    )
    first, second, *_ = entries(text)
    assert first == {"note": "Bastar, Bihar and more", "is open": "T", "killed": "8"}
    assert second["note"] == "The sea is calm"


VALUES = st.text("abc 1,.", min_size=1, max_size=9).map(lambda value: "x" + value.strip(" .,"))


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=4, max_size=9))
def test_rows_are_read_as_they_were_written(rows: list[tuple[str, str, str]]) -> None:
    text = "\n".join(
        f"Thing record {at}: first is {a}, second one is {b} and third is {c}."
        for at, (a, b, c) in enumerate(rows)
    )
    lines = list(pair_lines(text))
    known = known_labels(lines)
    for row, line in zip(rows, lines, strict=True):
        stated = split_pairs(line, known[line.head].__contains__)
        assert tuple(each.value for each in stated) == row
        assert all(text[each.value_start : each.end] == each.value for each in stated)


@pytest.mark.parametrize(
    ("text", "value", "words"),
    [
        ("The average fee of the club was 50 euros.", "50", "average fee"),
        ("It has a capacity of 5,000 seats.", "5,000", "capacity"),
        ("The number of rooms is 12.", "12", "number of rooms"),
        ("It was founded in 1998 by two friends.", "1998", "founded"),
    ],
)
def test_a_value_is_called_by_the_words_before_it(text: str, value: str, words: str) -> None:
    slot = next(each for each in slots_in(text) if each.value == value)
    assert " ".join(word.text for word in slot.before) == words


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["$1,200", "USD 900", "40 dollars"], ("integer", "USD")),
        (["12 weeks", "84 days", "3 weeks"], ("number", "weeks")),
        (["12 days", "8 weeks", "3 days"], ("integer", "days")),
        (["500 EUR", "€70", "9000 JPY", "USD 20"], ("integer", None)),
        (["500.5 EUR", "9000 JPY", "8000 JPY"], ("number", None)),
        (["41%", "7.5 %"], ("number", "%")),
        (["08996", "12345"], ("text", None)),
        (["BUS 311", "KLR 209"], ("text", None)),
        (["yes", "no", "n/a"], ("boolean", None)),
        (["3 March 2021", "2020", "2021-04-05"], ("date", None)),
        (["eighty-seven", "12"], ("integer", None)),
        (["5 eggs", "200 g flour", "1 onion"], ("text", None)),
        (["2 m", "3m", "11 m"], ("integer", "m")),
        (["$2m", "$ 3 m"], ("integer", "USD")),
        (["7 °C", "-3.5 °C"], ("number", "°C")),
        (["120 rooms", "95", "80"], ("integer", None)),
        (["12", "14", "3", "8", "9", "withdrawn"], ("integer", None)),
        (["12", "14", "3", "8", "9", "12b"], ("text", None)),
        (["1 May 2020", *["2 June 2021"] * 5, "when the tide allows"], ("date", None)),
        (["3.9", "3.10", "3.11"], ("text", None)),
        (["3.10", "3.11", "3.12", "3.13", "3.14", "2.7.9"], ("text", None)),
        (["9.50", "12.00", "9.95"], ("number", None)),
        (["9.5", "12.25", "10.50"], ("number", None)),
    ],
)
def test_values_share_a_type_and_a_unit(
    values: list[str], expected: tuple[str, str | None]
) -> None:
    assert common_shape(values) == expected


@pytest.mark.parametrize(
    ("label", "written", "unit"),
    [
        ("Spread", "{} m", "m"),
        ("Dose", "{} mg", "mg"),
        ("Capacity", "{} seats", "seats"),
        ("Fee", "${}", "USD"),
        ("Top speed", "{} km/h", "km/h"),
        ("Water", "{} °C", "°C"),
    ],
)
def test_what_stands_with_every_number_is_the_unit(label: str, written: str, unit: str) -> None:
    documents = [
        sample(f"d{at}", f"Name: {name}\n{label}: {written.format(at + 2)}\n")
        for at, name in enumerate(("Ash", "Bay", "Cox", "Dun", "Elm"))
    ]
    (kind,) = kinds_in(documents)
    attribute = kind.attributes[1]
    assert (attribute.type, attribute.unit) == ("integer", unit)


def test_releases_keep_their_last_zero() -> None:
    documents = [
        sample(f"d{at}", f"Tool: T{at}\nRelease: {release}\nOwner: Ann {at}\n")
        for at, release in enumerate(("3.8", "3.9", "3.10", "3.11"))
    ]
    kinds = kinds_in(documents)
    assert [each.type for each in kinds[0].attributes] == ["text", "text", "text"]
    assert cells_of(documents[2], kinds)[0]["release"] == "3.10"


def test_labels_that_never_stand_together_and_say_the_same_are_one_attribute() -> None:
    documents = [
        sample(f"d{at}", f"{label}: {10 + at}\nOwner: Ann {at}\nTown: Riga {at}\n")
        for at, label in enumerate(["Rooms", "Number of rooms", "Guest rooms"] * 3)
    ]
    kinds = kinds_in(documents)
    attribute = kinds[0].attributes[0]
    assert set(attribute.labels) == {"Rooms", "Number of rooms", "Guest rooms"}
    assert [cells_of(each, kinds)[0][attribute.name] for each in documents] == [
        str(10 + at) for at in range(9)
    ]
