import numpy as np
import pytest

from tools.retrieval import AMBIGNQ, calibrate, dispersion, measure, relevant_clusters, state

AXES = np.eye(4)


def unit(rows):
    rows = np.asarray(rows, dtype=float)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def near(axis: int, count: int, spread: float = 0.05):
    noise = np.random.default_rng(axis).normal(scale=spread, size=(count, 4))
    return unit(AXES[axis] + noise)


ONE_TOPIC = near(0, 10)
TWO_TOPICS = np.vstack([near(0, 5), near(1, 5)])


@pytest.mark.parametrize(
    ("rows", "var"),
    [
        (np.zeros((0, 4)), 0.0),
        (AXES[:1], 0.0),
        (AXES[[0, 0, 0, 0, 0]], 0.0),
        (AXES[:2], 0.5),
        (np.zeros((5, 4)), 0.0),
    ],
    ids=["none", "one", "duplicates", "two", "zero rows"],
)
def test_degenerate_retrievals_are_measured_and_never_ambiguous(rows, var):
    found = measure(rows)
    assert found.dispersion == pytest.approx(var)
    assert found.separability == 0.0
    assert found.state == ("uncertain" if var else "clear")


@pytest.mark.parametrize(
    ("var", "sep", "expected"),
    [
        (0.0, 0.10, "ambiguous"),
        (0.9, 0.10, "ambiguous"),
        (0.25, 0.09, "uncertain"),
        (0.24, 0.09, "clear"),
        (0.0, -1.0, "clear"),
    ],
)
def test_the_state_follows_the_published_rule(var, sep, expected):
    assert state(var, sep, AMBIGNQ) == expected


def test_clusters_far_from_the_query_are_dropped_and_the_nearest_leads():
    rows = np.vstack([near(2, 4), near(1, 4), near(0, 4)])
    query = unit([[1.0, 0.5, 0.0, 0.0]])[0]
    found = relevant_clusters(query, rows)
    assert set(found[0]) <= set(range(8, 12))
    assert set(np.concatenate(found)) == set(range(4, 12))


def test_thresholds_are_quantiles_of_what_the_corpus_measures_or_the_published_ones():
    found = calibrate([ONE_TOPIC, TWO_TOPICS, AXES[:2]])
    measured = [dispersion(ONE_TOPIC), dispersion(TWO_TOPICS)]
    assert found.dispersion == pytest.approx(np.quantile(measured, 0.9))
    assert measure(TWO_TOPICS, found).state == "ambiguous"
    assert measure(ONE_TOPIC, found).state == "clear"
    assert calibrate([]) == AMBIGNQ
    assert calibrate([AXES[:2]]) == AMBIGNQ
