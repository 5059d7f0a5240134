from tools.corpus.fields.catalogue import catalogue
from tools.corpus.fields.field_values import field_value


def test_spellings_of_a_key_are_one_field_named_as_most_often() -> None:
    documents = [
        {"Python-Version": field_value("3.9")},
        {"Python-Version": field_value("3.10")},
        {"python version": field_value("3.9")},
    ]
    fields, names = catalogue(documents)
    assert names == {"Python-Version": "Python-Version", "python version": "Python-Version"}
    assert [(field.name, field.documents, field.distinct) for field in fields] == [
        ("Python-Version", 3, 2)
    ]
    assert fields[0].values == (("3.9", 2), ("3.10", 1))


def test_fields_come_most_widespread_first() -> None:
    documents = [{"B": field_value("x"), "A": field_value("y")}, {"B": field_value("z")}]
    fields, _ = catalogue(documents)
    assert [field.name for field in fields] == ["B", "A"]


def test_items_count_once_a_document_and_without_case() -> None:
    fields, _ = catalogue([{"T": field_value("a, A")}, {"T": field_value("a")}])
    assert fields[0].values == (("a", 2),)


def test_a_document_with_two_spellings_counts_once() -> None:
    fields, _ = catalogue([{"Key": field_value("a"), "key": field_value("b")}])
    assert [(field.documents, field.values) for field in fields] == [(1, (("a", 1),))]


def test_no_documents_no_fields() -> None:
    assert catalogue([]) == ((), {})


def test_none_is_no_value_among_amounts_and_lists_but_is_one_among_words() -> None:
    rows = (
        ("$900", "pool", "oak, ash"),
        ("$1,200", "none", "none"),
        ("none", "none", "elm"),
        ("None", "gym", "None"),
    )
    names = ("Due", "Has", "Trees")
    documents = [dict(zip(names, map(field_value, row), strict=True)) for row in rows]
    fields, _ = catalogue(documents)
    assert {each.name: (each.type, each.documents, each.distinct) for each in fields} == {
        "Due": ("number", 2, 2),
        "Has": ("text", 4, 3),
        "Trees": ("list", 2, 3),
    }
