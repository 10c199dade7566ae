"""An exception for what commands are given holds only where each path is known and one of those."""

from pathlib import Path
from typing import Any

import pytest

from rulec.checkout.worktree import Worktree
from rulec.domain.compiled_rule import RuleException
from rulec.domain.record import read_record
from rulec.guard.exceptions import spares_call
from rulec.shell.action_events import Event, parsed_command

SED = {"commands": ["sed -i"], "arguments": ["migrations/**"]}
PUBLISH = {"commands": ["npm publish"], "arguments": ["packages/**"]}
COPY = {"arguments": ["migrations/**"]}
TWO_FORMS = {"commands": ["perl -pi", "sed -i"], "arguments": ["migrations/**"]}


@pytest.mark.parametrize(
    ("exception", "command", "spared"),
    [
        (SED, "sed -i s/a/b/ migrations/1.sql", True),
        (SED, "sed -i 's/a$/{b}/' migrations/1.sql migrations/old/2.sql", True),
        (SED, "cd migrations && sed -i s/a/b/ 1.sql", True),
        (SED, "sed -i s/a/b/ migrations/*.sql", True),
        (SED, "for f in migrations/*.sql; do sed -i s/a/b/ $f; done", True),
        (SED, "sudo sed -i s/a/b/ migrations/1.sql", True),
        (SED, "sed -i s/a/b/ src/a", False),
        (SED, "sed -i s/a/b/ migrations/1.sql src/a", False),
        (SED, "sed -i s/a/b/ migrations/../src/a", False),
        (SED, "sed -i s/a/b/ {migrations/1.sql,src/a}", False),
        (SED, "cd src && sed -i s/a/b/ migrations/1.sql", False),
        (SED, "cd $WHERE && sed -i s/a/b/ migrations/1.sql", False),
        (SED, "sed -i s/a/b/ /migrations/1.sql", False),
        (SED, "sed -i s/a/b/ ~/migrations/1.sql", False),
        (SED, "sed -i s/a/b/ migrations/$NAME", False),
        (SED, "sed -i $SCRIPT migrations/1.sql", False),
        (SED, "sed -i s/a/b/ migrations/1.sql > src/a", False),
        (SED, "sed -i s/a/b/", False),
        (SED, "ls src | xargs sed -i s/a/b/ migrations/1.sql", False),
        (SED, "find src -exec sed -i s/a/b/ migrations/1.sql {} +", False),
        (TWO_FORMS, "perl -pi -e 1 src/a", False),
        (PUBLISH, "npm publish packages/a", True),
        (PUBLISH, "npm publish packages/a --userconfig=packages/rc", True),
        (PUBLISH, "npm publish packages/a --userconfig=../rc", False),
        (PUBLISH, "npm publish packages/a other", False),
        (PUBLISH, "npm publish", False),
        (PUBLISH, "npm install packages/a", False),
        (COPY, "cp migrations/a migrations/b", True),
        (COPY, "cp .env migrations/b", False),
        (COPY, "cp migrations/b .env", False),
        (COPY, "git -C src checkout -- migrations/a", False),
    ],
)
def test_each_path_must_be_known_and_named(exception: dict[str, Any], command: str, spared: bool) -> None:
    event = Event(kind="command", command=command)
    name = (exception.get("commands") or [command.split(maxsplit=1)[0]])[0].split()[0]
    calls = [call for call in parsed_command(event).calls if call.program == name]
    assert calls
    assert all(spares_call((read_record(RuleException, exception),), event, call) for call in calls) is spared


def test_a_link_that_leads_elsewhere_is_not_spared(tmp_path: Path) -> None:
    for folder in ("migrations", "src"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.sql").write_text("x")
    (tmp_path / "migrations/link").symlink_to("../src")
    world = Worktree(str(tmp_path))
    for path, spared in (("migrations/a.sql", True), ("migrations/link/a.sql", False)):
        event = Event(kind="command", command=f"sed -i s/a/b/ {path}", world=world, root=world.root)
        (call,) = parsed_command(event).calls
        assert spares_call((read_record(RuleException, SED),), event, call) is spared
