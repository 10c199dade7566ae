"""Wishes about what a command is run on: the latest versions, the whole project and no single file."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check
from rulec.fits._pair import calls_of
from rulec.language import Clause
from rulec.model.transcript import Action
from rulec.runtime.match import plain

_LATEST = re.compile(r"\b(?:latest|newest|most recent|up[- ]to[- ]date)\b", re.IGNORECASE)
_PACKAGES = re.compile(r"\b(?:dependenc\w+|deps|packages?|librar\w+|modules?|crates?|gems?)\b", re.IGNORECASE)
_INSTALLERS = (
    *("go get", "go mod edit", "npm install", "pnpm add", "yarn add", "bun add", "deno add", "pip install", "uv add"),
    *("uv pip install", "poetry add", "pdm add", "cargo add", "composer require"),
)
_PINNED = r"\w\]?(?:@|==?)[\^~]?(?:v?\d|\$)"
_SAMPLES = {"go": "go get example.com/sample@v1.2.3", "cargo": "cargo add sample@1.2.3"}

_WHOLE = re.compile(
    r"\b(?:whole|entire|full|all of the|complete) (?:\w+ )?"
    r"(?:project|repo\w*|code ?base|package|suite|test suite|tree)\b|"
    r"\b(?:single|individual|separate) (?:files?|tests?)\b|\bfiles? (?:separately|individually|one by one)\b",
    re.IGNORECASE,
)
_CODE = r"\.(?:py|go|[cm]?[jt]sx?|rb|php|rs|java|kt|vue|svelte|css|scss)(?:::.*)?$"
_WHOLE_TOOLS = {
    "lint": (
        ["golangci-lint run", "eslint", "ruff check", "flake8", "pylint", "rubocop", "biome check|lint", "stylelint"],
        ("eslint src/app.ts", "eslint ."),
    ),
    "typecheck": (["mypy", "pyright", "tsc"], ("mypy src/app.py", "mypy src")),
    "type check": (["mypy", "pyright", "tsc"], ("mypy src/app.py", "mypy src")),
    "test": (
        ["pytest", "vitest", "jest", "go test", "rspec", "phpunit", "npm test"],
        ("pytest tests/test_app.py", "pytest"),
    ),
}


def demands(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Demand]:
    """What the clause says about versions and about how much a tool is run on."""
    if clause.polarity != "forbid" and _LATEST.search(clause.text):
        yield from _latest(clause, before, after)
    if _WHOLE.search(clause.text) and not _only_part(clause):
        yield from _whole(clause, before)


def _latest(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Demand]:
    programs = [plain(call.program) for action in after for call in calls_of(action) if _takes_latest(call.argv)]
    chosen = [one for one in _INSTALLERS if not before or one.split()[0] in programs]
    if not chosen or not (programs or _PACKAGES.search(clause.text)):
        return
    bad = _SAMPLES.get(chosen[0].split()[0], "npm install sample@1.2.3") if before else _SAMPLES["go"]
    good = ("npm install sample@latest", "npm install sample", "go get example.com/sample@latest", "pip install sample")
    yield Demand(
        (check("forbid-command", commands=chosen, arguments=_PINNED),), (bad,), good, "take the latest version"
    )


def _takes_latest(argv: Sequence[str]) -> bool:
    return any(word.endswith(("@latest", ":latest")) for word in argv)


def _only_part(clause: Clause) -> bool:
    """Whether the whole is what is not wanted."""
    unwanted = " ".join(clause.forbidden) if clause.forbidden else clause.text if clause.polarity == "forbid" else ""
    return bool(re.search(r"\b(?:whole|entire|full|complete|all)\b", unwanted, re.IGNORECASE))


def _whole(clause: Clause, before: Sequence[Action]) -> Iterator[Demand]:
    words = clause.text.lower()
    ran = {plain(call.program) for action in before for call in calls_of(action)}
    for verb, (commands, (single, whole)) in _WHOLE_TOOLS.items():
        meant = [command for command in commands if not before or command.split()[0] in ran]
        if meant and re.search(rf"\b{verb}(?:ed|ing|er|s)?\b", words):
            good = (whole, f"grep -n '{single}' a.md")
            yield Demand((check("run-whole", commands=meant, endings=_CODE),), (single,), good)
