"""``rulec snapshot``: what an agent is told for a path, an agent and a task."""

import json
import marshal

import pytest

from rulec.checkout import record_cache, rules_layout
from rulec.domain.evidence import Evidence
from rulec.reminders import rule_records
from rulec.rulebook import evidence_file, file_paths
from rulec.services.setup import snapshot
from tests.support.asking import ask_hook

CONFIG = "schema: 1\nemitters: [claude-code]\n"
PNPM = """\
schema: 1
slug: use-pnpm
statement: Use pnpm, never npm or yarn.
category: tooling
severity: must
enforcement: block
when: installing packages
do: run `pnpm add NAME`
"""
SHORT = """\
schema: 1
slug: short-tests
statement: Tests are short.
category: testing
enforcement: warn
scope: {include: ["tests/**"]}
"""
UNSURE = "schema: 1\nslug: unsure\nstatement: Nobody said yes to this.\n"


@pytest.fixture
def book(repo):
    for name, text in {"config": CONFIG, "use-pnpm": PNPM, "short-tests": SHORT, "unsure": UNSURE}.items():
        write(repo, name, text)
    return repo


def write(repo, slug, text):
    (repo / ".rules").mkdir(exist_ok=True)
    (repo / f".rules/{slug}.yaml").write_text(text)


def told(done):
    return json.loads(done.stdout)


def test_it_says_what_holds_and_no_rule_that_nobody_confirmed(book, rulec):
    assert rulec("snapshot").stdout.splitlines() == [
        "Rules that the people of this repository have decided (rulec):",
        "MUST: Use pnpm, never npm or yarn. When: installing packages. (`use-pnpm`)",
        "  Do: run `pnpm add NAME`.",
        "SHOULD: Tests are short. (`short-tests` in tests/**)",
    ]


def test_what_is_left_out_is_counted_on_standard_error_and_named_in_the_data(book, rulec):
    (book / ".rules/use-pnpm.yaml").rename(book / "use-pnpm.yaml")
    assert rulec("snapshot", "--path", "web/app.ts").stdout == "nothing to say here (1 not for this path)\n"
    (book / "use-pnpm.yaml").rename(book / ".rules/use-pnpm.yaml")
    done = rulec("snapshot", "--path", "web/app.ts")
    assert "`use-pnpm`" in done.stdout
    assert done.stderr == "rulec: left out: 1 not for this path; --format json names each\n"
    data = told(rulec("snapshot", "--path", "web/app.ts", "--task", "mend the parser", "--format", "json"))
    assert data["dropped"] == [{"slug": "short-tests", "kind": "path", "because": "not for web/app.ts"}]


def test_the_data_hold_everything(book, rulec):
    data = told(
        rulec("snapshot", "--agent", "codex", "--task", "npm install x", "--max-rules", "1", "--format", "json")
    )
    assert [row["slug"] for row in data["rules"]] == ["use-pnpm"]
    assert (data["agent"], data["task"], data["max_tokens"]) == ("codex", "npm install x", 1_500)
    assert data["tokens"] <= 1_500
    assert data["dropped"] == [{"slug": "short-tests", "kind": "rules", "because": "over 1 rule"}]
    assert data["text"].endswith("(left out: `short-tests`; `rulec why NAME` tells one)")


def test_a_repository_without_a_rulebook_is_told_so_in_a_line(repo, rulec):
    done = rulec("snapshot")
    assert done.stdout == f"{repo}: no rulebook yet, so no rules; next: rulec init\n"
    assert told(rulec("snapshot", "--format", "json"))["rules"] == []


def test_a_rulebook_without_rules_that_hold_is_told_so_in_a_line(repo, rulec):
    write(repo, "config", CONFIG)
    assert rulec("snapshot").stdout.startswith("no rules yet; next: rulec ")
    write(repo, "unsure", UNSURE)
    assert rulec("snapshot").stdout.startswith("no rules yet; next: rulec ")


def test_a_path_is_seen_from_where_one_stands(book, rulec):
    (book / "tests/deep").mkdir(parents=True)
    for path, here in (
        ("a.py", book / "tests"),
        ("../tests/a.py", book / "tests"),
        ("tests", book),
        (".", book / "tests"),
    ):
        assert "short-tests" in rulec("snapshot", "--path", path, cwd=here).stdout, (path, here)
    assert "short-tests" in rulec("snapshot", "--path", str(book / "tests/x.py")).stdout
    refused = rulec("snapshot", "--path", "../elsewhere", code=2)
    assert refused.stderr.startswith("rulec: ../elsewhere: lies outside the repository")


def test_a_wrong_rule_file_is_refused_with_its_line(book, rulec):
    write(book, "use-pnpm", PNPM.replace("severity: must", "severity: grave"))
    assert ".rules/use-pnpm.yaml:5" in rulec("snapshot", code=2).stderr


def test_what_is_kept_gives_way_to_every_change_of_a_rule_file(book, monkeypatch):
    monkeypatch.setattr(record_cache, "RACY", -(10**18))
    first = snapshot.rule_records(book)
    kept = (book / ".git/rulec" / snapshot.KEPT).read_bytes()[record_cache.SUM :]
    assert marshal.loads(kept) == first == snapshot.rule_records(book)
    write(book, "use-pnpm", PNPM.replace("yarn", "bun"))
    assert any("bun" in row["says"] for row in snapshot.rule_records(book))
    write(book, "use-pnpm", PNPM)
    (book / ".rules/short-tests.yaml").unlink()
    assert [row["slug"] for row in snapshot.rule_records(book)] == ["use-pnpm"]
    (book / ".rules/archive").mkdir()
    assert [row["slug"] for row in snapshot.rule_records(book)] == ["use-pnpm"]


def hook(repo, event):
    done = ask_hook(repo, {"session_id": "s", "cwd": str(repo), **event})
    assert done.returncode == 0
    return json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"] if done.stdout else ""


def test_after_compile_the_agents_session_starts_with_the_same_words(book, rulec):
    rulec("compile")
    names = sorted(path.name for path in (book / rules_layout.WORDS).iterdir())
    assert names == ["short-tests.json", "use-pnpm.json"], "also of rules without a check"
    told, _, how_to_propose = hook(book, {"hook_event_name": "SessionStart"}).rpartition("\n")
    assert f"{told}\n" == rulec("snapshot", "--agent", "claude-code").stdout
    assert "propose" in how_to_propose
    (book / ".rules/short-tests.yaml").unlink()
    assert "left over" in rulec("compile", "--check", code=1).stdout
    rulec("compile")
    assert "short-tests" not in hook(book, {"hook_event_name": "SessionStart"})


def test_what_the_hook_reads_of_evidence_is_what_the_rulebook_says(book, rulec):
    said = "kind: accepted\nweight: 3\nat: 2031-01-01T00:00:00Z"
    for number, kind in enumerate(("correction", "correction", "accepted", "counterexample", "proved")):
        at = f"2026-11-1{number}T10:00:00Z" if number % 2 else ""
        weight = 0.0 if kind == "proved" else 1.5
        item = Evidence(slug="use-pnpm", kind=kind, weight=weight, at=at, turn=number, quote=said, transcript="at: 2")
        path = book / file_paths.evidence_path(item)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(evidence_file.dump_evidence(item))
    rulec("compile")
    told = {row["slug"]: row for row in rule_records.gather_rules(str(book))}
    assert told == {row["slug"]: {**row, "scope": told[row["slug"]]["scope"]} for row in snapshot.rule_records(book)}
    assert (told["use-pnpm"]["at"], told["use-pnpm"]["confidence"]) == ("2026-11-13T10:00:00Z", round(5.5 / 8, 6))


def test_branches_that_gather_evidence_for_one_rule_merge_and_their_words_stay_current(book, rulec, git):
    def commit(turn):
        item = Evidence(slug="use-pnpm", kind="correction", weight=1.0, at=f"2026-11-{turn}T10:00:00Z", turn=turn)
        path = book / file_paths.evidence_path(item)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(evidence_file.dump_evidence(item))
        rulec("compile")
        git("add", "-A")
        git("commit", "-qm", f"Turn {turn}")

    commit(10)
    git("checkout", "-qb", "other")
    commit(11)
    git("checkout", "-q", "main")
    commit(12)
    git("merge", "-q", "--no-edit", "other")
    assert "every artifact is current" in rulec("compile", "--check").stdout
    assert next(row for row in snapshot.rule_records(book) if row["slug"] == "use-pnpm")["at"] == "2026-11-12T10:00:00Z"
