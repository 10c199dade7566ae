"""``rulec comment`` against a server that speaks GitHub's API: one comment, written once and then changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulec.services.pull_request_comment import LARGEST, MARK
from tests.conftest import Run
from tests.support.forge import TOKEN, Forge

CHECK = "## rulec: refused\n\n### Refused by `use-logger`\n\n`Use the logger.`\n\n- `a.py:1` · `print(x)`\n"
RULES = "## rulec: 1 added\n\n### added `no-eval@1 (block)`\n\n`Never use eval.`\n\n- said: `no eval` (`2026-11-20`)\n"
QUIET = ("## rulec: nothing is refused\n\n3 files, 4 rules: no findings", "## rulec: no rule changed")


@pytest.fixture
def forge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Forge]:
    with Forge() as forge:
        for name, value in forge.environment(tmp_path).items():
            monkeypatch.setenv(name, value)
        yield forge


@pytest.fixture
def comment(rulec: Run, tmp_path: Path) -> Run:
    """``rulec comment`` with these reports."""

    def typed(*reports: str, code: int = 0):
        paths = [tmp_path / f"{number}.md" for number in range(len(reports))]
        for path, text in zip(paths, reports, strict=True):
            path.write_text(text)
        return rulec("comment", *map(str, paths), code=code)

    return typed


def test_the_reports_are_one_comment_which_the_next_run_changes(forge: Forge, comment: Run) -> None:
    forge.says("Nice work.", by="User")
    assert comment(CHECK, RULES).stdout == "wrote a comment on pull request 7\n"
    written = forge.comments[1]["body"]
    assert written.startswith(MARK)
    assert written.index("Refused by `use-logger`") < written.index("said: `no eval`")
    assert "says it already" in comment(CHECK, RULES).stdout
    assert "changed the comment" in comment(QUIET[0], RULES).stdout
    assert "use-logger" not in forge.comments[1]["body"]
    assert "changed the comment" in comment(*QUIET).stdout
    assert forge.comments[1]["body"].endswith("nothing is refused, and no rule changed")
    assert len(forge.comments) == 2
    assert {authorization for *_, authorization in forge.asked} == {f"Bearer {TOKEN}"}


def test_where_there_is_nothing_to_say_no_comment_is_begun(forge: Forge, comment: Run) -> None:
    assert "no comment was written" in comment(*QUIET).stdout
    assert forge.comments == []


def test_a_persons_comment_that_looks_like_ours_is_never_changed(forge: Forge, comment: Run) -> None:
    forge.says(f"{MARK}\nall is well", by="User")
    comment(CHECK)
    assert forge.comments[0]["body"].endswith("all is well")
    assert len(forge.comments) == 2


def test_ours_is_found_behind_many_others(forge: Forge, comment: Run) -> None:
    for number in range(250):
        forge.says(f"{number}", by="User")
    comment(CHECK)
    comment(RULES)
    assert len(forge.comments) == 251


def test_what_is_too_long_is_cut_between_rules(forge: Forge, comment: Run) -> None:
    comment("## rulec: refused\n" + "".join(f"\n### Refused by `r{n}`\n\n{'x' * 500}\n" for n in range(300)))
    body = forge.comments[0]["body"]
    assert len(body.encode()) < LARGEST + 500
    assert body.endswith("more; the summary of the job has them all.")


def test_secrets_in_a_report_are_not_published(forge: Forge, comment: Run) -> None:
    secret = "ghp_" + "a1B2c3" * 6
    comment(CHECK.replace("print(x)", f"token = {secret}"))
    assert secret not in forge.comments[0]["body"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("GITHUB_TOKEN", "", "GITHUB_TOKEN is missing"),
        ("GITHUB_REPOSITORY", "a/b/../c", "GITHUB_REPOSITORY"),
        ("GITHUB_API_URL", "http://example.com", "no https address"),
        ("GITHUB_API_URL", "", "no https address"),
        ("GITHUB_EVENT_PATH", "/nowhere", "of no pull request"),
    ],
)
def test_outside_of_a_pull_request_it_says_so(
    forge: Forge, comment: Run, monkeypatch: pytest.MonkeyPatch, *, name: str, value: str, said: str
) -> None:
    monkeypatch.setenv(name, value)
    told = comment(CHECK, code=2).stderr
    assert said in told
    assert TOKEN not in told
    assert forge.asked == []


def test_a_token_that_may_not_write_is_told_with_the_permission_it_needs(forge: Forge, comment: Run) -> None:
    forge.refuses = 403
    assert "pull-requests: write" in comment(CHECK, code=2).stderr


def test_the_token_goes_to_no_other_address(forge: Forge, comment: Run) -> None:
    with Forge() as other:
        forge.moves_to = f"http://127.0.0.1:{other.server.server_address[1]}/"
        assert "answered 302" in comment(CHECK, code=2).stderr
        assert other.asked == []


def test_a_report_that_is_missing_is_told(forge: Forge, rulec: Run) -> None:
    assert "/nowhere.md" in rulec("comment", "/nowhere.md", code=2).stderr
