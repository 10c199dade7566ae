"""What people type, through every fit at once: the family that is meant speaks first."""

import pytest

from rulec import registry
from rulec.runtime import globs
from rulec.stages.extract import drafted, typed

FITS = registry.fits()
SAID = (
    ("no emojis", "forbid-emoji"),
    ("No emojis in commit messages.", "forbid-emoji"),
    ("no emoji in docs/", "forbid-emoji"),
    ("don't leave debug files around", "leftover-files"),
    ("Always clean up temporary files when you're done.", "leftover-files"),
    ("every file needs the licence header", "licence-header"),
    ("don't forget the licence header in new files", "licence-header"),
    ("don't commit secrets", "secrets"),
    ("never hardcode API keys", "secrets"),
    ("no Co-Authored-By", "commit-message"),
    ("commit subjects under 50 chars", "commit-message"),
    ("use gitmoji for commits", "commit-message"),
    ("no AI speak in docs", "forbid-phrase"),
    ("no AI attribution in commits or PRs", "forbid-command"),
    ("no AI attribution in commits", "commit-message"),
    ("never commit .env", "forbid-path"),
    ("don't read the secrets file", ""),
    ("use the emoji font", ""),
    ("Stop creating *.bak files", "forbid-path"),
    ("Don't create log files in src", ""),
    ("Use logger.exception in except blocks", ""),
    ("Use a logger, not print", "forbid-call"),
    ("Do not write comments that repeat the code", ""),
    ("Do not repeat code", "forbid-copies"),
    ("Do not use enums in TypeScript", "forbid-shape"),
    ("Every public function gets an example in the docstring", ""),
    ("Every exported function has a JSDoc comment with an @example", ""),
    ("Every public function gets a docstring", "require-docstring"),
    ("Every bugfix needs a regression test", ""),
    ("Every new function needs a test", "require-companion"),
    ("Put new widgets in src/widgets", ""),
    ("Interfaces must not start with I", "name-pattern"),
    ("Never compare with == None", ""),
    ("Never use ==, use ===", "forbid-shape"),
    ("Do not raise generic exceptions", ""),
    ("Do not catch generic exceptions", "bare-except"),
    ("Pull request titles use conventional commits", ""),
    ("Don't store tokens in localStorage", ""),
    ('Never say "great question"', ""),
    ("Do not push with --no-verify", "forbid-command"),
    ("Use .yaml, not .yml", "forbid-path"),
    # Limits that no check reads.
    ("Don't amend commits", "forbid-command"),
    ("Don't amend commits that are already pushed", ""),
    ("Never use eval", "forbid-call"),
    ("Never use eval on user input", ""),
    ("Never push to main except for hotfixes", ""),
    ("Never push to main unless I say so", "ask-before"),
    ("Never commit on your own", "ask-before"),
    ("Don't merge branches by yourself", "ask-before"),
    ("Do not merge your own pull requests", ""),
    ("Do not use bare except, except in legacy code", ""),
    ("No print statements in the billing flow", ""),
    ("Commit subjects under 50 characters unless the build is broken", ""),
    ("Never use sudo unless the build is broken", ""),
    ("Never amend commits unless the build is broken", ""),
    ("Never commit broken code", "require-before"),
    ("Use dangerouslySetInnerHTML only after sanitising", ""),
    ("Do not put passwords into compose files except for local development", ""),
    ("Add a test for every new function unless it is generated", ""),
    ("rotate the log files", ""),
)


PLACED = (
    ("Do not use assert outside of tests", "src/a.py", "tests/test_a.py"),
    ("No comments in tests", "tests/test_a.py", "src/a.py"),
    ("Do not use star imports except in __init__.py", "src/a.py", "src/__init__.py"),
    ("Every public function in src/api/ needs a docstring", "src/api/a.py", "src/web/a.py"),
)
ONE = (
    ("never call pytest directly, always uv run pytest", {"commands": ["pytest"], "prefixes": ["uv run"]}),
    ("Do not push with --no-verify", {"commands": ["git push --no-verify"]}),
    ("Use .yaml, not .yml", {"globs": ["*.yml"]}),
    ("Interfaces must not start with I", {"what": "interface", "never": "I[A-Z]\\w*", "language": "javascript"}),
)


@pytest.mark.parametrize(("text", "there", "free"), PLACED)
def test_a_check_holds_where_the_words_say(text: str, there: str, free: str) -> None:
    scope = drafted(text, FITS).drafts[0].scope

    def holds(path: str) -> bool:
        return globs.match(scope.include, path) and not globs.match(scope.exclude, path)

    assert holds(there)
    assert not holds(free)


@pytest.mark.parametrize(("text", "given"), ONE)
def test_one_wish_is_one_rule_and_says_no_more(text: str, given: dict[str, object]) -> None:
    (made,) = typed(text, FITS)
    assert made.drafts[0].checks[0].parameters == given


@pytest.mark.parametrize(("text", "template"), SAID)
def test_the_family_that_is_meant_speaks_first(text: str, template: str) -> None:
    drafts = drafted(text, FITS).drafts
    assert (drafts[0].checks[0].template if drafts else "") == template
