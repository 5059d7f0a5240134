import pytest

from agent.errors import DocumentUnreadable
from tools.corpus.readers import read_as

RICH = (
    rb"{\rtf1\ansi\ansicpg1252\uc1{\fonttbl{\f0\fswiss Arial;}}"
    rb"{\info{\title Lease of Caf\'e9 9}{\author Ann Lee}{\creatim\yr2021\mo3\dy4\hr9}}"
    rb"\f0 The caf\'e9 pays \u8364?900.\par A smile: \u-10179?\u-8694?\page Done.\par}"
)


def test_text_and_what_it_says_of_itself_are_read() -> None:
    (found,) = read_as("a.rtf", RICH, None)[1]
    assert found.text == "The café pays €900.\nA smile: 😊\n\nDone.\n"
    told = {"Title": "Lease of Café 9", "Author": "Ann Lee", "Created": "2021-03-04"}
    assert (found.properties, found.warnings) == (told, ())


def test_notes_page_headers_and_text_boxes_come_behind_each_once() -> None:
    header = rb"{\header\pard\plain Case 4711 \{a\}\par }"
    data = (
        rb"{\rtf1\ansi\ansicpg1252{\*\pgdsctbl{\pgdsc0\headery1134"
        + header
        + rb"}}"
        + header
        + rb"{\footerl{\shp{\*\shpinst{\sp{\sn a}{\sv 2}}{\shptxt Boxed.\par}}}Page.}"
        rb"The rent{\super\chftn}{\*\footnote\chftn\pard A fee of \'80 9.\par} is due.\par}"
    )
    (found,) = read_as("a.rtf", data, None)[1]
    assert found.text.split("\n") == [
        *("The rent is due.", "", "Case 4711 {a}", "", " Boxed.", "", "Page."),
        *("A fee of € 9.", ""),
    ]
    assert found.warnings == ()
    (cut,) = read_as("a.rtf", data[:-1], None)[1]
    assert cut.text == found.text


def test_comments_formulas_old_text_boxes_and_whatever_else_is_not_read_are_told() -> None:
    unread = rb"{\*\annotation No.}{\mmath{\*\moMath{\mr 1}}}{\*\do{\dptxbxtext In.}}"
    data = rb"{\rtf1 Rent." + unread + rb"%s\par}"
    (found,) = read_as("a.rtf", data % b"", None)[1]
    assert found.warnings == ("parts not read: comments, formulas, text boxes",)
    (found,) = read_as("a.rtf", data % rb"{\shp{\*\shpinst{\shptxt In.}}}", None)[1]
    assert found.warnings == ("parts not read: comments, formulas",)
    assert found.text == "Rent.\n\n In.\n"
    data = rb"{\rtf1\ansi\ansicpg932 Cut: \'81\par{\pict\pngblip 89504e47}}"
    (found,) = read_as("a.rtf", data, None)[1]
    assert found.warnings == (
        "1 character that its code page does not have: replaced by U+FFFD",
        "parts not read: pictures",
    )


def test_what_tracked_changes_delete_is_never_taken_for_text() -> None:
    with pytest.raises(DocumentUnreadable, match="accept or reject them"):
        read_as("a.rtf", rb"{\rtf1 The fee is {\deleted 700}{\revised  800}.\par}", None)


def test_a_doc_is_rich_text_or_to_be_converted() -> None:
    reader, (found,) = read_as("a.DOC", RICH, None)
    assert (reader, found.properties["Author"]) == ("rtf", "Ann Lee")
    for name, form in (("a.doc", "docx"), ("a.pps", "pptx")):
        with pytest.raises(DocumentUnreadable, match=f"--convert-to {form} FILE"):
            read_as(name, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", None)


def test_a_cell_that_ends_its_paragraph_stays_in_its_row_as_pandoc_writes_it() -> None:
    cells = b"".join(rb"{\pard\intbl %s\par}" % each + b"\n\\cell}\n{" for each in (b"Hall", b"40"))
    (found,) = read_as("a.rtf", rb"{\rtf1\ansi{\trowd{" + cells + rb"}\intbl\row}}", None)[1]
    assert found.text == "Hall|40|\n"
