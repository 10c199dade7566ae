"""A check that would speak of more than its sentence is not taken from a file, whatever it could prove."""

import pytest

from rulec.commands._sayings import Document, candidates

REMINDERS = [
    "Use polars, not pandas, for anything above a million rows.",
    "For legacy pages, use `fetch` instead of `axios`.",
    "Never write a migration by hand.",
    "Never forget the `apps.py` label; imports break without it.",
    "Use the standard library only; no assertion libraries.",
    "Write table-driven tests.",
    "Before changing migrations, verify upgrades and backup/restore.",
    "Commit early and often.",
    "Never run a bare `cargo run -p shop` launch.",
    "When editing texts under `i18n`, keep keys lowercase with hyphens.",
]
CHECKED = [
    "Use polars, not pandas.",
    "Write tests for new functionality.",
    "Run `go mod tidy` after you change imports.",
    "Do not add new dependencies without approval.",
    "Never run `cargo publish`.",
    "Keep output in `target/` and never commit it.",
]


def _drafts(sentence: str) -> int:
    found = candidates(Document(path="AGENTS.md", text=f"# Rules\n\n- {sentence}\n"))
    return sum(len(candidate.drafts) for candidate in found.candidates)


@pytest.mark.parametrize("sentence", REMINDERS)
def test_what_a_check_would_widen_is_a_reminder(sentence: str) -> None:
    assert _drafts(sentence) == 0


@pytest.mark.parametrize("sentence", CHECKED)
def test_what_a_check_can_hold_to_is_drafted(sentence: str) -> None:
    assert _drafts(sentence) > 0


def test_a_heading_with_a_language_narrows_a_check_to_its_files() -> None:
    found = candidates(Document(path="AGENTS.md", text="# Rules\n\n## Python\n\n- Use absolute imports.\n"))
    draft = found.candidates[0].drafts[0]
    assert draft.scope.include == ("*.py", "*.pyi")
    assert [check.parameters["language"] for check in draft.checks] == ["python"]


def test_a_command_in_a_folders_own_file_is_not_checked_everywhere() -> None:
    document = Document(path="web/AGENTS.md", text="# Rules\n\n- Use pnpm, not npm.\n", include=("web/**",))
    assert candidates(document).candidates[0].drafts == ()
