"""What the files of this clone say of its gates, in doctor's words: git's hooks, agents' settings, CI, the launcher."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rulec.checkout.rules_layout import LAUNCHER, LAUNCHER_COPY
from rulec.compiling import bundle
from rulec.compiling.artifacts import compile_checks
from rulec.compiling.launcher import launcher
from rulec.infra import state, text_files
from rulec.infra.git import hook_scripts
from rulec.integrations.targets import pre_commit
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import gates_here, recorded_rulec
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.gates_here import Gate, GatesHere
from rulec.services.recorded_rulec import Unstarted


def examine_gates(top: Path, book: Rulebook, here: GatesHere) -> Iterator[Diagnosis]:
    """Every gate: installed, loadable and called, or what it lacks."""
    started = recorded_rulec.why_rulec_does_not_start(top, book.config)
    told = [gate for gate in here.hooks.values() if not (started.why and gate.lacks.startswith(started.why))]
    yield from _git_hooks(top, book, told)
    yield from _rulec_itself(top, book, here, started)
    unsourced = [gate for gate in here.ci.values() if gate.cure == gates_here.INIT]  # examine_ci says that in full
    for gate in (gate for gate in (*here.agents.values(), *here.ci.values()) if gate not in unsourced):
        if gate.lacks and not (started.why and gate.lacks.startswith(started.why)):
            yield Diagnosis(_named(gate), gate.cure, gate.fix)
    yield from (Diagnosis(f"{gate.title} runs rulec in CI") for gate in here.ci.values() if not gate.lacks)
    yield from _calls(book, here)
    yield from _source(top, book)


def _calls(book: Rulebook, here: GatesHere) -> Iterator[Diagnosis]:
    """Whether each agent that is set up has called its hook, as far as anybody knows."""
    for emitter in bundle.wanted_integrations(book):
        gate = here.agents.get(emitter.agent)
        if gate and not gate.lacks and emitter.probe:
            trust = f" ({emitter.probe.trust})" * bool(emitter.probe.trust)
            called = "has called its hook here" if gate.called else f"has not called its hook here yet{trust}"
            yield Diagnosis(f"{gate.title} {called}")


def _named(gate: Gate) -> str:
    return gate.lacks if gate.title in gate.lacks or "/" in gate.lacks else f"{gate.title}: {gate.lacks}"


def _git_hooks(top: Path, book: Rulebook, hooks: Sequence[Gate]) -> Iterator[Diagnosis]:
    """Each hook; in hooks of somebody else's, those that no rule needs may do without rulec."""
    if hooks and all(gate.lacks and not gate.wanted for gate in hooks):
        yield Diagnosis("git's hooks do not run rulec: commits are not checked here (rulec hook install)")
        return
    others = any(not gate.lacks and gate.by not in ("", *hook_scripts.FRAMEWORKS) for gate in hooks)
    needed = _needed(top, book) if others else set(hook_scripts.RUNS)
    same = {gate.lacks for gate in hooks}
    for gate in hooks[:1] if len(same) == 1 and "" not in same else hooks:
        if not gate.lacks:
            yield Diagnosis(f"{gate.title} runs rulec" + f", by {gate.by}" * bool(gate.by))
        elif gate.name in needed:
            what = gate.lacks if gate.name in gate.lacks or len(same) == 1 else f"{gate.title}: {gate.lacks}"
            missing = f"{gate.title} is missing"
            yield Diagnosis(missing if what == f"no {gate.name} hook" else what, gate.cure, gate.fix)
        elif gate.word != gates_here.NOT:
            yield Diagnosis(gate.lacks, gate.cure)
        elif gate.name == hook_scripts.PREPARE:
            what = f"{gate.title} does not run rulec, so no hook judges an agent's commit with --no-verify"
            yield Diagnosis(f"{what} ({gate.cure.removeprefix('run ')})")
        else:
            yield Diagnosis(f"{gate.title} does not run rulec, and no rule needs it")


def _needed(top: Path, book: Rulebook) -> set[str]:
    """The hooks at which some rule acts; the commit's always."""
    moments = gates_here.moments_of_checks(compile_checks(book, top))
    wanted = {gates_here.MESSAGES: hook_scripts.MESSAGE, gates_here.PUSHES: hook_scripts.PUSH}
    return {hook_scripts.COMMIT, *(hook for moment, hook in wanted.items() if moment in moments)}


def _rulec_itself(top: Path, book: Rulebook, here: GatesHere, started: Unstarted) -> Iterator[Diagnosis]:
    """The record, the launcher and its copy, and whether the rulec that runs here is the one that gates start."""
    cure = (gates_here.INIT, "hook")
    if started.why:
        ends = "commits and pushes are refused unjudged" if started.refuses else "what they judge passes"
        ends += ", and so are tool calls" * started.denies
        yield Diagnosis(f"git hooks and agents do not find rulec: {started.why}; {ends}", gates_here.INIT, "init")
        return
    finding = [who for who, gates in (("git hooks", here.hooks), ("agents", here.agents)) if _any_acts(gates)]
    if finding:
        yield Diagnosis(f"{finding[0]} find rulec")
    python, start = recorded_rulec.recorded(top)
    if start and not _is_same(Path(start), recorded_rulec.own_start()):
        what = f"the gates start the rulec of {Path(start).parents[1]}, not the one that runs here"
        yield Diagnosis(what, *cure)
    copy = state.state_dir_path(top) / LAUNCHER_COPY
    wanted = launcher(top, book.config).text or ""
    tree = text_files.read_existing(top, [LAUNCHER]).get(LAUNCHER)
    if python and not copy.is_file():
        yield Diagnosis(f"{copy} is gone, so agents start {LAUNCHER} of the work tree", *cure)
    elif copy.is_file() and not bundle.same_text(copy.read_text("utf-8", "replace"), wanted):
        yield Diagnosis(f"{copy} was written by another version of rulec, or for other settings", *cure)
    stale = tree is not None and not bundle.same_text(tree, wanted)
    if stale and copy.is_file() and not bundle.same_text(tree, copy.read_text("utf-8", "replace")):
        what = f"{LAUNCHER} differs from its copy in {copy.parent}, which is what runs"
        yield Diagnosis(what, gates_here.COMPILE, "compile")


def _any_acts(gates: Mapping[str, Gate]) -> bool:
    return any(not gate.lacks for gate in gates.values())


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _source(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether pre-commit takes rulec from where the settings say."""
    if "pre-commit" not in book.config.emitters:
        return
    text = text_files.read_existing(top, [pre_commit.PATH]).get(pre_commit.PATH, "")
    taken = pre_commit.installed_from(text)
    named = pre_commit.runs_rulec(text)
    if named and taken != book.config.install and (taken or _is_url(book.config.install)):
        what = f"{pre_commit.PATH} takes rulec from {taken or 'this machine'}"
        what += f", which differs from install: {book.config.install or 'nothing'} in {file_paths.CONFIG}"
        yield Diagnosis(what, gates_here.COMPILE, "compile")


def _is_url(install: str) -> bool:
    return "://" in install
