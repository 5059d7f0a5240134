from tools.corpus.fields.header import front_matter


def test_no_fence_no_front_matter() -> None:
    assert front_matter("title: x\n") is None


def test_yaml_keeps_the_places_of_its_values() -> None:
    text = "---\ntitle: 'A: b'\ntags:\n  - x\n  - y\n---\n"
    entries = front_matter(text)
    assert entries is not None
    assert [(entry.key, entry.raw, entry.items) for entry in entries] == [
        ("title", "A: b", ("A: b",)),
        ("tags", "- x\n  - y", ("x", "y")),
    ]
    assert all(text[entry.start :].startswith(entry.raw) for entry in entries)


def test_an_unfinished_block_is_none() -> None:
    assert front_matter("---\ntitle: x\n") is None
