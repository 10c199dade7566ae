"""Which commands and edits the rules catch, and which look-alikes they must pass."""

import pytest

from rulec.domain.compiled_rule import read_rule
from tests.support import guard_rules as rules

CAUGHT = {
    "pnpm": [
        "npm install left-pad",
        "npm",
        "/usr/local/bin/npm ci",
        "./node_modules/.bin/yarn add x",
        r"\npm ci",
        '"npm" ci',
        "n''pm ci",
        "command npm ci",
        "cd web && npm ci",
        "cd web; npm ci",
        "cd web || exit 1\nnpm ci",
        "(cd web && npm ci)",
        "{ npm ci; }",
        "CI=1 npm ci",
        "env CI=1 npm ci",
        "env -u CI -C web npm ci",
        "env -S 'npm ci'",
        "sudo npm i -g x",
        "sudo -u deploy -- npm ci",
        "nohup npm start &",
        "time npm ci",
        "timeout -s KILL 60 npm ci",
        "nice -n 5 npm ci",
        "exec npm start",
        "bash -c 'npm ci'",
        'bash -lc "cd web && npm ci"',
        "sh -e -c 'npm ci'",
        "bash -c \"sh -c 'npm ci'\"",
        "eval npm ci",
        'eval "npm ci"',
        "xargs -n 1 npm install < list",
        "cat list | xargs -I {} npm install {}",
        "find . -name package.json -execdir npm ci \\;",
        "watch -n 5 npm test",
        "echo 'npm ci' | bash",
        "printf '%s' 'npm ci' | sh",
        "bash <<EOF\nnpm ci\nEOF",
        "cat <<'EOF' | sh\nnpm ci\nEOF",
        "bash <<< 'npm ci'",
        "echo $(npm root)",
        "echo `npm root`",
        'echo "at $(npm root)"',
        "diff <(npm ls) old.txt",
        "if npm ci; then echo ok; fi",
        "for p in a b; do npm install $p; done",
        "while ! npm ci; do sleep 1; done",
        "case $1 in a) npm ci;; esac",
        "build() { npm ci; }; build",
        "! npm test",
        "true && npm test || false",
        "ls | grep x; npm test",
        "npm test 2>&1 | tee log",
        "> log npm test",
        "X=npm; $X ci",
        'tool="npm"; "$tool" ci',
        "${TOOL:-npm} ci",
        "$(echo npm) ci",
        "{npm,ci}",
        "$'\\x6epm' ci",
        "np\\\nm ci",
        "corepack yarn install",
        "git -c alias.x='!npm ci' x",
        "npm \\\n  install x",
        "flock /tmp/l npm ci",
        "trap 'npm ci' EXIT",
        "npm view x; npm ci",
    ],
    "no-force": [
        "git push --force",
        "git push origin main -f",
        "git -C web push -f",
        "git --git-dir=x push -uf origin main",
        "git push --forc",
        "git fetch && git reset --hard origin/main",
        "git reset HEAD~1 --hard",
        "/usr/bin/git push --force origin",
    ],
    "no-rm-rf": ["rm -rf build", "rm -fr build", "rm -r -f build", "rm -Rrvf x", "rm build -rf", "xargs rm -rf"],
    "uv": [
        "pip install x",
        "pip3 install x",
        "python -m pip install x",
        "python3.12 -m pip install x",
        ".venv/bin/python -m pip install -r requirements.txt",
        "pip --proxy http://p install x",
    ],
    "no-amend": ["git commit --amend", "git commit -a --amend --no-edit", "git commit --am -m x"],
    "no-up": ["docker compose up -d", "docker compose -f a.yaml up --build -d web", "docker-compose up -d"],
    "no-latest": ["docker pull web:latest", "docker --context x pull a/b:latest"],
    "gen": [
        "echo x > src/gen/a.py",
        "echo x >> src/gen/a.py",
        "date >| src/gen/a.py",
        "make &> web/yarn.lock",
        "cd src && rm gen/a.py",
        "cd src/gen && touch a.py",
        "cd web && echo > ../src/gen/a.py",
        "echo x > web/../src/gen/a.py",
        "tee -a src/gen/a.py < x",
        "cp a.py src/gen",
        "cp -t src/gen a.py b.py",
        "mv src/gen/a.py /tmp",
        "install -m 644 a.py src/gen/a.py",
        "ln -sf /tmp/a src/gen/a.py",
        "sed -i '' s/a/b/ src/gen/a.py",
        "sed -i.bak -e s/a/b/ x.py src/gen/a.py",
        "perl -pi -e s/a/b/ src/gen/a.py",
        "truncate -s 0 poetry.lock",
        "dd if=/dev/zero of=src/gen/a.py",
        "git rm src/gen/a.py",
        "git mv src/gen/a.py b.py",
        "git checkout main -- src/gen/a.py",
        "git restore --source main~2 src/gen/a.py",
        "git -C src restore -s v1 gen/a.py",
        "rm -r src",
        "bash -c 'cd src; rm gen/a.py'",
        "curl -o src/gen/a.py http://x",
        "(cd src; touch gen/x); ls",
        "touch {x,src/gen/y}",
        "cd $(git rev-parse --show-toplevel)/src && touch gen/x",
        "touch $PWD/../a; rm ./src//gen/./a.py",
    ],
}

PASSED = [
    "pnpm add left-pad",
    "npm view left-pad",
    "grep -r 'npm install' docs",
    "echo npm install",
    'echo "npm install; yarn"',
    "echo 'x' # && npm ci",
    "# npm ci",
    "git commit -m 'use npm ci no more'",
    "git commit -m \"$(cat <<'EOF'\nnpm ci\nit's; npm\nEOF\n)\"",
    "git commit -F - <<EOF\nnpm ci && rm -rf x\nEOF",
    "cat > notes.md <<'EOF'\nnpm ci\nEOF",
    "which npm",
    "command -v npm",
    "man npm",
    "brew install yarn",
    "cat node_modules/npm/index.js",
    "npm-check",
    "ls npm yarn",
    "cd npm && ls",
    "mkdir npm; ls",
    'rg "npm (install|ci)" .',
    "awk '{ npm }' x",
    "jq '.scripts | npm' package.json",
    "python -c 'print(\"npm ci\")'",
    "[[ npm < yarn && -f npm ]] && ls",
    "[ $x = npm ] || ls",
    "for npm in a b; do echo $npm; done",
    "case npm in npm) ls;; yarn | npm) pwd;; esac",
    "echo $((npm + 1))",
    "a=(npm yarn); ls",
    "NPM=npm ls",
    "alias",
    "git log --grep 'npm ci'",
    "docker run node:20 echo npm",
    "git push",
    "git push --force-with-lease",
    "git push --follow-tags origin f",
    "git commit -m '--force push -f'",
    "git stash push -f",
    "git push origin feature-f",
    "git log -f push --force",
    "git push -- -f",
    "git reset --soft HEAD~1",
    "git reset -- --hard",
    "rm -r build",
    "rm -f a.txt",
    "rm -- -rf",
    "rmdir -p x",
    "ls -rf",
    "pip list",
    "pip download install",
    "uv pip install x",
    "python -m pipx install x",
    "python install pip",
    "git commit -m --amend",
    "git commit --allow-empty -m x",
    "git commit --author='a --amend' -m x",
    "docker compose up",
    "docker compose -f up -d ps",
    "docker pull web:1.2",
    "docker pull latest",
    "cat src/gen/a.py > /tmp/x",
    "cp src/gen/a.py /tmp/",
    "sed s/a/b/ src/gen/a.py",
    "sed -n -e p src/gen/a.py",
    "echo 'rm src/gen/a.py'",
    "touch src/generated.py",
    "touch src/gen/README.md",
    "git diff -- src/gen/a.py",
    "git add src/gen/a.py",
    "git checkout main",
    "git restore --staged src/gen/a.py",
    "git restore src/gen/a.py",
    "git -C src restore gen/a.py",
    "git checkout HEAD -- src/gen/a.py",
    "cd src/gen && ls > ../list",
    "grep -c x < src/gen/a.py",
    "python tool.py --out src/gen/a.py",
    "echo a > lock",
    "diff src/gen/a.py 2>/dev/null",
    "cp --help",
    "mv; ln; install; rm; dd; tee; git mv; git rm",
    "rm -r other/src/gen",
    "cat <<EOF\nrm -r src/gen\n> src/gen/a.py\nEOF",
]


@pytest.mark.parametrize(("slug", "command"), [(slug, one) for slug, many in CAUGHT.items() for one in many])
def test_a_command_that_a_rule_forbids_is_caught_however_it_is_put(slug, command):
    found = rules.findings(rules.RULES, {"kind": "command", "command": command})
    assert [(one.slug, one.unsure, one.fault) for one in found if one.slug == slug][:1] == [(slug, False, "")]


@pytest.mark.parametrize("command", PASSED)
def test_a_command_that_only_looks_like_a_forbidden_one_passes(command):
    assert rules.findings(rules.RULES, {"kind": "command", "command": command}) == []


def test_the_table_is_as_large_as_it_should_be():
    assert sum(map(len, CAUGHT.values())) >= 90
    assert len(PASSED) >= 35


UNSURE = [
    "python -c \"import sys; p = 'src/gen/a.py' if sys.argv[1:] else 'b'; open(p, 'w')\"",
    "python3 - <<'EOF'\nfor p in sorted(glob('*')) + ['src/gen/a.py']:\n    open(p, 'w').write('x')\nEOF",
    "node -e \"let p = 'src/gen/a.py'; p = 'b'; require('fs').writeFileSync(p, '')\"",
    "cd $DIR && rm src/gen/a.py",
    "find src/gen -name '*.py' -delete",
    "rm -r s*",
]


@pytest.mark.parametrize("command", UNSURE)
def test_what_may_touch_a_protected_path_is_found_but_not_certain(command):
    found = rules.findings(rules.RULES, {"kind": "command", "command": command})
    assert [one.slug for one in found][:1] == ["gen"]
    assert "not" in found[0].unsure or "may" in found[0].unsure  # it says why


def test_a_command_too_deeply_nested_to_read_is_not_certain():
    deep = "$(" * 100 + "npm ci" + ")" * 100
    found = rules.findings(rules.RULES, {"kind": "command", "command": f"echo {deep}"})
    assert [(one.slug, one.unsure) for one in found] == [("pnpm", "the text nests too deeply")]


CURES = {
    "npm install left-pad": "run `pnpm add left-pad`",
    "npm i -D 'a b'": "run `pnpm add -D 'a b'`",
    "npm --prefix web add x": "run `pnpm add --prefix web x`",
    "cd web && npm ci": "use `pnpm` instead of `npm`",
}


@pytest.mark.parametrize(("command", "cure"), CURES.items())
def test_the_cure_is_computed_from_the_very_command(command, cure):
    rule = rules.command("pnpm", "npm", instead="pnpm", rewrite={"npm install": "pnpm add"})
    assert [one.cure for one in rules.findings([rule], {"kind": "command", "command": command})] == [cure]


EDIT = {"kind": "edit", "path": "web/a.ts", "old": "console.log(1)\n", "new": "console.log(1)\nx\n", "content": None}


def test_a_line_that_already_stood_there_is_not_new():
    rule = rules.text("no-log", r"console\.log")
    assert rules.findings([rule], EDIT) == []
    found = rules.findings([rule], {**EDIT, "new": "console.log(1)\nconsole.log(2)\n"})
    assert [(one.line, one.text) for one in found] == [(2, "console.log(2)")]


def test_a_text_rule_speaks_only_of_its_own_files():
    rule = rules.text("no-log", "x", globs=["*.py"], **{"except": ["tests/"]})
    paths = {"a.py": 1, "tests/a.py": 0, "a.ts": 0, "src/a.py": 1}
    for path, count in paths.items():
        assert len(rules.findings([rule], {"kind": "write", "path": path, "new": "x", "content": "x"})) == count


def test_what_a_whole_file_must_hold_is_asked_only_of_whole_files():
    rule = rules.text("licence", require=["^# Copyright"])
    assert len(rules.findings([rule], {"kind": "write", "path": "a.py", "new": "x\n", "content": "x\n"})) == 1
    assert rules.findings([rule], {"kind": "write", "path": "a.py", "new": "", "content": "\n# Copyright\n"}) == []
    assert rules.findings([rule], EDIT) == []


@pytest.mark.parametrize(
    "command",
    [
        "cat > a.py <<'EOF'\nprint(1)\nEOF",
        "echo 'print(1)' > a.py",
        "cat <<'EOF' | tee a.py\nprint(1)\nEOF",
        "echo 'print(1)' >> a.py",
    ],
)
def test_text_that_a_command_puts_into_a_file_is_judged_like_an_edit(command):
    rule = rules.text("no-print", r"print\(", globs=["*.py"])
    assert [one.path for one in rules.findings([rule], {"kind": "command", "command": command})] == ["a.py"]
    assert rules.findings([rule], {"kind": "command", "command": command.replace("a.py", "a.md")}) == []


def test_words_in_the_text_never_change_a_verdict():
    rule = rules.text("no-print", r"print\(")
    line = "print(1)  # nosemgrep # noqa # rulec: ignore[no-print] until=2099-01-01 because # type: ignore\n"
    assert len(rules.findings([rule], {"kind": "write", "path": "a.py", "new": line, "content": line})) == 1


@pytest.mark.parametrize(
    ("kind", "exists", "how", "seen"),
    [
        ("write", True, ["change"], "certain"),
        ("write", False, ["change"], "nothing"),
        ("write", None, ["change"], "unsure"),
        ("write", None, ["change", "create"], "certain"),
        ("edit", None, ["change"], "certain"),
        ("edit", None, ["create"], "nothing"),
        ("delete", True, ["delete"], "certain"),
        ("delete", True, ["change", "create"], "nothing"),
    ],
)
def test_a_path_rule_says_what_must_not_be_done(kind, exists, how, seen):
    found = rules.findings([rules.path("gen", "gen/", how=how)], {"kind": kind, "path": "gen/a", "exists": exists})
    assert ["unsure" if one.unsure else "certain" for one in found] == ([] if seen == "nothing" else [seen])


def test_a_rule_limits_itself_to_its_agents_and_its_scope():
    rule = rules.path("gen", "*.py")
    rule["facts"]["scope"] = {"include": ["web/"], "exclude": ["web/old/"], "agents": ["codex"]}
    event = {"kind": "write", "path": "web/a.py", "exists": False}
    assert len(rules.findings([rule], {**event, "agent": "codex"})) == 1
    assert rules.findings([rule], {**event, "agent": "claude-code"}) == []
    assert rules.findings([rule], {**event, "path": "web/old/a.py"}) == []
    assert rules.findings([rule], {**event, "path": "api/a.py"}) == []


def test_a_rule_for_one_folder_judges_commands_run_in_that_folder():
    rule = rules.command("pnpm", "npm")
    rule["facts"]["scope"] = {"include": ["web/**"]}
    assert len(rules.findings([rule], {"kind": "command", "command": "cd web/a && npm ci"})) == 1
    assert len(rules.findings([rule], {"kind": "command", "command": "npm ci", "cwd": "web"})) == 1
    assert rules.findings([rule], {"kind": "command", "command": "cd api && npm ci"}) == []


BROKEN = [
    {},
    [],
    {"check": {"on": "command", "patterns": ["npm"]}},
    {"facts": {}, "check": {"on": "command", "patterns": ["npm"]}},
    {"facts": {"slug": "x"}},
    {"facts": {"slug": "x"}, "check": None},
    {"facts": {"slug": "x"}, "check": {"on": "moon"}},
    {"facts": {"slug": "x"}, "check": {"on": "path"}},
    {"facts": {"slug": "x"}, "check": {"on": "path", "globs": "src/"}},
    {"facts": {"slug": "x", "scope": []}, "check": {"on": "path", "globs": [1]}},
    {"facts": {"slug": "x"}, "check": {"on": "command", "patterns": ["npm"], "rewrite": {"npm": 1}}},
]


@pytest.mark.parametrize("rule", BROKEN)
def test_what_is_no_rule_is_not_read(rule):
    with pytest.raises(ValueError, match=r"."):
        read_rule(rule)


def test_a_broken_rule_is_a_fault_and_stops_no_other_rule():
    rule = {"facts": {"slug": "x"}, "check": {"on": "text", "forbid": ["("]}}
    event = {"kind": "write", "path": "src/gen/a.py", "new": "x", "content": "x", "exists": True}
    found = rules.findings([rule, *rules.RULES], event)
    assert [bool(one.fault) for one in found] == [True, False]


def test_at_the_end_of_a_turn_every_changed_file_is_judged():
    files = [{"kind": "write", "path": "src/gen/a", "exists": True}, {"kind": "delete", "path": "yarn.lock"}]
    found = rules.findings(rules.RULES, {"kind": "stop", "files": files})
    assert [one.path for one in found] == ["src/gen/a", "yarn.lock"]


def _decided(rule, **event):
    return [found.text for found in rules.findings([rule], event)]


@pytest.mark.parametrize(
    ("command", "caught"),
    [
        ("gh pr create --body 'wip: x'", True),
        ("gh pr create --body \"$(cat <<'E'\nthe wip\nE\n)\"", True),
        ("gh pr create --body-file - <<'E'\nwip\nE", True),
        ("echo wip | gh pr create --body-file -", True),
        ("gh pr create --body 'done' # wip", False),
        ("gh pr view 3 && echo wip", False),
    ],
)
def test_what_a_command_says_is_in_its_words_and_its_input(command, caught):
    rule = rules.command("no-wip", "gh pr create", says=r"\bwip\b")
    assert bool(_decided(rule, kind="command", command=command)) == caught


def test_a_rule_for_fresh_files_passes_edits_and_files_that_were_there():
    rule = rules.text("header", header="", fresh=True)
    new = {"kind": "write", "path": "a.py", "new": "x\n", "content": "x\n"}
    assert _decided(rule, **new, exists=False) == ["the file does not begin with a copyright or licence notice"]
    assert _decided(rule, **new, exists=True) == []
    assert _decided(rule, **{**new, "kind": "edit"}) == []
    assert _decided(rule, **{**new, "content": " \n"}) == []


def test_a_hidden_text_is_not_repeated():
    rule = rules.text("no-key", "k3y", hide=True)
    assert _decided(rule, kind="write", path="a.py", new="k3y = 1\n", content="k3y = 1\n") == ["(not shown)"]
