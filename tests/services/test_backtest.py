"""rulec backtest replays what was committed and done here, as the gates would have seen it."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading
from rulec.services.backtest.past_runs import would_have_refused
from tests.conftest import Run
from tests.support.session import ClaudeSession, logger, pnpm

RULES = {
    "no-print": ("semgrep", "forbid-call", {"functions": ["print"], "language": "python"}, ["src/**"]),
    "no-lock": ("guard", "forbid-path", {"globs": ["package-lock.json"]}, ["**"]),
    "few-lines": ("shell", "max-lines", {"lines": 4_000}, ["**"]),
    "short-subjects": ("shell", "commit-message", {"max_subject": 40}, ["**"]),
    "code-with-tests": ("guard", "companion", {"when": ["src/**"], "needs": ["tests/**"]}, ["**"]),
    "use-pnpm": ("guard", "forbid-command", {"commands": ["npm"], "prefer": "pnpm"}, ["**"]),
}


@pytest.fixture
def past(gated: Path, git: Run) -> Callable[..., str]:
    """Commit files around the gates, and say the name of the commit."""

    def commit(message: str, **files: str) -> str:
        for name, text in files.items():
            path = gated / name.replace("__", "/").replace("_", ".")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
        git("add", "-A")
        git("commit", "-qnm", message)
        return git("rev-parse", "HEAD").stdout.strip()

    return commit


@pytest.fixture
def rulebook(gated: Path) -> Callable[..., None]:
    """Write some of the rules above, as a person would who pins nothing."""

    def write(*slugs: str) -> None:
        for slug in slugs:
            kind, template, given, include = RULES[slug]
            check = {"kind": kind, "template": template, "with": given}
            text = (
                f"schema: 1\nslug: {slug}\nrevision: 1\nstatement: About {slug}.\ncategory: process\nseverity: should\n"
                f"scope: {{include: {json.dumps(include)}}}\nchecks: [{json.dumps(check)}]\n"
            )
            rule_reading.read_rule(text, source=f".rules/{slug}.yaml")
            (gated / f".rules/{slug}.yaml").write_text(text)

    return write


def refused(rulec: Run, *args: str, what: str = "commits") -> dict[str, list[tuple[str, list[tuple[str, int]]]]]:
    data: dict[str, Any] = json.loads(rulec("backtest", "--format", "json", *args).stdout)
    return {
        rule["slug"]: [(one["id"], [(f["path"], f["line"]) for f in one["findings"]]) for one in rule[what]["refused"]]
        for rule in data["rules"]
        if rule[what]
    }


def test_each_gate_of_a_commit_looks_back(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run, git: Run
) -> None:
    both = past("Add the report", src__a_py="x = 1\nprint(x)\n", tests__a_py="print(1)\n")
    past("Say more", src__a_py="x = 1\nprint(x)\ny = 2\n", tests__a_py="print(2)\n")
    alone = past("Change it alone", src__a_py="x = 1\nprint(x)\ny = 3\nprint(y)\n")
    lock = past("Install", **{"package-lock_json": "{}\n"})
    past("Install again", **{"package-lock_json": "{ }\n"})
    long = past("Explain at great length what nobody asked about", a_txt="a\n")
    rulebook(*(slug for slug in RULES if slug != "few-lines"))
    assert refused(rulec) == {
        "no-print": [(alone, [("src/a.py", 4)]), (both, [("src/a.py", 2)])],
        "no-lock": [(lock, [("package-lock.json", 0)])],
        "short-subjects": [(long, [("", 1)])],
        "code-with-tests": [(alone, [("src/a.py", 0)])],
    }
    said = rulec("backtest", "no-print").stdout
    assert f"no-print (audits): 2 of 8 commits\n  {alone[:10]} " in said
    assert " Change it alone\n    src/a.py:4: print(y)\n" in said
    assert said.endswith("rulec: 1 rule, 8 commits: 2 would have been refused (backtest)\n")
    assert "use-pnpm (audits): add --transcripts to look at tool calls" in rulec("backtest").stdout
    assert git("status", "--porcelain", "--", "src", ".git").stdout == ""


def test_a_merge_is_not_asked_for_what_its_sides_brought(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run, git: Run
) -> None:
    git("switch", "-qc", "side")
    side = past("Print here", src__b_py="print(1)\n", tests__b_py="b\n")
    git("switch", "-q", "main")
    past("Go on", src__c_py="c = 1\n", tests__c_py="c\n")
    git("merge", "-q", "--no-verify", "--no-edit", "side")
    rulebook("no-print", "code-with-tests")
    assert refused(rulec) == {"no-print": [(side, [("src/b.py", 1)])], "code-with-tests": []}


def test_sessions_are_replayed_action_by_action(rulebook: Callable[..., None], rulec: Run, gated: Path) -> None:
    session = ClaudeSession(gated).person("Add it.").runs("ls").runs("npm install left-pad").agent("Done.")
    session.person("Thanks.").runs("grep -rn 'npm install' docs").runs("cd web && npm ci")
    folder = Path.home() / ".claude/projects/x"
    folder.mkdir(parents=True)
    session.save(folder / "s.jsonl")
    rulebook("use-pnpm", "no-lock")
    ((name, places),) = refused(rulec, "--transcripts", what="sessions")["use-pnpm"]
    assert name.startswith("/")
    assert places == [("s.jsonl", 2), ("s.jsonl", 8)]
    said = rulec("backtest", "--transcripts").stdout
    assert "use-pnpm (audits): 1 of 1 session\n" in said
    assert "    s.jsonl:2: npm install left-pad\n    s.jsonl:8: cd web && npm ci\n" in said
    assert said.endswith("an agent would have been stopped in 1 (backtest)\n")


def test_what_there_was_no_time_for_is_said(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run
) -> None:
    past("Print", src__a_py="print(1)\n")
    rulebook("no-print")
    assert "no commit looked at" in (said := rulec("backtest", "--seconds", "0").stdout)
    assert "stopped after 0 s" in said
    assert "1 of 3 commits" in rulec("backtest").stdout
    assert "1 of 1 commit\n" in rulec("backtest", "--commits", "1").stdout


def test_no_name_and_no_message_of_a_stranger_ends_the_look(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run, gated: Path, git: Run
) -> None:
    good = past("Print", src__a_py="print(1)\n")
    (gated / os.fsdecode(b"src/\xff\n.py")).write_text("print(2)\n")
    git("add", "-A")
    git("-c", "i18n.commitEncoding=none", "commit", "-qnm", os.fsdecode(b"Odd \xff \x1b[31m"))
    odd = git("rev-parse", "HEAD").stdout.strip()
    blob = git("hash-object", "-w", "src/a.py").stdout.strip()
    entry = b"100644 ..\0" + bytes.fromhex(blob)
    argv = ["git", "hash-object", "-w", "-t", "tree", "--literally", "--stdin"]
    tree = subprocess.run(argv, cwd=gated, input=entry, capture_output=True, check=True).stdout.decode().strip()
    hostile = git("commit-tree", "-p", "HEAD", "-m", "Climb", tree).stdout.strip()
    git("update-ref", "HEAD", hostile)
    rulebook("no-print", "few-lines")
    assert refused(rulec)["no-print"] == [(odd, [("src/?\n.py", 1)]), (good, [("src/a.py", 1)])]
    said = rulec("backtest", "few-lines").stdout
    assert f"its check broke: {hostile[:10]}: '..' leads outside" in said
    assert "\x1b" not in rulec("backtest").stdout


WRONG = [
    (["nothing"], "no rule 'nothing'"),
    (["--commits", "many"], "--commits: takes a whole number of 1 or more, not 'many'"),
    (["--commits", "0"], "--commits: takes a whole number of 1 or more, not '0'"),
    (["--seconds", "-1"], "--seconds: takes a number of 0 or more, not '-1'"),
]


@pytest.mark.parametrize(("args", "said"), WRONG, ids=str)
def test_bad_input_is_one_line(args: list[str], said: str, gated: Path, rulec: Run) -> None:
    wrong = rulec("backtest", *args, code=2).stderr
    assert said in wrong
    assert wrong.count("\n") == 1


def test_a_rebase_under_way_and_a_repository_without_commits_are_looked_at_as_they_are(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run, git: Run
) -> None:
    past("Base", a_txt="1\n")
    git("switch", "-qc", "side", "HEAD~1")
    past("Side", a_txt="2\n")
    assert git("rebase", "main", check=False).returncode
    rulebook("no-lock")
    assert "none of 3 commits" in rulec("backtest").stdout
    git("rebase", "--abort")
    git("switch", "-q", "--orphan", "new")
    rulebook("no-lock")
    assert rulec("backtest", code=2).stderr.count("\n") == 1


def test_a_proposal_says_what_it_would_have_refused_where_commits_can_tell(
    past: Callable[..., str], gated: Path, rulec: Run, tmp_path: Path
) -> None:
    commit = past("Print", src__a_py="print(1)\n")
    card = rulec("ingest", str(logger(gated).save(tmp_path / "1.jsonl")), "--yes").stdout
    assert f"\nbacktest: 1 of 3 commits would have been refused ({commit[:7]} src/a.py:1); " in card
    assert "backtest:" not in rulec("ingest", str(pnpm(gated).save(tmp_path / "2.jsonl")), "--yes").stdout
    assert "\nbacktest: none of " in rulec("add", "Never use eval()", "--yes").stdout


def test_a_shallow_clone_says_what_it_cannot_show(
    past: Callable[..., str], rulebook: Callable[..., None], rulec: Run, gated: Path, tmp_path: Path
) -> None:
    rulebook("no-print")
    past("Print", src__a_py="print(1)\n")
    commit = past("Print more", src__b_py="print(2)\n")
    past("End", a_txt="a\n")
    subprocess.run(["git", "clone", "-q", "--depth", "3", gated.as_uri(), str(tmp_path / "clone")], check=True)
    said = rulec("backtest", cwd=tmp_path / "clone").stdout
    assert f"no-print (audits): 1 of 2 commits\n  {commit[:10]} " in said
    assert "not looked at: 1 commit at the end of this shallow clone\n" in said


def test_a_reminder_has_nothing_to_look_for(rulec: Run, gated: Path) -> None:
    rulec("add", "Be kind to people who read the code", "--yes", "--no-commit")
    assert "a reminder, so there is nothing to check" in rulec("backtest").stdout


def test_a_past_that_cannot_be_read_holds_no_rule_back() -> None:
    rule = Rule(slug="no-eval", statement="Never call eval().")
    assert would_have_refused("2 of 5 commits would have refused", rule)
    assert not would_have_refused("not possible: the history cannot be read", rule)
    assert not would_have_refused("none of 5 commits would have been refused", rule)
