"""The compiled guards that a hook works with are always those of the artifacts, whatever the kept file holds."""

import json
import os
import random
import stat
from pathlib import Path

import pytest

from rulec.checkout import record_cache
from rulec.checkout.rules_layout import GUARD
from rulec.checkout.worktree import state_directory
from rulec.guard import decision
from rulec.hook import dispatch
from rulec.hook.compiled_rules import CACHE, CompiledRules
from rulec.shell.action_events import Event
from tests.support import guard_rules as rules
from tests.support import payloads
from tests.support.world import act, run


def write(root, artifacts):
    folder = root / GUARD
    for one in (folder, root / ".git"):
        one.mkdir(parents=True, exist_ok=True)
    for name, rule in artifacts.items():
        text = rule if isinstance(rule, str) else json.dumps(rule)
        (folder / f"{name}.json").write_text(text)


def kept(root):
    """Its kept file."""
    return Path(state_directory(str(root))) / CACHE


def loaded(root):
    compiled = CompiledRules(str(root))
    compiled.load()
    return compiled


def asked(compiled, command):
    """The slugs of the rules on a command, and of the faults."""
    found = compiled.for_event(Event(kind="command", command=command))
    return tuple([one.facts.slug for one in some] for some in found)


@pytest.fixture(autouse=True)
def _settled(monkeypatch):
    """As if the artifacts had been written long ago: what has just changed is not kept."""
    monkeypatch.setattr(record_cache, "RACY", -(10**18))


def test_what_was_kept_is_used_while_no_artifact_changes(tmp_path, monkeypatch):
    write(tmp_path, {"a": rules.command("a", "tool")})
    loaded(tmp_path)
    assert stat.S_IMODE(kept(tmp_path).stat().st_mode) == 0o600
    monkeypatch.setattr(CompiledRules, "_read", lambda _: pytest.fail("the artifacts are read again"))
    assert asked(loaded(tmp_path), "tool x") == (["a"], [])


def test_a_rule_that_comes_changes_or_goes_is_seen_at_once(tmp_path):
    write(tmp_path, {"a": rules.command("a", "tool")})
    for pattern in ("tool", "other", "third"):
        fresh = tmp_path / GUARD / "fresh"
        fresh.write_text(json.dumps(rules.command("a", pattern)))
        fresh.replace(tmp_path / GUARD / "a.json")
        for _ in range(2):
            compiled = loaded(tmp_path)
            for name in ("tool", "other", "third"):
                assert asked(compiled, name) == (["a"] * (name == pattern), [])
    (tmp_path / GUARD / "a.json").unlink()
    assert (loaded(tmp_path).present, asked(loaded(tmp_path), "third")) == (False, ([], []))


def test_what_another_version_of_rulec_kept_is_not_used(tmp_path, monkeypatch):
    write(tmp_path, {"a": rules.command("a", "tool")})
    loaded(tmp_path)
    changed = tmp_path / "rule_words.py"
    changed.write_text("")
    monkeypatch.setattr("rulec.hook.compiled_rules.SOURCES", [str(changed)])
    read = []
    original = CompiledRules._read
    monkeypatch.setattr(CompiledRules, "_read", lambda self: read.append(1) or original(self))
    assert asked(loaded(tmp_path), "tool") == (["a"], [])
    assert read


def test_artifacts_that_have_just_changed_are_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(record_cache, "RACY", 10**18)
    write(tmp_path, {"a": rules.command("a", "tool")})
    assert asked(loaded(tmp_path), "tool") == (["a"], [])
    assert not kept(tmp_path).exists()


def test_a_damaged_file_is_made_anew_and_never_believed(tmp_path):
    write(tmp_path, {f"r{at}": rules.command(f"r{at}", f"tool{at}", "git") for at in range(20)})
    wanted = asked(loaded(tmp_path), "git; tool3")
    whole = kept(tmp_path).read_bytes()
    pick = random.Random(9)
    for _ in range(200):
        data = bytearray(whole)
        what = pick.randrange(4)
        if what == 0:
            data = data[: pick.randrange(len(data))]
        elif what == 1:
            data[pick.randrange(len(data))] ^= 1 << pick.randrange(8)
        elif what == 2:
            at = pick.randrange(len(data))
            data[at : at + 40] = b"\0" * len(data[at : at + 40])
        else:
            data += b"x"
        kept(tmp_path).write_bytes(bytes(data))
        assert asked(loaded(tmp_path), "git; tool3") == wanted


def test_a_file_that_others_may_read_or_write_is_not_believed(tmp_path):
    write(tmp_path, {"a": rules.command("a", "tool")})
    forge(tmp_path)
    kept(tmp_path).chmod(0o666)
    assert asked(loaded(tmp_path), "tool") == (["a"], [])
    assert stat.S_IMODE(kept(tmp_path).stat().st_mode) == 0o600


def forge(root):
    """Keep, for the artifacts as they are, that there is no rule."""
    compiled = loaded(root)
    record_cache.save_records(str(root), CACHE, compiled._stamp(), [False, {}, [], ""])


def test_a_file_that_says_something_else_than_the_artifacts_is_told_and_made_anew(tmp_path):
    write(tmp_path, {name: rules.command(name, f"tool{name}") for name in "ab"})
    assert not CompiledRules(str(tmp_path)).differs()
    loaded(tmp_path)
    assert not CompiledRules(str(tmp_path)).differs()
    forge(tmp_path)
    assert asked(loaded(tmp_path), "toola") == ([], [])
    assert CompiledRules(str(tmp_path)).differs()
    assert asked(loaded(tmp_path), "toola") == (["a"], [])
    assert not CompiledRules(str(tmp_path)).differs()


def test_what_cannot_be_kept_changes_nothing(tmp_path):
    write(tmp_path, {"a": rules.command("a", "tool")})
    kept(tmp_path).parent.write_text("a file where the folder should be")
    assert asked(loaded(tmp_path), "tool") == (["a"], [])


def test_a_link_in_place_of_the_folder_or_the_file_is_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(tmp_path, {"a": rules.command("a", "tool")})
    kept(tmp_path).parent.symlink_to(elsewhere)
    assert asked(loaded(tmp_path), "tool") == (["a"], [])
    assert list(elsewhere.iterdir()) == []
    kept(tmp_path).parent.unlink()
    forge(tmp_path)
    kept(tmp_path).rename(elsewhere / "forged")
    kept(tmp_path).symlink_to(elsewhere / "forged")
    assert asked(loaded(tmp_path), "tool") == (["a"], [])


BROKEN = [
    "", "{", "[]", "null", '"x"', '{"facts": {}}', '{"facts": {"slug": "x"}, "check": {"on": "command"}}', "\xff",
    "[" * 100_000, '{"facts": {"slug": "x"}, "check": {"on": "tool", "x": ' + "[" * 5_000 + "]" * 5_000 + "}}",
]  # fmt: skip


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_artifact_is_a_fault_and_no_pass(tmp_path, text):
    write(tmp_path, {"good": rules.command("good", "tool"), "bad": text})
    for _ in range(2):
        compiled = loaded(tmp_path)
        assert asked(compiled, "tool") == (["good"], ["bad"])
        assert not compiled.strict


def test_a_broken_artifact_still_says_that_it_must_block(tmp_path):
    write(tmp_path, {"bad": json.dumps({"facts": {"slug": "bad", "on_error": "block"}}) + "}"})
    for _ in range(2):
        compiled = loaded(tmp_path)
        assert compiled.strict
        assert compiled.find({decision.ALWAYS})[1][0].facts.on_error == "block"


def test_without_artifacts_there_is_nothing_to_guard(tmp_path):
    assert not loaded(tmp_path).present
    assert not kept(tmp_path).exists()


def test_what_a_sentence_forbids_is_denied_by_the_hook_and_its_remedy_passes(tmp_path):
    run(tmp_path, "init", "-q")
    (tmp_path / ".rules").mkdir()
    (tmp_path / ".rules/config.yaml").write_text("schema: 1\n")
    act(tmp_path, "add", "Never use docker-compose, use docker compose", "--yes")
    told = {}
    for command in ("docker-compose up", "cd web && docker-compose -f a.yaml up -d", "docker compose up", "docker ps"):
        given = json.dumps(payloads.runs("claude-code", str(tmp_path), command)).encode()
        answer = dispatch.respond("claude-code", given, os.fspath(tmp_path)).out or {}
        told[command] = answer.get("hookSpecificOutput", {}).get("permissionDecision", "")
    assert list(told.values()) == ["deny", "deny", "", ""]
