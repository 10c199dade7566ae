"""The contract of each kind of plug, held by every plug there is: a new file is tested before anyone writes a test."""

import inspect
import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec import registry
from rulec.agents.protocol.agent_tables import NAMES
from rulec.checks.template_library import open_library
from rulec.domain.artifact import Artifact, CompilePlan, RuleFacts
from rulec.domain.change import Change
from rulec.domain.finding import Fault, Finding, Verdict
from rulec.domain.plugs import Backend, Checker, Integration, Reporter
from rulec.domain.prompt import ModelFailure, ModelRequest, ModelSettings
from rulec.domain.rule import Rule
from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.integrations import ci_context
from rulec.integrations.targets import codeowners, git_attributes
from rulec.protect import gate_protection
from rulec.shell.action_events import Event

READERS, CHECKERS = registry.readers(), registry.checkers()
EMITTERS, REPORTERS = registry.emitters(), registry.reporters()
BACKENDS = registry.backends()
RULES = (Rule(slug="use-pnpm", statement="Use pnpm, never npm.", severity="must"),)


def test_every_room_has_its_plugs() -> None:
    assert {"claude-code", "codex"} <= set(READERS)
    assert {"semgrep", "shell", "guard", "judge"} == set(CHECKERS)
    assert {"pre-commit", "github-actions", "claude-code", "agents-md"} <= set(EMITTERS)
    assert {"text", "json", "sarif", "github", "gitlab", "markdown"} <= set(REPORTERS)
    clis = {f"{agent}-cli" for agent in ("claude", "codex", "copilot", "gemini", "opencode")}
    assert {"anthropic", "exchange", "openai", "recorded"} | clis == set(BACKENDS) == set(registry.backend_names())


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_reader_refuses_what_is_not_its_format(reader: TranscriptFormat) -> None:
    for head in (b"", b"hello\n", b"{}\n", b"[]", b'{"messages": []}\n', b"\x00\xff" * 100, b'{"type": 1}\n'):
        assert not reader.recognises(head)
    assert reader.roots or reader.name == "chat"  # which somebody saves wherever they like


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
@given(st.lists(st.binary(max_size=80), max_size=8))
def test_a_reader_survives_any_bytes(reader: TranscriptFormat, lines: list[bytes]) -> None:
    found = list(reader.read([line + b"\n" for line in lines]))
    assert all(isinstance(item, Turn | UnreadableLine) for item in found)


@pytest.mark.parametrize("reader", READERS.values(), ids=READERS)
def test_a_reader_streams(reader: TranscriptFormat) -> None:
    assert inspect.isgenerator(reader.read(iter([])))


@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_a_checker_has_nothing_to_say_about_nothing(checker: Checker) -> None:
    assert list(checker.jobs([], Change())) == []
    assert list(checker.findings([], Change(), [])) == []
    assert checker.suffix.startswith(".")


@pytest.mark.parametrize("checker", CHECKERS.values(), ids=CHECKERS)
def test_a_checker_refuses_an_artifact_that_says_nothing_of_its_rule(checker: Checker) -> None:
    for text in ("", "exit 0\n", "rules: []\n", "{}"):
        with pytest.raises((ValueError, KeyError, TypeError, RulecError)):
            checker.facts(text)


@pytest.mark.parametrize("emitter", EMITTERS.values(), ids=EMITTERS)
@pytest.mark.parametrize("rules", [(), RULES], ids=["no rules", "a rule"])
def test_an_emitter_is_pure_stays_in_the_repository_and_can_be_taken_out(
    emitter: Integration, rules: tuple[Rule, ...]
) -> None:
    render, plan = open_library().render, CompilePlan(rules=rules)
    first: list[Artifact] = list(emitter.emit(plan, render, {}))
    assert first == list(emitter.emit(plan, render, {}))
    for artifact in first:
        assert artifact.path in emitter.files
        assert not artifact.path.startswith(("/", ".."))
        assert artifact.text
        assert artifact.text.endswith("\n")
        assert emitter.remove(artifact.path, artifact.text) is None
    again = list(emitter.emit(plan, render, {a.path: a.text or "" for a in first}))
    assert again == first


AGENTS = {name: emitter for name, emitter in EMITTERS.items() if emitter.agent}


@pytest.mark.parametrize("emitter", AGENTS.values(), ids=AGENTS)
def test_an_agents_hooks_are_merged_owned_watched_in_ci_and_not_the_agents_to_write(emitter: Integration) -> None:
    for path in emitter.files:
        assert {path, f"/{path}"} & set(git_attributes.merged_paths())
        assert any(f"/{path}".startswith(place) for place in codeowners.OWNED)
        assert path.split("/")[0] in ci_context.GATED
        assert gate_protection.detect_tampering(
            Event(kind="write", path=path, new='{"hooks": {}}', content='{"hooks": {}}')
        )
    assert emitter.agent in NAMES


@pytest.mark.parametrize("path", [".github/workflows/rules.yml", ".gitlab/rules.yml"])
def test_what_runs_in_ci_is_owned_and_not_an_agents_to_write(path: str) -> None:
    assert f"/{path}" in codeowners.OWNED
    assert gate_protection.detect_tampering(Event(kind="write", path=path, new="jobs: {}\n", content="jobs: {}\n"))


FACTS = RuleFacts(slug="use-pnpm", revision=1, statement="Use pnpm.", quote='a "quote"', enforcement="block")


@pytest.mark.parametrize("reporter", REPORTERS.values(), ids=REPORTERS)
def test_a_reporter_hides_nothing(reporter: Reporter) -> None:
    verdicts = [
        Verdict(outcome="block", facts=FACTS, finding=Finding(slug="use-pnpm", path="a.py", line=3, text="npm")),
        Verdict(outcome="old", facts=FACTS, finding=Finding(slug="use-pnpm", path="b.py", line=4)),
        Verdict(outcome="warn", facts=FACTS, fault=Fault(slug="use-pnpm", what="it hung")),
    ]
    text = reporter.report(verdicts, {"files": 2, "rules": 1, "unread": 1})
    for part in ("use-pnpm", "a.py", "it hung"):
        assert part in text
    assert reporter.report([], {})


def test_the_json_report_is_json() -> None:
    report = json.loads(REPORTERS["json"].report([], {"files": 1}))
    assert report == {"verdicts": [], "counts": {"files": 1}}


def test_a_stranger_in_the_registry_is_refused() -> None:
    with pytest.raises(RulecError):
        open_library().template("../checks/forbid-command")


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_a_backend_has_nothing_to_say_to_nothing(backend: Backend) -> None:
    assert list(backend.ask([], ModelSettings())) == []
    assert inspect.isgenerator(backend.ask([], ModelSettings()))
    assert backend.beside >= 1
    backend.kept({"0" * 24}, ModelSettings(folder="/nowhere/at/all"))


@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_a_backend_says_in_a_line_what_lacks_and_then_raises_nothing(
    backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.setenv("PATH", "")
    lacks = backend.missing(ModelSettings())
    assert lacks
    assert "\n" not in lacks
    asked = [
        ModelRequest(key="0" * 24, step="mine", system="List.", text=text, schema={"type": "object"}) for text in "ab"
    ]
    heard = list(backend.ask(asked, ModelSettings()))
    assert [type(one) for one in heard] == [ModelFailure, ModelFailure]
    assert all(isinstance(one, ModelFailure) and "\n" not in one.what for one in heard)


def test_no_backend_brings_what_it_needs_before_somebody_asks() -> None:
    asked = "from rulec import registry; registry.backends(); import sys; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert not {"anthropic", "httpx", "jsonschema"} & set(told)
