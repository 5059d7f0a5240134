from xml.etree import ElementTree as ET

import pytest

from evals.compare.plot import Axis, line_chart, point_chart


def test_a_chart_is_well_formed_and_names_every_line() -> None:
    lines = {f"<method {number}>": [(0.0, 0.0), (1.0, 1.0)] for number in range(12)}
    root = ET.fromstring(line_chart(lines, across="share & more", up="recall"))
    texts = [each.text for each in root.iter() if each.tag.endswith("text")]
    assert set(lines) | {"share & more", "recall"} <= set(texts)
    assert sum(each.tag.endswith("polyline") for each in root.iter()) == 12


def test_points_lie_where_their_axes_put_them() -> None:
    points = {"one": [(0.0, 0.0), (5.0, 1.0), (99.0, 1.0)]}
    chart = point_chart(points, across=Axis("calls", 10.0), up="recall", diagonal=True)
    root = ET.fromstring(chart)
    discs = [each.attrib for each in root.iter() if each.tag.endswith("circle")]
    left, middle, beyond, _ = (float(each["cx"]) for each in discs)
    assert middle - left == beyond - middle
    assert float(discs[0]["cy"]) > float(discs[1]["cy"])
    assert {"0", "2", "10", "calls"} <= {each.text for each in root.iter()}
    assert chart.count("stroke-dasharray") == 1


def test_an_axis_with_a_start_shows_ratios() -> None:
    axis = Axis("cost", 100.0, 0.01)
    assert [axis.share(each) for each in (0.0, 0.01, 1.0, 100.0, 999.0)] == [0, 0, 0.5, 1, 1]
    assert axis.at(0.5) == pytest.approx(1.0)
