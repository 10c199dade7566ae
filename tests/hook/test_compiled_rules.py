"""The index gives the rules that an action's own words lead to: no other, no fewer, whatever the cache file holds."""

import json
import os
import random
from pathlib import Path

import pytest
from hypothesis import settings

from rulec.checkout.rules_layout import GUARD, INDEX_NAME
from rulec.checkout.worktree import guard_stamp, state_directory
from rulec.guard import decision
from rulec.hook.index import index_words
from rulec.hook.index.index_file import pack_index, texts_on_disk
from rulec.hook.index.rule_index import RuleIndex, is_forged
from tests.support import guard_rules as rules

PROGRAMS = ["npm", "git", "docker", "make", "tool", "kubectl", "pip", "python", "rm"]
WORDS = ["install", "push", "run", "--force", "-f", "build", "x"]
ROUNDS = 2 * settings.default.max_examples  # three events each
PLACES = [
    "src/gen/",
    "*.lock",
    "web/**/*.ts",
    "a.{py,pyi}",
    "**/x/*",
    "docs",
    "/top.md",
    "*",
    "[ab].c",
    "b/*.py",
    "lib/{p,q}/z",
]


def write(root, artifacts):
    folder = root / GUARD
    for one in (folder, root / ".git"):
        one.mkdir(parents=True, exist_ok=True)
    for name, rule in artifacts.items():
        text = rule if isinstance(rule, str) else json.dumps(rule)
        (folder / f"{name}.json").write_text(text)
    old(root)


def kept(root):
    """The folder of its cache."""
    return Path(state_directory(str(root)))


def old(root):
    """As if the artifacts had been written long ago: what has just changed is not cached."""
    os.utime(root / GUARD, (1, 1))


def opened(root, monkeypatch=None):
    index = RuleIndex(str(root))
    index.open()
    return index


@pytest.fixture(autouse=True)
def _settled(monkeypatch):
    monkeypatch.setattr("rulec.hook.index.rule_index.RACY", -(10**18))


def thousand():
    pick = random.Random(7)
    made = {}
    for number in range(1000):
        slug = f"rule-{number}"
        kind = number % 6
        if kind < 2:
            made[slug] = rules.command(
                slug, " ".join([pick.choice([*PROGRAMS, f"tool{number}"]), *pick.sample(WORDS, kind)])
            )
        elif kind == 2:
            made[slug] = rules.path(slug, pick.choice(PLACES), f"only/{number}/")
        elif kind == 3:
            made[slug] = rules.session(slug, before_edits=pick.sample(PLACES, 2), first_commands=["z"])
        elif kind == 4:
            judged = {"before_commands": [pick.choice([*PROGRAMS, "to*"])], "before_stop": number % 4 == 0}
            made[slug] = rules.session(slug, **judged, first_commands=["z"])
        else:
            made[slug] = rules.text(slug, pick.choice("abcxyz"), globs=pick.sample(PLACES, number % 3))
    return made


def events():
    pick = random.Random(8)
    for number in range(ROUNDS):
        path = pick.choice(
            [
                "src/gen/a",
                "poetry.lock",
                "web/a/b.ts",
                "k/a.pyi",
                "x/y",
                "docs/a.md",
                "top.md",
                "a.c",
                "b/c.py",
                "lib/q/z",
                f"only/{number}/x",
            ]
        )
        yield {
            "kind": pick.choice(["write", "edit", "delete"]),
            "path": path,
            "new": "abc\nx",
            "content": None,
            "exists": True,
            "history": [],
        }
        yield {"kind": "stop", "text": "", "history": []}
        words = [
            pick.choice([*PROGRAMS, f"tool{number}", "sudo npm", "python3 -m pip", "cd web && git"]),
            *pick.sample(WORDS, 2),
        ]
        yield {
            "kind": "command",
            "command": " ".join(words) + pick.choice(["", f" > {path}", f"; rm {path}", "; rm -r *", "; rm -r ."]),
            "history": [],
        }


@pytest.mark.hypothesis  # so that it is run at night too, with that profile
def test_a_thousand_rules_through_the_index_decide_as_all_of_them_do(tmp_path):
    every = thousand()
    write(tmp_path, every)
    opened(tmp_path)
    index = opened(tmp_path)
    assert index.file >= 0
    seen = 0
    for event in events():
        found, faults = index.find(index_words.words_of_event(dict(event)))
        assert faults == []
        expected = decision.decide([every[slug] for slug in sorted(every)], dict(event))
        got = decision.decide(found, dict(event))
        assert sorted(map(str, got)) == sorted(map(str, expected))
        seen += bool(expected)
    assert seen > ROUNDS // 2


def test_a_call_reads_only_what_its_words_lead_to(tmp_path):
    write(tmp_path, {f"r{number}": rules.command(f"r{number}", f"tool{number}") for number in range(1000)})
    opened(tmp_path)
    index = opened(tmp_path)
    read = []
    original = index._read
    index._read = lambda at, length: read.append(length) or original(at, length)
    found, _ = index.find(index_words.words_of_event({"kind": "command", "command": "tool7 x"}))
    assert [rule["facts"]["slug"] for rule in found] == ["r7"]
    assert sum(read) < 3000


def test_a_rule_that_comes_changes_or_goes_is_seen_at_once(tmp_path):
    write(tmp_path, {"a": rules.command("a", "tool")})
    for pattern in ("tool", "other", "third"):
        fresh = tmp_path / GUARD / "fresh"
        fresh.write_text(json.dumps(rules.command("a", pattern)))
        fresh.replace(tmp_path / GUARD / "a.json")
        for _ in range(2):
            index = opened(tmp_path)
            assert [len(index.find([index_words.ALWAYS, "c" + name])[0]) for name in ("tool", "other", "third")] == [
                int(name == pattern) for name in ("tool", "other", "third")
            ]
    (tmp_path / GUARD / "a.json").unlink()
    index = opened(tmp_path)
    assert (index.present, index.find(["cthird"])) == (False, ([], []))


def test_artifacts_that_have_just_changed_are_not_cached(tmp_path, monkeypatch):
    monkeypatch.setattr("rulec.hook.index.rule_index.RACY", 10**18)
    write(tmp_path, {"a": rules.command("a", "tool")})
    assert len(opened(tmp_path).find(["ctool"])[0]) == 1
    assert not (kept(tmp_path) / INDEX_NAME).exists()


def test_a_damaged_cache_is_built_anew_and_never_trusted(tmp_path):
    write(tmp_path, {f"r{number}": rules.command(f"r{number}", f"tool{number}", "git") for number in range(20)})
    opened(tmp_path)
    cache = kept(tmp_path) / INDEX_NAME
    whole = cache.read_bytes()
    pick = random.Random(9)
    for _ in range(400):
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
        cache.write_bytes(bytes(data))
        index = opened(tmp_path)
        rules_found, faults = index.find(["cgit", "ctool3"])
        assert (len(rules_found), faults) == (20, [])
    assert opened(tmp_path).find(["ctool3"])[0][0]["facts"]["slug"] == "r3"


def test_a_cache_that_was_forged_is_told_from_one_that_was_built_and_made_anew(tmp_path):
    write(tmp_path, {name: rules.command(name, f"tool{name}") for name in "ab"})
    opened(tmp_path)
    cache = kept(tmp_path) / INDEX_NAME
    genuine = cache.read_bytes()
    assert not is_forged(str(tmp_path))
    index = opened(tmp_path)
    index.rebuild()
    del index.records["ctoola"]
    cache.write_bytes(pack_index(index.records, guard_stamp(str(tmp_path)), index.flags))
    assert opened(tmp_path).find(["ctoola"]) == ([], [])
    assert is_forged(str(tmp_path))
    assert cache.read_bytes() == genuine
    assert not is_forged(str(tmp_path))
    cache.unlink()
    assert not is_forged(str(tmp_path))


def test_a_cache_that_cannot_be_written_changes_nothing(tmp_path):
    write(tmp_path, {"a": rules.command("a", "tool")})
    kept(tmp_path).write_text("a file where the folder should be")
    assert len(opened(tmp_path).find(["ctool"])[0]) == 1


def test_a_cache_behind_a_link_is_neither_read_nor_written(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    write(tmp_path, {"a": rules.command("a", "tool")})
    kept(tmp_path).symlink_to(elsewhere)
    assert len(opened(tmp_path).find(["ctool"])[0]) == 1
    assert list(elsewhere.iterdir()) == []


BROKEN = [
    "",
    "{",
    "[]",
    "null",
    '"x"',
    '{"facts": {}}',
    '{"facts": {"slug": "x"}, "check": {"on": "command"}}',
    "\xff",
    "[" * 100_000,
]


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_artifact_is_a_fault_and_no_pass(tmp_path, text):
    write(tmp_path, {"good": rules.command("good", "tool"), "bad": text})
    for _ in range(2):
        index = opened(tmp_path)
        found, faults = index.find(index_words.words_of_event({"kind": "command", "command": "tool"}))
        assert [rule["facts"]["slug"] for rule in found] == ["good"]
        assert [(fault["facts"]["slug"], fault["facts"]["on_error"]) for fault in faults] == [("bad", "warn")]
        assert not index.strict


def test_a_broken_artifact_still_says_that_it_must_block(tmp_path):
    write(tmp_path, {"bad": json.dumps({"facts": {"slug": "bad", "on_error": "block"}}) + "}"})
    index = opened(tmp_path)
    assert index.strict
    assert opened(tmp_path).strict
    assert index.find([index_words.ALWAYS])[1][0]["facts"]["on_error"] == "block"


def test_without_artifacts_there_is_nothing_to_guard(tmp_path):
    assert not opened(tmp_path).present
    assert texts_on_disk(str(tmp_path)) == {}
