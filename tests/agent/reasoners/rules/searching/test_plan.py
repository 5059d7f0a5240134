from agent.history import Snapshot, Step, Verdict
from agent.question import AllOf, Condition, Interpretation, Node, Predicate, atoms
from agent.reasoner import ToolCall
from agent.reasoners.rules.searching.plan import choose
from tests.agent.reasoners.rules.small_corpus import SmallCorpus

CORPUS = SmallCorpus(["A tenant may audit the books of Utah.", "The lease is long."])
AUDIT = Condition(id="c1", text="let a party audit books")
MENTION = Condition(id="m", text="mentions Utah", terms=("Utah", "Salt Lake"))
FIELD = Condition(
    id="f", text="is final", predicate=Predicate(field="Status", comparison="is", values=("Final",))
)
TOOLS = ("metadata", "keywords", "regex", "semantic", "bm25", "union", "rollback", "finish")


def chosen(
    conditions: Node | None,
    *history: Step,
    at: str = "whole",
    kept: int = 1000,
    decided: tuple[str, ...] = (),
    tools: tuple[str, ...] = TOOLS,
) -> ToolCall:
    return choose(
        {
            "interpretation": Interpretation(text="?", entity_type="lease", conditions=conditions),
            "conditions": tuple(each for each in atoms(conditions) if each.predicate is None),
            "history": history,
            "snapshot": Snapshot(id=at, parent=None, tool="", arguments={}, kept=kept, discarded=0),
            "corpus": CORPUS,
            "decided": decided,
            "tools": tools,
        }
    )


def did(
    call: ToolCall,
    *,
    before: str = "whole",
    after: str = "new",
    verdict: Verdict = "keep",
    refused: str = "",
) -> Step:
    return Step(
        round=1,
        call=call,
        before=before,
        after=before if refused else after,
        kept=700,
        discarded=300,
        verdict=verdict,
        refused=refused,
    )


def test_fields_are_filtered_first_unless_already_decided() -> None:
    both = AllOf(parts=(FIELD, AUDIT))
    assert chosen(both).tool == "metadata"
    assert chosen(both, decided=("f",)).tool == "keywords"


def test_nothing_is_filtered_where_no_text_is_to_be_read() -> None:
    assert chosen(FIELD, decided=("f",)).tool == "finish"
    assert chosen(None).tool == "finish"


def test_few_candidates_are_all_read() -> None:
    assert chosen(AUDIT, kept=400).tool == "finish"


def test_mentions_are_found_by_one_pattern_over_all_spellings() -> None:
    call = chosen(MENTION)
    assert call.tool == "regex"
    assert "Utah" in str(call.arguments["pattern"])
    assert "Lake" in str(call.arguments["pattern"])
    assert chosen(MENTION, did(call), at="new").tool == "finish"


def test_meaning_is_found_by_words_and_by_likeness_and_both_are_joined() -> None:
    words = chosen(AUDIT)
    assert words.tool == "keywords"
    back = chosen(AUDIT, did(words, after="w"), at="w")
    assert (back.tool, back.arguments) == ("rollback", {"snapshot": "whole"})
    history = [did(words, after="w"), did(back, before="w", after="whole")]
    like = chosen(AUDIT, *history)
    assert like.tool == "semantic"
    assert like.arguments["best"] == 250
    history.append(did(like, after="s"))
    joined = chosen(AUDIT, *history, at="s")
    assert (joined.tool, joined.arguments) == ("union", {"snapshots": ["w", "s"]})
    history.append(did(joined, before="s", after="u"))
    assert chosen(AUDIT, *history, at="u").tool == "finish"


def test_a_refused_likeness_leads_back_to_the_words() -> None:
    words = chosen(AUDIT)
    back = chosen(AUDIT, did(words, after="w"), at="w")
    history = [did(words, after="w"), did(back, before="w", after="whole")]
    like = chosen(AUDIT, *history)
    call = chosen(AUDIT, *history, did(like, refused="no vectors"))
    assert (call.tool, call.arguments) == ("rollback", {"snapshot": "w"})


def test_a_condition_about_a_name_needs_no_likeness() -> None:
    law = Condition(id="c1", text="are governed by the law of Utah")
    words = chosen(law)
    assert words.arguments["words"] == ["Utah"]
    assert chosen(law, did(words, after="w"), at="w").tool == "finish"


def test_no_call_is_repeated() -> None:
    words = chosen(AUDIT)
    again = chosen(AUDIT, did(words, verdict="again"))
    assert (again.tool, again.arguments) != (words.tool, words.arguments)


def test_only_tools_that_are_offered_are_chosen() -> None:
    assert chosen(MENTION, tools=("keywords", "finish")).tool == "keywords"
    assert chosen(AUDIT, tools=("finish",)).tool == "finish"


def test_what_words_cannot_express_is_not_filtered() -> None:
    assert chosen(Condition(id="c0", text="names a lease")).tool == "finish"
