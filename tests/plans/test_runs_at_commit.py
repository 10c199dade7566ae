"""The gate of the commit: what an agent's commit takes along must be what a green run has seen."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from rulec.plans.proofs import signed_records, suite_records
from tests.plans.shop import BROKEN, MENDED, RULE, Shop, make_shop

pytestmark = pytest.mark.e2e
AGENT = {"CLAUDECODE": "1"}


def _said(shop: Shop, **environment: str) -> str:
    """What the gate refuses the staged change for, "" where it lets it pass."""
    done = shop.rulec("check", "--staged", **environment)
    assert done.returncode in (0, 1), done
    assert bool(done.returncode) == ("without a green run of unit by rulec" in done.stdout)
    return done.stdout if done.returncode else ""


def test_an_agents_commit_needs_a_run_of_what_is_staged(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    shop.write("README.md", "A better shop.\n")
    shop.git("add", "-A")
    assert _said(shop, **AGENT) == ""
    shop.write("src/shop/tax.py", MENDED)
    shop.git("add", "-A")
    assert "rulec has not run it here" in _said(shop, **AGENT)
    assert _said(shop) == ""  # a person's commit
    assert "rulec has not run it here" in _said(shop, **AGENT)  # although the gate has seen this change pass
    assert shop.runs_suite() == 0
    assert _said(shop, **AGENT) == ""
    shop.write("src/shop/more.py", "x = 1\n")
    assert _said(shop, **AGENT) == ""  # what is not staged does not matter
    shop.git("add", "-A")
    assert "src/shop/more.py changed" in _said(shop, **AGENT)
    shop.git("reset", "-q", "src/shop/more.py")
    (shop.top / "src/shop/tax.py").write_text(BROKEN)  # as a command does that then commits
    shop.git("commit", "-qm", "x", "--no-verify", "--only", "README.md")
    shop.git("add", "src/shop/tax.py")
    assert "src/shop/tax.py changed" in _said(shop, **AGENT)


def test_what_a_person_waived_in_the_session_is_waived_at_the_gate(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    shop.write("src/shop/tax.py", MENDED)
    shop.git("add", "-A")
    allow = f"allow {RULE['facts']['slug']}"
    assert allow in shop.refusal("git commit -m x")
    shop.says(allow)
    assert shop.refusal("git commit -m x") == ""
    assert suite_records.is_waived(str(shop.top), RULE["facts"]["slug"])
    assert _said(shop, **AGENT) == ""
    forged = shop.top / ".git/rulec" / signed_records.NAME
    forged.write_text(forged.read_text().replace('"at": ', '"at": 9'))
    assert _said(shop, **AGENT) != ""


def test_a_commit_in_a_hook_reads_the_index_of_that_commit(tmp_path: Path) -> None:
    shop = make_shop(tmp_path / "shop")
    hook = shop.top / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec {sys.executable} -m rulec check --staged\n")
    hook.chmod(0o755)
    shop.write("src/shop/tax.py", MENDED)
    line = ["git", "commit", "-qam", "x"]
    env = {**os.environ, **AGENT}
    assert subprocess.run(line, cwd=shop.top, env=env, capture_output=True, check=False).returncode == 1
    assert shop.runs_suite() == 0
    assert subprocess.run(line, cwd=shop.top, env=env, capture_output=True, check=False).returncode == 0
