"""The closed classes of words that questions are made of, and what each says."""

from typing import Final, Literal

from agent.english import word_set
from agent.question import Comparison, Operation

Asked = Operation | Literal["much", "all"]
"""An operation; `much` is how much, `all` is in total: they need what stands beside them."""

OPERATIONS: Final[dict[tuple[str, ...], Asked]] = {
    **dict.fromkeys(
        (
            ("how", "many"), ("number", "of"), ("numbers", "of"), ("count", "of"), ("count",),
            ("total", "number", "of"), ("total", "count", "of"), ("how", "many", "of"),
            ("how", "often"), ("how", "many", "times"),
        ),
        "count",
    ),
    **dict.fromkeys(
        (
            ("which",), ("what",), ("list",), ("show",), ("give",), ("find",), ("get",),
            ("display",), ("identify",), ("is", "there"), ("are", "there"), ("were", "there"),
            ("was", "there"),
        ),
        "list",
    ),
    **dict.fromkeys((("average",), ("mean",), ("avg",), ("on", "average")), "avg"),
    ("median",): "median",
    **dict.fromkeys((("sum",), ("sum", "of"), ("total",), ("combined",), ("add", "up")), "sum"),
    **dict.fromkeys(
        (("in", "total"), ("together",), ("altogether",), ("in", "all"), ("overall",)), "all"
    ),
    ("how", "much"): "much",
}  # fmt: skip
PERSONS: Final = word_set("anyone anybody someone somebody")
ORDERS: Final = word_set("list show give find get display identify")
"""What asks for a list only where nothing asks before it: not `what did we give`."""
GROUPS: Final = (
    ("grouped", "by"), ("broken", "down", "by"), ("split", "by"), ("for", "each"), ("for", "every"),
    ("in", "each"), ("in", "every"), ("of", "each"), ("in", "terms", "of"),
    ("per",), ("by",), ("each",), ("across",),
)  # fmt: skip
SORTS: Final = word_set("class level category type group band method")
"""What may stand behind the field that is grouped by."""
TOPICS: Final = word_set("subject topic theme matter issue cause category")
"""Names of fields of what a document is about."""
TREATED: Final = word_set("with in as of under")
"""What stands between a participle and a value that says how or with what."""
DIMENSIONS: Final = {
    "distance": "m", "length": "m", "height": "m", "weight": "kg", "mass": "kg", "time": "s",
    "duration": "s", "temperature": "kelvin", "price": "money", "cost": "money", "amount": "money",
}  # fmt: skip
"""What nouns of measures are measured in."""
KINDS: Final = word_set("kind type sort")
OFTEN: Final = {"once": 1, "twice": 2, "thrice": 3}
COMPARING: Final = word_set("is are was were of")
"""What stands behind a field that is compared."""
RUNNING_OUT: Final = {("run", "out"), ("runs", "out"), ("ran", "out"), ("running", "out")}
COMPARISONS: Final[dict[tuple[str, ...], Comparison]] = {
    **dict.fromkeys(
        (
            ("more", "than"), ("over",), ("above",), ("greater", "than"), ("exceeding",), (">",),
            ("exceeds",), ("exceed",), ("after",), ("beyond",), ("past",),
        ),
        "more_than",
    ),
    **dict.fromkeys(
        (
            ("at", "least"), ("no", "less", "than"), ("not", "less", "than"), ("minimum", "of"),
            ("no", "fewer", "than"), (">=",), ("≥",), ("since",), ("as", "of"),
        ),
        "at_least",
    ),
    **dict.fromkeys(
        (
            ("less", "than"), ("under",), ("below",), ("fewer", "than"), ("<",), ("before",),
            ("prior", "to"),
        ),
        "less_than",
    ),
    **dict.fromkeys(
        (
            ("at", "most"), ("up", "to"), ("no", "more", "than"), ("not", "more", "than"), ("<=",),
            ("maximum", "of"), ("≤",), ("until",), ("till",), ("by",),
        ),
        "at_most",
    ),
    **dict.fromkeys((("exactly",), ("equal", "to"), ("equals",), ("=",)), "is"),
}  # fmt: skip
OR: Final[dict[str, Comparison]] = {
    **dict.fromkeys(("more", "above", "over", "up", "greater", "after", "onwards"), "at_least"),
    **dict.fromkeys(("less", "fewer", "below", "under", "before", "down"), "at_most"),
}
"""What `or` and a word behind a number or date make of it."""
TURNED: Final[dict[Comparison, Comparison]] = {
    "more_than": "less_than", "less_than": "more_than", "at_least": "at_most",
    "at_most": "at_least",
}  # fmt: skip
ABOUT: Final = word_set("the a about")
ONLY_DATES: Final = frozenset({"since", "from", "as", "until", "till", "by", "past"})
IN: Final = frozenset({"in", "during", "on", "of", "from", "dated", "for"})
LINKS: Final = word_set(
    """is are was were be been of = : at as to equals marked being has have had that which end ends
    ended ending expire expires expired start starts started begin begins run runs"""
)
NEGATIONS: Final = word_set(
    "not no without never non neither except excluding nobody nothing nowhere"
)
JOINS: Final = {"and": "and", "or": "or", "nor": "or", "but": "and", "&": "and", "/": "or"}
MENTIONS: Final = word_set("mention mentions mentioning mentioned cite cites citing")
SAYS: Final = word_set(
    "say says saying said state states stating stated read reads reading talk talks talking speak"
    " speaks speaking"
)
"""Verbs that mention what stands behind them in quotation marks."""
LITERALLY: Final = word_set("literally about of exactly just anything something")
REFERS: Final = word_set("refer refers referring referred")
CONTAINS: Final = word_set(
    "contain contains containing include includes including use uses using with have has carry"
    " carries carrying used"
)
LITERAL: Final = word_set("contain contains containing")
"""Verbs that mention a name behind them: `files that contain Zoom`."""
NEEDS: Final = word_set(
    "need needs needed needing require requires required requiring involve involves involved"
    " give gives gave giving show shows showed showing state states"
)
WORDED: Final = word_set("word words term terms phrase name string text expression")
DETERMINERS: Final = word_set("a an the any some both either of all")
CLAUSES: Final = word_set("that how why whether if when who which what where to")
TITLES: Final = word_set("mr mrs ms miss dr prof professor sir")
HAVING: Final = word_set("with have has had having any a an the without no lack lacking")
OWN: Final = frozenset({"their", "its"})
PLACED: Final = word_set("based located situated called tagged labelled marked listed")
COSTING: Final = word_set(
    """
    cost costs costing priced worth pay pays paid paying invoiced charged stated given run runs
    running last lasts lasting take takes taking took draw draws drew attract attracts attracted
    score scores scored fetch fetched
    """
)
LIGHT: Final = word_set(
    """
    happen happens happened occur occurs occurred exist exists existed recorded filed registered
    reported got get gets belong belongs come comes came given made receive received reach reached
    held hold holds kept seen found done written bring brings brought
    """
)
"""Verbs that say no more than that there is something."""
ASKING: Final = word_set("where who when why how what which")
WHICH: Final = word_set("which who whose where")
WE: Final = word_set("we i you they us")
DOINGS: Final = word_set(
    "hold keep see put do make give get have use need run gave gets gives write wrote attend handle"
    " carry"
)
"""Verbs that say as little behind `we`: `did we hold`."""
PARTICLES: Final = word_set("up back off out away down apart aside through")
"""What makes another verb of the one before it: `called off`, `given up`."""
COMING_IN: Final = (("in",), ("in", "to"), ("in", "from"))
"""What says of a verb that something came from elsewhere: `came in to us`."""
IDLE: Final = word_set(
    """
    pls would any both either
    among amongst across throughout ever still yet already now actually only
    just anyone anybody someone somebody he she i inclusive
    """
)
"""What a question can lose beside them."""
HAVING_SO: Final = word_set(
    """
    speak speaks spoke spoken speaking build built made offer offers offered offering give gives
    gave giving provide provides provided work works worked working live lives lived living cover
    covers covered concern concerns concerned apply applies applied serve serves served weigh weighs
    weighed measure measures stand stands lie lies sit sits fall falls play plays played wear wears
    grow grows grown rated graded classed classified end ends ended result results resulted
    """
)
"""Verbs that say of a value or an amount behind them what its field says."""
REMAINING: Final = word_set("go goes went remain remains remained")
"""Verbs that say of a value right behind them what its field says: `went unsold`."""
STATED: Final = word_set(
    """
    charged recorded registered reported listed given noted stated shown entered named measured
    achieved incurred logged known set awarded used spent taken booked consumed produced
    """
)
"""Participles behind a field that say no more than that it has a value."""
FIGURES: Final = word_set(
    """
    figure amount sum total value number level rate rating score count size taking receipt cost
    charge period duration length price fee
    """
)
"""Nouns behind a field of numbers that only say that it is one."""
ASIDES: Final = (
    ("on", "file"), ("on", "record"), ("filled", "in"), ("in", "the", "files"),
    ("in", "this", "folder"), ("in", "the", "folder"), ("in", "this", "collection"),
    ("in", "the", "collection"), ("in", "the", "archive"), ("in", "our", "records"),
    ("in", "the", "corpus"), ("in", "this", "corpus"), ("in", "the", "database"),
    ("took", "place"), ("take", "place"), ("carried", "out"),
    ("at", "all"), ("so", "far"), ("at", "the", "moment"),
    ("right", "now"), ("currently",), ("one", "of", "the"), ("anywhere",), ("set", "of"),
    ("sets", "of"), ("came", "out"), ("come", "out"), ("copies", "of"), ("copy", "of"),
    ("pieces", "of"), ("gave", "us"), ("of", "any", "kind"), ("of", "either", "kind"),
    ("of", "any", "sort"), ("carry", "out"), ("days", "included"), ("ends", "included"),
    ("by", "name"), ("what", "is"), ("what", "are"), ("what", "was"), ("what", "were"),
    ("with", "numbers"), ("and", "nothing", "else"), ("in", "the", "register"),
    ("in", "the", "log"), ("in", "the", "list"),
)  # fmt: skip
"""What can be left out of a question."""
DOCUMENTARY: Final = word_set(
    "folder log document report record file form sheet entry paper note post piece session event"
)
HIGH: Final = word_set("highest largest biggest greatest maximum max most top")
LOW: Final = word_set("lowest smallest least minimum min fewest")
BEING: Final = word_set("is are was were be been being")
SAID_TO_BE: Final = word_set("is are was were gets get")
SHOWING: Final = word_set("appear appears occur occurs mentioned")
TURNING_UP: Final = frozenset(
    (verb, "up") for verb in ("come", "comes", "crop", "crops", "turn", "turns", "show", "shows")
)
ANYWHERE: Final = word_set("anywhere somewhere explicitly directly also too together currently")
"""Adverbs behind a mention that are no part of it."""
FIRST: Final = {
    "wich": "which", "whch": "which", "whic": "which", "whitch": "which", "wat": "what",
    "waht": "what", "wht": "what", "hwo": "how", "lst": "list", "lsit": "list", "shwo": "show",
    "whats": "what", "cuont": "count", "coutn": "count", "wher": "where",
}  # fmt: skip
"""How the first word of a question is misspelt."""
EVERYWHERE: Final = word_set("anywhere anything everywhere everything all nothing nowhere")
"""Behind these `but` is `except`."""
EVERY: Final = word_set("all the our these of")
MISSING: Final = word_set("missing empty absent unknown")
APART: Final = word_set("different distinct unique")
KNOWN: Final = frozenset(
    word for table in (OPERATIONS, COMPARISONS) for words in table for word in words
) | (MENTIONS | REFERS | CONTAINS | WORDED | HIGH | LOW | PLACED | NEGATIONS)
"""The grammar's own words."""
SPANS: Final = ("year", "month", "week", "quarter", "decade")
