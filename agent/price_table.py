"""What models cost at their providers, by the table that the package `genai-prices` holds."""

from datetime import UTC, date, datetime
from decimal import Decimal

_MILLION = 1_000_000


def listed_price(
    model: str, address: str, context_tokens: int
) -> tuple[tuple[float, float], str] | None:
    """Return dollars per million tokens in and out, and the table; None where none has them.

    Of what a provider asks by the hour, or by the length of a request, it is the most, and nothing
    is taken off for what it keeps of a prompt: a limit in dollars has to hold. No network is used.
    """
    try:
        from genai_prices import Usage, calc_price
    except ModuleNotFoundError:
        return None
    now = datetime.now(UTC)
    full = Usage(input_tokens=context_tokens, output_tokens=context_tokens)
    try:
        told = [
            calc_price(
                full,
                model,
                provider_api_url=address,
                genai_request_timestamp=now.replace(hour=hour),
            )
            for hour in range(24)
        ]
    except LookupError:
        return None
    if any(None in (each.model_price.input_mtok, each.model_price.output_mtok) for each in told):
        return None  # priced by the second or the picture
    most: tuple[Decimal, Decimal] = max((each.input_price, each.output_price) for each in told)
    dollars = [float(each * _MILLION / context_tokens) for each in most]
    return (dollars[0], dollars[1]), _name(now.date())


def _name(today: date) -> str:
    """Name the table by its version and the newest of its dated prices; it has no date itself."""
    from genai_prices import __version__
    from genai_prices.data_snapshot import get_snapshot

    dated = (
        each.constraint.start_date
        for provider in get_snapshot().providers
        for model in provider.models
        if isinstance(model.prices, list)
        for each in model.prices
        if hasattr(each.constraint, "start_date")
    )
    newest = max(each for each in dated if each <= today)
    return f"genai-prices {__version__}, newest of {newest}"
