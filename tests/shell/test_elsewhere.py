"""What commands do to other checkouts, and what stream editors put into files."""

import pytest

from rulec.domain.files import globs
from rulec.shell.action_events import Event, file_events
from rulec.shell.parsing import text_filters
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects

CHANGES = [
    ("git -C /srv/app commit -am x", True),
    ("cd /srv/app && git checkout main", True),
    ("git --work-tree=/srv/app reset --hard", True),
    ("git -C /srv/app branch fix", True),
    ("(cd /srv/app; git stash)", True),
    ("git -C /srv/app log --oneline", False),
    ("git -C /srv/app status", False),
    ("git -C /srv/app diff main", False),
    ("git -C /srv/app branch -a", False),
    ("git -C /srv/app config --get user.name", False),
    ("cd /srv/app && ls", False),
    ("git commit -m 'see /srv/app'", False),
]


@pytest.mark.parametrize(("command", "changes"), CHANGES)
def test_git_changes_a_checkout_elsewhere(command: str, changes: bool) -> None:
    found = file_events(Event(kind="command", root="/work/repo"), file_effects(parse_shell(command)))
    assert any(globs.match(["/srv/app/"], file.path) for file in found) == changes


def test_git_in_the_repository_itself_names_no_path() -> None:
    for command in ("git commit -m x", "cd /work/repo && git pull", "git -C /work/repo/src stash"):
        assert file_events(Event(kind="command", root="/work/repo"), file_effects(parse_shell(command))) == []


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("~/dev/app/", "/home/ann/dev/app/a.py", True),
        ("~/dev/app/", "/Users/bob/dev/app", True),
        ("~/dev/app/", "/root/dev/app/x", True),
        ("~/dev/app/", "~/dev/app/x", True),
        ("~/dev/app/", "/srv/dev/app/x", False),
        ("/srv/app/", "/srv/app/x", True),
        ("/srv/app/", "/other/srv/app/x", False),
        ("srv/app/", "/srv/app/x", False),
        ("/gen/", "gen/a", True),
        ("*.pem", "/srv/key.pem", True),
    ],
)
def test_globs_of_places_outside_of_the_repository(glob: str, path: str, matches: bool) -> None:
    assert globs.match([glob], path) == matches


SCRIPTS = [
    ("s/a/b/", "b"),
    ("s|^x|// y\\n&|g", "// y\n"),
    ("s/a/b\\/c/", "b/c"),
    ("1i\\# first", "# first"),
    ("$a last line", "last line"),
    ("/x/,/y/s/a/b/", "b"),
    ("/x/d", ""),
    ("p", ""),
    ("y/abc/xyz/", ""),
]


@pytest.mark.parametrize(("script", "text"), SCRIPTS)
def test_what_a_script_of_sed_puts_into_lines(script: str, text: str) -> None:
    assert text_filters.inserted_text([script]) == text
