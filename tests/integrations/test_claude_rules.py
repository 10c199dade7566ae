"""Claude Code's own reminders: the rules that hold in a part of the repository, with the paths of that part."""

from dataclasses import replace

from rulec.domain.rule import Rule, Scope
from rulec.integrations.rule_documents import MARK
from rulec.rulebook.yaml_text import load_yaml

from .support import PLAN, integration, removed, render

PLUG = integration("claude-rules")
(PATH,) = PLUG.files
EVERYWHERE = Rule(slug="be-kind", statement="Be kind.")
OF_SOURCES = Rule(slug="no-print", statement="Never print.", scope=Scope(include=("src/**/*.py",)))
OF_CODEX = Rule(slug="for-codex", statement="Ask.", scope=Scope(include=("x/**",), agents=("codex",)))


def text_of(*rules: Rule, there: str | None = None) -> str | None:
    current = {PATH: there} if there is not None else {}
    (file,) = PLUG.emit(replace(PLAN, rules=rules), render, current)
    assert file.path == PATH
    return file.text


def test_rules_with_a_place_are_told_with_a_file_of_that_place() -> None:
    text = text_of(EVERYWHERE, OF_SOURCES, OF_CODEX)
    assert text is not None
    _, head, body = text.split("---\n", 2)
    assert load_yaml(head, PATH) == {"paths": ["src/**/*.py"]}
    assert body == f"{MARK}\n\n- In src/**/*.py: Never print. (`no-print`)\n"
    assert removed(PLUG, text) is None


def test_without_such_a_rule_there_is_no_file() -> None:
    assert list(PLUG.emit(replace(PLAN, rules=(EVERYWHERE,)), render, {})) == []
    assert text_of(EVERYWHERE, there=f"{MARK}\n") is None


def test_a_persons_own_file_of_that_name_stays() -> None:
    assert list(PLUG.emit(replace(PLAN, rules=(OF_SOURCES,)), render, {PATH: "Mine.\n"})) == []
    assert removed(PLUG, "Mine.\n") == "Mine.\n"
