"""rulec doctor: tests every gate, lists what works and what is wrong, and fixes what needs no decision."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from rulec.checkout.rules_layout import LAUNCHER
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.services import gates_here, hook_trials
from rulec.services.doctor import (
    agent_hooks,
    agent_settings,
    git_gates,
    installed_gates,
    machine,
    rulebook_health,
)
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.setup import git_hooks, init
from rulec.services.setup.compile import compile_rulebook

Say = Callable[[str], None]
_PASSED_OVER = ("next: ", f"wrote   {LAUNCHER}")
FIXES = ("chmod", "init", "hook", "compile")  # compile last: the others may write what it settles


def run_doctor(top: Path, complain: Say, *, fix: bool = False) -> Outcome:
    """One line for each finding, with its cure; exit 1 where something is wrong. ``fix`` cures what rulec can first."""
    signs = list(_signs(top))
    done = list(_fixed(top, signs, complain)) if fix else []
    if done:
        signs = list(_signs(top))
    ill = sum(bool(sign.cure) for sign in signs)
    lines = [*(f"fixed  {line}" for line in done), *map(_line, signs), f"{len(signs) - ill} well, {ill} wrong"]
    data = {"signs": [asdict(sign) for sign in signs], "fixed": done, "wrong": ill}
    return Outcome("\n".join(lines), FINDINGS if ill else 0, data)


def _line(sign: Diagnosis) -> str:
    return f"WRONG  {sign.what}; {sign.cure}" if sign.cure else f"ok     {sign.what}"


def _signs(top: Path) -> Iterator[Diagnosis]:
    yield from machine.examine_tools()
    try:
        book = rulebook_files.load_rulebook(top)
    except RulecError as error:
        yield Diagnosis(f"the rulebook does not load: {error.message}", f"{error.where}: {error.hint}")
        return
    try:
        yield from rulebook_health.examine_rulebook(top, book)
    except RulecError as error:
        yield Diagnosis(f"rulec compile cannot write: {error.where} {error.message}", error.hint)
    hook_trials.try_hooks(top)
    here = gates_here.gates_here(top, book)
    for look in (installed_gates.examine_gates, git_gates.examine_git_gates, agent_hooks.examine_agent_hooks):
        yield from look(top, book, here)
    parts = (
        agent_settings.examine_agent_settings,
        agent_settings.examine_plugins,
        agent_settings.examine_skills,
        rulebook_health.examine_ci,
        rulebook_health.examine_owners,
        rulebook_health.examine_personal_rules,
        machine.examine_models,
        machine.examine_weights,
    )
    yield from chain.from_iterable(part(top, book) for part in parts)


def _fixed(top: Path, signs: list[Diagnosis], complain: Say) -> Iterator[str]:
    """Run the verbs that cure a finding without a decision (compile, init, hook, chmod), and say what they did."""
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
        return git_hooks.install_git_hooks(top)
    return init.init_repository(top, agents=(), ci=True, confirm=lambda _: True)
