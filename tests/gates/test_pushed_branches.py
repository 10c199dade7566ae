"""Pushes by people and agents are judged by where they really go, and whether they rewrite what is there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.services.gating.approve import approve_commits
from rulec.services.gating.push import judge_push
from rulec.services.rules.rule_list import list_rules
from tests.support.world import act, at_home, run

RULE = """\
schema: 1
slug: {slug}
revision: 1
statement: {statement}
category: process
severity: must
enforcement: block
checks:
  - {{kind: guard, template: {template}, with: {parameters}}}
examples:
  invalid: [{{command: {invalid}}}]
  valid: [{{command: git fetch origin}}]
{more}"""
FORCED = "git push --force origin topic"
RULES = {
    "no-main": (
        "forbid-command", "{commands: [git push], push_to: [main, 'release/*'], instead: a review}",
        "git push origin main", "",
    ),
    "no-force": ("forbid-command", "{commands: [git push], flags: ['--force|-f', '--force-with-lease']}", FORCED, ""),
    "lease-will-do": ("forbid-command", "{commands: [git push], flags: ['--force|-f']}", FORCED, ""),
    "agents-never-push": ("forbid-command", "{commands: [git push]}", "git push origin main", ""),
    "names": ("require-command", "{branch: '^(topic|agents|release/)'}", "git switch -c other", ""),
    "agents-only": (
        "forbid-command", "{commands: [git push], push_to: [agents]}", "git push origin agents",
        "scope: {who: [agents]}\n",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        top = tmp_path_factory.mktemp("pushed") / "repo"
        (top / ".rules").mkdir(parents=True)
        run(top, "init", "-q", "-b", "main", "--template=")
        (top / ".rules/config.yaml").write_text("schema: 1\n")
        for slug, (template, parameters, invalid, more) in RULES.items():
            text = RULE.format(
                slug=slug,
                statement=f"Keep {slug}.",
                template=template,
                parameters=parameters,
                invalid=invalid,
                more=more,
            )
            (top / f".rules/{slug}.yaml").write_text(text)
        act(top, "compile")
        run(top, "add", "-A")
        for message in ("Start", "Follow"):
            run(top, "commit", "-q", "--allow-empty", "-m", message)
        run(top, "branch", "aside", "HEAD^")
        run(top, "checkout", "-q", "aside")
        run(top, "commit", "-q", "--allow-empty", "-m", "Aside")
        run(top, "checkout", "-q", "main")
        run(top, "update-ref", "refs/remotes/origin/seen", "main^")
        yield top


NONE = "0" * 40
ELSEWHERE = "1" * 40  # a commit that this clone never had
CASES = [  # local commit, remote ref, remote commit; the rules that refuse
    ("main", "refs/heads/main", "main^", ["no-main"]),
    ("aside", "refs/heads/release/2", NONE, ["no-main"]),
    (NONE, "refs/heads/main", "main", ["no-main"]),
    ("main", "refs/heads/main", "aside", ["no-main", "no-force"]),
    ("main", "refs/heads/topic", "aside", ["no-force"]),
    ("main", "refs/heads/topic", ELSEWHERE, ["no-force"]),
    ("main", "refs/heads/topic", "main^", []),
    ("main", "refs/heads/topic", NONE, []),
    ("main", "refs/heads/main-menu", NONE, ["names"]),
    ("main", "refs/heads/main-menu", "main^", []),
    ("main", "refs/heads/seen", NONE, []),
    (NONE, "refs/heads/other", "main", []),
    ("main", "refs/heads/topic/x", NONE, []),
    (NONE, "refs/heads/topic", "main", []),
    ("main", "refs/tags/main", NONE, []),
    ("main", "refs/heads/agents", NONE, []),
    ("main", "HEAD", NONE, []),
]


def _pushed(top: Path, local: str, ref: str, remote: str) -> list[str]:
    """The rules that refuse the push."""
    new, old = (one if one.strip("01") == "" else run(top, "rev-parse", one).strip() for one in (local, remote))
    outcome = judge_push(top, "origin", f"refs/heads/{local} {new} {ref} {old}\n")
    refused = [slug for slug in RULES if f"Keep {slug}." in outcome.text]
    assert bool(outcome.code) == bool(refused), outcome.text
    return refused


def test_a_push_is_judged_by_where_it_goes(top: Path) -> None:
    wrong = [(case, found) for case in CASES if (found := _pushed(top, *case[:3])) != case[3]]
    assert not wrong


def test_under_a_framework_a_branch_is_new_that_was_never_seen_at_the_remote(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"FROM_REF": run(top, "rev-parse", "main^").strip(), "TO_REF": "main", "REMOTE_NAME": "origin"}
    for name, value in told.items():
        monkeypatch.setenv(f"PRE_COMMIT_{name}", value)
    refused = {}
    for branch in ("seen", "unseen", "topic/x"):
        monkeypatch.setenv("PRE_COMMIT_REMOTE_BRANCH", f"refs/heads/{branch}")
        refused[branch] = judge_push(top, "origin", None).code
    assert refused == {"seen": 0, "unseen": 1, "topic/x": 0}


def test_a_rule_says_that_it_would_act_at_the_push(top: Path) -> None:
    rows = list_rules(top).data
    assert isinstance(rows, list)
    acts = {row["slug"] for row in rows if any("not at the push: " in text for text in row["not_here"])}
    assert acts == {"no-main", "no-force", "names"}


def test_a_person_approves_a_push(top: Path) -> None:
    asked: list[str] = []

    def confirm(question: str) -> bool:
        asked.append(question)
        return True

    case = ("main", "refs/heads/release/1", "aside")
    said = judge_push(top, "origin", f"x {run(top, 'rev-parse', 'main').strip()} {case[1]} {NONE}\n").text
    spec = said.partition("rulec approve ")[2].split()[0]
    assert approve_commits(top, [spec], lambda _: False).code == 1
    assert _pushed(top, *case) == ["no-main", "no-force"]
    assert not approve_commits(top, [spec], confirm).code
    assert "no-main" in asked[0]
    new, old = (run(top, "rev-parse", one).strip() for one in ("main", "aside"))
    assert not judge_push(top, "origin", f"x {new} {case[1]} {old}\n").code
    assert _pushed(top, "aside", case[1], NONE) == ["no-main"]  # another commit
    assert approve_commits(top, [":refs/tags/v1"], lambda _: True).text.startswith("no rule minds")
