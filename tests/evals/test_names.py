from evals.names import DocumentNames


def test_a_document_is_found_by_its_last_part() -> None:
    assert DocumentNames(["a/one", "b/two"]).find("two") == 1


def test_a_last_part_that_occurs_twice_finds_nothing() -> None:
    names = DocumentNames(["a/one", "b/one"])
    assert names.find("one") is None
    assert names.find("b/one") == 1
