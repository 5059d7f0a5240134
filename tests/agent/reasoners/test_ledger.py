"""Ledger and bill: sums, reservations, limits, and what survives a crash."""

from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.cost import Budget, Cost
from agent.errors import CorpusError, LimitReached
from agent.reasoners.ledger import Bill, BillFile, Ledger, Usage, charged_to, pay, take_over


def test_a_call_in_flight_is_reserved() -> None:
    ledger = Ledger(Budget(calls=1), Cost())
    with ledger.call(5), pytest.raises(LimitReached, match="calls"), ledger.call(5):
        pass


@pytest.mark.parametrize(
    ("budget", "price"),
    [(Budget(tokens=100), None), (Budget(usd=1e-4), (1.0, 1.0))],
    ids=["tokens", "usd"],
)
def test_a_prompt_that_breaks_a_limit_is_not_sent(
    budget: Budget, price: tuple[float, float] | None
) -> None:
    ledger = Ledger(budget, Cost(), price=price)
    with ledger.call(60), pytest.raises(LimitReached, match="next prompt"), ledger.call(60):
        pass


def test_calls_in_parallel_take_their_time_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr("agent.reasoners.ledger.time", SimpleNamespace(monotonic=lambda: clock.now))
    ledger = Ledger(Budget(seconds=10), Cost())
    with ledger.call(1):
        clock.now += 2
        with ledger.call(1):
            clock.now += 3
        assert ledger.spent().seconds == 5
    clock.now += 50
    assert ledger.spent().seconds == 5
    with ledger.call(1):
        clock.now += 6
    with pytest.raises(LimitReached, match="seconds"), ledger.call(1):
        pass


ONE = Cost(model_calls=1, input_tokens=7, output_tokens=2, usd=0.1)
LATER = Cost(model_calls=3, seconds=0.1 + 0.2)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bills" / "r.jsonl"


def ask(ledger: Ledger) -> None:
    with ledger.call(1) as call:
        call.usage = Usage(7, 2)


def test_what_a_step_paid_that_ended_is_not_owed_and_the_file_is_its_owners_alone(path: Path):
    bill = Bill(BillFile(path), Cost())
    bill.pay(ONE)
    bill.since = LATER
    bill.pay(ONE)
    assert Bill(BillFile(path), LATER).owed == ONE
    assert Bill(BillFile(path), LATER + ONE).owed == Cost()
    assert path.stat().st_mode & 0o077 == 0


def test_a_line_that_a_power_cut_left_incomplete_tells_nothing_and_hides_nothing(path: Path):
    Bill(BillFile(path), Cost()).pay(ONE)
    path.write_bytes(path.read_bytes()[:-9])
    Bill(BillFile(path), Cost()).pay(ONE)
    assert Bill(BillFile(path), Cost()).owed == ONE


def test_a_bill_that_cannot_be_written_is_an_error_and_frees_the_call(path: Path):
    ledger, bill = Ledger(Budget(calls=2), Cost()), Bill(BillFile(path), Cost())
    path.parent.write_text("not a folder")

    def step() -> Generator[None]:
        ask(ledger)
        yield

    with pytest.raises(CorpusError, match="cannot be written"):
        list(charged_to(bill, step()))
    assert ledger.spent().model_calls == 1
    ask(ledger)


def test_the_caller_of_the_steps_pays_nothing(path: Path):
    bill = Bill(BillFile(path), Cost())

    def steps() -> Generator[int]:
        yield 1
        pay(ONE)
        yield 2

    told = charged_to(bill, steps())
    next(told)
    pay(ONE)
    assert take_over() == Cost()
    assert not path.exists()
    assert list(told) == [2]
    assert Bill(BillFile(path), Cost()).owed == ONE


def test_a_ledger_takes_over_what_is_owed_with_its_first_request(path: Path):
    Bill(BillFile(path), LATER).pay(ONE)
    ledger = Ledger(Budget(), LATER)

    def step() -> Generator[Cost]:
        yield ledger.spent()
        ledger.cached()
        yield ledger.spent()
        ask(ledger)
        yield ledger.spent()

    before, cached, asked = charged_to(Bill(BillFile(path), LATER), step())
    assert before == LATER
    assert cached == LATER + ONE + Cost(cached_calls=1)
    assert (asked - cached).model_calls == 1


def test_what_is_owed_counts_against_the_budget(path: Path):
    Bill(BillFile(path), Cost()).pay(ONE)

    def step() -> Generator[None]:
        yield ask(Ledger(Budget(calls=1), Cost()))

    with pytest.raises(LimitReached, match="calls"):
        list(charged_to(Bill(BillFile(path), Cost()), step()))


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=6))
def test_whatever_dies_when_no_reply_is_lost_or_counted_twice(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[int]]
):
    """Each step is attempted again until it ends; an attempt pays some replies before it dies."""
    path = tmp_path_factory.mktemp("bill") / "r.jsonl"
    checkpoint, paid = Cost(), 0
    for attempts in steps:
        for calls in (*attempts, 1):
            bill = Bill(BillFile(path), checkpoint)
            ledger = Ledger(Budget(), checkpoint)

            def attempt(ledger: Ledger = ledger, calls: int = calls) -> Generator[None]:
                for _ in range(calls):
                    ask(ledger)
                yield

            list(charged_to(bill, attempt()))
            paid += calls
        checkpoint = ledger.spent()
        assert checkpoint.model_calls == paid
