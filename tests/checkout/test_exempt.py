"""What lies within an exception of a guard rule is left alone; all else is decided as if there were none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checkout.worktree import Worktree
from tests.support import guard_rules as rules


def decided(rule, event, **exception):
    """Whether the rule, with the exception, finds anything."""
    own = {**rule, "facts": {**rule["facts"], "exceptions": [exception]}} if exception else rule
    return bool(rules.findings([own], dict(event)))


def ran(command, **more):
    return {"kind": "command", "command": command, "cwd": "", "root": "/r", **more}


def wrote(path, **more):
    return {"kind": "write", "path": path, "old": "", "new": "x = 1  # TODO", "content": None, "exists": False, **more}


NPM = rules.command("pnpm", "npm")
GENERATED = rules.path("gen", "gen/**", "*.lock")
NOTES = rules.text("notes", "TODO")
TESTED = rules.session("tested", before_commands=["git commit"], first_commands=["pytest"], since=["**/*.py"])
EDITED = {"kind": "edit", "path": "docs/a.py", "old": "", "new": "x"}


@pytest.mark.parametrize(
    ("rule", "event", "exception", "caught"),
    [
        (NPM, ran("cd legacy && npm ci"), {"include": ["legacy/**"]}, False),
        (NPM, ran("cd legacy/deep && npm ci"), {"include": ["legacy/**"]}, False),
        (NPM, ran("npm ci", cwd="legacy"), {"include": ["legacy/"]}, False),
        (NPM, ran("cd /r/legacy && npm ci"), {"include": ["legacy"]}, False),
        (NPM, ran("npm ci"), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd web && npm ci"), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd legacy && npm ci; cd .. && npm ci"), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd /x/legacy && npm ci"), {"include": ["legacy/**"]}, True),  # another repository's
        (NPM, ran("cd /x/legacy && npm ci"), {"include": ["legacy"]}, True),
        (NPM, ran('cd "$D" && npm ci'), {"include": ["legacy/**"]}, True),  # nobody knows where
        (NPM, ran("cd a && npm ci"), {"exclude": ["a/**"]}, True),
        (NPM, ran("cd b && npm ci"), {"exclude": ["a/**"]}, False),
        (NPM, ran("cd legacy && npm --prefix .. ci"), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd legacy && npm ci --prefix=/r/web"), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd legacy && npm -C.. ci"), {"include": ["legacy/**"]}, True),
        (NPM, ran('cd legacy && npm --prefix "$D" ci'), {"include": ["legacy/**"]}, True),
        (NPM, ran("cd legacy && npm --prefix deep ci"), {"include": ["legacy/**"]}, False),
        (NPM, ran("cd legacy && npm run x -- --prefix .."), {"include": ["legacy/**"]}, False),
        (NPM, ran("npm ci --quiet"), {"commands": ["npm ci"]}, False),
        (NPM, ran("bash -c 'npm ci'"), {"commands": ["npm ci"]}, False),
        (NPM, ran("npm install x"), {"commands": ["npm ci"]}, True),
        (NPM, ran("npm ci && npm install x"), {"commands": ["npm ci"]}, True),
        (NPM, ran("cd legacy && npm ci"), {"commands": ["npm ci"], "include": ["legacy/**"]}, False),
        (NPM, ran("npm ci"), {"commands": ["npm ci"], "include": ["legacy/**"]}, True),
        (NPM, ran("cd legacy && npm i"), {"commands": ["npm ci"], "include": ["legacy/**"]}, True),
        (NPM, ran("npm ci", agent="codex"), {"agents": ["codex"]}, False),
        (NPM, ran("npm ci", agent="claude-code"), {"agents": ["codex"]}, True),
        (NPM, ran("npm ci"), {"agents": ["codex"]}, True),
        (NPM, ran("npm ci", environment="ci"), {"environments": ["ci"]}, False),
        (NPM, ran("npm ci", environment="local"), {"environments": ["ci"]}, True),
        (NPM, ran("npm ci"), {"environments": ["ci"]}, True),
        (GENERATED, wrote("gen/keep/a.py"), {"include": ["gen/keep/**"]}, False),
        (GENERATED, wrote("gen/a.py"), {"include": ["gen/keep/**"]}, True),
        (GENERATED, wrote("gen/keep/a.py", also=("gen/a.py",)), {"include": ["gen/keep/**"]}, True),  # a link
        (GENERATED, ran("cp a gen/keep/b"), {"include": ["gen/keep/**"]}, False),
        (GENERATED, ran("cp a gen/keep/../b"), {"include": ["gen/keep/**"]}, True),
        (GENERATED, ran("rm -r gen"), {"include": ["gen/keep/**"]}, True),
        (GENERATED, ran("cp a gen/b"), {"commands": ["cp a"]}, False),
        (GENERATED, ran("cp a gen/b; touch gen/c"), {"commands": ["cp"]}, True),
        (GENERATED, ran("cp a gen/b"), {"commands": ["cp"], "include": ["gen/keep/**"]}, True),
        (GENERATED, ran("cp a gen/keep/b"), {"commands": ["cp"], "include": ["gen/keep/**"]}, False),
        (NOTES, wrote("docs/a.md"), {"include": ["docs/**"]}, False),
        (NOTES, wrote("src/a.py"), {"include": ["docs/**"]}, True),
        (TESTED, ran("git commit -m x", history=[EDITED]), {"include": ["docs/**"]}, False),
        (TESTED, ran("git commit -m x", history=[EDITED]), {"include": ["web/**"]}, True),
        (TESTED, ran("git commit --amend", history=[EDITED]), {"commands": ["git commit --amend"]}, False),
        (TESTED, ran("git commit -m x", history=[EDITED]), {"commands": ["git commit --amend"]}, True),
    ],
)
def test_what_lies_within_an_exception_is_left_alone(rule, event, exception, caught):
    assert decided(rule, event)
    assert decided(rule, event, **exception) is caught


NAMES = st.sampled_from(["a", "legacy", "gen", "x.lock", "src", ".."])
PLACES = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
COMMANDS = st.builds(
    "{}{} {}{}".format,
    st.sampled_from(["", "cd legacy && ", "cd src; ", 'cd "$X" && ', "(cd gen) ; "]),
    st.sampled_from(["npm", "npx", "cp a", "rm -r", "touch"]),
    st.sampled_from(["ci ", "i ", "", "--quiet "]),
    PLACES,
)
EVENTS = st.one_of(COMMANDS.map(ran), PLACES.filter(lambda p: ".." not in p).map(wrote))
BOUNDS = st.fixed_dictionaries(
    {},
    optional={
        "include": st.sampled_from([["legacy/**"], ["gen/**", "src"], ["*.lock"], ["**/a"]]),
        "exclude": st.sampled_from([["gen/a/**"], ["src/"]]),
        "commands": st.sampled_from([["npm ci"], ["cp"], ["rm -r", "touch"]]),
        "agents": st.sampled_from([["codex"], ["claude-code"]]),
        "environments": st.sampled_from([["ci"], ["local"]]),
    },
).filter(bool)


@given(st.sampled_from([NPM, GENERATED, NOTES]), EVENTS, BOUNDS, st.sampled_from(["codex", ""]))
def test_an_exception_only_ever_takes_findings_away(rule, event, bounds, agent):
    known = {**event, "agent": agent, "environment": "local"}
    before = rules.findings([rule], dict(known))
    after = rules.findings([{**rule, "facts": {**rule["facts"], "exceptions": [bounds]}}], dict(known))
    keys = [(f.path, f.text) for f in before]
    assert all(f.unsure or (f.path, f.text) in keys for f in after)
    who = set(bounds.get("agents", [agent])) == {agent} and bounds.get("environments", ["local"]) == ["local"]
    if not who:
        assert after == before
    elif not {"include", "exclude", "commands"} & bounds.keys():
        assert after == []


@given(st.sampled_from([NPM, GENERATED, NOTES]), EVENTS, st.sampled_from(["nowhere/**", "no/such/*.md"]))
def test_outside_of_an_exception_all_is_decided_as_before(rule, event, place):
    far = {"include": [place]}
    exceptions = [far, {"commands": ["terraform apply"]}, {"agents": ["codex"]}, {**far, "commands": ["npm"]}]
    own = {**rule, "facts": {**rule["facts"], "exceptions": exceptions}}
    assert rules.findings([own], dict(event)) == rules.findings([rule], dict(event))


def test_a_rule_holds_in_its_environments_alone():
    only = rules.command("pnpm", "npm")
    only["facts"]["scope"]["environments"] = ["ci"]
    assert not decided(only, ran("npm ci", environment="local"))
    assert decided(only, ran("npm ci", environment="ci"))
    assert decided(only, ran("npm ci"))  # where nobody knows, it holds


def test_a_rule_with_a_damaged_exception_is_not_read():
    broken = {**NPM, "facts": {**NPM["facts"], "exceptions": ["legacy/**"]}}
    with pytest.raises(ValueError, match="is no object"):
        rules.typed(broken)


@pytest.mark.parametrize(
    ("command", "caught"),
    [
        ("cd legacy && npm ci", False),
        ("cd legacy/nowhere; npm ci", True),  # the cd fails, and npm runs at the top
        ("cd legacy/nowhere || npm ci", True),
        ("cd legacy/package.json; npm ci", True),
        ("mkdir -p legacy/new/deep && cd legacy/new && npm ci", False),
        ("cd legacy/link && npm ci", True),
        ("cd legacy/inner && npm ci", False),
    ],
)
def test_a_command_is_left_alone_only_where_it_runs_on_this_disk(tmp_path, command, caught):
    (tmp_path / "web").mkdir()
    (tmp_path / "legacy/deep").mkdir(parents=True)
    (tmp_path / "legacy/package.json").touch()
    (tmp_path / "legacy/link").symlink_to("../web")
    (tmp_path / "legacy/inner").symlink_to("deep")
    event = ran(command, root=str(tmp_path), world=Worktree(str(tmp_path)))
    assert decided(NPM, event, include=["legacy/**"]) is caught
