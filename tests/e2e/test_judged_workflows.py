"""The emitted workflows where there are judges: the trusted job asks with its key, the other job never has it."""

from pathlib import Path

import pytest
import yaml

from tests.e2e.test_workflows import GITHUB, GITLAB, commit
from tests.support.gates import without_source
from tests.support.judging import answered
from tests.support.messages_server import KEY, MessagesServer
from tests.support.workflow import Job, checked_out, github, gitlab
from tests.support.world import act, founded, run

NAME = "ANTHROPIC_API_KEY"
MODELS = (
    "models: {backend: anthropic, model: claude-haiku-4-5}\ninstall: rulec\n"  # it is here: pip has nothing to fetch
)
RULE = """\
slug: no-foo
statement: Nobody writes the word foo.
enforcement: block
checks:
  - {kind: judge, template: judge}
examples:
  invalid: [{file: a.py, content: "foo = 1\\n"}, {file: b.py, content: "x = foo\\n"}]
  valid: [{file: a.py, content: "y = 1\\n"}, {file: b.py, content: "x = z\\n"}]
"""


@pytest.fixture
def top(tmp_path: Path, messages: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose one judge is pinned to block, on a branch that offends it; the forge has the key."""
    messages.script = lambda asked: answered(asked.text)
    top = founded(tmp_path / "repo", "Use pnpm, never npm")
    config = top / ".rules/config.yaml"
    emitters = config.read_text().replace("git-attributes,", "git-attributes, github-actions, gitlab-ci,")
    config.write_text(without_source(emitters) + MODELS)
    (top / ".rules/no-foo.yaml").write_text(RULE)
    act(top, "compile")
    run(top, "add", "-A")
    run(top, "commit", "-q", "--no-verify", "-m", "Judge words")
    run(top, "checkout", "-q", "-b", "change")
    commit(top, {"app.py": "foo = 1\n"})
    messages.asked.clear()
    monkeypatch.delenv(NAME)
    return top


def _pull_request(top: Path, machine: Path, secrets: dict[str, str]) -> Job:
    run(top, "checkout", "-q", "--detach", "main")
    run(top, "merge", "-q", "--no-ff", "--no-verify", "-m", "Merge it", "change")
    merge = run(top, "rev-parse", "HEAD").strip()
    machine.mkdir()
    text = (checked_out(top, machine, merge) / GITHUB).read_text()
    return github(text, "rules", machine, base=f"{merge}^1", secrets=secrets)


def test_a_pull_request_is_judged_with_the_key_and_its_verdicts_are_kept(
    top: Path, tmp_path: Path, messages: MessagesServer
) -> None:
    job = _pull_request(top, tmp_path / "one", {NAME: KEY})
    assert job.code == 1, job.said
    assert "app.py" in job.said
    assert "no-foo" in job.said
    assert KEY not in job.said
    assert len(messages.asked) == 1
    kept = tmp_path / "one" / "verdicts"
    assert list(kept.iterdir())
    assert all(KEY not in path.read_text() for path in kept.iterdir())


def test_a_forks_pull_request_is_not_judged_and_says_so(top: Path, tmp_path: Path, messages: MessagesServer) -> None:
    job = _pull_request(top, tmp_path / "fork", {})
    assert job.code == 0, job.said
    assert "1 judge rule not judged" in job.said
    assert len(messages.asked) == 0


def test_gitlab_judges_where_the_job_has_the_key(top: Path, tmp_path: Path, messages: MessagesServer) -> None:
    machine = tmp_path / "gitlab"
    machine.mkdir()
    head = checked_out(top, machine, run(top, "rev-parse", "change").strip())
    given = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_DIFF_BASE_SHA": "0" * 40, NAME: KEY}
    text = (head / GITLAB).read_text()
    job = gitlab(text, "rulec-rules", head, given)
    assert job.code == 1, job.said
    assert "app.py" in job.said
    assert KEY not in job.said
    assert list((head / ".rulec-verdicts").iterdir())
    script = yaml.safe_load(text)["rulec-rulebook"]["script"]
    assert script.index(f"unset {NAME}") < script.index(next(line for line in script if "pip install" in line))
