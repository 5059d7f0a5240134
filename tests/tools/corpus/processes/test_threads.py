import pytest

from tools.corpus.processes import cores, in_turn


def test_what_threads_make_comes_in_order_and_none_runs_far_ahead() -> None:
    begun: list[int] = []

    def doubled(item: int) -> int:
        begun.append(item)
        return 2 * item

    made = in_turn(doubled, range(100))

    assert next(made) == 0
    assert len(begun) <= cores() + 2
    assert list(made) == list(range(2, 200, 2))


def test_what_a_thread_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(in_turn(lambda item: 1 / item, [1, 0, 1]))
