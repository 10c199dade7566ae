"""Hooks and pipelines that people wrote, before and after a change."""

import pytest

from rulec.gates.weakening.lost_hooks import supplanted_by_prek, weakened_pipelines

HUSKY, ASK = ".husky/pre-commit", "sh .rules/hook git check --staged"


def _told(path: str, before: str, after: str) -> bool:
    return bool(list(weakened_pipelines(path, before, after, ours=False)))


@pytest.mark.parametrize(
    ("path", "before", "after", "told"),
    [
        (HUSKY, f"npm test\n{ASK}\n", "npm test\n", True),
        (HUSKY, f"{ASK}\n", f"# {ASK}\n", True),
        (HUSKY, f"{ASK}\n", f"{ASK} || true\n", True),
        (HUSKY, f"{ASK}\n", f"{ASK} || exit 0\n", True),
        (HUSKY, f"{ASK}\n", f"{ASK}; true\n", True),
        (HUSKY, f"{ASK}\n", f"{ASK} &\n", True),
        (HUSKY, f"{ASK}\n", f"true {ASK}\n", True),
        (HUSKY, f"{ASK}\n", f"echo {ASK}\n", True),
        (HUSKY, f"{ASK}\n", f"exit 0\n{ASK}\n", True),
        (HUSKY, f"{ASK}\n", f'[ -n "$FAST" ] && exit 0\n{ASK}\n', True),
        (HUSKY, f"{ASK}\n", f"set +e\n{ASK}\n", True),
        (HUSKY, f"{ASK}\n", f"if false; then\n{ASK}\nfi\n", True),
        (HUSKY, "rulec check --staged\n", "rulec() { :; }\nrulec check --staged\n", True),
        (".githooks/pre-commit", f"#!/bin/sh\n{ASK}\n", f"#!/bin/sh\n{ASK}\nexit 0\n", True),
        (".githooks/pre-commit", f"#!/bin/sh\nset -e\n{ASK}\n", f"#!/bin/sh\nset -e\n{ASK}\nexit 0\n", False),
        (".github/workflows/ci.yml", "run: rulec check --base main\n", "", True),
        ("lefthook.yml", "run: rulec check --staged\n", "run: true # rulec check --staged off\n", True),
        ("lefthook.yml", "run: rulec check --staged\n", 'run: "rulec check --staged || true"\n', True),
        ("lefthook.yml", "run: rulec check --staged\n", "run: rulec check --staged  # ours || true\n", False),
        (HUSKY, "rulec check --staged\n", "npm test\nrulec check --staged\n", False),
        (HUSKY, f"{ASK}\n", f"{ASK} || exit 1\n", False),
        (HUSKY, f"{ASK}\n", f"{ASK} || {{ echo no; exit 1; }}\n", False),
        (HUSKY, f"{ASK}\n", f"set -e\nexec < /dev/tty\n{ASK} 2>&1\n", False),
        (HUSKY, f"{ASK}\n", f"test -f x || exit 1\n{ASK}\n", False),
        (HUSKY, f"{ASK}\n", f"npx lint-staged && {ASK}\n", False),
        (HUSKY, f"{ASK} || true\n", f"{ASK}\n", False),
        (HUSKY, f"exit 0\n{ASK}\n", f"exit 0\nnpm test\n{ASK}\n", False),  # it stood there
        (HUSKY, "npm test\n", "", False),
        (".github/notes.md", "Use rulec check.\n", "", False),
    ],
)
def test_hooks_that_people_wrote_go_on_asking_and_heed_the_answer(
    path: str, before: str, after: str, *, told: bool
) -> None:
    assert _told(path, before, after) is told


def test_a_job_of_rulecs_is_not_written_over() -> None:
    ours = "include:\n  - local: .gitlab/rules.yml\n"
    assert _told(".gitlab-ci.yml", ours, f"{ours}rulec-rules:\n  script: [true]\n")
    assert not _told(".gitlab-ci.yml", ours, f"{ours}test:\n  script: [make]\n")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [("", "repos = []\n", True), ("", 'entry = "rulec check --staged"\n', False), ("repos = []\n", "# x\n", False)],
)
def test_a_file_that_takes_the_place_of_pre_commits_asks_too(old: str, new: str, *, told: bool) -> None:
    assert bool(list(supplanted_by_prek("prek.toml", old, new, "entry: rulec check --staged\n"))) is told
