"""The documents that hold the rules in words: one form, one budget, each in its own place."""

import re
from dataclasses import replace

import pytest

from rulec import registry
from rulec.domain.artifact import CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.rule import Rule, Scope
from rulec.integrations.rule_documents import rules_block
from rulec.reminders.rule_text import count_tokens

from .support import PLAN, emitted, integration, owes_nothing, removed, render

AGENTS_MD = integration("agents-md")
CLAUDE_MD = integration("claude-md")
GEMINI_MD = integration("gemini-md")
CURSOR_RULES = integration("cursor-rules")
COPILOT_INSTRUCTIONS = integration("copilot-instructions")

TAKING_IN = (CLAUDE_MD, GEMINI_MD)  # AGENTS.md, by a line
DOCUMENTS = [AGENTS_MD, CLAUDE_MD, GEMINI_MD, CURSOR_RULES, COPILOT_INSTRUCTIONS]


def _many(number: int, severity: str = "should") -> tuple[Rule, ...]:
    words = "Say what the change does, and why it is wanted, in the body"
    return tuple(
        Rule(slug=f"rule-{severity}-{n}", statement=f"{words} of kind {n}.", severity=severity)  # type: ignore[arg-type] - a Literal
        for n in range(number)
    )


def test_every_document_is_found() -> None:
    found = {emitter.name for emitter in registry.emitters().values() if emitter.document}
    assert {plug.name for plug in DOCUMENTS} <= found


@pytest.mark.parametrize("plug", DOCUMENTS, ids=[plug.name for plug in DOCUMENTS])
@pytest.mark.parametrize("text", [None, "", "# Us", "# Us\r\n\r\n- a\r\n", "---\na: b\n---\n", "\ufeff# Us\n"])
def test_what_people_wrote_stays_and_comes_back_to_the_byte(plug: Integration, text: str | None) -> None:
    once = owes_nothing(plug, text)
    assert once.startswith(text or "")
    assert ("@AGENTS.md" if plug in TAKING_IN else ".rules/compiled/words/") in once


def test_rules_change_no_document() -> None:
    """A line for each rule would put branches that change rules into conflict."""
    for plug in DOCUMENTS:
        assert emitted(plug, "# Us\n") == emitted(plug, "# Us\n", CompilePlan(rules=_many(200)))


@pytest.mark.parametrize("plug", DOCUMENTS, ids=[plug.name for plug in DOCUMENTS])
def test_a_document_keeps_to_its_budget_and_says_what_it_leaves_out(plug: Integration) -> None:
    for budget in (200, 500, 1_500):
        plan = CompilePlan(rules=_many(200), budget=budget, spelled_out=True)
        text = emitted(plug, "", plan)
        told = text.count("\n- ")
        assert count_tokens(text) <= budget
        assert 0 < told < 200
        assert text.count("`rule-") - told >= budget // 100, "the names of others"
        assert re.search(r" and \d+ more; `rulec why NAME` tells one\)", text)


def test_the_weightiest_rules_stay_whatever_the_order() -> None:
    rules = (*_many(30, "style"), *_many(30, "should"), *_many(30, "must"))
    text = rules_block(CompilePlan(rules=rules, budget=600), render)
    assert "rule-must-0" in text
    assert "rule-should" not in text
    assert text == rules_block(
        CompilePlan(rules=(*_many(30, "must"), *_many(30, "style"), *_many(30, "should")), budget=600), render
    )


def test_one_endless_rule_does_not_keep_the_others_out() -> None:
    endless = Rule(slug="endless", statement="word " * 3_000, severity="must")
    text = rules_block(CompilePlan(rules=(endless, *_many(3)), budget=500), render)
    assert text.count("\n- ") == 3
    assert "(left out: `endless`; `rulec why NAME` tells one)" in text


def test_an_agent_reads_what_it_is_held_to() -> None:
    mine = Rule(slug="mine", statement="For Claude.", scope=Scope(agents=("claude-code",)))
    theirs = Rule(slug="theirs", statement="For Codex.", scope=Scope(agents=("codex",)))
    plan = CompilePlan(rules=(mine, theirs), spelled_out=True)
    assert "For Codex" not in emitted(CLAUDE_MD, None, plan)
    assert "For Claude" in emitted(CLAUDE_MD, None, plan)
    assert "For Codex" in emitted(AGENTS_MD, None, plan)


def test_nothing_personal_is_written() -> None:
    own = Rule(slug="own", statement="Talk to me in rhymes.", layer="personal")
    assert "rhymes" not in rules_block(CompilePlan(rules=(own,)), render)


@pytest.mark.parametrize("plug", [CLAUDE_MD, GEMINI_MD], ids=["claude", "gemini"])
@pytest.mark.parametrize("line", ["@AGENTS.md", "See @AGENTS.md for the rules.", "- @./AGENTS.md"])
def test_who_takes_in_agents_md_gets_no_second_copy(plug: Integration, line: str) -> None:
    text = f"# Us\n\n{line}\n"
    assert emitted(plug, text) == text
    old = emitted(plug, "# Us\n")
    assert emitted(plug, f"{line}\n{old}") == f"{line}\n# Us\n"


@pytest.mark.parametrize("line", ["Write to `@AGENTS.md`.", "    @AGENTS.md", "mail@AGENTS.md", "AGENTS.md"])
def test_who_only_speaks_of_agents_md_gets_the_rules(line: str) -> None:
    assert "-->\n@AGENTS.md\n<!--" in owes_nothing(CLAUDE_MD, f"{line}\n")


def test_cursors_file_says_that_it_always_applies_and_goes_as_a_whole() -> None:
    text = emitted(CURSOR_RULES, None)
    assert text.startswith("---\ndescription: ")
    assert "alwaysApply: true\n---\n" in text
    assert removed(CURSOR_RULES, text) is None
    own = text.replace("alwaysApply: true", "alwaysApply: false")
    assert "alwaysApply: false" in emitted(CURSOR_RULES, own, replace(PLAN, rules=()))
    assert removed(CURSOR_RULES, own) == own[: own.index("\n<!--")]


WANTED = [
    (CLAUDE_MD, ["CLAUDE.md"], True),
    (CLAUDE_MD, [".claude/settings.json"], False),
    (GEMINI_MD, [".gemini/settings.json"], True),
    (GEMINI_MD, ["README.md"], False),
    (CURSOR_RULES, [".cursorrules"], True),
    (CURSOR_RULES, [".cursor/rules/a.mdc"], True),
    (CURSOR_RULES, [], False),
    (COPILOT_INSTRUCTIONS, [".github/copilot-instructions.md"], True),
    (COPILOT_INSTRUCTIONS, [".github/workflows/ci.yml"], False),
    (AGENTS_MD, [], True),
]


@pytest.mark.parametrize(("plug", "paths", "wanted"), WANTED, ids=range(len(WANTED)))
def test_a_document_is_begun_where_its_agent_is_at_home(plug: Integration, paths: list[str], *, wanted: bool) -> None:
    assert plug.when_init(paths) is wanted
