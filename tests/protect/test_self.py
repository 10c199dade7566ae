"""The gate guards itself, and nothing else."""

import json
import subprocess
import sys

import pytest

from rulec.checkout import rules_layout
from rulec.protect import gate_protection
from rulec.shell.action_events import Event
from tests.hook.test_hook import asks, bash, denied, hook, repository

DISARMS = [
    "git commit --no-verify -m x",
    "git commit -n -m x",
    "git commit -anm x",
    "git commit --no-veri -m x",
    "git -C web commit -m x -n",
    "/usr/bin/git commit --no-verify",
    "bash -c 'git commit -nm x'",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git -c CORE.HOOKSPATH= commit -m x",
    "git config core.hooksPath /dev/null",
    "git config --global core.hooksPath x",
    "git config set core.hooksPath x",
    "SKIP=rulec git commit -m x",
    "env SKIP=rulec git commit -m x",
    "SKIP=rulec bash -c 'git commit -m x'",
    "export SKIP=rulec; git commit -m x",
    "RULEC_BELOW_MODEL=1 git commit -m x",
    "export RULEC_BELOW_MODEL=1",
    "mkdir -p web && ln -s ../.git/config web/x",
    "ln -s ../.rules web/",
    "PRE_COMMIT_ALLOW_NO_CONFIG=1 git commit -m x",
    "pre-commit uninstall",
    "python -m pre_commit uninstall; pre-commit uninstall -t commit-msg",
    "uv run pre-commit uninstall",
    "rulec init --remove",
    "echo > .rules/compiled/guard/a.json",
    "rm -rf .rules/compiled",
    "rm -r .rules",
    "git checkout HEAD~1 -- .rules/compiled/guard/a.json",
    "sed -i s/block/warn/ .rules/compiled/guard/a.json",
    "rm .git/hooks/pre-commit",
    "echo '{}' >> ~/.claude/projects/-w-app/s.jsonl",
    "cd .git/hooks && mv pre-commit x",
    "chmod -x .git/hooks/pre-commit",
    "echo > .pre-commit-config.yaml",
    "jq . x > .claude/settings.json",
    "cp x .claude/settings.local.json",
    "rm -rf .claude",
    "echo x > .rules/.cache/guards",
    # hooks left out by a flag
    "git merge --no-verify topic",
    "git push --no-verify",
    "git push origin main --no-verify",
    "git cherry-pick --no-verify abc",
    "git revert --no-verify HEAD",
    "git rebase --no-verify main",
    "git am --no-verify < x.patch",
    "git pull --no-verify",
    "git ci --no-verify",
    "git commit -m x --no-verify -- src",
    "cd web && git commit -qnm x",
    # by a setting
    "git -c alias.x='commit --no-verify' x",
    "git -c Alias.X=push x",
    "git -c core.attributesFile=/tmp/a commit -m x",
    "git -c core.bigFileThreshold=1 commit -m x",
    "git -c include.path=/tmp/c commit -m x",
    "git -c includeIf.gitdir:/.path=/tmp/c commit -m x",
    "git --config-env=core.hooksPath=X commit -m x",
    "git --config-env core.hooksPath=X commit -m x",
    "git --exec-path=/tmp/x commit -m x",
    "git --git-dir=/tmp/x/.git commit -m x",
    "git --work-tree /tmp/x commit -m x",
    "git config alias.ci 'commit --no-verify'",
    "git config include.path ../x",
    "git config --add include.path ../x",
    "git config includeIf.onbranch:main.path x",
    "git config core.attributesFile x",
    "git config core.bigFileThreshold 1",
    "git config core.fsmonitor ./x.sh",
    "git config --local --type=path core.hooksPath x",
    "git config -f .git/config core.hooksPath x",
    "git config --unset core.hooksPath",
    "git config --unset-all core.hooksPath",
    "git config unset core.hooksPath",
    "git config --replace-all core.hooksPath x",
    "git config --remove-section core",
    "git config rename-section core cor",
    "git config -e",
    "git config --global --edit",
    "git config edit",
    # by the environment
    "SKIP=a,b git push",
    "SKIP=x pre-commit run",
    "GIT_DIR=/tmp/x git commit -m x",
    "GIT_WORK_TREE=/tmp/x git commit -m x",
    "GIT_INDEX_FILE=/tmp/x git commit -m x",
    "GIT_CONFIG_GLOBAL=/tmp/x git commit -m x",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
    "GIT_TEMPLATE_DIR=/tmp/x git merge topic",
    "HOME=/tmp/x git commit -m x",
    "env XDG_CONFIG_HOME=/tmp/x git push",
    "PYTHONPATH=/tmp/x git commit -m x",
    "PYTHONHOME=/tmp/x git merge x",
    "export HOME=/tmp/x && git commit -m x",
    "HOME=/tmp/x; git commit -m x",
    "GIT_DIR=/tmp/x; export GIT_DIR; git commit -m x",
    "declare -x PYTHONPATH=/tmp/x; git commit -m x",
    "export PRE_COMMIT_ALLOW_NO_CONFIG=1",
    "GIT_DIR=/tmp/x pre-commit install",
    # below the commands that have hooks
    "git commit-tree HEAD^{tree} -m x",
    "git update-ref refs/heads/main abc",
    "git update-ref -d refs/heads/main",
    "git replace abc def",
    "git replace --edit abc",
    "git hash-object -w x.py",
    "git hash-object -t blob -w --stdin < x",
    "git fast-import < x",
    "git update-index --skip-worktree .pre-commit-config.yaml",
    "git update-index --assume-unchanged .rules/config.yaml",
    "git update-index --cacheinfo 100644,abc,.rules/compiled/guard/a.json",
    "git update-index --force-remove .rules/use-pnpm.yaml",
    "git init --template=/tmp/x",
    "git init --template /tmp/x .",
    "git checkout --orphan x",
    "git switch --orphan x",
    "git symbolic-ref HEAD refs/heads/x",
    "git symbolic-ref --delete HEAD",
    # what the gate runs on, and what is the person's to run
    "python -m pre_commit uninstall",
    "pre-commit install -c /tmp/empty.yaml",
    "pre-commit install --allow-missing-config",
    "pip uninstall -y pre-commit",
    "pip3 uninstall rulec",
    "python3 -m pip uninstall -y semgrep",
    "uv pip uninstall pre_commit",
    "uv tool uninstall rulec",
    "pipx uninstall rulec",
    "brew uninstall pre-commit",
    "rulec rollback use-pnpm",
    "python -m rulec rollback use-pnpm --to 1",
    "uvx rulec rollback use-pnpm",
    "rulec retire use-pnpm --because 'in the way'",
    "rulec retire use-pnpm --because -h",
    "rulec retire use-pnpm --because --help",
    "rulec set use-npm block",
    "rulec set use-pnpm audit",
    "rulec set use-pnpm audit --no-commit",
    "rulec set --branch x use-pnpm audit",
    "rulec retire use-pnpm --for use-npm",
    "rulec except use-pnpm --path 'web/**' --because x",
    "rulec edit use-pnpm --file /tmp/x.yaml",
    "rulec edit use-pnpm --file - < /tmp/x.yaml",
    "EDITOR='sed -i s/npm/yarn/' rulec edit use-pnpm",
    "rulec extend https://example.com/rules --rev v1",
    "rulec import CLAUDE.md --yes",
    "python -m rulec retire use-pnpm --because x",
    "uvx rulec set use-pnpm audit",
    "env -i rulec set use-pnpm audit",
    "/usr/local/bin/rulec retire use-pnpm --because x",
    "sh .rules/hook git set use-pnpm audit",
    "cd web && ../.rules/hook git edit use-pnpm --file x.yaml",
    "echo set use-pnpm audit | xargs rulec",
    "echo use-pnpm | xargs -I{} rulec set {} audit",
    "bash -c 'rulec retire use-pnpm --for use-npm'",
    "alias r=rulec\nr set use-pnpm audit",
    "script -qc 'rulec edit use-pnpm' /dev/null",
    "script -qc 'rulec import CLAUDE.md' /dev/null",
    "tmux send-keys -t 0 'rulec retire use-pnpm --because x' Enter",
    "python -c \"import subprocess; subprocess.run(['rulec', 'set', 'use-pnpm', 'audit'])\"",
    "rulec add 'Use npm' --yes",
    "rulec ingest --yes",
    "rulec ingest session.jsonl --yes --no-commit",
    "rulec ingest --backend exchange --yes",
    "rulec ingest --continue --yes",
    "sh .rules/hook git ingest --continue --yes",
    "Y=--yes; rulec ingest --continue $Y",
    "script -qc 'rulec ingest --continue' /dev/null",
    "rulec review --accept use-npm",
    "rulec review --new use-npm",
    "sh .rules/hook git review --accept use-npm",
    ".rules/hook git add 'Use npm' --yes",
    "bash -e ./.rules/hook git rollback use-pnpm",
    "python3 -m rulec review --format json --reject=use-pnpm",
    "script -qc 'rulec review' /dev/null",
    "tmux send-keys -t 0 'rulec review' Enter",
    # and by another name
    "alias r=rulec\nr review --accept use-npm",
    "alias r='rulec review'; r --accept use-npm",
    'r() { rulec "$@"; }; r review --accept use-npm',
    "$(which rulec) review --accept use-npm",
    "$(command -v rulec) review --accept use-npm",
    'set -- rulec review --accept use-npm; "$@"',
    "echo review --accept use-npm | xargs rulec",
    "tmux new-session -d 'rulec review --accept use-npm'",
    "node -e \"require('child_process').execSync('rulec review --accept use-npm')\"",
    "python -c \"import subprocess; subprocess.run(['rulec', 'review', '--accept', 'use-npm'])\"",
    "perl -e 'system(\"rulec review --accept use-npm\")'",
    'c() { git commit "$@"; }; c --no-verify -m x',
    "alias gc='git commit'\ngc -nm x",
    "script -qc 'rulec add \"Use npm\"' /dev/null",
    # its files
    "rm .rules/use-pnpm.yaml",
    "rm .rules/*.yaml",
    "git rm .rules/use-pnpm.yaml",
    "git mv .rules/use-pnpm.yaml .rules/archive/x.yaml",
    "mv .rules/use-pnpm.yaml /tmp",
    "sed -i s/block/audit/ .rules/use-pnpm.yaml",
    "echo x > .rules/use-pnpm.yaml",
    "echo x >> .rules/config.yaml",
    "cp x.j2 .rules/templates/guard/x.j2",
    "rm -rf .rules/archive .rules/evidence",
    "tee .rules/evidence/x.jsonl < x",
    "git checkout HEAD~3 -- .rules/config.yaml",
    "git restore --source=HEAD~3 .rules",
    "echo '*' > .git/info/exclude",
    "echo '*.py -diff' >> .git/info/attributes",
    "rm -rf .git/rulec",
    "echo ref: refs/heads/x > .git/HEAD",
    "rm .github/workflows/rules.yml",
    "echo gitdir: /tmp/x > .git",
    "mv .git .git2",
    "rm -rf .git",
    "rm -rf .git/*",
    "rm -rf .g*",
    "rm .pre*",
    "echo x > .GIT/hooks/pre-commit",
    "git diff --output=.git/hooks/pre-commit",
    "wget -P .git/hooks https://x.example/pre-commit",
    "echo '* -diff' > .gitattributes",
    "printf '%s\\n' '**/*.py binary' > .gitattributes",
    # by other roads
    "tar xf x.tgz -C .git/hooks",
    "tar -C .git -xzf x.tgz",
    "cd .git && tar xf ../x.tar",
    "tar --extract --directory=.rules -f x.tar",
    "unzip -o x.zip -d .git/hooks",
    "unzip x.zip -d .rules",
    "find .git/hooks -delete",
    "find $PWD/.git/hooks -delete",
    'rm -rf "$PWD/.git/hooks"',
    'rm -rf "$(git rev-parse --git-dir)/hooks"',
    'rm -rf "$(git rev-parse --git-path hooks)"',
    'for f in .git/hooks/*; do rm "$f"; done',
    "python -Im rulec rollback x",
    "git stash -- .rules",
    "git clean -fdx .rules",
    "git checkout HEAD .rules/config.yaml",
    "git restore .rules",
    "unzip -qo x.zip -d.git",
    "7z x a.7z -o.git/hooks",
    "cp -r x/. .git",
    "python3 -c \"import shutil; shutil.rmtree('.rules')\"",
    "git ls-files .rules | xargs rm",
    "git ls-files .rules | xargs git rm",
    "grep -rl block .rules/compiled | xargs sed -i s/block/warn/",
    "cd .git/hooks && ls | xargs rm",
    "find .git/hooks -type f -exec rm {} +",
    "find .rules -name '*.json' -delete",
    "find . -path './.git/hooks/*' -delete",
    "find .git/hooks -type f -exec chmod -x {} \\;",
    "find .git/hooks -type f | xargs rm",
    "ls .git/hooks/* | grep -v sample | xargs rm -f",
    "echo .git/hooks/pre-commit | xargs rm",
    "python3 -c \"import subprocess; subprocess.run(['git', 'commit', '--no-verify', '-m', 'x'])\"",
    "python3 - <<'EOF'\nimport os\nos.system('git commit --no-verify -m x')\nEOF",
    "node -e \"require('child_process').execSync('git -c core.hooksPath=/dev/null commit -m x')\"",
    "perl -e 'system(\"git commit --no-verify -m x\")'",
    "ruby -e 'system(\"git commit --no-verify\")'",
    "awk 'BEGIN { system(\"git commit --no-verify\") }'",
    "python -c \"import os; os.remove('.git/hooks/pre-commit')\"",
    "python -c \"open('.git/hooks/pre-commit', 'w').write('')\"",
    "node -e \"require('fs').unlinkSync('.git/hooks/pre-commit')\"",
]
LEAVES = [
    "git commit -m 'no --no-verify, no -n'",
    "git commit -m x",
    "git commit -am -n",
    "git log -n 3",
    "git config --get core.hooksPath",
    "git config user.name x",
    "SKIP=slow pytest",
    "rulec compile",
    "rulec init",
    "pre-commit run -a",
    "cat .rules/compiled/guard/a.json",
    "cp .git/hooks/pre-commit /tmp/x",
    "ls -la .git/hooks > /tmp/x",
    "echo x > web/.pre-commit-config.yaml",
    "git add .pre-commit-config.yaml .rules",
    "git commit -F .git/COMMIT_EDITMSG",
    "rm -rf .rulesets",
    # words of people, not commands
    "git commit -m 'Say why core.hooksPath and --no-verify are bad'",
    "git commit -m \"$(cat <<'EOF'\nDo not git push --no-verify, nor rm .git/hooks/pre-commit\nEOF\n)\"",
    "git commit --message=--no-verify",
    "git commit -F- <<'EOF'\ngit config core.hooksPath x\nEOF",
    "git log --grep --no-verify",
    "git log --grep=--no-verify -n 5",
    "git grep -n -e --no-verify",
    "git grep 'git commit --no-verify'",
    "git tag -a v1 -m '--no-verify'",
    "git stash push -m --no-verify",
    "git notes add -m --no-verify",
    "grep -rn 'core.hooksPath' docs .git/config",
    "rg -- --no-verify",
    "echo 'never git commit --no-verify' >> docs/hooks.md",
    "cat > docs/hooks.md <<'EOF'\ngit commit --no-verify\nrm -rf .git/hooks\nEOF",
    "cat > .rules.md <<< 'rulec rollback x'",
    "python -c \"print('git commit --no-verify')\"",
    "python - <<'EOF'\nfrom pathlib import Path\nPath('docs/a.md').write_text('git commit --no-verify')\nEOF",
    "python -c \"import subprocess; subprocess.run(['git', 'status'])\"",
    "python scripts/deploy.py --exec git --no-verify",
    "awk '/--no-verify/ { print }' docs/git.md",
    "sed -n 's/--no-verify//p' docs/git.md",
    "perl -pi -e 's/--no-verify//' docs/git.md",
    # flags that mean something else there
    "git push -n",
    "git merge -n topic",
    "git cherry-pick -n abc",
    "git revert -n HEAD",
    "git fetch -n",
    "git clean -n",
    "git add -n .",
    "git commit --no-edit --amend",
    "git commit --no-gpg-sign -m x",
    "git rebase --no-autosquash main",
    "git -C web commit -m x",
    "git checkout -b no-verify",
    # settings that are read, or are others
    "git config core.hooksPath",
    "git config --get-all alias.ci",
    "git config --global alias.ci commit",
    "git config --get-regexp ^alias",
    "git config --list --show-origin",
    "git config -l",
    "git config get core.hooksPath",
    "git config --global --get core.fsmonitor",
    "git config core.fsmonitor true",
    "git config commit.gpgsign false",
    "git config --global user.email x@y.example",
    "git config --unset user.name",
    "git config -f .gitmodules submodule.x.path x",
    "git config core.autocrlf input",
    "git -c core.editor=true rebase --continue",
    "git -c user.name=x -c user.email=y commit -m x",
    "git -c core.quotepath=off ls-files",
    "git --no-pager log",
    "git --git-dir=/tmp/x/.git log",
    "git --exec-path",
    # variables that lead nowhere near
    "GIT_DIR=/tmp/x git log",
    "GIT_CONFIG_GLOBAL=/dev/null git status",
    "GIT_AUTHOR_DATE=2020-01-01 GIT_COMMITTER_DATE=2020-01-01 git commit -m x",
    "GIT_EDITOR=true git commit --amend",
    "GIT_PAGER=cat git log",
    "HOME=/tmp/x npm test",
    "HOME=/tmp/x git clone https://x.example/y",
    "export PYTHONPATH=src; pytest",
    "PYTHONPATH=src python -m app",
    "export HOME=/root",
    "PYTHONPATH=src pre-commit run -a",
    "echo $SKIP; git commit -m x",
    "SKIPPED=1 git commit -m x",
    # plumbing that only looks
    "git hash-object x.py",
    "git symbolic-ref HEAD",
    "git symbolic-ref --short HEAD",
    "git symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
    "git replace -l",
    "git replace",
    "git update-index --refresh",
    "git update-index --chmod=+x run.sh",
    "git update-index --skip-worktree config/local.json",
    "git update-index --no-skip-worktree .pre-commit-config.yaml",
    "git init",
    "git help commit-tree",
    "git show-ref",
    "git checkout main",
    "git switch -c orphan",
    # tools
    "pre-commit install",
    "pre-commit install --hook-type commit-msg",
    "pre-commit autoupdate",
    "python -m pre_commit run",
    "pip install pre-commit rulec",
    "pip uninstall -y requests",
    "uv remove left-pad",
    "brew uninstall wget",
    "npm uninstall left-pad",
    "rulec add 'Use pnpm'",
    'rulec propose <<< \'{"statement": "Never use --no-verify", "fix": {"command": "git commit"}}\'',
    "sh .rules/hook git propose offer.json",
    "rulec templates --catalogue && rulec templates --template require-before",
    "rulec try /tmp/rule.yaml",
    """rulec try <<'EOF'
{"statement": "Never skip hooks", "checks": [{"template": "forbid-command", "with": {"flags": ["--no-verify"]}}],
 "examples": {"invalid": [{"command": "git commit --no-verify"}, {"command": "rm -rf .rules; rulec retire x"}]}}
EOF""",
    "rulec add 'Never answer with --yes'",
    "rulec ingest session.jsonl --dry-run",
    "rulec ingest --backend exchange && ls .rulec/exchange",
    "rulec ingest ~/.claude/projects/x/y.jsonl --backend=exchange",
    "rulec ingest --continue 2>&1 | tail -5",
    "sh .rules/hook git ingest --backend exchange",
    "sh .rules/hook git ingest --continue",
    'for f in .rulec/exchange/*.prompt.md; do cat "$f"; done',
    'cat > .rulec/exchange/001-mine-0a.answer.json <<\'EOF\'\n{"quote": "rulec review --accept x"}\nEOF',
    "python3 - <<'EOF'\nopen('.rulec/exchange/001-mine-0a.answer.json', 'w').write('{}')\nEOF",
    "mv /tmp/a.json .rulec/exchange/001-mine-0a.answer.json",
    "rm -rf .rulec",
    "ln -s ../docs web/docs",
    "ln -s .. web/top",
    "rulec review --format json",
    "alias r=rulec",
    "node -e \"console.log('rulec review --accept')\"",
    "tmux send-keys -t 0 'git status' Enter",
    "r() { rulec review --accept use-npm; }",
    "rulec rollback --help",
    "rulec retire --help",
    "rulec edit -h",
    "rulec set use-pnpm --help",
    "rulec extend --help",
    "rulec import CLAUDE.md --dry-run",
    "rulec log use-pnpm",
    "rulec diff main..HEAD",
    "grep -rn 'rulec retire' docs",
    "git commit -m 'Say how rulec set works'",
    "rulec check --staged",
    "rulec init --yes",
    "rulec why use-pnpm",
    # files beside
    "cat .rules/use-pnpm.yaml .rules/config.yaml",
    "cp .rules/use-pnpm.yaml /tmp",
    "cp -r .rules /tmp/copy",
    "tar czf /tmp/rules.tgz .rules .git/hooks",
    "tar tf x.tgz -C .git",
    "tar xf x.tgz",
    "tar xf x.tgz -C vendor",
    "unzip -l x.zip -d .git",
    "unzip x.zip -d vendor",
    "find . -name '*.pyc' -delete",
    "find .git/hooks -type f",
    "find .git -name '*.lock' -delete",
    "find . -not -path './.git/hooks/*' -name '*.orig' -delete",
    "find . -path ./.rules -prune -o -name '*.orig' -delete",
    "find .git/hooks -type f -exec cat {} +",
    "find . -name '*.orig' | xargs rm",
    "ls .git/hooks | xargs echo",
    "find .git -name '*.lock' | xargs rm",
    "find . -path ./.rules -prune -o -name '*.orig' | xargs rm",
    "rg -l .rules src | xargs sed -i s/a/b/",
    "git ls-files '*.py' | xargs sed -i s/a/b/",
    "cd $(mktemp -d) && git init && rm -rf .git",
    "git stash push -m .rules",
    "git stash show",
    "git clean -fdx build",
    "git restore --staged .rules",
    'for f in src/*; do rm "$f"; done',
    "ls .git/hooks; find . -name '*.orig' | xargs rm",
    "rm -f .git/index.lock",
    "rm -f .git/refs/heads/main.lock",
    "rm -rf *",
    "rm -rf build .git-old",
    "rm .gitignore.bak",
    "echo x > .github/workflows/test.yml",
    "echo x > docs/.rules.md",
    "echo x > web/.rules/a.txt",
    "echo '*.png binary' >> .gitattributes",
    "echo 'dist/** -diff' >> .gitattributes",
    "echo '* text=auto' > .gitattributes",
    "git diff --output=/tmp/x.patch",
    "git archive -o /tmp/x.tar HEAD",
    "git restore src/a.py",
    "git stash",
    "git reset --hard HEAD~1",
    "git worktree add ../tree",
]


@pytest.mark.parametrize("command", DISARMS)
def test_a_command_that_would_disarm_the_gate_is_found(command):
    found = gate_protection.detect_tampering(Event(kind="command", command=command))
    assert [(one.slug, one.unsure, one.fault) for one in found][:1] == [(rules_layout.GATE_SLUG, False, "")]


@pytest.mark.parametrize("command", LEAVES)
def test_a_command_that_leaves_the_gate_alone_passes(command):
    assert gate_protection.detect_tampering(Event(kind="command", command=command)) == []


SETTINGS = {"permissions": {"allow": ["Bash(ls)"]}, "hooks": {"Stop": []}}


def settings(**more):
    return json.dumps({**SETTINGS, **more}, indent=2)


FILES = [
    ("Write", ".rules/compiled/guard/a.json", "{}", True),
    ("Write", ".git/hooks/pre-commit", "", True),
    ("Write", ".pre-commit-config.yaml", "", True),
    ("Write", ".rules/use-pnpm.yaml", "", True),
    ("Write", ".rules/config.yaml", "", True),
    ("Write", ".rules/templates/x.j2", "", True),
    ("Write", ".rules/archive/x.yaml", "", True),
    ("Write", ".rules/evidence/x.jsonl", "", True),
    ("Write", ".rules/README.md", "", False),
    ("Write", "web/.rules/use-pnpm.yaml", "", False),
    ("Write", ".git/info/exclude", "", True),
    ("Write", ".git/config", "", True),
    ("Write", ".git/rulec/sessions/s1.json", "{}", True),
    ("Write", ".git/COMMIT_EDITMSG", "x", False),
    ("Write", ".github/workflows/rules.yml", "", True),
    ("Write", ".github/workflows/test.yml", "", False),
    ("Write", ".gitattributes", "*.png binary\n* -diff\n", True),
    ("Write", ".gitattributes", "*.png binary\n*.lock -diff\n", False),
    ("Write", ".gitignore", "", False),
    ("Write", ".claude/settings.json", settings(permissions={}), False),
    ("Write", ".claude/settings.json", settings(hooks={}), True),
    ("Write", ".claude/settings.json", settings(disableAllHooks=True), True),
    ("Write", ".claude/settings.json", "{", True),
    ("Write", ".claude/settings.local.json", '{"disableAllHooks": true}', True),
    ("Write", ".claude/settings.local.json", '{"permissions": {}}', False),
    ("Write", ".codex/hooks.json", "{}", False),
    ("Write", ".codex/hooks.json", '{"hooks": {}}', True),
    ("Write", ".codex/config.toml", 'model = "x"\n', False),
    ("Write", ".codex/config.toml", "[features]\nhooks = false\n", True),
    ("Write", ".cursor/hooks.json", '{"version": 1, "hooks": {}}', True),
    ("Write", ".cursor/rules/style.mdc", "x", False),
    ("Write", ".gemini/settings.json", '{"ui": {}}', False),
    ("Write", ".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', True),
    ("Write", ".github/hooks/rulec.json", "{}", True),
    ("Write", ".github/hooks/theirs.json", "{}", False),
    ("Write", ".opencode/plugins/rulec.ts", "", True),
    ("Write", ".opencode/plugins/theirs.ts", "", False),
    ("Write", ".claude/commands/x.md", "x", False),
    ("Write", ".rulec/exchange/001-mine-0a.answer.json", '{"quote": "git commit --no-verify"}', False),
    ("Write", ".git/rulec/exchange.json", "{}", True),
]


@pytest.mark.parametrize(("tool", "path", "content", "caught"), FILES)
def test_the_gates_own_files_are_not_the_agents_to_write(tmp_path, tool, path, content, caught):
    repo = repository(tmp_path / "repo")
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.json").write_text(settings())
    reason = denied(hook(repo, asks(repo, tool, file_path=path, content=content)))
    assert reason.startswith(f"rulec rule {rules_layout.GATE_SLUG}:") == caught


def test_an_edit_of_the_settings_is_judged_by_what_it_makes_of_the_hooks(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.json").write_text(settings())
    edit = {"file_path": ".claude/settings.json", "old_string": "Bash(ls)"}
    assert not denied(hook(repo, asks(repo, "Edit", **edit, new_string="Bash(pwd)")))
    assert denied(hook(repo, asks(repo, "Edit", **{**edit, "old_string": '"Stop"'}, new_string='"Stopp"')))
    assert denied(hook(repo, asks(repo, "Edit", **{**edit, "old_string": "not there"}, new_string="x")))


def test_the_gate_guards_itself_in_the_hook_too(tmp_path):
    repo = repository(tmp_path / "repo")
    assert rules_layout.GATE_SLUG in denied(hook(repo, bash(repo, "git commit --no-verify -m x")))
    assert gate_protection.GATE_CURE in denied(hook(repo, bash(repo, "rm -rf .rules")))


READS = [
    ("print(open('.git/hooks/pre-commit').read())", []),
    ("import sys; sys.stdout.write(open('.git/hooks/pre-commit').read())", []),
    ("open('out.txt', 'w').write(open('.rules/use-pnpm.yaml').read())", []),
]


@pytest.mark.parametrize(("code", "unsure"), READS)
def test_code_that_names_the_gates_files_is_not_denied_where_it_may_only_read(code, unsure):
    found = gate_protection.detect_tampering(Event(kind="command", command=f'python -c "{code}"'))
    assert [one.unsure for one in found] == unsure


def test_a_rule_file_is_the_persons_and_the_cure_says_so(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / ".rules/use-pnpm.yaml").write_text("enforcement: block\n")
    edit = {"file_path": ".rules/use-pnpm.yaml", "old_string": "block", "new_string": "audit"}
    assert "propose the change to the person" in denied(hook(repo, asks(repo, "Edit", **edit)))
    assert "ask the person" in denied(hook(repo, bash(repo, "rulec rollback use-pnpm")))


def test_a_linked_work_tree_guards_the_git_folder_it_shares(tmp_path):
    repo = repository(tmp_path / "repo")
    subprocess.run(["git", "-C", repo, "add", "-A"], check=True)
    subprocess.run(["git", "-C", repo, "-c", "user.name=x", "-c", "user.email=y", "commit", "-qm", "x"], check=True)
    subprocess.run(["git", "-C", repo, "worktree", "add", "-q", tmp_path / "tree"], check=True)
    tree = tmp_path / "tree"
    assert denied(hook(tree, bash(tree, f"rm {repo}/.git/hooks/pre-commit")))
    assert denied(hook(tree, asks(tree, "Write", file_path=str(repo / ".git/config"), content="")))
    assert not denied(hook(tree, bash(tree, f"rm {tmp_path}/other/.git/hooks/pre-commit")))


def test_a_link_to_the_gates_files_is_no_way_around(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / "link").symlink_to(".git/hooks")
    assert denied(hook(repo, bash(repo, "echo > link/pre-commit")))
    assert denied(hook(repo, {**bash(repo, "rm hooks/pre-commit"), "cwd": str(repo / ".git")}))


def test_the_settings_of_the_persons_home_decide_about_hooks_too(tmp_path):
    repo = repository(tmp_path / "repo")
    assert denied(hook(repo, bash(repo, "echo '{\"hooks\": {}}' > ~/.claude/settings.json")))
    assert not denied(hook(repo, bash(repo, "cat ~/.claude/settings.json > /tmp/x")))


def test_the_end_of_a_turn_and_what_is_done_are_not_the_gates_own_business(tmp_path):
    repo = repository(tmp_path / "repo")
    (repo / ".rules/use-pnpm.yaml").write_text("x\n")
    done = asks(repo, "Write", "PostToolUse", file_path=".rules/use-pnpm.yaml", content="x\n")
    assert hook(repo, done) == (0, {}, "")
    stop = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "stop_hook_active": False}
    assert rules_layout.GATE_SLUG not in json.dumps(hook(repo, stop)[1])


def test_what_is_far_from_the_gate_loads_no_condition():
    for far in ("ls", "git status", "pytest -q", "python -m pytest", "npm2 x > out.txt", "echo .rules"):
        code = (
            "import sys; from rulec.protect import gate_protection; from rulec.shell.action_events import Event; "
            f"gate_protection.detect_tampering(Event(kind='command', command={far!r})); "
            "names = ('conditions', 'found_files', 'settings_edits'); "
            "print([name for name in names if 'rulec.protect.' + name in sys.modules])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert (far, done.stdout.strip()) == (far, "[]")
