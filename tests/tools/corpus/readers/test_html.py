import pytest

from agent.errors import DocumentUnreadable
from tools.corpus.fields.header import read_fields
from tools.corpus.readers.html import main_text, plain_text, read_html

PAGE = """<html><head><title>On ropes</title><style>p {}</style></head><body>
<nav><a href="/">Home</a> <a href="/a">About</a></nav><article><h1>Ropes</h1>
<p>%s</p><h2>Knots</h2><p>A bowline holds. It is easy to untie after it has held a load.</p>
<table><tr><th>rope</th><th>load</th></tr><tr><td>hemp</td><td>5</td></tr></table></article>
</body></html>""" % ("A rope is made of strands that are laid or braided together. " * 8)


def test_all_text_can_be_had_word_by_word_without_a_library() -> None:
    page = "<p>A <b>big</b> <i>oven</i>, hot</p><dl><dt>Time <dd>45 min<dt>Serves<dd>8</dl>"
    assert plain_text(page) == "A big oven, hot\n\nTime: 45 min\nServes: 8\n"


def test_a_page_keeps_its_headings_and_tables_and_loses_its_navigation() -> None:
    (extracted,) = read_html(PAGE.encode(), None)
    assert "# Ropes\n" in extracted.text
    assert "## Knots\n" in extracted.text
    assert "hemp | 5" in extracted.text
    assert "About" not in extracted.text
    assert extracted.title


def test_a_page_without_main_text_keeps_everything_and_says_so() -> None:
    (extracted,) = read_html(b"<p>Hi</p>", None)
    assert extracted.text == "Hi\n"
    assert extracted.warnings


def test_the_declared_encoding_is_used() -> None:
    page = "<meta charset='koi8-r'><p>Привет, мир</p>".encode("koi8-r")
    assert "Привет, мир" in read_html(page, None)[0].text


KEYS = "Signed on: 2021-11-19\nCity: Oslo\n\nThe tenant"


@pytest.mark.parametrize(
    "written",
    [
        "<p>Signed on: 2021-11-19</p><p><b>City</b>: Oslo</p>",
        "<p>Signed on: 2021-11-19<br>City: Oslo</p>",
        "<dl><dt>Signed on</dt><dd>2021-11-19</dd><dt>City:</dt><dd>Oslo</dd></dl>",
    ],
    ids=["paragraphs", "line breaks", "terms"],
)
def test_keys_stand_together_however_they_are_written(written: str) -> None:
    prose = "The tenant may keep pets with the consent of the landlord. " * 3
    page = f"<html><body><h1>A lease</h1>{written}<p>{prose}</p></body></html>"
    (extracted,) = read_html(page.encode(), None)
    assert KEYS in extracted.text
    assert list(read_fields(extracted.text)[0]) == ["Signed on", "City"]


FACTS = "<table><tr><th>Time</th><td>45 min</td></tr><tr><th>Serves:</th><td>8</td></tr></table>"


@pytest.mark.parametrize("prose", ["Bake it.", "Bake it in the oven until it is brown. " * 20])
def test_a_table_of_heads_with_values_is_keys_however_long_the_page_is(prose: str) -> None:
    page = f"<body><nav>Home</nav><h1>A pie</h1>{FACTS}<ul><li>flour<li>eggs</ul><p>{prose}</p>"
    (extracted,) = read_html(page.encode(), None)
    fields, _ = read_fields(extracted.text)
    assert {key: value.raw for key, value in fields.items()} == {"Time": "45 min", "Serves": "8"}
    assert all(extracted.text[value.start : value.end] == value.raw for value in fields.values())
    assert "- flour\n" in extracted.text


PARTS = "# A\n\n## B\n\nGone.\n\n## C\n\nTwice.\n\nOnce.\n\n# D\n\nTwice."


@pytest.mark.parametrize(
    ("extracted", "found"),
    [
        ("Once.", "# A\n\n## C\n\nOnce."),
        ("## C\n\nOnce.", "# A\n\n## C\n\nOnce."),
        ("Other.", ""),
    ],
    ids=["parents too", "above one that is there", "nothing of it"],
)
def test_a_heading_comes_back_only_above_text_of_its_section(extracted: str, found: str) -> None:
    assert main_text(PARTS, extracted) == found


def test_a_deep_page_is_kept_and_half_a_page_is_not_lost_without_a_word() -> None:
    prose = "<p>%s</p>" % ("The tenant may keep pets with the consent of the landlord. " * 8)
    (deep,) = read_html(f"{prose}{'<div>' * 300}The deposit.".encode(), None)
    assert deep.text.endswith("The deposit.\n")
    (half,) = read_html(f"{prose}<nav>{prose.replace('pets', 'cats') * 2}</nav>".encode(), None)
    assert half.warnings[0].startswith("main text is 3")


CONTENT = """<h1>Valves<a class="headerlink" href="#valves" title="Link">¶</a></h1>
<p>Close the valve <a href="b.html">first</a>. See <a href="#f1">1</a>.</p>
<pre>valve close \\
    --now</pre>
<table><tr><th>part</th><th>bar</th></tr><tr><td>seal</td><td>7</td></tr></table>
<aside class="footnote-list"><aside role="doc-footnote" id="f1"><p>Cold ones alone.</p></aside>
</aside>"""
MENU = "<ul>%s</ul>" % ("<li><a href='x.html'>Pumps and their seals</a></li>" * 40)
SITES = {
    "alabaster": f"""<div class="related" role="navigation">{MENU}</div><div class="body"
        role="main">{CONTENT}</div><div class="sphinxsidebar" role="navigation"><h3>Navigation</h3>
        <div role="search">Quick search</div></div><div class="footer">©2024.</div>""",
    "furo": f"""<svg><symbol><title>Light mode</title></symbol></svg><aside>{MENU}</aside><div
        class="main"><article role="main">{CONTENT}</article><footer>Next: Pumps</footer></div>""",
    "mkdocs": f"""<div class="navbar">{MENU}</div><div class="col-md-9" role="main">{CONTENT}</div>
        <footer>Built with MkDocs</footer><div class="modal" role="dialog">Keyboard shortcuts</div>
        """,
    "material": f"""<header>{MENU}</header><main><div><nav>{MENU}</nav></div><article>{CONTENT}
        </article><button>Back to top</button></main>""",
    "docusaurus": f"""<nav class="navbar">{MENU}</nav><aside>{MENU}</aside><main><div class="col">
        <article><nav aria-label="Breadcrumbs">{MENU}</nav><div class="theme-doc-markdown markdown">
        <header></header>{CONTENT}</div><footer class="theme-doc-footer">Edit this page</footer>
        </article><nav>{MENU}</nav></div><div class="tableOfContents">{MENU}</div></main>""",
}


@pytest.mark.parametrize("site", SITES)
def test_a_page_of_a_documentation_site_is_what_its_main_part_says(site: str) -> None:
    (page,) = read_html(f"<title>Valves</title><body>{SITES[site]}".encode(), None)
    assert page.text == (
        "# Valves\n\nClose the valve first. See 1.\n\nvalve close \\\n--now\n\n"
        "part | bar\nseal | 7\n\nCold ones alone.\n"
    )
    assert page.title == "Valves"
    assert page.warnings[0].endswith("of the page's text; the rest is taken for navigation")


def test_a_main_part_is_not_all_where_prose_stands_beside_it_or_beside_its_article() -> None:
    prose = "<p>%s</p>" % ("The tenant may keep pets with the consent of the landlord. " * 8)
    cats = prose.replace("pets", "cats")
    (beside,) = read_html(f"<main>{prose}</main><div>{cats}".encode(), None)
    assert "cats" in beside.text
    forum = f"<main><article>{prose}</article>{cats}</main>"
    assert "cats" in read_html(forum.encode(), None)[0].text
    assert read_html(f"<main></main>{prose}".encode(), None)[0].text.startswith("The tenant")
    (titled,) = read_html(f"<header><h1>Pets</h1></header><main>{prose}</main>".encode(), None)
    assert titled.text.startswith("# Pets\n\nThe tenant")


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("<link rel='index' href='#'>", "index"),
        ("<link rel='search' href='#'>", "search"),
        ("<link rel='index' href='genindex.html'>", ""),
        ("<link rel=canonical href=https://x.org/docs/404.html />", "error"),
        ("<link rel=canonical href=x.org/search/><meta property=robots content=noindex>", "search"),
        ("<meta data-rh=true name=docusaurus_tag content=doc_tag_doc_list />", "list"),
        ("<meta name=docusaurus_tag content=blog_authors_posts>", "list"),
        ("<link rel=canonical href=https://x.org/docs/search/>", ""),
        (
            "<link rel=canonical href=x.org/errors/404/><meta name=robots content=noindex>",
            "",
        ),
        ("<meta name=docusaurus_tag content=docs-default-current>", ""),
    ],
)
def test_what_a_site_has_besides_its_sources_is_no_document(head: str, kind: str) -> None:
    page = f"<head>{head}</head><main>{CONTENT}</main>".encode()
    if not kind:
        assert read_html(page, None)[0].text
        return
    with pytest.raises(DocumentUnreadable, match=f"the {kind} page of a site"):
        read_html(page, None)


def test_what_a_drawing_is_called_and_the_way_back_from_a_footnote_are_not_shown() -> None:
    note = "<p>Cold ones alone. <a href='#r1'>↩</a></p>"
    page = f"<main><svg role=img><title>A valve</title></svg><h1>Valves</h1>{note}</main>"
    (found,) = read_html(page.encode(), None)
    assert found.text == "# Valves\n\nCold ones alone.\n"


def test_a_main_part_with_sections_has_the_title_that_stands_beside_it() -> None:
    cards = "<article><h2>Pumps</h2><p>They pump.</p></article>"
    page = f"<header><h1>Site</h1></header><main><h1>Parts</h1>{cards}</main>"
    assert read_html(page.encode(), None)[0].text == "# Parts\n\n## Pumps\n\nThey pump.\n"
    page = page.replace("<h1>Parts</h1>", "")
    assert read_html(page.encode(), None)[0].text == "# Site\n\n## Pumps\n\nThey pump.\n"


FORM = """<html><body><nav><a href="/">Home</a></nav><h1>Lease application</h1><form>
<p>Tenant <input name="t" value="Harald Brandt"> <input type="password" value="hunter2"></p>
<p>Pets: <input type="checkbox" checked> Dog <input type="checkbox"> Cat</p>
<p>City <select><option>Bergen<option selected>Oslo</select></p>
<p>Floor <select><option>ground<option>first</select></p>
<p>Remarks <textarea>Paint the walls
blue.</textarea></p></form><svg><text>Kitchen</text><text>Bath</text></svg>
<p>The applicant has been told that the deposit is three months of rent, to be paid before.</p>
</body></html>"""


def test_what_a_form_says_is_text_but_for_what_is_not_chosen() -> None:
    document = read_html(FORM.encode(), None)[0]
    assert document.text.startswith(
        "# Lease application\n\nTenant Harald Brandt\n\nPets: ☒ Dog ☐ Cat\n\nCity Oslo\n\n"
        "Floor ground\n\nRemarks\nPaint the walls\nblue.\n\nKitchen\n\nBath\n\nThe applicant"
    )
    assert document.warnings == ()


def test_words_of_forms_and_drawings_beside_the_main_text_are_told() -> None:
    prose = "<p>The boiler broke in January, and was repaired in March by a firm of the town.</p>"
    form = "<form><p>Ring us <input value='any day'></p></form>"
    drawing = "<svg><text>Pump P-101 beside boiler 2 and tank 3</text></svg>"
    document = read_html(f"<body>{prose * 3}{form}{drawing}{prose * 3}</body>".encode(), None)[0]
    assert not {"Ring", "Pump"} & set(document.text.split())
    assert document.warnings == (
        "words of forms that are left out: 4",
        "words of drawings (SVG) that are left out: 9",
    )


def test_a_cell_of_one_paragraph_stays_in_its_row_as_office_programs_write_it() -> None:
    rows = "<tr><td><p>Room</p></td><td>\n<p><b>Size</b></p>\n</td></tr>"
    rows += "<tr><td><p>Hall</p></td><td><p>40</p><p>or more</p></td></tr>"
    assert plain_text(f"<table>{rows}</table>") == "Room | Size\nHall |\n40\n\nor more\n"
