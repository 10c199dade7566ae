"""Looks at every gate and tells what is well and what is wrong; mends what needs no person."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from rulec.domain.artifact import HOOK, LAUNCHER
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.services.doctor import agent_hooks, agent_settings, git_gates, machine, owners, personal, rulebook, skills
from rulec.services.doctor.sign import Sign
from rulec.services.setup import git_hooks, init
from rulec.services.setup.compile import compile_rulebook

Say = Callable[[str], None]
_PASSED_OVER = ("next: ", f"wrote   {HOOK}", f"wrote   {LAUNCHER}")
FIXES = ("chmod", "init", "hook", "compile")  # compile last: the others may write what it settles


def examine(top: Path, complain: Say, *, fix: bool = False) -> Outcome:
    """Every sign of health or trouble in a line, with its cure; exit 1 where something is wrong."""
    signs = list(_signs(top))
    done = list(_fixed(top, signs, complain)) if fix else []
    if done:
        signs = list(_signs(top))
    ill = sum(bool(sign.cure) for sign in signs)
    lines = [*(f"fixed  {line}" for line in done), *map(_line, signs), f"{len(signs) - ill} well, {ill} wrong"]
    data = {"signs": [asdict(sign) for sign in signs], "fixed": done, "wrong": ill}
    return Outcome("\n".join(lines), FINDINGS if ill else 0, data)


def _line(sign: Sign) -> str:
    return f"WRONG  {sign.what}; {sign.cure}" if sign.cure else f"ok     {sign.what}"


def _signs(top: Path) -> Iterator[Sign]:
    yield from machine.tool_signs()
    try:
        book = rulebook_files.load_rulebook(top)
        yield from rulebook.signs(top, book)
    except RulecError as error:
        yield Sign(f"the rulebook does not load: {error.message}", f"{error.where}: {error.hint}")
        return
    gates = (git_gates, agent_hooks, agent_settings, skills, owners)
    parts = (*gates, personal, machine)
    yield from chain.from_iterable(part.signs(top, book) for part in parts)


def _fixed(top: Path, signs: list[Sign], complain: Say) -> Iterator[str]:
    """Do what can be done without a person: what rulec generates and installs, as the team's settings name it."""
    wanted = {sign.fix for sign in signs if sign.cure}
    for verb in (verb for verb in FIXES if verb in wanted):
        try:
            told = _run(top, verb, complain).text
        except RulecError as error:
            complain(str(error))
            continue
        yield from (f"{verb}: {line}" for line in told.splitlines() if not line.startswith(_PASSED_OVER))


def _run(top: Path, verb: str, complain: Say) -> Outcome:
    if verb == "compile":
        return compile_rulebook(top, complain)
    if verb == "chmod":
        return git_hooks.make_hooks_executable(top)
    if verb == "hook":
        return git_hooks.install_git_hooks(top, push=False)
    return init.init_repository(top, agents=(), ci=True, confirm=lambda _: True)
