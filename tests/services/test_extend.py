"""``rulec extend``: another team's rulebook, fetched by git, vendored and locked."""

import subprocess
from pathlib import Path

import pytest

from rulec.infra.rulebooks import extension_fetch
from rulec.rulebook import config
from rulec.rulebook.config import RulebookLock
from tests.conftest import CLOSED, Run
from tests.support.rulebooks import files, publish, served, tool

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

PNPM, RUFF, JUST = tool("use-pnpm", "npm", "pnpm"), tool("use-ruff", "flake8", "ruff"), tool("use-just", "make", "just")
LOCK = ".rules/extends/shared/lock.yaml"


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A repository with two rules at the tag v1."""
    top = tmp_path / "theirs"
    publish(top, files(PNPM, RUFF), "v1")
    return top


@pytest.fixture
def extended(gated: Path, rulec: Run, theirs: Path) -> Path:
    """A repository that extends them."""
    rulec("extend", str(theirs), "--rev", "v1", "--name", "shared")
    return gated


def lock(top: Path) -> RulebookLock:
    return config.parse_lock((top / LOCK).read_text(), source=LOCK)


def state(git: Run) -> tuple[str, str]:
    return git("rev-parse", "HEAD").stdout, git("status", "--porcelain").stdout


def test_it_is_one_commit_after_which_the_rules_block(extended: Path, rulec: Run, git: Run, theirs: Path) -> None:
    assert git("log", "-1", "--format=%s").stdout == "Extend shared to v1\n"
    body = git("log", "-1", "--format=%b").stdout
    assert f"Resolution: EXTEND shared -- a person extended {theirs} at v1\n" in body
    assert "Rule: use-pnpm@1\nRule: use-ruff@1\n" in body
    changed = git("show", "--name-only", "--format=").stdout.split()
    assert {path.split("/")[0] for path in changed} == {".rules"}
    assert git("status", "--porcelain").stdout == ""
    commit = subprocess.run(["git", "rev-parse", "v1"], cwd=theirs, capture_output=True, text=True, check=True).stdout
    assert lock(extended).commit == commit.strip()
    rows = rulec("rules").stdout
    assert rows.count("block") == rows.count("(extends shared)") == 2
    assert "every artifact is current" in rulec("compile", "--check").stdout
    assert rulec("why", "use-pnpm").stdout.startswith("# extends shared\nuse-pnpm@1: ")
    assert f"shared: {theirs} at v1, commit {commit[:10]}, 2 rules in force" in rulec("extend").stdout


def test_from_a_server_over_http(gated: Path, rulec: Run, theirs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with served(theirs.parent) as url:
        done = rulec("extend", f"{url}/theirs/.git", "--rev", "main", "--name", "shared")
        assert "shared at main is commit " in done.stdout
        commit = lock(gated).commit
        rulec("extend", "--update", "shared", "--rev", commit)
    assert (lock(gated).rev, lock(gated).commit) == (commit, commit)
    assert "2 rules, every artifact is current" in rulec("compile", "--check").stdout


def test_an_update_takes_what_is_new_and_lets_go_of_what_is_gone(
    extended: Path, rulec: Run, git: Run, theirs: Path
) -> None:
    publish(theirs, files(PNPM, JUST), "v2")
    assert "nothing has changed" in rulec("extend", "--update").stdout
    rulec("extend", "--update", "shared", "--rev", "v2")
    assert [row.split()[0] for row in rulec("rules").stdout.splitlines()] == ["use-just", "use-pnpm"]
    left = git("ls-files", ".rules").stdout
    assert "use-ruff" not in left
    assert "rev: v2" in (extended / LOCK).read_text()
    assert "rev: v2" in (extended / ".rules/config.yaml").read_text()
    assert git("log", "-1", "--format=%b").stdout.count("Rule: ") == 2
    assert git("status", "--porcelain").stdout == ""


def test_removed_it_leaves_nothing(gated: Path, rulec: Run, git: Run, theirs: Path) -> None:
    before = git("rev-parse", "HEAD^{tree}").stdout
    rulec("extend", theirs.as_uri(), "--rev", "v1")
    rulec("extend", "--remove", "theirs")
    git("diff", "--exit-code", before.strip(), "HEAD", "--", ".rules")
    assert "no rulebook is extended" in rulec("extend").stdout
    assert "no rules yet" in rulec("rules").stdout


def test_on_a_branch_or_without_a_commit(gated: Path, rulec: Run, git: Run, theirs: Path) -> None:
    before = state(git)
    rulec("extend", str(theirs), "--rev", "v1", "--branch", "rules/theirs")
    assert state(git) == before
    assert ".rules/extends/theirs/use-pnpm.yaml" in git("ls-tree", "-r", "--name-only", "rules/theirs").stdout
    rulec("extend", str(theirs), "--rev", "v1", "--no-commit")
    assert git("rev-parse", "HEAD").stdout == before[0]
    assert (gated / ".rules/extends/theirs/use-pnpm.yaml").is_file()


def test_a_rule_of_the_teams_own_goes_before_it_and_that_is_said(extended: Path, rulec: Run) -> None:
    own = files(tool("use-pnpm", "npm", "pnpm"))["use-pnpm.yaml"].replace("severity: must", "severity: style")
    (extended / ".rules/use-pnpm.yaml").write_text(own)
    said = "use-pnpm of extends shared is not in force: the team has its own"
    assert said in rulec("compile").stdout
    assert said in rulec("rules").stdout
    assert rulec("rules").stdout.count("(extends shared)") == 1


def test_a_vendored_file_that_was_changed_is_refused_and_told(extended: Path, rulec: Run, git: Run) -> None:
    path = extended / ".rules/extends/shared/use-pnpm.yaml"
    path.write_text(path.read_text().replace("severity: must", "severity: style"))
    assert "not what its lock says: .rules/extends/shared" in rulec("compile", "--check", code=1).stdout
    says = "rulec: .rules/extends/shared: differs from its lock; git checkout .rules/extends/shared or rulec extend"
    assert rulec("compile", code=2).stderr.startswith(says)
    git("add", "-A")
    assert rulec("check", "--staged", code=2).stderr.startswith(says)
    assert git("commit", "-m", "Soften it", check=False).returncode != 0


@pytest.mark.parametrize("gone", ["theirs", "v9"])
def test_where_it_cannot_be_reached_the_lock_is_used_loudly(
    extended: Path, rulec: Run, theirs: Path, gone: str
) -> None:
    config = extended / ".rules/config.yaml"
    config.write_text(config.read_text().replace("rev: v1", "rev: v9"))
    if gone == "theirs":
        theirs.rename(theirs.with_name("moved"))
    done = rulec("compile")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"rulec: {theirs}: v9 cannot be fetched: ")
    assert "; shared stays at its lock: v1, commit " in line
    assert "2 rules" in done.stdout
    assert rulec("rules").stdout.count("block") == 2
    assert "not fetched as the settings say: shared at v9" in rulec("compile", "--check", code=1).stdout


def test_what_was_never_vendored_and_cannot_be_reached_is_refused(gated: Path, rulec: Run) -> None:
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + f"extends:\n  - {{url: '{CLOSED}/team.git', rev: main}}\n")
    done = rulec("compile", code=2)
    assert done.stderr.startswith(f"rulec: {CLOSED}/team.git: main cannot be fetched: ")
    assert done.stderr.count("\n") == 1
    assert "0 rules in force" in rulec("extend").stdout


def test_compile_fetches_what_the_settings_name_and_no_lock_has(gated: Path, rulec: Run, theirs: Path) -> None:
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + "extends:\n  - {url: ../theirs, rev: v1}\n")
    done = rulec("compile")
    assert "vendored theirs at v1, commit " in done.stderr
    assert "2 rules, " in done.stdout
    theirs.rename(theirs.with_name("moved"))
    assert rulec("compile").stderr == ""  # the lock holds it: nothing is fetched
    assert "2 rules, every artifact is current" in rulec("compile", "--check").stdout


def test_a_template_of_their_own_is_not_taken_and_neither_is_its_rule(gated: Path, rulec: Run, theirs: Path) -> None:
    texts = files(PNPM, RUFF)
    texts["use-ruff.yaml"] = texts["use-ruff.yaml"].replace("forbid-command", "our-own")
    publish(theirs, {**texts, "templates/checks/our-own.j2": "{{ 1 }}", "compiled/shell/x.sh": "exit 1"}, "v2")
    done = rulec("extend", str(theirs), "--rev", "v2", "--name", "shared")
    assert "left out use-ruff: no template 'our-own'" in done.stdout
    vendored = sorted(path.relative_to(gated).as_posix() for path in (gated / ".rules/extends").rglob("*.yaml"))
    assert [path.rpartition("/")[2] for path in vendored][1:] == ["lock.yaml", "use-pnpm.yaml"]
    assert not (gated / ".rules/templates").exists()


SOURCES = {
    "ext::sh -c 'touch pwned'": "is not the address of a git repository",
    "-u./pwned": "is not the address of a git repository",
    "http://example.com/rules.git": "would be fetched unencrypted; use https or ssh",
    "https://me:secret@example.com/rules.git": "the URL contains a password",
    "https://ghp_SecretsecretSecretsecret0123456789@example.com/rules.git": "the URL contains a password",
    "git://127.0.0.1:9/x.git": "cannot be fetched: transport 'git' not allowed",
    "https://127.0.0.1:9/x.git": "cannot be fetched: ",
    "../nowhere": "cannot be fetched: '../nowhere' does not appear to be a git repository",
}


@pytest.mark.parametrize("url", SOURCES)
def test_a_place_that_will_not_do(gated: Path, rulec: Run, git: Run, url: str) -> None:
    before = state(git)
    done = rulec("extend", "--rev=main", "--name=x", "--", url, code=2)
    assert SOURCES[url] in done.stderr
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr.lower()
    assert state(git) == before
    assert not list(gated.rglob("pwned"))


@pytest.mark.parametrize("rev", ["--upload-pack=x", "a..b", "main:refs/heads/main", "+main", "no such", "\n"])
def test_a_revision_that_is_none(gated: Path, rulec: Run, theirs: Path, rev: str) -> None:
    assert "is not a revision" in rulec("extend", str(theirs), f"--rev={rev}", code=2).stderr


def test_options_that_do_not_go_together(gated: Path, rulec: Run, theirs: Path) -> None:
    for argv in (
        ("x", "--update", "--remove"),
        ("--remove",),
        ("x", "--remove", "--rev", "v1"),
        ("--update", "--name=y"),
    ):
        assert "exclude each other" in rulec("extend", *argv, code=2).stderr
    assert "no revision is named" in rulec("extend", str(theirs), code=2).stderr
    assert "no extended rulebook 'x'; extended are: none yet" in rulec("extend", "--update", "x", code=2).stderr
    assert "no extended rulebook 'x'" in rulec("extend", "--remove", "x", code=2).stderr


def test_links_large_files_and_other_things_in_it(gated: Path, rulec: Run, theirs: Path, git: Run) -> None:
    before = state(git)
    says = {
        "link": "is not a regular file there",
        "large": "is too large for a rule",
        "none": "holds no rules in .rules",
    }
    publish(theirs, {**files(PNPM), "big.yaml": "#" * (extension_fetch.LARGEST + 1)}, "large")
    (theirs / ".rules/link.yaml").symlink_to("/etc/passwd")
    publish(theirs, files(PNPM), "link")
    subprocess.run(["git", "rm", "-rq", "."], cwd=theirs, check=True)
    subprocess.run(["git", "commit", "-qm", "Nothing"], cwd=theirs, check=True)
    subprocess.run(["git", "tag", "none"], cwd=theirs, check=True)
    for rev, said in says.items():
        assert said in rulec("extend", str(theirs), "--rev", rev, code=2).stderr
    assert state(git) == before


def test_broken_rules_are_theirs_to_mend(gated: Path, rulec: Run, theirs: Path) -> None:
    publish(theirs, {**files(PNPM), "use-ruff.yaml": "slug: [\n"}, "v2")
    done = rulec("extend", str(theirs), "--rev", "v2", code=2)
    assert f"rulec: {theirs}: use-ruff.yaml:" in done.stderr
    assert "its team has to fix that" in done.stderr


def test_a_folder_in_it(gated: Path, rulec: Run, tmp_path: Path) -> None:
    top = tmp_path / "many"
    publish(top, files(RUFF), "v0")
    (top / "web").mkdir()
    (top / ".rules").rename(top / "web/.rules")
    for argv in (["add", "-A"], ["commit", "-qm", "Move"], ["tag", "v1"]):
        subprocess.run(["git", *argv], cwd=top, check=True)
    assert "holds no rules in .rules at v1; --path names" in rulec("extend", str(top), "--rev=v1", code=2).stderr
    rulec("extend", str(top), "--rev=v1", "--path=web")
    assert "(extends many)" in rulec("rules").stdout
    assert "is not a folder in it" in rulec("extend", str(top), "--rev=v1", "--path=../x", "--name=y", code=2).stderr


def test_two_branches_that_extend_different_rulebooks_merge(
    gated: Path, rulec: Run, git: Run, theirs: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    publish(other, files(JUST), "v1")
    git("branch", "topic")
    rulec("extend", str(theirs), "--rev", "v1")
    git("checkout", "-q", "topic")
    rulec("extend", str(other), "--rev", "v1")
    merged = git("merge", "-q", "main", check=False)
    conflicts = git("diff", "--name-only", "--diff-filter=U").stdout.split()
    assert merged.returncode == 0 or set(conflicts) <= {".rules/config.yaml", "AGENTS.md"}, conflicts
