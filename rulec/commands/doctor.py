"""``rulec doctor``: are the gates up; fires a known-bad and a known-good event at each of them."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from rulec.commands import (
    _doctor_agents,
    _doctor_book,
    _doctor_git,
    _doctor_models,
    _doctor_personal,
    _doctor_settings,
    _doctor_skills,
    _doctor_tools,
    _doctor_trust,
    hook,
    init,
)
from rulec.commands import compile as compiling
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.commands._sign import Sign
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.artifact import HOOK, LAUNCHER

Say = Callable[[str], None]
_PASSED_OVER = ("next: ", f"wrote   {HOOK}", f"wrote   {LAUNCHER}")
FIXES = ("chmod", "init", "hook", "compile")  # compile last: the others may write what it settles


def run(top: Path, complain: Say, *, fix: bool = False) -> Outcome:
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
    yield from _doctor_tools.signs()
    try:
        book = worktree.load(top)
        yield from _doctor_book.signs(top, book)
    except RulecError as error:
        yield Sign(f"the rulebook does not load: {error.message}", f"{error.where}: {error.hint}")
        return
    gates = (_doctor_git, _doctor_agents, _doctor_settings, _doctor_skills, _doctor_trust)
    parts = (*gates, _doctor_personal, _doctor_models)
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
        return compiling.run(top, complain)
    if verb == "chmod":
        return hook.let_run(top)
    if verb == "hook":
        return hook.install(top, push=False)
    return init.run(top, agents=(), ci=True, confirm=lambda _: True)
