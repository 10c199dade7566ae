"""Which gates of this clone run rulec, by the files that are there, and where a rule acts by them; runs nothing."""

import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import registry
from rulec.agents.protocol.agent_spec import BEFORE_TOOL, TURN_END, find_agent
from rulec.domain.artifact import Artifact
from rulec.domain.plugs import HookProbe, Integration
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates import unhooked_session
from rulec.gates.findings.verdicts import message_checks
from rulec.gates.pushed_branches import gates_of_checks
from rulec.infra import text_files
from rulec.infra.git import git_contents, git_session, hook_scripts
from rulec.infra.git.hook_scripts import HookFile
from rulec.infra.rulebooks import rulebook_files
from rulec.integrations import ci_runs
from rulec.integrations.ci_context import CI, NOT_SAID
from rulec.integrations.hook_settings import OURS
from rulec.integrations.targets import pre_commit
from rulec.rulebook.rulebook import Rulebook
from rulec.services import hook_events, hook_trials, recorded_rulec
from rulec.services.recorded_rulec import Unstarted

TOOL, COMMITS, MESSAGES, PUSHES, IN_CI, AT_TURNS = "tool", "commit", "message", "push", "ci", "turn"
HOOK, INIT, COMPILE = "run rulec hook install", "run rulec init", "run rulec compile"
TRY = "run rulec doctor"
NOT, UNKNOWN, PARTLY = "not", "not known whether", "not always"
_OF_MOMENT = {COMMITS: hook_scripts.COMMIT, MESSAGES: hook_scripts.MESSAGE, PUSHES: hook_scripts.PUSH}
_AT = {COMMITS: "at commits", MESSAGES: "at commit messages", PUSHES: "at the push"}
_REFUSED = {
    hook_scripts.COMMIT: "each commit",
    hook_scripts.PREPARE: "each commit of an agent",
    hook_scripts.MESSAGE: "each commit",
    hook_scripts.PUSH: "each push",
}
_STARTED_BY = re.compile(r"""^(?:INSTALL_PYTHON|PREK)=["']?([^"'\n]+)""", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One gate of this clone: ``lacks`` says why no rule acts there, "" where rules do."""

    name: str  # of the git hook, the agent, or the CI integration
    title: str  # as sentences name it
    by: str = ""  # who runs rulec there, where it is not rulec's own hook
    lacks: str = ""
    cure: str = ""
    fix: str = ""  # the verb of doctor --fix that cures it
    word: str = NOT  # how sure it is that no rule acts there
    wanted: bool = True  # whether somebody set it up, or settings name it
    turns: bool = False  # of an agent: whether what its turns leave is judged
    called: bool = False  # of an agent: whether it ever called its hook in this clone


@dataclass(frozen=True, slots=True, kw_only=True)
class GatesHere:
    """The gates of one clone, by name."""

    hooks: Mapping[str, Gate]
    agents: Mapping[str, Gate]
    ci: Mapping[str, Gate]

    def acting(self, moments: Sequence[str], rule: Rule) -> list[str]:
        """Of the moments at which the rule's checks act those that this clone has; CI where it is the only one."""
        found = [one for one in moments if (self._titles(rule) if one == TOOL else not self._lacking(one))]
        if not found and COMMITS in moments and self._turns(rule):
            found.append(AT_TURNS)
        if not {*_OF_MOMENT}.intersection(found) and self._is_judged_in_ci(moments, rule):
            found.append(IN_CI)
        return found

    def missing(self, moments: Sequence[str], rule: Rule) -> Iterator[str]:
        """Where else the rule's checks would act on this machine: where, why they do not, and the cure."""
        lacking = [gate for gate in self.agents.values() if gate.lacks and _holds_for(rule, gate)]
        if TOOL in moments and not self._titles(rule):
            why = "; ".join(map(_because, lacking)) or "no agent's hooks are in the settings (rulec init --agent NAME)"
            word = lacking[0].word if len(lacking) == 1 else NOT
            yield f"{word} at tool calls: {why}"
        for moment in (one for one in moments if one in _AT):
            if gate := self._lacking(moment):
                yield f"{gate.word} {_AT[moment]}: {_because(gate)}"

    def audience_rows(self, moments: Sequence[str], rule: Rule) -> Iterator[tuple[str, str]]:
        """Where the rule is checked for agents and for people; nothing where no machine's check acts."""
        if not moments:
            return
        others = [one for one in moments if one in _AT and not self._lacking(one)]
        places = [self._place(one) for one in others]
        if self._is_judged_in_ci(moments, rule):
            places = [" and ".join([*places[:1], "in CI"]), *places[1:]] if COMMITS in others else [*places, "in CI"]
        calls = ", ".join(self._titles(rule)) if TOOL in moments else ""
        turns = ", ".join(self._turns(rule)) if COMMITS in moments else ""
        own = [f"at each tool call ({calls})"] if calls else []
        own += [f"at the end of a turn ({turns})"] if turns else []
        missing = [*self.missing(moments, rule), *self._missing_in_ci(moments, rule)]
        yield "agents", _told([*own, *places], missing)
        if rule.scope.who:
            yield "people", "not checked: the rule is for agents alone"
        elif not {*_AT}.intersection(moments):
            yield "people", "not checked: rulec does not watch people's terminals"
        else:
            yield "people", _told(places, [one for one in missing if " at tool calls: " not in one])

    def _place(self, moment: str) -> str:
        """Where a rule acts then; pre-commit and prek run nothing at a push of what the remote has."""
        if moment != PUSHES:
            return _AT[moment]
        by = self.hooks[hook_scripts.PUSH].by
        return f"at the push of new commits ({by})" if by in hook_scripts.FRAMEWORKS else "at the push (pre-push)"

    def _titles(self, rule: Rule) -> list[str]:
        """The agents whose tool calls the rule is checked at."""
        return [gate.title for gate in self.agents.values() if not gate.lacks and _holds_for(rule, gate)]

    def _turns(self, rule: Rule) -> list[str]:
        """The agents at the end of whose turns files are judged."""
        return [gate.title for gate in self.agents.values() if gate.turns and _holds_for(rule, gate)]

    def _lacking(self, moment: str) -> Gate | None:
        """The gate that would act at that moment, where it does not; commits are judged with their message, too."""
        gate = self.hooks.get(_OF_MOMENT.get(moment, ""))
        whole = moment == COMMITS and not self.hooks[hook_scripts.MESSAGE].lacks
        return gate if gate and gate.lacks and not whole else None

    def _missing_in_ci(self, moments: Sequence[str], rule: Rule) -> Iterator[str]:
        if _acts_in_ci(moments, rule):
            yield from (f"not in CI: {_because(gate)}" for gate in self.ci.values() if gate.lacks)

    def _is_judged_in_ci(self, moments: Sequence[str], rule: Rule) -> bool:
        return _acts_in_ci(moments, rule) and any(not gate.lacks for gate in self.ci.values())


def audience_rows(here: GatesHere | None, moments: Sequence[str], rule: Rule) -> Iterator[tuple[str, str]]:
    """Where the rule is checked for agents and for people; of other repositories' gates nothing is known."""
    if here:
        yield from here.audience_rows(moments, rule)
    elif moments:
        yield "checked", "in each repository, at the gates that are set up there"


def _told(places: Sequence[str], missing: Sequence[str]) -> str:
    sure = all(one.startswith(f"{NOT} ") and not one.startswith((PARTLY, UNKNOWN)) for one in missing)
    if not places and len(missing) == 1 and sure:
        return f"not checked here: {missing[0].partition(': ')[2]}"
    head = ["checked " + ", ".join(places)] if places else ["not checked here"] if sure else []
    return "; ".join([*head, *missing])


def _acts_in_ci(moments: Sequence[str], rule: Rule) -> bool:
    return bool({COMMITS, MESSAGES}.intersection(moments)) and rule.layer != "personal"


def _because(gate: Gate) -> str:
    cure = gate.cure.removeprefix("run ")
    return f"{gate.lacks} ({cure})" if cure else gate.lacks


def _holds_for(rule: Rule, gate: Gate) -> bool:
    return not rule.scope.agents or gate.name in rule.scope.agents


def moments_of_checks(artifacts: Sequence[Artifact]) -> list[str]:
    """The moments at which the checks of a rule act where the gates are there: a commit's files or its message."""
    found = gates_of_checks(artifacts)
    if COMMITS not in found:
        return found
    speaking = message_checks(artifacts)
    others = gates_of_checks([one for one in artifacts if one not in speaking])
    return [*dict.fromkeys([*(one for one in found if one in others), *([MESSAGES] if speaking else [])])]


def gates_here(top: Path, book: Rulebook) -> GatesHere:
    """The gates of a clone: git's hooks, the agents and the CI that the team's settings name."""
    known = registry.emitters()
    wanted = [known[name] for name in book.config.emitters if name in known]
    started = recorded_rulec.why_rulec_does_not_start(top, book.config)
    hooks = hook_scripts.read_hooks(top)
    foreign = hook_scripts.foreign_hooks_folder(top, hooks[hook_scripts.COMMIT].place.parent)
    texts = text_files.read_existing(top, [path for one in wanted for path in one.files])
    return GatesHere(
        hooks={name: _git_hook(top, book, hook, foreign, started) for name, hook in hooks.items()},
        agents={
            one.agent: _agent(top, one, one.probe, texts.get(one.files[0], ""), started)
            for one in wanted
            if one.probe and one.agent
        },
        ci={one.name: _ci(top, one, texts, book.config.install) for one in wanted if one.name in CI},
    )


def gates_of_layer(top: Path, book: Rulebook) -> GatesHere | None:
    """The gates of a clone; None for the personal rulebook, whose rules act at the gates of other repositories."""
    return None if rulebook_files.is_personal(top) else gates_here(top, book)


def _git_hook(top: Path, book: Rulebook, hook: HookFile, foreign: str, started: Unstarted) -> Gate:
    """Whether git runs that hook, the hook rulec, and rulec starts."""
    name, title = hook.name, f"git hook {hook.name}"
    own = hook_scripts.are_hooks_left(top, list(hook_scripts.RUNS))
    cure, fix = (HOOK, "hook") if own or "pre-commit" not in book.config.emitters else (INIT, "init")
    gate = Gate(name=name, title=title, by=hook.whose, wanted=own or "pre-commit" in book.config.emitters)
    if foreign and not hook.place.parent.is_dir() and hook.place.parent.exists():
        return replace(gate, lacks=f"core.hooksPath is {foreign}, so no hook runs", cure=_unset_hooks_path(top))
    if not hook.whose:
        lacks = f"no {name} hook" + f" in {foreign} (core.hooksPath)" * bool(foreign)
        if not foreign and hook.place.parent.is_dir() and not os.access(hook.place.parent, os.W_OK):
            folder = hook.place.parent
            return replace(gate, lacks=f"{lacks}, and {folder} is read-only", cure=f"chmod u+w {folder}")
        cure, fix = (_by_hand(top, hook, foreign), "") if foreign else (cure, fix)
        return replace(gate, lacks=lacks, cure=cure, fix=fix)
    if not hook.runs:
        fix = "chmod" * (hook.whose in ("rulec", *hook_scripts.FRAMEWORKS))
        lacks = f"{title} is not executable, so git ignores it"
        return replace(gate, lacks=lacks, cure=f"chmod +x {hook.place}", fix=fix)
    if hook_trials.is_as_written(top, hook):
        why = started.why + f", so {_REFUSED[name]} is refused" * (bool(started.why) and started.refuses)
        return replace(gate, by="", lacks=why, cure=INIT * bool(why), fix="init" * bool(why))
    if hook.whose in hook_scripts.FRAMEWORKS:
        mend = (cure, fix)
        if lacking := _unset_in_framework(top, replace(gate, cure=cure, fix=fix)):
            return lacking
    else:
        mend = (_by_hand(top, hook, foreign), "") if foreign else (cure, fix)
    return _as_tried(top, hook, gate, foreign, mend)


def _as_tried(top: Path, hook: HookFile, gate: Gate, foreign: str, mend: tuple[str, str]) -> Gate:
    """A hook that others wrote does what it did when it was tried; one that never names rulec is not tried."""
    by = hook_scripts.who_speaks_of_rulec(top, hook)
    if not by:
        where = f"{foreign}/{gate.name}" if foreign else gate.title
        return replace(gate, lacks=f"{where} does not run rulec", cure=mend[0], fix=mend[1])
    gate = replace(gate, by="" if by == "rulec" else by)
    tried = hook_trials.past_trial(top, hook)
    if tried == hook_trials.UNTRIED:
        return replace(gate, lacks=f"{gate.title} is {_theirs(by)}; {tried.lacks}", cure=TRY, word=UNKNOWN)
    if not tried.known:
        return replace(gate, lacks=tried.lacks, cure=f"mend that, then {TRY}", word=UNKNOWN)
    if tried.lacks and hook_trials.DROPS_ANSWER in tried.lacks:
        return replace(gate, lacks=tried.lacks, cure="see that it ends as rulec does there")
    return replace(gate, lacks=tried.lacks, cure=mend[0] * bool(tried.lacks), fix=mend[1] * bool(tried.lacks))


def _theirs(by: str) -> str:
    return "somebody's" if by == "a hook" else "changed" if by == "rulec" else f"run by {by}"


def _by_hand(top: Path, hook: HookFile, foreign: str) -> str:
    """What to write where, so that a hook in somebody else's folder runs rulec; husky's own scripts stand above."""
    above = hook.place.parent.name == "_"
    place = hook.place.parent.parent / hook.name if above else hook.place
    shared = not place.is_relative_to(top)
    line = hook_scripts.line_for_hook(hook.name, shared=shared)
    if not foreign:
        return f"add: {line}"
    named = place if shared else place.relative_to(top)
    return f"add to {named}: {line}" if above or place.is_file() else f"write {named}, executable: {line}"


def _unset_in_framework(top: Path, gate: Gate) -> Gate | None:
    """What keeps pre-commit or prek from running rulec at that hook by what their files say; None where nothing."""
    script = text_files.read_start(git_session.hooks_dir(top), gate.name)
    program = _STARTED_BY.search(script)
    if program and not (Path(program[1]).is_file() or shutil.which(gate.by)):
        lacks = f"{gate.title} starts {program[1]}, which is gone"
        return replace(gate, lacks=lacks, cure=f"run {gate.by} install", fix="")
    try:
        entry = pre_commit.rulec_hook(text_files.read_start(top, pre_commit.PATH), gate.name)
    except RulecError as error:
        return replace(gate, lacks=f"{pre_commit.PATH} {error.message}", cure=f"{error.where}: {error.hint}", fix="")
    if entry is None:
        lacks = f"{pre_commit.PATH} has no hook of rulec for {gate.name}"
        return replace(gate, lacks=lacks, cure=COMPILE, fix="compile")
    return None


def _unset_hooks_path(top: Path) -> str:
    scope = git_session.run_git(top, "config", "--show-scope", "--get", "core.hooksPath").text.partition("\t")[0]
    flag = f"--{scope} " if scope in ("global", "system", "worktree") else ""
    return f"git config {flag}--unset core.hooksPath"


def _agent(top: Path, emitter: Integration, probe: HookProbe, text: str, started: Unstarted) -> Gate:
    """Whether an agent's settings call rulec at each moment and are not switched off, and rulec starts."""
    gate = Gate(name=emitter.agent, title=probe.title, cure=COMPILE, fix="compile")
    path = emitter.files[0]
    if not text:
        return replace(gate, lacks=f"{path} is missing")
    if broken := probe.broken(text):
        return replace(gate, lacks=f"{path} {broken}", cure=f"mend {path}", fix="")
    if off := unhooked_session.settings_that_turn_hooks_off(top, emitter.agent):
        cure = f"remove that line from {off}"
        return replace(gate, lacks=f"{off} turns {probe.title}'s hooks off", cure=cure, fix="")
    called = {shot.event: hook_events.registered_command(probe, text, shot) for shot in probe.shots}
    if not any(called.values()):
        if any(OURS.search(line) for lines in probe.lines(text).values() for line in lines):
            why = f"{path} calls rulec by lines that this version does not write, so nobody tried them"
            return replace(gate, lacks=why, word=UNKNOWN)
        return replace(gate, lacks=f"{path} does not call rulec")
    asked = next((shot for shot in probe.shots if shot.moment == BEFORE_TOOL), probe.shots[0])
    if started.why and not (called[asked.event] and hook_events.refuses_bypass(top, probe, called[asked.event], asked)):
        why = started.why + ", so each tool call is denied" * (started.denies and bool(called[asked.event]))
        return replace(gate, lacks=why, cure=INIT, fix="init")
    gate = replace(gate, turns=any(called[shot.event] for shot in probe.shots if shot.moment == TURN_END))
    if not called[asked.event]:
        return replace(gate, lacks=f"{path} does not call rulec at {asked.event}")
    if left_out := [one for one in probe.left_out(text) if one.event == asked.event]:
        return replace(gate, lacks=f"{path} {left_out[0].said}", word=PARTLY)
    return _as_called(top, replace(gate, cure="", fix=""), path, probe.trust)


def _as_called(top: Path, gate: Gate, path: str, trust: str) -> Gate:
    """An agent whose settings are in order acts, unless it works here without calling its hook."""
    gate = replace(gate, called=unhooked_session.has_called(top, gate.name))
    agent = find_agent(gate.name)
    why = unhooked_session.why_not_called(top, agent) if agent else ""
    if not why:
        return gate
    cure = trust or f"begin a new session in {top}: in a subfolder it does not load {path}"
    return replace(gate, lacks=why, cure=cure, word=PARTLY if gate.called else NOT, turns=gate.turns and gate.called)


def _ci(top: Path, emitter: Integration, texts: Mapping[str, str], install: str) -> Gate:
    """Whether the committed workflow checks changes, by what stands in it."""
    path = emitter.files[0]
    gate = Gate(name=emitter.name, title=path, cure=COMPILE, fix="compile")
    if path not in texts:
        return replace(gate, lacks=f"{path} is missing")
    head = git_session.head_commit(top)
    committed = git_contents.files_at_commit(top, head, *emitter.files) if head else {}
    if path not in committed:
        return replace(gate, lacks=f"{path} is in no commit yet", cure=f"commit {path}", fix="")
    if NOT_SAID in "".join(committed.values()):
        lacks = f"{path} has no rulec to install"
        if install and NOT_SAID not in "".join(texts.values()):
            return replace(gate, lacks=f"{lacks} in HEAD", cure=f"commit {path}", fix="")
        return replace(gate, lacks=lacks) if install else replace(gate, lacks=lacks, cure=INIT, fix="init")
    if why := ci_runs.why_nothing_is_checked(emitter.name, committed, path):
        written = {one: text for one, text in texts.items() if one in emitter.files}
        mended = written != committed and not ci_runs.why_nothing_is_checked(emitter.name, written, path)
        if mended:
            return replace(gate, lacks=f"{path} of HEAD {why}", cure=f"commit {path} as it is now", fix="")
        return replace(gate, lacks=f"{path} {why}")
    return replace(gate, cure="", fix="")
