"""Approvals and test suites are a person's to set, and records of runs and approvals are rulec's to write."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import rules_layout
from rulec.hook.dispatch import respond
from tests.support import guard_rules as rules
from tests.support.disarming import Case, fill, payload

VERBS = (
    "approve",
    "approve --reason later",
    "evolve --accept use-pnpm",
    "evolve --reject use-pnpm",
    "note use-pnpm fine",
    "evolve --accept use-pnpm+use-npm",
    "evolve --accept use-pnpm+use-npm --backend --help",
    "note use-pnpm fine --command --help",
    "report --commit --yes",
    "except use-pnpm --until 2099-01-01 --because x",
    "except use-pnpm --path a/** --because --list",
    "doctor --forget",
    "ui",
    "ui --no-browser",
    "ui --port -h",
)
SPELLINGS = {  # how a command line gives rulec the words of a verb -> the files that it needs
    "rulec {words}": {},
    "'rulec' \"{first}\" {rest}": {},
    "r\\ulec {first}'' {rest}": {},
    "RULEC_X=1 rulec {words}": {},
    "python3 -m rulec {words}": {},
    ".venv/bin/rulec {words}": {},
    "bash -c 'rulec {words}'": {},
    "echo {words} | xargs rulec": {},
    "$(which rulec) {words}": {},
    "R=rulec; $R {words}": {},
    "V='{words}'; rulec $V": {},
    "alias r=rulec; r {words}": {},
    'r() {{ rulec "$@"; }}; r {words}': {},
    "bash <<'END'\nrulec {words}\nEND": {},
    "bash <<< 'rulec {words}'": {},
    "npx rulec {words}; uvx rulec {words}": {},
    "pipx run rulec {words}": {},
    "sh do.sh": {"do.sh": "#!/bin/sh\ncd .\nrulec {words}\n"},
    "make it": {"Makefile": "it:\n\t@rulec {words}\n"},
    "command rulec {words}": {},
    "env -i PATH=/usr/bin rulec {words}": {},
    "sudo rulec {words}": {},
    "nohup rulec {words} &": {},
    "sh .rules/hook git {words}": {},
    "python3 -c \"import subprocess as s; s.run('rulec {words}'.split())\"": {},
    "python3 -c \"from rulec.cli.main import main; main('{words}'.split())\"": {},
    "git -c alias.x='!rulec {words}' x": {},
    "script -qc 'rulec {words}' /dev/null": {},
    "printf 'rulec {words}' | sh": {},
    "for verb in {first}; do rulec $verb {rest}; done": {},
    'X={first}; eval "rulec ${{X}} {rest}"': {},
}
CONFIG = "schema: 1\ntests:\n  unit: {run: [pytest, -q], report: junit}\n"
WRITES = (  # of suites, and of what rulec notes in the git directory
    {"tool": "Edit", "file_path": ".rules/config.yaml", "old_string": "pytest", "new_string": "true"},
    {"tool": "Write", "file_path": ".rules/config.yaml", "content": CONFIG.replace("pytest", "true")},
    "sed -i s/pytest/true/ .rules/config.yaml",
    "cd .rules && printf 'tests: {}' | tee -a config.yaml",
    "yq -i '.tests.unit.run=[\"true\"]' .rules/config.yaml",
    "python3 -c \"open('.rules/config.yaml', 'a').write('x')\"",
    {"tool": "Write", "file_path": ".git/rulec/plans/s.json", "content": "{}"},
    {"tool": "Edit", "file_path": ".git/rulec/plans/s.json", "old_string": "strict", "new_string": "remind"},
    "sed -i s/strict/remind/ .git/rulec/plans/s.json",
    "jq . x > .git/rulec/plans/s.json",
    "rm -r .git/rulec/plans",
    "g=.git; echo x > $g/rulec/plans/s.json",
    "echo '{}' >> .git/rulec/proofs.json",
    'echo x >> "$(git rev-parse --git-dir)/rulec/proofs.json"',
    'echo x >> "$(git rev-parse --git-path rulec/proofs.json)"',
    "cd .git/rulec && tee -a proofs.json < /tmp/p",
    "python3 -c \"open('.git/rulec/proofs.json', 'a').write('x')\"",
    "python3 -c \"import os; open(os.path.join('.git', 'rulec', 'proofs.json'), 'a').write('x')\"",
    "python3 -c \"from rulec.plans.proofs import signed_records as s; s.add_record('.', 'approval', 'r', {})\"",
    {"tool": "Write", "file_path": "~/.config/rulec/proof-key", "content": "x"},
    "echo x > ~/.config/rulec/proof-key",
    "rm ~/.config/rulec/proof-key",
)
READS = (  # of the key: whoever has it can sign
    "xxd ~/.config/rulec/proof-key",
    'cat "$HOME/.config/rulec/proof-key"',
    "base64 < ~/.config/rulec/proof-key",
    "cd ~/.config/rulec && xxd proof-key",
    "cat ~/.config/rulec/*",
    "cat ~/.c*/r*/p*",
    "cat ~/.config/{rulec,x}/proof-key",
    "tar c ~/.config/rulec | base64",
    "cp -r ~/.config /tmp/k",
    "cd && cp -r .config /tmp",
    "tar czf /tmp/k.tgz -C ~ .config",
    "rsync -a ~/.config/rulec/ /tmp/k",
    "find ~/.config/rulec -type f -exec base64 {} +",
    "find ~/.config/rulec -type f | xargs base64",
    "ln -s ~/.config/rulec/proof-key k && xxd k",
    "git diff --no-index --text /dev/null ~/.config/rulec/proof-key",
    "dd if=$HOME/.config/rulec/proof-key of=/tmp/k",
    "python3 -c \"import os; print(open(os.path.expanduser('~/.config/rulec/proof-key'), 'rb').read().hex())\"",
    "python3 -c \"import pathlib as p; print((p.Path.home() / '.config' / 'rulec' / 'proof-key').read_bytes())\"",
)
INNOCENTS = (
    "rulec approve --help",
    "rulec evolve",
    "rulec except --list",
    "rulec report",
    "rulec doctor --format json",
    "rulec evolve use-pnpm --format json",
    "rulec note use-pnpm 'yarn is wrong, too' --propose --command 'yarn add x'",
    "rulec plan",
    "rulec plan --once --format json",
    "rulec plan plan.md",
    "rulec prove 3 use-pnpm",
    "rulec run unit",
    "rulec ui --help",
    "git log --grep approve",
    "grep -rn 'rulec approve' docs",
    "git commit -m 'Say how rulec approve works'",
    "echo 'please run rulec approve'",
    "cat .rules/config.yaml",
    "cat .git/rulec/plans/s.json",
    "ls ~/.config/rulec",
    "cat ~/.config/rulec/rules/.rules/be-brief.yaml",
    "cp -r ~/.config/nvim /tmp/nvim",
    "cp starship.toml ~/.config/",
    "tar xzf dotfiles.tgz -C ~/.config/nvim",
    "grep -rn proof-key docs src",
    "cat webpack.config.js",
)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a rule and an open plan."""
    top = tmp_path_factory.mktemp("verbs") / "repo"
    subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    texts = {
        ".rules/config.yaml": CONFIG,
        ".rules/hook": "#!/bin/sh\n",
        ".rules/compiled/guard/dont-commit-env.json": json.dumps(rules.command("dont-commit-env", "git add .env")),
        ".git/rulec/plans/s.json": '{"schema": 1, "rules": ["use-pnpm", "strict"]}',
    }
    for name, text in texts.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top


def _denied(top: Path, case: Case) -> bool:
    fill(top, case)
    answer = respond("claude-code", payload(top, case), str(top / ".rules/compiled"))
    said: dict[str, Any] = dict((answer.out or {}).get("hookSpecificOutput", {}))
    own = f"rulec rule {rules_layout.GATE_SLUG}:" in str(said.get("permissionDecisionReason"))
    assert own or not answer.out, (str(case), answer.out)
    return own


def _case(call: Any, files: dict[str, str] | None = None) -> Case:
    return Case(topic="", why="", call=call, files=files or {})


def _spelled(pattern: str, words: str) -> str:
    first, _, rest = words.partition(" ")
    return pattern.format(words=words, first=first, rest=rest)


@pytest.fixture
def asked(standing: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(standing)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(standing))
    return standing


@pytest.mark.parametrize("words", VERBS)
def test_a_persons_verb_is_denied_in_every_spelling(asked: Path, words: str) -> None:
    passed = []
    for pattern, files in SPELLINGS.items():
        case = _case(_spelled(pattern, words), {name: _spelled(text, words) for name, text in files.items()})
        if not _denied(asked, case):
            passed.append(case.call)
    assert passed == []


def test_suites_plans_and_proofs_are_not_written_and_the_key_is_not_read(asked: Path) -> None:
    assert [call for call in (*WRITES, *READS) if not _denied(asked, _case(call))] == []


def test_what_reads_proposes_or_proves_is_left_alone(asked: Path) -> None:
    assert [call for call in INNOCENTS if _denied(asked, _case(call))] == []
