from xml.etree import ElementTree as ET

from evals.compare.plot import line_chart


def test_a_chart_is_well_formed_and_names_every_line() -> None:
    lines = {f"<method {number}>": [(0.0, 0.0), (1.0, 1.0)] for number in range(12)}
    root = ET.fromstring(line_chart(lines, across="share & more", up="recall"))
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert set(lines) | {"share & more", "recall"} <= set(texts)
    assert sum(each.tag.endswith("polyline") for each in root.iter()) == 12
