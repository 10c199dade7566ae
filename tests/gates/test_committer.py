"""Who makes a commit: a person at a terminal, or an agent; in doubt it is not taken for a person."""

import os

from rulec.agents.protocol.agent_spec import all_agents
from rulec.gates.weakening import committer

SHELL, TERMINAL = (20, "-bash"), (10, "/usr/bin/gnome-terminal-server")
HOOK = (40, "/bin/sh .git/hooks/pre-commit")
GIT = (30, "git commit -m x")
WITH_PRE_COMMIT = (45, "/venv/bin/python3.11 -mpre_commit hook-impl --config=.pre-commit-config.yaml")
SETTLED = [  # what stands above, the nearest first; the leader of the session; variables; whether a person commits
    ([HOOK, GIT, SHELL, TERMINAL], 20, {}, True),
    ([WITH_PRE_COMMIT, HOOK, GIT, SHELL, TERMINAL], 20, {}, True),
    ([(46, "python /venv/bin/pre-commit hook-impl"), GIT, SHELL, TERMINAL], 20, {}, True),
    ([(46, "python3 -m pre_commit run"), SHELL], 20, {}, True),
    ([GIT, (25, "bash release.sh"), (20, "/usr/bin/zsh"), (5, "tmux"), (1, "/sbin/init")], 20, {}, True),
    ([GIT, (25, "-zsh"), (20, "login -fp ada"), TERMINAL], 20, {}, True),
    ([GIT, (25, "/bin/bash -c git commit"), (22, "goose session"), SHELL, TERMINAL], 20, {}, False),
    ([GIT, (25, "bash -c x"), (22, "/usr/bin/python3 /home/ada/.local/bin/aider --yes"), SHELL], 20, {}, False),
    ([GIT, (22, "node agent.js"), SHELL, TERMINAL], 20, {}, False),
    ([GIT, (22, "make release"), SHELL, TERMINAL], 20, {}, False),
    ([GIT, (22, "python3"), SHELL, TERMINAL], 20, {}, False),
    ([GIT, (20, "lazygit"), TERMINAL], 20, {}, False),
    ([GIT, SHELL, TERMINAL], 99, {}, False),  # the session began elsewhere
    ([], 20, {}, False),  # nothing can be listed
    ([GIT, SHELL, TERMINAL], 20, {"TERM_PROGRAM": "vscode"}, False),
    ([GIT, SHELL, TERMINAL], 20, {"TERM_PROGRAM": "iTerm.app", "EDITOR": "vim"}, True),
    *(([GIT, SHELL, TERMINAL], 20, {name: "1"}, False) for agent in all_agents() for name in agent.runs_with),
    *(
        ([GIT, SHELL, (15, line), (12, "-bash"), TERMINAL], 20, {}, False)  # it opened a terminal of its own
        for agent in all_agents()
        for program in agent.programs
        for line in (program, f"/opt/{program}/bin/x", f"node /usr/bin/{program} --yolo", f"{program}-code exec")
    ),
]


def test_a_commit_is_a_persons_where_nothing_else_may_have_made_it() -> None:
    wrong = [row for row in SETTLED if committer.is_typed_by_person(*row[:3]) is not row[3]]
    assert not wrong


def test_the_processes_above_are_those_of_the_system() -> None:
    found = committer._ancestors()
    assert [number for number, _ in found][:1] == [os.getppid()]
    assert len(dict(found)) == len(found)
