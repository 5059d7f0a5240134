"""What a person says of fields: kept with the corpus, told where it fits nothing, undone."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agent.errors import SettingsError
from graphs.apps.cli import app
from prompts.descriptions import collection
from tests.built import write
from tools.corpus.build import BuildReport, BuildSettings, build
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.fields.field_file import corrections_from, fields_text

pytestmark = pytest.mark.slow

LEASES = {
    f"l{n}.md": f"Lessee: Firm {n}\nRent: {n}00\nDraft: x\nParties: A{n}, B\n\nA text.\n"
    for n in range(1, 7)
} | {"l9.md": "Renter: Firm 9\nRent: five or 6\nParties: C\n\nA text.\n"}
SAID = """\
Lessee: {name: Tenant, aliases: [Renter, occupant]}
rent: {type: number}
Parties: {type: text}
Draft: {ignore: true}
"""


def indexed(place: Path, said: str | None = None, into: str = "x.corpus") -> BuildReport:
    documents = write(place / "docs", LEASES)
    settings = BuildSettings(fields=None if said is None else corrections_from(said))
    return build([documents], place / into, settings=settings)


def opened(place: Path, into: str = "x.corpus") -> Corpus:
    return open_corpus(place / into)


def types(corpus: Corpus) -> Mapping[str, str]:
    return {each.name: each.type for each in corpus.fields if not each.name.startswith("file ")}


def test_names_types_aliases_and_what_to_ignore_are_as_a_person_says(tmp_path: Path) -> None:
    report = indexed(tmp_path, SAID)
    assert report.fields == (
        "aliases for questions, which no document has: 'occupant'",
        "'Rent': 1 value no number: 'five or 6'",
    )
    corpus = opened(tmp_path)
    assert types(corpus) == {"Tenant": "text", "Rent": "number", "Parties": "text"}
    assert [corpus.field_values("occupant")[each].raw for each in range(7)] == [
        *(f"Firm {each}" for each in range(1, 7)),
        "Firm 9",
    ]
    assert corpus.field_values("Parties")[0].items == ("A1, B",)
    assert "Draft" not in corpus.document_fields(0)
    assert "Lessee" in corpus.document_fields(0)
    told = collection(corpus, "Which occupant pays most?")
    assert "- Tenant (text, 100%, also called Renter, occupant): " in told


def test_they_are_kept_until_others_are_given_and_then_undone_wholly(tmp_path: Path) -> None:
    indexed(tmp_path)
    plain = opened(tmp_path)
    indexed(tmp_path, SAID)
    corrected = opened(tmp_path)
    assert corrected.digest != plain.digest
    kept = f"corrected as before, by {tmp_path / 'x.corpus' / 'fields.yaml'}"
    assert indexed(tmp_path).fields == (kept,)
    assert opened(tmp_path).generation == corrected.generation
    indexed(tmp_path, "")
    assert opened(tmp_path).digest == plain.digest
    assert not (tmp_path / "x.corpus" / "fields.yaml").exists()
    again = opened(tmp_path)
    assert again.fields == plain.fields
    assert [again.document_fields(each) for each in range(7)] == [
        plain.document_fields(each) for each in range(7)
    ]


def test_a_new_document_is_corrected_as_before_and_a_rebuilt_corpus_too(tmp_path: Path) -> None:
    indexed(tmp_path, SAID)
    write(tmp_path / "docs", {"l7.md": "Renter: Firm 7\nRent: 700\nDraft: y\n\nA text.\n"})
    indexed(tmp_path)
    assert opened(tmp_path).field_values("Tenant")[6].raw == "Firm 7"
    opened(tmp_path).generation.manifest.write_bytes(b"gone")
    indexed(tmp_path)
    assert types(opened(tmp_path)) == {"Tenant": "text", "Rent": "number", "Parties": "text"}


def test_a_name_that_no_document_has_is_an_error_only_where_it_is_given(tmp_path: Path) -> None:
    indexed(tmp_path, SAID)
    before = opened(tmp_path)
    with pytest.raises(SettingsError, match=r"^no document has the field 'Leesee'$"):
        indexed(tmp_path, "Leesee: {name: Tenant}")
    assert opened(tmp_path).digest == before.digest
    for each in range(1, 7):
        (tmp_path / "docs" / f"l{each}.md").unlink()
    settings = BuildSettings()
    told = build([tmp_path / "docs"], tmp_path / "x.corpus", settings=settings).fields
    assert told[1].startswith("no document has the field 'Draft'")
    assert types(opened(tmp_path))["Tenant"] == "text"


def test_two_entries_on_one_field_are_an_error(tmp_path: Path) -> None:
    write(tmp_path / "docs", {"x.md": "Est. cost: 5\nKind: a\n\nText.\n"})
    indexed(tmp_path)
    write(tmp_path / "docs", {"y.md": "Estimated cost: 6\nKind: a\n\nText.\n"})
    with pytest.raises(SettingsError, match="two entries of the file of fields are about 'Estim"):
        indexed(tmp_path, "Est. cost: {name: A}\nEstimated cost: {name: B}")


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("a: [", "no YAML: while parsing"),
        ("words", "the file: Input should be a valid dictionary"),
        ("Rent: number", "Rent: Input should be .*, not 'number'; of each field `name`"),
        ("Rent: {typ: date}", "Rent.typ: Unexpected keyword argument"),
        ("Rent: {type: money}", "Rent.type: Input should be 'text', 'number', 'date' or 'list'"),
        ("Rent: {aliases: Pay}", "Rent.aliases: Input should be a valid tuple"),
        ("Rent: {name: ' '}", "'Rent': a name is empty"),
        ("Rent: {ignore: true, name: Pay}", "'Rent' is ignored: nothing else can be said of it"),
        ("Net rent: {type: number}\nnet_rent: {name: Rent}", "are one field: say all of it"),
        ("Rent: {type: text}\nRent: {type: date}", "'Rent' and 'Rent' are one field"),
        ("Rent: {aliases: [Pay]}\nPay: {type: date}", "'Pay' and 'Pay' are one field"),
        ("Rent: {name: Pay, type: text}\nFee: {name: pay}", "'pay' is said to be of two types"),
    ],
)
def test_a_file_that_cannot_be_used_says_why_in_one_line(said: str, told: str) -> None:
    with pytest.raises(ValueError, match=told) as raised:
        corrections_from(said)
    assert "\n" not in str(raised.value)


def test_the_file_to_begin_with_changes_nothing_and_says_what_was_said(tmp_path: Path) -> None:
    indexed(tmp_path)
    corpus = opened(tmp_path)
    assert corrections_from(fields_text(corpus.fields, {}, 7)) == {}
    indexed(tmp_path, SAID)
    said = corrections_from(SAID)
    written = fields_text(opened(tmp_path).fields, said, 7)
    assert corrections_from(written) == said
    assert "Lessee: {name: Tenant, aliases: [Renter, occupant]}  # text, written in 7" in written


def test_the_command_tells_what_was_recognised_and_takes_its_own_file(tmp_path: Path) -> None:
    write(tmp_path / "docs", LEASES | {"l9.md.json": '{"Case": "7"}'})
    corpus, file = str(tmp_path / "x.corpus"), tmp_path / "fields.yaml"
    call = ["index", str(tmp_path / "docs"), "--into", corpus]
    found = CliRunner().invoke(app, call).stdout
    assert "5 fields in the documents: " in found
    assert "Rent (text), " in found
    assert "1 field of the documents: Case (number)\n" in found
    printed = CliRunner().invoke(app, ["fields", corpus]).stdout
    file.write_text(printed.replace("Rent: {}", "Rent: {type: number}"), "utf-8")
    corrected = CliRunner().invoke(app, [*call, "--fields", str(file)]).stdout
    assert "Rent (number)" in corrected
    assert "fields: 'Rent': 1 value no number: 'five or 6'\n" in corrected
    shards = [*call[:-1], str(tmp_path / "y"), "--engine", "daft", "--fields", str(file)]
    refused = CliRunner().invoke(app, shards)
    assert (refused.exit_code, "shards cannot be corrected" in refused.output) == (2, True)
