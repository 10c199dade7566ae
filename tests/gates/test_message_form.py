"""rulec's own commits have the form that the rules on messages, the settings and the history ask for."""

from pathlib import Path

import pytest

from tests.support.world import act, at_home, run

FORMS = [  # parameters of the rule on messages, subjects in the history, a file beside -> the subject
    (None, ["Begin", "Go on"], "", "Add the rule no-npm"),
    (None, ["feat: begin", "fix(api): go on"], "", "chore: add the rule no-npm"),
    (None, ["feat: begin", "docs(team): go on"], "", "docs(team): add the rule no-npm"),
    (None, ["Begin"], ".commitlintrc.json", "chore: add the rule no-npm"),
    ("style=conventional", ["Begin"], "", "chore: add the rule no-npm"),
    ("require_subject=^[A-Z]", ["feat: begin"], "", "Add the rule no-npm"),
    ("max_subject=12", ["Begin"], "", "Add no-npm"),
    ("style=gitmoji", ["Begin"], "", ":wrench: Add the rule no-npm"),
]


@pytest.mark.e2e
def test_a_commit_of_rulec_has_the_form_of_the_others(tmp_path: Path) -> None:
    wrong = []
    with at_home(tmp_path / "home"):
        for number, (wanted, history, beside, subject) in enumerate(FORMS):
            top = tmp_path / f"repo{number}"
            (top / ".rules").mkdir(parents=True)
            run(top, "init", "-q", "-b", "main", "--template=")
            (top / ".rules/config.yaml").write_text("schema: 1\nemitters: []\n")
            if beside:
                (top / beside).write_text("{}\n")
            if wanted:
                name, _, value = wanted.partition("=")
                value = f'["{value}"]' if name == "require_subject" else value
                (top / ".rules/messages.yaml").write_text(
                    "schema: 1\nslug: messages\nstatement: Write messages so.\nenforcement: block\nchecks:\n"
                    f"  - {{template: commit-message, kind: shell, with: {{{name}: {value}}}}}\n"
                    "examples: {invalid: [{message: 'fixed stuff of a very long kind'}]}\n"
                )
            act(top, "compile")
            run(top, "add", "-A")
            for one in history:
                run(top, "commit", "-q", "--allow-empty", "-m", one)
            check = ("--check", "forbid-command", "--with", "commands=npm", "--invalid", "npm i")
            act(top, "add", "Never use npm.", *check, "--yes")
            told = run(top, "log", "-1", "--format=%s").strip()
            wrong += [(wanted, history, told)] * (told != subject)
    assert not wrong
