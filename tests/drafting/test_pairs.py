"""What an offence and its fix show, as far as the person's words name it."""

from typing import Any

from rulec.domain.candidate import Correction
from rulec.domain.transcript import Action, Turn
from rulec.drafting.candidates import candidates_of
from tests.support.drafting import drafter

Given = str | tuple[str, str] | tuple[str, str, str]

PAIRS: list[tuple[str, list[Given], list[Given], str, dict[str, Any]]] = [
    ("we use pnpm here", ["npm install left-pad"], ["pnpm install left-pad"], "prefer-command", {"to": "pnpm"}),
    ("no, use pnpm, not npm", ["npm ci"], ["pnpm install"], "prefer-command", {"from": ["npm"]}),
    ("stop using sudo", ["sudo make install"], ["make install"], "forbid-command", {"commands": ["sudo"]}),
    ("don't use --no-verify", ["git commit --no-verify -m x"], ["git commit -m x"], "forbid-flag", {"flags": ["--no-verify"]}),
    ("always pass --frozen-lockfile", ["pnpm install"], ["pnpm install --frozen-lockfile"], "require-flag", {"commands": ["pnpm install"]}),
    ("use uv run for that", ["pytest -q"], ["uv run pytest -q"], "require-prefix", {"prefixes": ["uv run"]}),
    ("never push to main", ["git push origin main"], ["git push origin feature/x"], "forbid-push-to", {"branches": ["main"]}),
    ("don't touch gen/", [("gen/api.py", "x = 1\n")], [("schema/api.yaml", "x: 1\n")], "protect-path", {"globs": ["gen/"]}),
    ("no print(), we have a logger", [("src/a.py", "print(1)\n")], [("src/a.py", "log.info(1)\n")], "forbid-call", {"functions": ["print"]}),
    ("never import requests", [("a.py", "import requests\n")], [("a.py", "import httpx\n")], "forbid-import", {"modules": ["requests"]}),
    ("you forgot to run the linter: make lint before you commit", [("a.py", "x = 1\n"), "git commit -am x"],
     ["make lint", "git commit -am x"], "require-before", {"first_commands": ["make lint"]}),
]  # fmt: skip

NONE: list[tuple[str, list[Given], list[Given]]] = [
    ("no, the button is blue", ["npm test"], ["npm test"]),
    ("use pnpm unless the lockfile is npm's", ["npm ci"], ["pnpm install"]),
    ("the parser is wrong, don't use npm in the worker", ["npm ci"], ["pnpm install"]),
    ("don't touch gen/", [("gen/api.py", "x = 1\n")], [("gen/api.py", "x = 2\n")]),
    ("why did you use print()?", [("src/a.py", "print(1)\n")], [("src/a.py", "print(2)\n")]),
    ("never push to main", ["git status"], ["git push origin feature/x"]),
    ("use 3 retries", [("a.py", "retries = 5\n")], [("a.py", "retries = 3\n")]),
]


def _action(given: Given) -> Action:
    if isinstance(given, str):
        return Action(kind="command", command=given, ok=True)
    return Action(kind="write", path=given[0], new=given[1], ok=True)


def _drafts(say: str, before: list[Given], after: list[Given]):
    turn = Turn(role="human", kind="typed", text=say, index=1, line=1)
    actions = (tuple(map(_action, before)), tuple(map(_action, after)))
    said = Correction(quote=say, turn=turn, before=actions[0], after=actions[1])
    return [draft for one in candidates_of(said, drafter()) for draft in one.drafts]


def test_what_changed_is_drafted_where_the_words_name_it() -> None:
    wrong = []
    for say, before, after, template, given in PAIRS:
        drafts = _drafts(say, before, after)
        first = [dict(draft.checks[0].parameters) for draft in drafts if draft.checks[0].template == template]
        if not any(given.items() <= one.items() for one in first):
            wrong.append((say, [draft.checks for draft in drafts]))
    assert not wrong


def test_each_such_draft_shows_the_offence_itself() -> None:
    for say, before, after, _, _ in PAIRS:
        for draft in _drafts(say, before, after):
            assert draft.invalid[0].source == "transcript", say


def test_what_the_words_do_not_explain_is_not_drafted() -> None:
    assert not [(say, found) for say, *pair in NONE if (found := _drafts(say, *pair))]
