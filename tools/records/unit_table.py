"""Units of measurement by name: what each measures, and how much of it.

Factors after the BIPM's SI brochure and NIST SP 811. A month has no fixed number of days, so months
and years are a base of their own.
"""

from decimal import Decimal
from functools import lru_cache
from typing import Final

__all__ = ("SEVERAL_SIZES", "measure")

_TABLE: Final = """
s 1 s sec secs second seconds
s 60 min mins minute minutes
s 3600 h hr hrs hour hours
s 86400 d day days
s 604800 week weeks wk wks
s 0.001 ms msec millisecond milliseconds
month 1 month months mo mos
month 12 year years yr yrs yo
month 120 decade decades
month 1200 century centuries
kg 0.000001 mg milligram milligrams milligramme milligrammes
kg 0.000000001 µg μg mcg microgram micrograms
kg 0.001 g gr gram grams gramme grammes
kg 1 kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes
kg 1000 t tonne tonnes metric_ton metric_tons mt
kg 907.18474 short_ton short_tons
kg 1016.0469088 long_ton long_tons
kg 0.028349523125 oz ounce ounces
kg 0.45359237 lb lbs pound pounds
kg 6.35029318 stone
m 0.000000001 nm nanometre nanometres nanometer nanometers
m 0.000001 µm μm micron microns micrometre micrometres micrometer micrometers
m 0.001 mm millimetre millimetres millimeter millimeters
m 0.01 cm centimetre centimetres centimeter centimeters
m 1 m metre metres meter meters
m 1000 km kms kilometre kilometres kilometer kilometers
m 0.0254 in inch inches " ″
m 0.3048 ft foot feet ' ′
m 0.9144 yd yds yard yards
m 1609.344 mi mile miles
m 1852 nmi nautical_mile nautical_miles
m2 10000 ha hectare hectares
m2 4046.8564224 ac acre acres
m3 0.000001 cc ccm
m3 0.000001 ml millilitre millilitres milliliter milliliters
m3 0.00001 cl centilitre centilitres centiliter centiliters
m3 0.0001 dl decilitre decilitres deciliter deciliters
m3 0.001 l litre litres liter liters ltr
m3 0.1 hl hectolitre hectolitres hectoliter hectoliters
m3 0.000014786764782 tbsp tablespoon tablespoons
m3 0.000004928921594 tsp teaspoon teaspoons
B 0.125 bit bits
B 1 B byte bytes
B 1000 kB KB kilobyte kilobytes
B 1000000 MB megabyte megabytes
B 1000000000 GB gigabyte gigabytes
B 1000000000000 TB terabyte terabytes
B 1000000000000000 PB petabyte petabytes
B 1024 KiB kibibyte kibibytes
B 1048576 MiB mebibyte mebibytes
B 1073741824 GiB gibibyte gibibytes
J 1 J joule joules
J 1000 kJ kilojoule kilojoules
J 1000000 MJ megajoule megajoules
J 1000000000 GJ gigajoule gigajoules
J 4184 kcal kilocalorie kilocalories
J 3600 Wh watt_hour watt_hours
J 3600000 kWh kilowatt_hour kilowatt_hours
J 3600000000 MWh megawatt_hour megawatt_hours
J 3600000000000 GWh gigawatt_hour gigawatt_hours
J 3600000000000000 TWh terawatt_hour terawatt_hours
W 1 W watt watts
W 1000 kW kilowatt kilowatts
W 1000000 MW megawatt megawatts
W 1000000000 GW gigawatt gigawatts
W 745.69987158227022 hp horsepower
Pa 1 Pa pascal pascals
Pa 100 hPa mbar millibar millibars
Pa 1000 kPa kilopascal kilopascals
Pa 1000000 MPa megapascal megapascals
Pa 100000 bar bars
Pa 101325 atm atmosphere atmospheres
Pa 6894.757293168 psi
Hz 1 Hz hertz
Hz 1000 kHz kilohertz
Hz 1000000 MHz megahertz
Hz 1000000000 GHz gigahertz
V 1 V volt volts
V 1000 kV kilovolt kilovolts
A 1 A amp amps ampere amperes
A 0.001 mA milliamp milliamps
mol 1 mol mole moles
mol 0.001 mmol millimole millimoles
degree 1 ° deg degree degrees
kelvin 1 °C degC celsius degree_celsius degrees_celsius centigrade
kelvin 1 K kelvin kelvins
kelvin 0.5555555555555555555555555556 °F degF fahrenheit degree_fahrenheit degrees_fahrenheit
one 0.01 % percent pct percentage percents percentage_point percentage_points pp
one 0.001 ‰ permille
one 0.0001 bp bps basis_point basis_points
one 1 x times ratio fraction
"""
SEVERAL_SIZES: Final = frozenset(
    {"ton", "tons", "gallon", "gallons", "gal", "pint", "pints", "pt", "quart", "quarts", "qt",
     "cup", "cups", "cal", "calorie", "calories", "fl_oz", "fluid_ounce", "fluid_ounces",
     "barrel", "barrels", "bbl"}
)  # fmt: skip
"""Names that mean different sizes in different places: nothing is converted to or from them."""


def measure(name: str) -> tuple[str, Decimal] | None:
    """Return the base that a unit measures and its factor; None for an unknown name.

    >>> measure("kilometres"), measure("rooms")
    (('m', Decimal('1000')), None)
    """
    joined = "_".join(name.split()).removesuffix(".")
    return _exact().get(joined) or _lower().get(joined.casefold())


@lru_cache(maxsize=1)
def _exact() -> dict[str, tuple[str, Decimal]]:
    found = {"megabit": ("B", Decimal(125_000)), "gigabit": ("B", Decimal(125_000_000))}
    for line in _TABLE.strip().splitlines():
        base, factor, *names = line.split()
        found |= {name: (base, Decimal(factor)) for name in names}
    return found


@lru_cache(maxsize=1)
def _lower() -> dict[str, tuple[str, Decimal]]:
    """Return the units by lower case, without symbols that differ by case alone (`mW`, `MW`)."""
    return {name.casefold(): unit for name, unit in _exact().items() if len(name) > 1}
