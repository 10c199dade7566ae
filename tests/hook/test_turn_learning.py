"""What a turn teaches of the rules, from a session's start to its end: real processes, real JSON, a real repository."""

import json
from pathlib import Path

import pytest

from rulec.checkout import ledger
from rulec.domain.rule import Check, Rule, Scope
from rulec.reminders import rule_records
from rulec.weights import learning, person_bonus, weight_store
from rulec.weights.formulas import TurnFacts
from tests.hook.test_hook import bash, hook, put, repository
from tests.hook.test_said import put as put_words
from tests.hook.test_said import says, starts
from tests.hook.test_session_hook import git, recorded
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession

PNPM, LEGACY, QUIET = "use-pnpm", "leave-legacy", "no-print"
WORDS = (
    Rule(
        slug=PNPM,
        statement="Use pnpm, never npm.",
        checks=(Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"], "instead": "pnpm"}),),
    ),
    Rule(slug=LEGACY, statement="Leave the legacy folder alone.", scope=Scope(include=("legacy/**",))),
    Rule(slug=QUIET, statement="Print nothing in the service.", when="writing services"),
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    top = repository(tmp_path / "repo")
    put_words(top, *WORDS)
    guard = rules.command(PNPM, "npm", instead="pnpm")
    put(top, PNPM, json.dumps(guard))
    git(top, "add", "-A")
    git(top, "commit", "-qm", "x")
    return top


def ended(repo: Path, session: ClaudeSession) -> None:
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "last_assistant_message": "ok"}
    code, _, error = hook(repo, recorded(repo, payload, session))
    assert (code, error) == (0, "")


def kept_rows(repo: Path) -> list[tuple[str, int]]:
    return [(row["slug"], row["times"]) for row in ledger.read_entries(str(repo)) if row["outcome"] == ledger.KEPT]


def test_a_told_rule_that_is_kept_where_it_counts_is_raised(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "add the left-pad package"))
    ended(repo, ClaudeSession(repo).person("add the left-pad package").runs("pnpm add left-pad").runs("pnpm test"))
    assert kept_rows(repo) == [(PNPM, 2)]
    weights = weight_store.load_weights(str(repo), "s1")
    assert weights.long[PNPM] > 0 < weights.short[PNPM]
    assert weights.baseline == pytest.approx(0.05)
    assert {slug for slug, weight in weights.long.items() if weight > 0} == {PNPM}
    path = Path(weight_store.folder_of(str(repo)), weight_store.NAME)
    assert path.stat().st_mode & 0o777 == 0o600
    assert str(repo) not in str(path)


def test_what_a_gate_stopped_teaches_nothing(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "add the left-pad package"))
    hook(repo, bash(repo, "npm install left-pad"))
    ended(repo, ClaudeSession(repo).person("add the left-pad package").runs("pnpm add left-pad"))
    assert kept_rows(repo) == []
    assert not weight_store.load_weights(str(repo), "s1").long


def test_a_turn_that_never_exercises_a_rule_teaches_nothing(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "add the left-pad package"))
    ended(repo, ClaudeSession(repo).person("add the left-pad package").runs("ls"))
    assert kept_rows(repo) == []
    assert not weight_store.load_weights(str(repo), "s1").long


def test_a_turn_that_has_ended_is_not_counted_twice(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "tidy up"))
    session = ClaudeSession(repo).person("tidy up").runs("pnpm add left-pad")
    ended(repo, session)
    before = weight_store.load_weights(str(repo), "s1")
    hook(repo, says(repo, "and now rest"))
    ended(repo, session.person("and now rest").runs("ls"))
    after = weight_store.load_weights(str(repo), "s1")
    assert after.long == before.long
    assert after.short[PNPM] == pytest.approx(0.9 * before.short[PNPM], abs=1e-8)


def test_a_repeated_correction_of_a_told_rule_lowers_it(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "print the totals"))
    hook(repo, says(repo, f"CORRECT[{QUIET}]: no print in the service"))
    assert weight_store.load_weights(str(repo)).long[QUIET] < 0


def test_a_new_session_forgets_the_short_weights_alone(repo: Path) -> None:
    hook(repo, starts(repo))
    hook(repo, says(repo, "add a package"))
    ended(repo, ClaudeSession(repo).person("add a package").runs("pnpm add left-pad"))
    hook(repo, starts(repo))
    weights = weight_store.load_weights(str(repo), "s1")
    assert weights.long
    assert not weights.short


def test_weights_are_neither_kept_nor_used_where_they_are_off(repo: Path) -> None:
    (repo / person_bonus.OFF).write_text("{}\n")
    hook(repo, starts(repo))
    hook(repo, says(repo, "add a package"))
    ended(repo, ClaudeSession(repo).person("add a package").runs("pnpm add left-pad"))
    assert not Path(weight_store.folder_of(str(repo))).exists()


def test_a_rule_with_weight_comes_first_among_equals_at_the_start(repo: Path) -> None:
    many = [Rule(slug=f"rule-{at:03}", statement=f"Mind the matter number {at}.") for at in range(300)]
    put_words(repo, *many)
    hook(repo, starts(repo))
    last = many[-1].slug
    hook(repo, says(repo, "go on with the work"))
    records = rule_records.gather_rules(str(repo))
    learning.learn(str(repo), "s1", records, {last: TurnFacts(broken=True)})
    hook(repo, starts(repo))
    told = json.loads((repo / ".git/rulec/sessions/s1.json").read_text())["told"]
    assert f"{last}@1" in told
    assert f"{many[-2].slug}@1" not in told
