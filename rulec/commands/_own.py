"""The personal rulebook as a layer under the team's: begun, and held against what the team says."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import configfile
from rulec.commands import _write
from rulec.host import journal, personal, worktree
from rulec.model.candidate import Candidate, Draft
from rulec.model.rule import Rule
from rulec.model.rulebook import Config, Rulebook
from rulec.stages.resolve import resolve

Say = Callable[[str], None]


def begun(complain: Say) -> Path:
    """The top of the personal rulebook, which is made where there is none."""
    here = personal.place()
    if personal.begin():
        settings = {worktree.CONFIG: configfile.dumps(Config()), **worktree.present(here, [worktree.CONFIG])}
        with journal.lock(here):
            _write.to_commit(here, settings, "Begin a personal rulebook\n")
        complain(f"{here} is your personal rulebook now: a git repository of its own, of which no team's sees anything")
    return here


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """The personal rules that hold in a repository, and why others do not."""

    here: Path
    book: Rulebook
    lost: tuple[str, ...] = ()


def own(top: Path, team: Rulebook) -> Own | None:
    """What the personal rulebook says about this repository; None where there is none, or it is this one."""
    here = personal.seen_from(top)
    if here is None:
        return None
    whole = personal.book(here)
    spoken = [rule for rule in whole.rules if personal.speaks_of(top, rule.scope)]
    lost = {rule.slug: why for rule in spoken if (why := _loses(rule, team))}
    personal.store(top, here, lost)
    kept = tuple(rule for rule in spoken if rule.slug not in lost)
    told = tuple(f"{slug} {personal.MARK} is not in force here: {why}" for slug, why in lost.items())
    return Own(here=here, book=replace(whole, rules=kept), lost=told)


def _loses(rule: Rule, team: Rulebook) -> str:
    """Why a personal rule yields to the team's: one of its name, or one that asks for the contrary; else ""."""
    if team.rule(rule.slug):
        return f"the team has its own {rule.slug}"
    draft = Draft(checks=rule.checks, invalid=rule.invalid, valid=rule.valid, do=rule.do, scope=rule.scope)
    found = resolve(Candidate(rule=rule, drafts=(draft,) if rule.checks else ()), team)
    return f"the team's {found.slug} goes before it: {found.because}" if found.decision == "SUPERSEDE" else ""
