"""A search that changes what it finds is denied where the gate's files are among it, and only there."""

import subprocess

import pytest

from rulec.checkout.worktree import Worktree
from rulec.protect import gate_protection
from rulec.shell.action_events import Event

SEARCHES = [
    (True, "find . -type f -exec sed -i 's/a/b/' {} +"),
    (True, "find -type f | xargs sed -i s/block/bar/g"),
    (True, "find . -type f -print0 | xargs -0 sed -i s/exec/bar/g"),
    (True, "find . -type f -exec chmod 644 {} +"),
    (True, "find . -type f -mtime +30 -delete"),
    (True, "find . -name '*.yaml' -exec sed -i s/block/audit/ {} ';'"),
    (True, "find . -path './.git/*' -prune -o -type f -exec sed -i s/a/b/ {} +"),
    (True, "find . -not -path './.git/*' -type f -exec sed -i s/a/b/ {} +"),
    (True, "find . -type d -name .rules -exec rm -rf {} +"),
    (True, "find . -maxdepth 1 -name '.git' -exec mv {} /tmp/x ';'"),
    (True, "cd src && find .. -type f -exec sed -i s/a/b/ {} +"),
    (True, "find $PWD -type f -exec sed -i s/a/b/ {} +"),
    (True, "find . -type f | grep -v '\\.git/' | xargs sed -i s/a/b/"),
    (True, "find . \\( -name '*.md' -o -name '*.yaml' \\) -newer README.md -exec truncate -s 0 {} +"),
    (False, "find src -type f -exec sed -i s/old_name/new_name/ {} +"),
    (False, "find src -name '*.py' | xargs sed -i s/foo/bar/"),
    (False, "find . -name '*.py' | xargs sed -i 's/old_name/new_name/g'"),
    (False, "find . -name '*.py' -exec sed -i -e 's/\\bold_name\\b/new_name/g' {} +"),
    (False, "find . -not -path './.rules/*' -not -path './.git/*' -type f -exec sed -i s/old_name/new_name/ {} +"),
    (False, "find . -not -path './.rules/*' -name '*.py' -exec sed -i s/def/async/ {} ';'"),
    (False, "find . ! -path '*/.*' -type f | xargs sed -i s/old_name/new_name/"),
    (False, "find . -name .git -prune -o -name .rules -prune -o -name '*.y*ml' -exec sed -i s/old_name/new_name/ {} +"),
    (False, "find . \\( -name .git -o -name .rules \\) -prune -o -name '*.py' -print | xargs sed -i s/def/async/"),
    (False, "find . -maxdepth 1 -name '*.toml' -exec sed -i s/old_name/new_name/ {} +"),
    (False, "find . -name '*.ts' -o -name '*.tsx' | xargs sed -i s/old_name/new_name/"),
    (False, "find . -type f | grep '\\.ts$' | xargs sed -i s/old_name/new_name/"),
    (False, "find . -type f -empty -delete"),
    (False, "find . -type d -empty -delete"),
    (False, "find . -type d -exec chmod 755 {} +"),
    (False, "find . -name '*.sh' -exec chmod +x {} +"),
    (False, "find . -name '*.py' -exec cp {} /tmp/x ';'"),
    (False, "find . -type f -exec grep -l foo {} +"),
    (False, "find . -type f | xargs wc -l"),
    (False, "find . -not -path './.rules/*' -type f -exec sed -i s/old_name/new_name/ {} +"),
    (False, "find . -type f -exec sh -c 'wc -l \"$1\"' _ {} ';'"),
    (False, "find . -iname '*.ORIG' -exec rm {} +"),
    (False, "find /tmp/work -type f -delete"),
]


@pytest.fixture
def world(tmp_path):
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".rules/compiled").mkdir(parents=True)
    (tmp_path / ".rules/hook").write_text("#!/bin/sh\n")
    (tmp_path / ".rules/use-pnpm.yaml").write_text("enforcement: block\n")
    (tmp_path / ".pre-commit-config.yaml").write_text("repos:\n  - repo: local\n")
    (tmp_path / ".git/hooks/pre-commit").write_text("#!/bin/sh\nexec rulec\n")
    return Worktree(str(tmp_path))


def test_a_search_is_denied_where_the_gates_files_are_among_what_it_changes(world):
    wrong = []
    for denied, command in SEARCHES:
        event = Event(kind="command", command=command, root=world.root, world=world, cwd="")
        if bool(gate_protection.detect_tampering(event)) != denied:
            wrong.append((denied, command))
    assert wrong == []
