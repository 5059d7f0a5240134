"""What holds of every filter."""

import pytest

from tools.filters.registry import CONTROLS, FILTERS, specs


def test_every_tool_is_offered_with_documented_arguments():
    offered = {spec.name: spec for spec in specs()}
    assert list(offered) == [*FILTERS, *CONTROLS]
    for spec in offered.values():
        assert spec.description
        for name, field in spec.arguments.model_fields.items():
            assert field.description, f"{spec.name}.{name}"


@pytest.mark.parametrize("spec", specs(), ids=lambda spec: spec.name)
def test_the_examples_of_a_description_are_valid_calls(spec):
    import json

    decoder = json.JSONDecoder()
    found = 0
    for place, sign in enumerate(spec.description):
        if sign == "{" and (place == 0 or spec.description[place - 1] == " "):
            try:
                example, _ = decoder.raw_decode(spec.description, place)
            except json.JSONDecodeError:
                continue
            if spec.arguments.model_fields.keys() >= example.keys():
                spec.arguments.model_validate(example)
                found += 1
    assert found
