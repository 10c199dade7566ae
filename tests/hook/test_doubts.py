"""Where a text does not say all, a finding is not certain and says why; a variable alone makes none."""

import pytest

from tests.support import guard_rules as rules

FORCE = rules.command("force", "git push --force|-f")
NPM = rules.command("npm", "npm", unless=["npm view"])
LOCKED = rules.command("locked", "pnpm install", flags=["--frozen-lockfile"], value="")
DOUBTS = [
    (FORCE, "git push $FLAGS", "$FLAGS may hold --force|-f"),
    (FORCE, 'git push "${EXTRA_ARGS[@]}" origin', "${EXTRA_ARGS[@]} may hold --force|-f"),
    (FORCE, "git $SUB --force origin", "the subcommand is a variable"),
    (FORCE, "$G push origin -f", "the program is known only when it runs"),
    (NPM, "$NPM ci", "the program is known only when it runs"),
    (NPM, "TOOL=$(choose npm yarn); $TOOL ci", "the program is known only when it runs"),
    (NPM, "for p in npm $more; do $p ci; done", "the program is known only when it runs"),
    (NPM, 'cmd="npm $rest"; bash -c "$cmd"', "the program is known only when it runs"),
    (NPM, "sed s/x/npm/ list | sh", "what the shell runs is known only when it runs"),
    (LOCKED, "pnpm install $FLAGS", "$FLAGS may hold --frozen-lockfile"),
]
QUIET = [
    (FORCE, "git push origin $BRANCH"),
    (FORCE, 'git push -u origin "$(git branch --show-current)"'),
    (FORCE, "git fetch $FLAGS"),
    (FORCE, "git $SUB origin"),
    (FORCE, "$RUNNER test --force"),
    (FORCE, "echo $FLAGS && git push"),
    (FORCE, "git push '$FLAGS'"),
    (NPM, "$PYTHON -m pytest; echo npm"),
    (NPM, "$(pick) view npm"),
    (NPM, "$NPM view left-pad"),
    (NPM, 'eval "$(direnv hook bash)"'),
    (NPM, "curl -s https://example.com/x | sh"),
    (NPM, "rm $FILES"),
]


def decided(rule, command):
    return rules.decide(rule, {"kind": "command", "command": command})


@pytest.mark.parametrize(("rule", "command", "why"), DOUBTS)
def test_a_doubt_is_a_finding_that_says_why(rule, command, why):
    assert [(one.unsure, one.fault) for one in decided(rule, command)] == [(why, "")]


@pytest.mark.parametrize(("rule", "command"), QUIET)
def test_a_variable_alone_is_no_reason_to_nag(rule, command):
    assert decided(rule, command) == []


def test_a_certain_finding_leaves_no_room_for_doubts():
    found = decided(FORCE, "git push $FLAGS; git push --force")
    assert [one.unsure for one in found] == [False]


def test_an_alias_of_the_rule_is_the_command_it_stands_for():
    rule = rules.command("kube", "kubectl delete", aliases={"k": "kubectl", "g rm": "kubectl delete"})
    assert [one.text for one in decided(rule, "k -n x delete pod y")] == ["k -n x delete pod y"]
    assert decided(rule, "g rm pod y") != []
    assert decided(rule, "k get pods; g add rm") == []
