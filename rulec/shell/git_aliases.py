"""What a git alias of the person's settings stands for: ``git pf`` may be ``git push --force``."""

from __future__ import annotations

import re

from rulec.shell.command_matching import git_subcommand
from rulec.shell.parsing.call import quote_word
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulec.shell.parsing.call import Call

_NAME = re.compile(r"[A-Za-z][\w-]*")
MOST = 100  # calls of git in one text that are looked at


def calls_behind_aliases(calls: Iterable[Call], root: str) -> Iterator[Call]:
    """What the calls of git run whose subcommand is none of git's own: as the text itself or git's settings say."""
    told: dict[str, str] = {}
    for call in [one for one in calls if one.program == "git"][:MOST]:
        at, verb = git_subcommand(call.argv)
        if verb == "config":
            pairs = zip(call.argv, call.argv[1:], strict=False)
            told |= {name.partition(".")[2]: value for name, value in pairs if name.lower().startswith("alias.")}
        elif verb not in WORDS["git_verbs"] and _NAME.fullmatch(verb):
            yield from _expanded(call, at, told.get(verb) or _setting(root, verb))


def _setting(root: str, name: str) -> str:
    from rulec.checkout import git_call  # noqa: PLC0415 (it needs subprocess, and few commands use an alias)

    return git_call.git_text(root, ["config", "--get", f"alias.{name}"]).strip() if root else ""


def _expanded(call: Call, at: int, value: str) -> Iterator[Call]:
    given, before = (" ".join(map(quote_word, words)) for words in (call.argv[at + 1 :], call.argv[:at]))
    text = value[1:] if value.startswith("!") else f"{before} {value}"
    for found in parse_shell(f"{text} {given}").calls if value else ():
        found.cwd, found.adrift, found.stdin = call.cwd, call.adrift, found.stdin or call.stdin
        found.env, found.via = {**call.env, **found.env}, (*call.via, "git alias", *found.via)
        yield found
