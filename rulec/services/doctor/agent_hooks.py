"""Tests each agent's hooks with events: bad ones must be refused, good ones must pass."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec.checkout import personal_scope
from rulec.checkout.rules_layout import KINDS
from rulec.compiling import bundle
from rulec.compiling.artifacts import compile_checks
from rulec.domain.artifact import COMPILED_FOLDER
from rulec.domain.enforcement import refuses
from rulec.domain.plugs import HookProbe, HookShot, Integration
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.reminders import selection
from rulec.rulebook.rulebook import Rulebook
from rulec.services import hook_events
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.gates_here import GatesHere
from rulec.services.hook_events import BAD, BYPASS, FILE, GOOD, HARMLESS, HookAnswer, fire_event, registered_command
from rulec.services.setup.snapshot import rule_records

_COMPILE = "run rulec compile"
_HELD = tuple(f"{COMPILED_FOLDER}/{kind}/" for kind in ("guard", *KINDS))  # without any of these there is no gate yet


def examine_agent_hooks(top: Path, book: Rulebook, here: GatesHere) -> Iterator[Diagnosis]:
    """Test every event of each agent whose hooks are in the settings."""
    bad = _forbidden(top, book)
    with hook_events.without_traces(top):
        for emitter in bundle.wanted_integrations(book):
            if emitter.probe and not here.agents[emitter.agent].lacks:  # what would not be called is not fired
                yield from _of_agent(top, emitter, emitter.probe, bad)


def _of_agent(top: Path, emitter: Integration, probe: HookProbe, bad: Sequence[str]) -> Iterator[Diagnosis]:
    text = hook_events.settings_text(top, emitter)
    for narrowed in probe.left_out(text):
        yield Diagnosis(f"{emitter.files[0]} {narrowed.said}", _COMPILE, "compile")
    for shot, command in ((shot, registered_command(probe, text, shot)) for shot in probe.shots):
        if not command:
            yield Diagnosis(f"{emitter.files[0]} does not call rulec at {shot.event}", _COMPILE, "compile")
        elif shot.moment == "ask":
            yield _asked(top, probe, command, shot, bad)
        elif shot.moment == "start":
            yield _start(top, emitter.agent, probe, command, shot)
        elif shot.moment == "prompt":
            yield _message(top, probe, command, shot)
        else:
            yield _files(probe, command, shot)


def _asked(top: Path, probe: HookProbe, command: str, shot: HookShot, bad: Sequence[str]) -> Diagnosis:
    refused = [(repr(line), fire_event(top, probe, command, shot, command=line)) for line in bad]
    passed = fire_event(top, probe, command, shot, command=HARMLESS)
    return _told(probe, shot, refused, (repr(HARMLESS), passed))


def _files(probe: HookProbe, command: str, shot: HookShot) -> Diagnosis:
    """An edit, or the end of a turn, with a bad and with a good file."""
    what = "a bad edit" if shot.moment == "done" else "a turn that leaves a bad file"
    with hook_events.probe_repository() as scratch:
        answers = []
        for text in (GOOD, BAD):
            scratch.write({FILE: f"{text}\n"})
            path = str(scratch.top / FILE)
            answers.append(fire_event(scratch.top, probe, command, shot, path=path, text=f"{text}\n"))
    if shot.moment == "stop":  # no call is known to have written it, so the turn is not held for it
        bad = answers[1]
        told = bool(bad.out.strip() or bad.err.strip() or bad.code)  # some agents are told on stderr
        cure = "" if told and answers[0].silent else f"it was not: {_COMPILE}"
        said = f"{probe.title} {shot.event}: {what} is told ({answers[1].milliseconds:.0f} ms)"
        return Diagnosis(said, cure, "compile" if cure else "")
    return _told(probe, shot, [(what, answers[1])], ("a good one", answers[0]))


def _told(
    probe: HookProbe, shot: HookShot, bad: Sequence[tuple[str, HookAnswer]], good: tuple[str, HookAnswer]
) -> Diagnosis:
    """One finding for the bad events and the good one of a hook; the worst result counts."""
    words = {True: "is refused", False: "should be refused"}
    told = [f"{what} {words[answer.refused]} ({answer.milliseconds:.0f} ms)" for what, answer in bad]
    told += [] if bad else ["nothing bad was fired, for no rule has a check yet"]
    what, passed = good
    told.append(f"{what} passes ({passed.milliseconds:.0f} ms)")
    cure = "" if all(answer.refused for _, answer in bad) else f"it was not: {_COMPILE}"
    if not passed.silent:
        cure = cure or f"{what} was answered with {passed.said!r}: {_COMPILE}"
    return Diagnosis(f"{probe.title} {shot.event}: {', '.join(told)}", cure, "compile" if cure else "")


def _message(top: Path, probe: HookProbe, command: str, shot: HookShot) -> Diagnosis:
    """Whether a person's message passes, whatever the hook adds to it."""
    answer = fire_event(top, probe, command, shot, text=HARMLESS)
    cure = f"it answered {answer.said!r}: {_COMPILE}" if answer.code else ""
    what = f"{probe.title} {shot.event}: a message passes ({answer.milliseconds:.0f} ms)"
    return Diagnosis(what, cure, "compile" if cure else "")


def _start(top: Path, agent: str, probe: HookProbe, command: str, shot: HookShot) -> Diagnosis:
    """Whether a session starts with the rules in force."""
    answer = fire_event(top, probe, command, shot)
    asked = selection.Audience(agent=agent, projects=personal_scope.repository_names(str(top)))
    wanted = selection.rank_rules(rule_records(top), asked)
    told = [rule["slug"] for rule in wanted.rules if f"(`{rule['slug']}`" in answer.out]
    fine = answer.code == 0 and bool(told) == bool(wanted.lines)
    cure = "" if fine else f"it should with {len(wanted.lines)}: {_COMPILE}"
    rules = f"{len(told)} rule{'s' * (len(told) != 1)}"
    what = f"{probe.title} {shot.event}: a session starts with {rules} ({answer.milliseconds:.0f} ms)"
    return Diagnosis(what, cure, "compile" if cure else "")


def _forbidden(top: Path, book: Rulebook) -> list[str]:
    """A command that bypasses the gate, and one that a rule forbids; none where there is no gate."""
    artifacts = [one for one in compile_checks(book, top) if one.path.startswith(_HELD)]
    facts = facts_by_slug(artifacts)
    of_commands = {one.slug for one in artifacts if '"on": "command"' in (one.text or "")}
    for rule in book.rules:
        bounded = rule.scope.agents or rule.scope.environments or rule.scope.projects
        if rule.slug in of_commands and not bounded and refuses(facts[rule.slug].enforcement):
            forbidden = next((one.text for one in rule.invalid if one.kind == "command"), "")
            if forbidden:
                return [BYPASS, forbidden]
    return [BYPASS] if artifacts else []
