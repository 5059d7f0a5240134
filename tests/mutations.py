"""Valid things made invalid a little, for Hypothesis: bytes of a file, values of JSON."""

import copy
import json
from typing import Any

from hypothesis import strategies as st

_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.sampled_from(
        ["", "\0", "\ud800", "c1", "c2", "(", "9" * 400, "2023-02-31", -1, 2**70, 1e308]
    )
)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
_HOSTILE = [b"\0", b"\xff\xfe", b"<", b"{", b'"', b"\r", b"\n\n", b"---\n", b"&#x110000;"]


@st.composite
def mutated_bytes(draw: st.DrawFn, data: bytes) -> bytes:
    """Draw the data with one to four pieces cut out, doubled, moved or overwritten."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        stop = min(len(data), start + draw(st.integers(0, 40)))
        piece = data[start:stop]
        fresh = draw(
            st.sampled_from([b"", piece * 2, piece * 50, piece[::-1], *_HOSTILE])
            | st.binary(max_size=8)
        )
        tail = data[stop:] if draw(st.integers(0, 9)) else b""
        data = data[:start] + fresh + tail
    return data


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(found for key, each in inside for found in _places(each, (*path, key)))]


@st.composite
def mutated_json(draw: st.DrawFn, value: Any) -> Any:
    """Draw the value with one to three of its parts missing, doubled, or something else."""
    value = copy.deepcopy(value)
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(_places(value)))
        if not path:
            continue
        holder = value
        for key in path[:-1]:
            holder = holder[key]
        match draw(st.sampled_from(["other", "other", "other", "missing", "more"])):
            case "missing":
                del holder[path[-1]]
            case "more" if isinstance(holder, list):
                holder += json.loads(json.dumps(holder))
            case "more":
                holder[draw(st.text(max_size=5))] = draw(_VALUES)
            case _:
                holder[path[-1]] = draw(_VALUES)
    return value
