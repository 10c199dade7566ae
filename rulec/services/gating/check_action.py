"""rulec check --command and --path: what every rule would say of an action, of which nothing is done."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.agents.protocol.agent_spec import BEFORE_TOOL, HookRequest, ToolAction, all_agents
from rulec.checkout.worktree import Worktree, personal_rulebook
from rulec.domain.artifact import Artifact, RuleFacts, compiled_checks, protects_paths, slug_of_artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.compiled_rule import EventFinding
from rulec.domain.enforcement import refuses
from rulec.domain.finding import OUTCOMES, Verdict
from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.gates import trusted_checks
from rulec.gates.findings.verdicts import facts_by_slug, message_checks
from rulec.gates.gate import GateRun
from rulec.gates.pushed_branches import gates_of_checks
from rulec.gates.trusted_checks import TrustedChecks
from rulec.hook import outcomes
from rulec.hook.compiled_rules import CompiledRules, LayeredRules
from rulec.hook.tool_call import event_of, judge_action
from rulec.infra.rulebooks import rulebook_files
from rulec.reminders.rule_text import one_line
from rulec.services.setup.snapshot import NONE, path_within

TOOL_CALL, MESSAGE, COMMIT, PUSH, CI = "tool call", "commit message", "commit", "push", "CI"
OF_KIND = {  # where a check of a file acts, by the folder of its artifact
    "guard": (COMMIT, CI),
    "semgrep": ("after the edit", "end of the turn", COMMIT, CI),
    "shell": ("end of the turn", COMMIT, CI),
}
DOES = {
    "block": "refuses", "warn": "warns", "audit": "only notes it", "excepted": "is excepted",
    "lost": "gives way to another rule", "fault": "breaks", "old": "found it there before",
}  # fmt: skip
ORDER = (*OUTCOMES, "lost", "fault")


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleAnswer:
    """What one rule says of an action, and at which gates."""

    slug: str
    outcome: str
    gates: tuple[str, ...]
    seen: str
    instead: str = ""

    @property
    def line(self) -> str:
        """The answer in one line."""
        instead = f"; instead: {self.instead}" if self.instead else ""
        return f"{self.slug} {DOES[self.outcome]} ({', '.join(self.gates)}): {self.seen}{instead}"


def check_command(top: Path, here: Path, command: str, agent: str) -> Outcome:
    """What rules have against a command that an agent would run in a folder; it is read, and not run."""
    artifacts = _checks(top)
    found = _at_tool_call(top, here, ToolAction(kind="command", command=command), _known_agent(agent))
    return _outcome([_of_command(one, artifacts) for one in found], artifacts)


def check_path(top: Path, here: Path, path: str, content: str | None, agent: str) -> Outcome:
    """What rules have against a file with this content; without one, against each line that it has now."""
    artifacts, inside = _checks(top), path_within(top, here, path)
    if not inside or inside.endswith("/"):
        raise RulecError("is a folder", where=path, hint="name one file")
    text = (Worktree(str(top)).read(inside) or "") if content is None else content
    action = ToolAction(kind="write", path=str(top / inside), new=text, content=text)
    calls = _at_tool_call(top, here, action, _known_agent(agent), whole=content is None)
    if content is None and (top / inside).is_file():  # any edit at all, which protected paths mind
        edited = action.but(new=f"{text}\n", content=f"{text}\n")
        known = {found.slug for found in calls}
        others = _at_tool_call(top, here, edited, agent, whole=True)
        calls += [one for one in others if one.slug not in known and _is_protecting(one.slug, artifacts)]
    answers = [_of_edit(one, artifacts) for one in calls]
    return _outcome([*answers, *_of_content(top, inside, text)], artifacts)


def _checks(top: Path) -> list[Artifact]:
    if not rulebook_files.has_rulebook(top):
        raise RulecError(NONE, where=str(top))
    return compiled_checks(rulebook_files.compiled_in_work_tree(top))


def _known_agent(name: str) -> str:
    names = [one.name for one in all_agents()]
    if name not in names:
        raise RulecError(f"no agent {name!r}", where="--agent", hint=f"known are {', '.join(names)}")
    return name


def _at_tool_call(top: Path, here: Path, action: ToolAction, agent: str, *, whole: bool = False) -> list[EventFinding]:
    """The findings of the hook before a tool runs; ``whole``: each line counts as new."""
    rules, world = CompiledRules(str(top)), Worktree(str(top))
    request = HookRequest(BEFORE_TOOL)
    request.cwd, request.actions = str(here), [action]
    rules.load()
    home = personal_rulebook(str(top))
    event = event_of(action, world, os.fspath(here)).but(agent=agent, environment="local")
    if whole:
        event.old = ""
    found = judge_action(event, request, LayeredRules(rules, home) if home else rules)
    outcomes.mark_excepted(found, world, event)
    return found


def _answer(found: EventFinding, gates: Sequence[str]) -> RuleAnswer:
    unsure = found.unsure
    doubt = f"perhaps ({unsure}): " if isinstance(unsure, str) and unsure else "perhaps: " if unsure else ""
    place = f"{found.path}:{found.line}: " if found.line else ""
    outcome = outcomes.outcome_of(found)
    told = found.overruled_by if outcome == outcomes.LOST else ""
    return RuleAnswer(
        slug=found.slug,
        outcome=outcome,
        gates=tuple(gates),
        seen=one_line(told or doubt + place + (found.fault or found.text)),
        instead=one_line(found.cure or found.facts.do),
    )


def _of_command(found: EventFinding, artifacts: Sequence[Artifact]) -> RuleAnswer:
    """A finding on a command: the hook saw it, and so do the gates of git that judge the same thing."""
    own = [one for one in artifacts if slug_of_artifact(one.path) == found.slug]
    acting = gates_of_checks(own)
    gates = [TOOL_CALL]
    if "push" in acting:
        gates.append(PUSH)
    if own and own == message_checks(own):  # of the message in the command
        gates += [MESSAGE, CI]
    elif found.path and "commit" in acting:  # of a file that the commit would take along
        gates += [COMMIT, CI]
    return _answer(found, gates)


def _of_edit(found: EventFinding, artifacts: Sequence[Artifact]) -> RuleAnswer:
    """A finding on an edit: a protected file is looked for at the commit, too, by whoever it was changed."""
    at_commit = _is_protecting(found.slug, artifacts) and not found.facts.scope.who
    return _answer(found, [TOOL_CALL, *((COMMIT, CI) if at_commit else ())])


def _is_protecting(slug: str, artifacts: Sequence[Artifact]) -> bool:
    return any(protects_paths(one) for one in artifacts if slug_of_artifact(one.path) == slug)


def _of_content(top: Path, path: str, text: str) -> Iterator[RuleAnswer]:
    """What the checks of the commit find in a file with this content."""
    texts = trusted_checks.texts_in_work_tree(top)
    trusted = TrustedChecks(texts, trusted_checks.needs_of_checks(top, texts))
    file = FileChange(path=path, content=text.encode("utf-8", "surrogateescape"))
    outcome = GateRun(form="text", whole=False, at_hand=top).judge(trusted, Change(files=(file,), environment="local"))
    kinds = {slug_of_artifact(one.path): one.kind for one in trusted.artifacts()}
    for verdict in outcome.data[0]:
        yield _of_verdict(verdict, OF_KIND.get(kinds.get(verdict.facts.slug, ""), (COMMIT, CI)))


def _of_verdict(verdict: Verdict, gates: tuple[str, ...]) -> RuleAnswer:
    found, facts = verdict.finding, verdict.facts
    if verdict.fault or not found:
        return RuleAnswer(
            slug=facts.slug, outcome="fault", gates=gates, seen=one_line(verdict.fault.what if verdict.fault else "")
        )
    place = f"{found.path}:{found.line}: " if found.line else f"{found.path}: " * (found.path not in found.text)
    return RuleAnswer(
        slug=facts.slug,
        outcome=verdict.outcome,
        gates=tuple(gate for gate in gates if not facts.scope.who or gate not in (COMMIT, CI)),
        seen=one_line(place + found.text),
        instead=one_line(found.cure or facts.do),
    )


def _merged(answers: Iterable[RuleAnswer]) -> list[RuleAnswer]:
    """One answer a rule, the gravest, with the gates of all."""
    found: dict[str, RuleAnswer] = {}
    gates: dict[str, dict[str, None]] = {}
    for one in answers:
        gates.setdefault(one.slug, {}).update(dict.fromkeys(one.gates))
        known = found.setdefault(one.slug, one)
        if ORDER.index(one.outcome) < ORDER.index(known.outcome):
            found[one.slug] = one
    told = [
        RuleAnswer(slug=one.slug, outcome=one.outcome, gates=tuple(gates[one.slug]), seen=one.seen, instead=one.instead)
        for one in found.values()
    ]
    return sorted(told, key=lambda one: (ORDER.index(one.outcome), one.slug))


def _outcome(answers: Iterable[RuleAnswer], artifacts: Sequence[Artifact]) -> Outcome:
    told = _merged(answers)
    known: dict[str, RuleFacts] = facts_by_slug(artifacts)
    silent = len({*known} - {one.slug for one in told})
    rows = [
        {"slug": one.slug, "outcome": one.outcome, "gates": list(one.gates), "seen": one.seen, "instead": one.instead}
        for one in told
    ]
    code = FINDINGS if any(refuses(one.outcome) for one in told) else CLEAN
    return Outcome(_told([one.line for one in told], silent), code, {"rules": rows, "silent": silent})


def _told(lines: Sequence[str], silent: int) -> str:
    """What rules say, a line each, and how many of the repository's rules say nothing."""
    other = "other " if lines else ""
    return "\n".join([*lines, f"{silent} {other}{'rule says' if silent == 1 else 'rules say'} nothing"])
