import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.corpus.fields.header import broken_block, read_fields

HEADERS: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "mail-style-with-folding": (
        "Title: On Ropes\nAuthor: Ann Lee <a@x.org>,\n        Bob Ray <b@x.org>\nEmpty:\n\nBody.",
        {"Title": ("On Ropes",), "Author": ("Ann Lee", "Bob Ray")},
    ),
    "yaml-aliases": (
        "---\nby: &b Ann Lee\nkept_by: *b\nat: &a {town: Oslo}\nsent: *a\nseen: [*b, Bob]\n---\n",
        {
            "by": ("Ann Lee",),
            "kept_by": ("Ann Lee",),
            "at.town": ("Oslo",),
            "sent.town": ("Oslo",),
            "seen": ("Ann Lee", "Bob"),
        },
    ),
    "toml": (
        '+++\ntitle = "On Ropes"\n[taxonomies]\ntags = [\n  "knots",\n  "hemp",\n]\n+++\nBody',
        {"title": ("On Ropes",), "taxonomies.tags": ("knots", "hemp")},
    ),
    "broken-yaml-as-lines": (
        "---\ntitle: Ropes: a study\nstatus: open\n---\nBody",
        {"title": ("Ropes: a study",), "status": ("open",)},
    ),
    "rest-field-list": (
        "Ropes\n=====\n\n:Author: Ann Lee\n:Date: 2020-01-02\n\nBody",
        {"Author": ("Ann Lee",), "Date": ("2020-01-02",)},
    ),
    "markdown-items": (
        "- Start Date: 2014-08-28\n- Issue: [org/repo#1](https://x.org/1)\n\n## Summary\n\nBody.",
        {"Start Date": ("2014-08-28",), "Issue": ("org/repo#1",)},
    ),
    "markdown-bold": (
        "# 1. Use ropes\n\n**Status:** Accepted\n\n**Date**: 2020-01-02\n\nBody.",
        {"Status": ("Accepted",), "Date": ("2020-01-02",)},
    ),
    "memo-below-its-title": (
        "MEMORANDUM\n\nTO:      All staff\nFROM:    Ann Lee\nDATE:    May 1, 2001\n\nPlease note.",
        {"TO": ("All staff",), "FROM": ("Ann Lee",), "DATE": ("May 1, 2001",)},
    ),
    "repeated-keys-gather": (
        "Name: x\nClassifier: A :: B\nClassifier: C :: D\nVersion: 1.0\n",
        {"Name": ("x",), "Classifier": ("A :: B", "C :: D"), "Version": ("1.0",)},
    ),
    "a-second-block-of-keys": (
        "Report: R-1\nSite: Plant 4\n\nShift: Night\nCrew: Blue\n\nNote: it rained.\n",
        {"Report": ("R-1",), "Site": ("Plant 4",), "Shift": ("Night",), "Crew": ("Blue",)},
    ),
    "key-lines-below-a-title-and-a-blank-line": (
        "LEASE OF A FLAT\n\nLandlord: Ann Lee\nMonthly rent: 1,200 EUR\n\nThe parties agree.",
        {"Landlord": ("Ann Lee",), "Monthly rent": ("1,200 EUR",)},
    ),
    "nested-yaml": (
        (
            "---\nid: On Ropes\ndate: 2020-01-02\n"
            "versions:\n  patched: '1.2'\n  affected: [1.0, 1.1]\n"
            "credits:\n  - name: Ann\n  - name: Bob\nempty: null\n---\nBody"
        ),
        {
            "id": ("On Ropes",),
            "date": ("2020-01-02",),
            "versions.patched": ("1.2",),
            "versions.affected": ("1.0", "1.1"),
            "credits.name": ("Ann", "Bob"),
        },
    ),
    "fenced-toml-below-a-title": (
        (
            '# Advisory\n\n```toml\nid = "A-1"  # ours\nopen = true\ndate = 2020-01-02\n'
            '[versions]\npatched = ["1.2", "1.3"]\nlimits = {low = 1, high = \'x\'}\n```\nBody'
        ),
        {
            "id": ("A-1",),
            "open": ("true",),
            "date": ("2020-01-02",),
            "versions.patched": ("1.2", "1.3"),
            "versions.limits.low": ("1",),
            "versions.limits.high": ("x",),
        },
    ),
    "fenced-yaml": (
        "```yaml\nstatus: open\ntags:\n  - knots\n  - hemp\n```\n\nBody",
        {"status": ("open",), "tags": ("knots", "hemp")},
    ),
    "fenced-key-lines": (
        "```\nStatus: open: still\nCost: $1,200.50\n```\n\nBody",
        {"Status": ("open: still",), "Cost": ("$1,200.50",)},
    ),
    "fenced-json": (
        '```json\n{"status": "open", "tags": ["knots", "hemp"]}\n```\n\nBody',
        {"status": ("open",), "tags": ("knots", "hemp")},
    ),
    "bare-json": (
        '{\n\t"title": "On \\"Ropes\\"", "lease": {"start": "2020-01-02"}, "none": null\n}\n\nBody',
        {"title": ('On "Ropes"',), "lease.start": ("2020-01-02",)},
    ),
    "json-between-semicolons": (
        ';;;\n{"rent": 1200, "let": true}\n;;;\nBody',
        {"rent": ("1200",), "let": ("true",)},
    ),
    "empty": ("", {}),
    "prose-first": ("Just prose here.\nNote: this is prose too.\nAnd: more of it.", {}),
    "one-key-line": ("One\n\nTwo.\n\nNote: this is a note.\nIt goes on.", {}),
    "a-single-key": ("See: http://x.org/a\n\nThis is prose.", {}),
    "dialogue": (
        (
            "Ann: I do not think that we should go there today.\n"
            "Bob: But I would really like to see it once more.\n"
        ),
        {},
    ),
    "code": ("try:\n    run()\nfinally:\n    stop()\n", {}),
    "addresses": ("http://x.org/a\nhttps://x.org/b\n", {}),
    "yaml-that-is-no-mapping": ("---\n- a\n- b\n---\ntext", {}),
    "toml-without-keys": ("+++\n# none\n+++\nProse.", {}),
    "code-in-a-fence": ("```python\nx = 1\ny = 2\n```\n\nProse.", {}),
    "braces-that-are-no-json": ("{a} is a set.\n\nProse.", {}),
    "an-alias-of-itself": ("---\nlater: &a {x: *a}\n---\nProse.", {}),
}


@pytest.mark.parametrize(("text", "items"), HEADERS.values(), ids=HEADERS)
def test_a_header_is_read_with_the_places_of_its_values_and_prose_has_none(
    text: str, items: dict[str, tuple[str, ...]]
) -> None:
    fields, _ = read_fields(text)
    assert {key: value.items for key, value in fields.items()} == items
    unplaced = [key for key, value in fields.items() if value.start is None]
    assert [key for key in unplaced if not key.startswith("versions.limits")] == []
    placed = [value for value in fields.values() if value.start is not None]
    assert all(text[value.start : value.end] == value.raw for value in placed)


def test_aliases_that_multiply_are_not_followed() -> None:
    nested = "{key: value}"
    for number in range(40):
        nested = f"{{in: [&a{number} {nested}, *a{number}]}}"
    text = f"---\nname: one\nsize: 2\nmany: {nested}\n---\n"
    assert [*read_fields(text)[0]][:2] == ["name", "size"]
    assert "read line by line" in broken_block(text)


def test_values_in_front_matter_are_typed() -> None:
    text = "---\nrent: '1,200 EUR'\nsigned: 2 April 2019\nrooms: 3\n---\n"
    fields, _ = read_fields(text)
    assert [(each.number, each.date) for each in fields.values()] == [
        (1200.0, None),
        (None, "2019-04-02"),
        (3.0, None),
    ]


@given(st.text(alphabet=st.sampled_from("&!ab:- \n\t*#=+[]{}`;\"'.,é"), max_size=200))
def test_offsets_hold_for_any_text(text: str) -> None:
    fields, _ = read_fields(text)
    placed = [value for value in fields.values() if value.start is not None]
    assert all(text[value.start : value.end] == value.raw for value in placed)


def test_a_block_that_is_not_understood_is_told() -> None:
    long = "---\n" + "key: a value\n" * 6_000 + "---\n"
    merged = "---\nat: &a {town: Oslo}\nsent:\n  <<: *a\n---\n"
    toml, repeated = "+++\na = b c\n+++\n", "+++\na = 1\na = 2\n+++\n"
    assert all(map(broken_block, (toml, repeated, ';;;\n{"a": 1,}\n;;;\n', long, merged)))


def test_a_list_of_entries_has_no_header() -> None:
    entry = "Name: {}\nTonnage: {}\n"
    assert list(read_fields(entry.format("Ann", 5))[0]) == ["Name", "Tonnage"]
    assert read_fields(f"{entry.format('Ann', 5)}\n{entry.format('Bea', 7)}")[0] == {}
