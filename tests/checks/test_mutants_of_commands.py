"""A command is the same however it is run, and innocent where it is only named."""

import pytest

from tests.checks.growing import NPM, command, grown, rule, texts


def test_a_command_is_run_in_other_ways() -> None:
    found = texts(NPM, invalid=True)
    assert found["carrier: sudo"] == "sudo npm install left-pad"
    assert found["carrier: bash -c"] == "bash -c 'npm install left-pad'"
    assert found["quoted program"] == '"npm" install left-pad'
    assert found["absolute path"] == "/usr/bin/npm install left-pad"
    assert found["global option"] == "npm --silent install left-pad"
    assert found["cd before"].startswith("cd sub && ")


def test_a_command_that_is_only_named_is_innocent() -> None:
    found = texts(NPM, invalid=False)
    assert found["only named: echo"] == "echo 'npm install left-pad'"
    assert "only named: heredoc" in found
    echo = rule("guard", "forbid-command", {"commands": ["echo"]}, command("echo x"))
    assert "only named: echo" not in texts(echo, invalid=False)


@pytest.mark.parametrize("program", ["cd web", "export A=1", "A=1 make", "source a.sh"])
def test_what_only_a_shell_can_do_is_not_carried(program: str) -> None:
    found = texts(
        rule("guard", "forbid-command", {"commands": [program.split(maxsplit=1)[0]]}, command(program)), invalid=True
    )
    assert not any(name.startswith("carrier: sudo") or name == "absolute path" for name in found)


def test_flags_move_only_where_they_take_no_value() -> None:
    push = rule(
        "guard", "forbid-flag", {"commands": ["git push"], "flags": ["--force"]}, command("git push --force -v")
    )
    assert texts(push, invalid=True)["flag order"] == "git push -v --force"
    other = rule("guard", "forbid-command", {"commands": ["mytool"]}, command("mytool run --level 3 --force"))
    assert "flag order" not in texts(other, invalid=True)


def test_a_command_of_several_lines_stays_whole() -> None:
    several = rule("guard", "forbid-command", {"commands": ["npm"]}, command("cat <<'EOF'\nx\nEOF\nnpm ci"))
    assert all("npm ci" in text.split("\n") or "bash -c" in text for text in texts(several, invalid=True).values())


@pytest.mark.parametrize(
    ("commands", "example", "made"),
    [
        ("npm", "npm install left-pad", {"npm install --help", "npm --version"}),
        ("git push", "git push --force origin", {"git push --help", "git --version"}),
        ("terraform destroy", "terraform destroy", {"terraform destroy --help", "terraform --version"}),
        ("npx", "npx foo", {"npx --version"}),
        ("rm", "rm -r src", {"rm --help", "rm --version"}),
        ("npm --version", "npm --version", set()),
    ],
)
def test_no_command_rule_may_catch_who_asks_for_help(commands: str, example: str, made: set[str]) -> None:
    one = rule("guard", "forbid-command", {"commands": [commands]}, command(example))
    found = {m.example.text for m in grown(one) if m.firm and m.name.startswith("asked")}
    assert found == made
