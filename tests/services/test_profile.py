"""``profile: lexsona``: whatever acts on a rule or shows it says the same, and no other rule has a part in it."""

import json
from pathlib import Path

import pytest

from rulec.domain.evidence import Evidence
from rulec.hook.dispatch import respond
from rulec.infra import clock
from tests.support import aged_rules
from tests.support.aged_rules import TABLE, compiled_of, is_active, slug, what_each_says
from tests.support.world import act, copy, run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

SOON_OVER, OVER, NEVER = 2, 3, 0  # places in the table


@pytest.fixture(scope="module")
def aged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("aged") / "repo"
    top.mkdir()
    aged_rules.run(top, "init", "-q", "-b", "main", "--template=")
    aged_rules.fill(top, TABLE)
    return top


def test_every_place_says_of_thirty_rules_what_the_paper_says(aged: Path) -> None:
    wanted = [is_active(row) for row in TABLE]
    assert 10 <= sum(wanted) <= 20
    wrong = {
        place: [TABLE[n] for n, (said, right) in enumerate(zip(told, wanted, strict=True)) if said != right]
        for place, told in what_each_says(aged, len(TABLE)).items()
    }
    assert not {place: rows for place, rows in wrong.items() if rows}


def test_what_lapses_is_said_before_and_after(aged: Path, tmp_path: Path) -> None:
    top = copy(aged, tmp_path / "repo")
    told = act(top).out
    assert f"enforcement: {slug(SOON_OVER)} blocks until " in told
    assert f"enforcement: {slug(OVER)} lapsed on " in told
    assert slug(NEVER) not in told
    renew = f'say it again (rulec add "CORRECT[{slug(OVER)}]: SENTENCE") or pin it (rulec set {slug(OVER)} block)'
    assert renew in told
    said = act(top, "rules").out
    assert len([line for line in said.splitlines() if line.startswith(slug(OVER)) and "(lapsed " in line]) == 1
    assert len([line for line in said.splitlines() if line.startswith(slug(SOON_OVER)) and "(until " in line]) == 1
    (top / aged_rules.name(OVER)).write_text("x\n")
    aged_rules.run(top, "add", "-A")
    gate = act(top, "check", "--staged")
    assert f"only audited: {slug(OVER)} lapsed on " in gate.out


@pytest.mark.parametrize("how", ["said again", "pinned"])
def test_a_lapsed_rule_is_renewed_as_it_says(aged: Path, tmp_path: Path, how: str) -> None:
    top = copy(aged, tmp_path / "repo")
    if how == "pinned":
        act(top, "set", slug(OVER), "block")
    else:
        act(top, "add", f"CORRECT[{slug(OVER)}]: never add {aged_rules.name(OVER)}", "--yes")
        message = aged_rules.run(top, "log", "-1", "--format=%B")
        assert f"Enforcement: {slug(OVER)} blocks until " in message
    row = next(row for row in json.loads(act(top, "rules", "--format", "json").out) if row["slug"] == slug(OVER))
    assert (row["acts"], row["until"] == "") == ("block", how == "pinned")


@pytest.mark.parametrize(
    "argv",
    [
        ("add", "Use uv, never poetry or pipenv", "--yes"),
        ("add", "Never force push", "--yes"),
        ("retire", slug(7), "--because", "we no longer need it"),
    ],
)
def test_nothing_said_of_one_rule_changes_the_files_of_another(aged: Path, tmp_path: Path, argv: list[str]) -> None:
    top = copy(aged, tmp_path / "repo")
    before = compiled_of(top)
    act(top, *argv)
    after = compiled_of(top)
    gone = {path for path in before if slug(7) in path} if argv[0] == "retire" else set()
    assert {path: after.get(path) for path in before if path not in gone} == {
        path: text for path, text in before.items() if path not in gone
    }
    assert len(after) > len(before) or argv[0] == "retire"


def test_another_days_compile_writes_the_same_files(
    aged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = copy(aged, tmp_path / "repo")
    before = compiled_of(top)
    monkeypatch.setattr(clock, "now", lambda: "2031-01-01T00:00:00Z")
    act(top, "compile", "--check")
    assert compiled_of(top) == before
    rows = json.loads(act(top, "rules", "--format", "json").out)
    assert {row["acts"] for row in rows} == {"audit"}
    assert [row["slug"] for row in json.loads(act(top, "snapshot", "--format", "json").out)["rules"]] == []


def test_the_options_of_a_snapshot_bound_what_agents_are_told(aged: Path, tmp_path: Path) -> None:
    top = copy(aged, tmp_path / "repo")

    def said(*argv: str) -> dict[str, str]:
        data = json.loads(act(top, "snapshot", "--format", "json", *argv).out)
        assert data["tokens"] <= 1_500
        return {one["slug"]: one["kind"] for one in data["dropped"]} | {one["slug"]: "" for one in data["rules"]}

    assert set(said("--max-rules", "3").values()) == {"", "rules", "lapsed", "dormant"}
    sure = said("--min-confidence", "0.75")
    assert (sure[slug(13)], sure[slug(18)], sure[slug(23)]) == ("confidence", "confidence", "")  # .71, .71, .81


def test_of_two_rules_that_contradict_each_other_agents_are_told_one(repo: Path) -> None:
    run(repo, "commit", "--allow-empty", "-qm", "Begin")
    (repo / ".rules").mkdir()
    (repo / ".rules/config.yaml").write_text("schema: 1\n")
    for name, statement, at in (
        ("use-tabs", "Use tabs for indentation.", "2026-11-01T00:00:00Z"),
        ("no-tabs", "Never use tabs for indentation.", "2026-11-20T00:00:00Z"),
        ("be-brief", "Keep answers short.", "2026-11-10T00:00:00Z"),
    ):
        head = f"schema: 1\nslug: {name}\nrevision: 1\nstatement: {statement}\n"
        (repo / f".rules/{name}.yaml").write_text(f"{head}category: code-style\nseverity: should\nchecks: []\n")
        aged_rules.note(repo, Evidence(slug=name, kind="accepted", weight=3.0, at=at))
    act(repo, "compile")
    told = json.loads(act(repo, "snapshot", "--format", "json").out)
    assert [one["slug"] for one in told["rules"]] == ["no-tabs", "be-brief"]
    assert told["dropped"] == [
        {"slug": "use-tabs", "kind": "contrary", "because": "it contradicts no-tabs, which goes before it"}
    ]
    asked = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(repo), "source": "startup"}
    heard = respond("claude-code", json.dumps(asked).encode(), str(repo)).out
    assert "no-tabs" in str(heard)
    assert "use-tabs" not in str(heard)
    run(repo, "add", "-A")
    run(repo, "commit", "-qm", "Write them down")
    act(repo, "retire", "no-tabs", "--because", "tabs after all")
    assert "use-tabs" in act(repo, "snapshot").out
