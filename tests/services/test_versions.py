"""Two versions of rulec in one team: the older writes nothing over the newer, and no rule's commit brings a program."""

import pytest

from rulec import __version__
from rulec.checkout.rules_layout import LAUNCHER
from tests.conftest import Run


def _written_by(ruled, version: str) -> None:
    text = (ruled / LAUNCHER).read_text()
    (ruled / LAUNCHER).write_text(text.replace(f"by rulec {__version__}:", f"by rulec {version}:", 1))


@pytest.mark.parametrize("verb", ["compile", "compile --check", "add 'Never run foo' --yes", "init --yes"])
def test_an_older_rulec_leaves_the_files_of_a_newer_alone(ruled, rulec: Run, git: Run, verb: str) -> None:
    _written_by(ruled, "999.1")
    git("add", "-A")
    git("commit", "-qnm", "Upgrade rulec")
    head = git("rev-parse", "HEAD").stdout
    done = rulec(*verb.replace("'", "").replace("Never run foo", "Never_run_foo").split(), code=2)
    assert f"{LAUNCHER}: was written by rulec 999.1, and this is {__version__}; upgrade rulec" in done.stderr
    assert (git("status", "--porcelain").stdout, git("rev-parse", "HEAD").stdout) == ("", head)


def test_a_newer_rulec_renews_the_hook_in_compile_and_in_no_rules_commit(ruled, rulec: Run, git: Run) -> None:
    _written_by(ruled, "0.0.1")
    (ruled / LAUNCHER).write_text("#!/bin/sh\n")
    git("add", "-A")
    git("commit", "-qnm", "An old version")
    rulec("retire", "use-pnpm", "--because", "x")
    changed = git("show", "--name-only", "--format=", "HEAD").stdout.split()
    assert not {LAUNCHER} & set(changed)
    assert git("status", "--porcelain").stdout == ""
    assert "missing or stale" in rulec("compile", "--check", code=1).stdout
    rulec("compile")
    assert {line[3:] for line in git("status", "--porcelain").stdout.splitlines()} == {LAUNCHER}


@pytest.mark.parametrize("path", [".rules/config.yaml", ".rules/use-pnpm.yaml"])
def test_files_of_a_later_schema_are_refused(ruled, rulec: Run, path: str) -> None:
    text = (ruled / path).read_text()
    (ruled / path).write_text(text.replace("schema: 1", "schema: 2\nnew_key: x", 1))
    for verb in ("compile", "rules", "doctor"):
        done = rulec(verb, code=None)
        assert done.returncode != 0
        assert "schema is not 1" in done.stdout + done.stderr
        assert "upgrade rulec" in done.stdout + done.stderr


def test_what_a_sparse_checkout_leaves_out_is_not_taken_for_absent(ruled, rulec: Run, git: Run) -> None:
    (ruled / "src").mkdir()
    (ruled / "src/a.txt").write_text("x\n")
    git("add", "-A")
    git("commit", "-qnm", "More")
    git("sparse-checkout", "set", "src")
    for argv in (("init", "--yes"), (), ("compile",), ("add", "Never run `foo`", "--yes")):
        done = rulec(*argv, code=2)
        assert "it is not in this sparse checkout" in done.stderr
        assert "git sparse-checkout add .rules" in done.stderr
    assert git("status", "--porcelain").stdout == ""
