"""A command that is to be run by another one is told from a command that is not to be run at all."""

import pytest

from rulec.fits import prefixes
from rulec.fits._demands import catches
from rulec.language import clauses
from rulec.model.transcript import Action
from rulec.runtime.shell import parse
from rulec.stages.extract import typed

STATED = [  # what a person typed, a command that is refused, one that passes
    ("always use bundle exec in front of rspec", "rspec spec/models", "bundle exec rspec"),
    ("use bundle exec rake, not rake", "rake lint", "bundle exec rake lint"),
    ("prefix rake and rails with bundle exec", "rails db:migrate", "bundle exec rails db:migrate"),
    ("run everything through bundle exec", "cd api && rubocop", "cd api && bundle exec rubocop"),
    ("never run rails without bundle exec", "rails console", "bundle exec rails console"),
    ("always run pytest via uv run", "pytest -q", "uv run pytest -q"),
    ("always poetry run mypy", "mypy src", "poetry run mypy src"),
    ("Run all python commands with uv run", "python tools/x.py", "uv run --frozen python tools/x.py"),
    ("always use uv run", "ruff check", "uv run ruff check"),
    ("never call pytest directly", "pytest", "pdm run pytest"),
    ("use npx tsc, never tsc", "tsc -p .", "npx tsc -p ."),
    ("run tests inside docker: docker compose exec app rspec", "rspec", "docker compose exec app rspec"),
]
SILENT = [  # nothing is said of a prefix, or something against it
    "don't use npx, use pnpm exec",
    "don't use uv run, activate the venv",
    "if you need python, use uv run",
    "use uv, not pip",
    "never run jest directly",
    "use uv run ruff before you commit",
    "uv run is slow today",
]


@pytest.mark.parametrize(("text", "refused", "passed"), STATED)
def test_a_prefix_that_is_asked_for_must_stand_there(text, refused, passed):
    checks = [
        check for candidate in typed(text, [prefixes.PLUG]) for draft in candidate.drafts for check in draft.checks
    ]
    assert [check.template for check in checks[:1]] == ["require-prefix"]
    assert any(catches(checks[0], call) for call in parse(refused).calls)
    assert not any(catches(checks[0], call) for call in parse(passed).calls)


@pytest.mark.parametrize("text", SILENT)
def test_words_that_ask_for_no_prefix_make_none(text):
    assert [draft for candidate in typed(text, [prefixes.PLUG]) for draft in candidate.drafts] == []


def _ran(command: str) -> Action:
    return Action(kind="command", tool="Bash", command=command)


def test_the_accepted_command_shows_the_prefix_that_the_words_only_name():
    (clause,) = clauses("we use poetry here")
    assert list(prefixes.fit(clause, (), ())) == []
    drafts = prefixes.fit(clause, [_ran(".venv/bin/pytest -q")], [_ran("poetry run pytest -q")])
    assert [draft.checks[0].parameters for draft in drafts] == [
        {"commands": ["pytest"], "prefixes": ["poetry run"], "by_path": True}
    ]
