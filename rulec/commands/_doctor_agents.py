"""What doctor sees at the hooks of each agent: a known-bad event is refused there, a known-good one is not."""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from rulec.commands import _build, _doctor_fire, _doctor_traces
from rulec.commands._doctor_fire import BAD, FILE, GOOD, HARMLESS, Answer, fire, registered
from rulec.commands._sign import Sign
from rulec.commands._verdicts import facts_of
from rulec.commands.snapshot import records
from rulec.host import scratch, worktree
from rulec.model.artifact import COMPILED, HOOK, LAUNCHER
from rulec.model.rulebook import Rulebook
from rulec.ports import Emitter, Probe, Shot
from rulec.runtime import projects
from rulec.runtime.layout import KINDS
from rulec.stages.rank import rank

BYPASS = "git commit --no-verify -m x"  # the gate guards itself, whatever the rules are
_COMPILE = "run rulec compile"
_MEND = (_COMPILE, "compile")
_SHOWN = 2  # effects of one cause
_HELD = tuple(f"{COMPILED}/{kind}/" for kind in ("guard", *KINDS))  # without any of these there is no gate yet


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Every event of every agent whose hooks the team's settings name."""
    bad = _forbidden(top, book)
    with _doctor_traces.untouched(top):
        probed = [(emitter, emitter.probe) for emitter in _build.emitters(book) if emitter.probe]
        every = chain.from_iterable(_of_agent(top, emitter, probe, bad) for emitter, probe in probed)
        yield from _folded(every) if _broken(top, book) else every


def _broken(top: Path, book: Rulebook) -> bool:
    """Whether what every hook runs is not what rulec writes, which is told as stale before."""
    here = worktree.compiled_at_hand(top)
    wanted = [one for one in _build.shared(top, book) if one.path in (HOOK, LAUNCHER)]
    return not all(_build.same(here.get(one.path), one.text) for one in wanted)


def _folded(found: Iterator[Sign]) -> Iterator[Sign]:
    """One cause, and so a few of its effects."""
    rest = 0
    for sign in found:
        rest += bool(sign.cure)
        if not sign.cure or rest <= _SHOWN:
            yield sign
    if rest > _SHOWN:
        yield Sign(f"{rest - _SHOWN} more events at agents' hooks, while {HOOK} is stale", *_MEND)


def _of_agent(top: Path, emitter: Emitter, probe: Probe, bad: Sequence[str]) -> Iterator[Sign]:
    named = [(shot, registered(top, emitter, shot)) for shot in probe.shots]
    if not any(command for _, command in named):
        yield Sign(f"{emitter.files[0]} does not call rulec", _COMPILE, "compile")
        return
    for shot, command in named:
        if not command:
            yield Sign(f"{emitter.files[0]} does not call rulec at {shot.event}", _COMPILE, "compile")
        elif shot.moment == "ask":
            yield _asked(top, probe, command, shot, bad)
        elif shot.moment == "start":
            yield _start(top, emitter.agent, probe, command, shot)
        elif shot.moment == "prompt":
            yield _message(top, probe, command, shot)
        else:
            yield _files(top, probe, command, shot)


def _asked(top: Path, probe: Probe, command: str, shot: Shot, bad: Sequence[str]) -> Sign:
    refused = [(repr(line), fire(top, probe, command, shot, command=line)) for line in bad]
    passed = fire(top, probe, command, shot, command=HARMLESS)
    return _told(probe, shot, refused, (repr(HARMLESS), passed))


def _files(top: Path, probe: Probe, command: str, shot: Shot) -> Sign:
    """An edit, or the end of a turn, with a file that is bad, and with one that is not."""
    what = "a bad edit" if shot.moment == "done" else "a turn that leaves a bad file"
    with _doctor_fire.repository(top) as folder:
        answers = []
        for text in (GOOD, BAD):
            scratch.put(folder, {FILE: f"{text}\n"})
            answers.append(fire(folder, probe, command, shot, path=str(folder / FILE), text=f"{text}\n"))
    return _told(probe, shot, [(what, answers[1])], ("a good one", answers[0]))


def _told(probe: Probe, shot: Shot, bad: Sequence[tuple[str, Answer]], good: tuple[str, Answer]) -> Sign:
    """What became of the bad events and of the good one; the worst of it is to be mended."""
    words = {True: "is refused", False: "should be refused"}
    told = [f"{what} {words[answer.refused]} ({answer.milliseconds:.0f} ms)" for what, answer in bad]
    told += [] if bad else ["nothing bad was fired, for no rule has a check yet"]
    what, passed = good
    told.append(f"{what} passes ({passed.milliseconds:.0f} ms)")
    cure = "" if all(answer.refused for _, answer in bad) else f"it was not: {_COMPILE}"
    if not passed.silent:
        cure = cure or f"{what} was answered with {passed.said!r}: {_COMPILE}"
    return Sign(f"{probe.title} {shot.event}: {', '.join(told)}", cure, "compile" if cure else "")


def _message(top: Path, probe: Probe, command: str, shot: Shot) -> Sign:
    """A message goes through, whatever the hook adds to it."""
    answer = fire(top, probe, command, shot, text=HARMLESS)
    cure = f"it answered {answer.said!r}: {_COMPILE}" if answer.code else ""
    what = f"{probe.title} {shot.event}: a message passes ({answer.milliseconds:.0f} ms)"
    return Sign(what, cure, "compile" if cure else "")


def _start(top: Path, agent: str, probe: Probe, command: str, shot: Shot) -> Sign:
    """Whether a session starts with the rules that hold."""
    answer = fire(top, probe, command, shot)
    wanted = rank(records(top), agent=agent, projects=projects.names(str(top)))
    told = [line.slug for line in wanted.lines if f"(`{line.slug}`" in answer.out]
    fine = answer.code == 0 and bool(told) == bool(wanted.lines)
    cure = "" if fine else f"it should with {len(wanted.lines)}: {_COMPILE}"
    what = f"{probe.title} {shot.event}: a session starts with {len(told)} rules ({answer.milliseconds:.0f} ms)"
    return Sign(what, cure, "compile" if cure else "")


def _forbidden(top: Path, book: Rulebook) -> list[str]:
    """What goes around the gate, and a command that some rule forbids here to every agent; nothing without a gate."""
    artifacts = [one for one in _build.checks(book, top) if one.path.startswith(_HELD)]
    facts = facts_of(artifacts)
    of_commands = {one.slug for one in artifacts if '"on": "command"' in (one.text or "")}
    for rule in book.rules:
        bounded = rule.scope.agents or rule.scope.environments or rule.scope.projects
        if rule.slug in of_commands and not bounded and facts[rule.slug].enforcement == "block":
            forbidden = next((one.text for one in rule.invalid if one.kind == "command"), "")
            if forbidden:
                return [BYPASS, forbidden]
    return [BYPASS] if artifacts else []
