"""What doctor sees at the hooks of each agent: a known-bad event is refused there, a known-good one is not."""

from collections.abc import Iterator
from pathlib import Path

from rulec.commands import _build, _doctor_fire, _doctor_traces
from rulec.commands._doctor_fire import BAD, FILE, GOOD, HARMLESS, Answer, fire, registered
from rulec.commands._judge import facts_of
from rulec.commands._sign import Sign
from rulec.commands.snapshot import records
from rulec.host import scratch
from rulec.model.rulebook import Rulebook
from rulec.ports import Emitter, Probe, Shot
from rulec.runtime import projects
from rulec.stages.rank import rank

BYPASS = "git commit --no-verify -m x"  # the gate guards itself, whatever the rules are
_COMPILE = "run rulec compile"


def signs(top: Path, book: Rulebook) -> Iterator[Sign]:
    """Every event of every agent whose hooks the team's settings name."""
    bad = _forbidden(top, book)
    with _doctor_traces.untouched(top):
        for emitter in _build.emitters(book):
            if emitter.probe is not None:
                yield from _of_agent(top, emitter, emitter.probe, bad)


def _of_agent(top: Path, emitter: Emitter, probe: Probe, bad: str) -> Iterator[Sign]:
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


def _asked(top: Path, probe: Probe, command: str, shot: Shot, bad: str) -> Sign:
    refused = fire(top, probe, command, shot, command=bad) if bad else None
    passed = fire(top, probe, command, shot, command=HARMLESS)
    return _pair(probe, shot, (repr(bad), refused), (repr(HARMLESS), passed))


def _files(top: Path, probe: Probe, command: str, shot: Shot) -> Sign:
    """An edit, or the end of a turn, with a file that is bad, and with one that is not."""
    what = "a bad edit" if shot.moment == "done" else "a turn that leaves a bad file"
    with _doctor_fire.repository(top) as folder:
        answers = []
        for text in (GOOD, BAD):
            scratch.put(folder, {FILE: f"{text}\n"})
            answers.append(fire(folder, probe, command, shot, path=str(folder / FILE), text=f"{text}\n"))
    return _pair(probe, shot, (what, answers[1]), ("a good one", answers[0]))


def _pair(probe: Probe, shot: Shot, bad: tuple[str, Answer | None], good: tuple[str, Answer]) -> Sign:
    told = []
    cure = ""
    for word, (what, answer) in (("is refused", bad), ("passes", good)):
        if answer is None:
            continue
        told.append(f"{what} {word} ({answer.milliseconds:.0f} ms)")
        if word == "passes" and not answer.silent:
            cure = cure or f"{what} was answered with {answer.said!r}: {_COMPILE}"
        elif word == "is refused" and not answer.refused:
            cure = f"it was not: {_COMPILE}"
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


def _forbidden(top: Path, book: Rulebook) -> str:
    """A command that some rule forbids here to every agent, else one that goes around the gate; "" without a gate."""
    artifacts = [one for one in _build.checks(book, top) if "/guard/" in one.path]
    facts = facts_of(artifacts)
    of_commands = {one.slug for one in artifacts if '"on": "command"' in (one.text or "")}
    for rule in book.rules:
        bounded = rule.scope.agents or rule.scope.environments or rule.scope.projects
        if rule.slug in of_commands and not bounded and facts[rule.slug].enforcement == "block":
            forbidden = next((one.text for one in rule.invalid if one.kind == "command"), "")
            if forbidden:
                return forbidden
    return BYPASS if artifacts else ""
