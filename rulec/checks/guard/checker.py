"""guard: what an agent is about to do, decided in-process by what its hooks run, too."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rulec.checkout.rules_layout import LAUNCHER
from rulec.checks.guard.guard_schema import bind_flags, complaint_about, require_bounded_patterns
from rulec.checks.guard.session_events import event_of_change, events_in_order
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts, facts_data, facts_from_data, generated_notice
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.guard import rule_words
from rulec.guard.decision import decide


def reach(artifact: Artifact) -> FileReach:
    """The files that the check speaks of."""
    rule = json.loads(artifact.text or "")
    check = rule["check"]
    if check["on"] == "dependency":
        from rulec.guard import manifests  # noqa: PLC0415 - only where a rule is of dependencies

        return FileReach(tuple(manifests.FILES))
    named = check.get("globs") if check["on"] in ("text", "path") else ()
    return FileReach(tuple(named or facts_from_data(rule["facts"]).scope.include))


def build(step: PlannedCheck, body: str) -> str:
    """The artifact around the body that the template rendered; RulecError where the body is no guard check."""
    where = f"{step.place}: template {step.template}"
    try:
        check = json.loads(body)
    except ValueError as error:
        raise RulecError(f"the guard check is no JSON: {error}", where=where, hint="mend the template") from None
    bind_flags(check)
    complaint = complaint_about(check)
    if complaint:
        raise RulecError(complaint, where=where, hint="mend the template or the rule's parameters")
    require_bounded_patterns(check, where)
    artifact = {
        "generated": generated_notice(step.facts),
        "about": describe_check(step.facts, check),
        "facts": facts_data(step.facts),
        "check": check,
    }
    return json.dumps(artifact, indent=2, ensure_ascii=False, sort_keys=True) + "\n"


def facts(text: str) -> RuleFacts:
    """The facts of an artifact's rule; RulecError where it is damaged."""
    try:
        return facts_from_data(json.loads(text)["facts"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RulecError(f"a guard artifact is damaged: {error}", hint="run `rulec compile`") from None


def no_jobs(_: Sequence[Artifact], __: Change) -> Sequence[Job]:
    """Guards need no process."""
    return ()


def findings(artifacts: Sequence[Artifact], change: Change, _: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """What the rules see in the actions; where there are none, in the files as if they were being written."""
    rules = [rule for artifact in artifacts for rule in _loaded(artifact)]
    yield from (rule for rule in rules if isinstance(rule, Fault))
    usable = [rule for rule in rules if not isinstance(rule, Fault)]
    events = events_in_order(change) or [
        event | {"environment": change.environment} for file in change.files for event in _events_of_file(file)
    ]
    if change.whole and any(rule["check"]["on"] == "change" for rule in usable):
        events = [*events, event_of_change(change)]
    commit = change.message is not None and change.whole  # which files were written first nobody knows of a commit
    unordered = [rule for rule in usable if rule["check"]["on"] != "session"] if commit else usable
    filed = rule_words.file_rules(map(rule_words.words_of_rule, unordered))
    for event in events:
        asked = rule_words.find_rules(filed, rule_words.words_of_event(event))
        for found in decide([unordered[at] for at in asked], event):
            if found["fault"]:
                yield Fault(slug=found["slug"], what=found["fault"])
            elif not found["unsure"]:
                keys = ("slug", "path", "line", "text", "cure")
                yield Finding(**{key: found[key] for key in keys})


@lru_cache(maxsize=1_000)
def _loaded(artifact: Artifact) -> list[dict[str, Any] | Fault]:
    try:
        rule = json.loads(artifact.text or "")
        complaint = complaint_about(rule["check"]) or ("" if rule["facts"]["slug"] else "it has no slug")
    except (ValueError, KeyError, TypeError) as error:
        complaint = f"{type(error).__name__}: {error}"
    if complaint:
        return [Fault(slug=artifact.slug, what=f"{artifact.path}: {complaint}; run `rulec compile`")]
    return [rule]


def _events_of_file(file: FileChange) -> Iterator[dict[str, Any]]:
    """The file as if it were being written or deleted; a renamed one is gone from where it stood."""
    if file.status == "R":
        yield _of_file(replace(file, path=file.old_path, status="D", content=None))
    yield _of_file(file)


def _of_file(file: FileChange) -> dict[str, Any]:
    content = None if file.content is None else file.content.decode("utf-8", "replace")
    return {
        "kind": "delete" if file.status == "D" else "write",
        "path": file.path,
        "old": (file.base or b"").decode("utf-8", "replace"),
        "new": content or "",
        "content": content,
        "exists": file.status not in ("A", "R"),
    }


PLUG = Checker(
    name="guard",
    suffix=".json",
    build=build,
    facts=facts,
    jobs=no_jobs,
    findings=findings,
    by_file=True,
    reach=reach,
)

_READER = "rulec reads it, in the agent's hook"
_ANSWERS = "it prints why the action is denied, or nothing where no rule minds"
_WHOLE = "no hook sees a whole change: `rulec check --staged` and `rulec check --base REF` judge it"


def describe_check(facts: RuleFacts, check: Mapping[str, Any]) -> list[str]:
    """The rule in a sentence, and one command that asks all rules here about an action of its kind."""
    said = f"a check of the rule {facts.slug}: {to_one_line(facts.statement)}"
    if check["on"] == "change":
        return [said, _WHOLE]
    if check["on"] == "reply":
        ends = {"hook_event_name": "Stop", "last_assistant_message": "TEXT", "transcript_path": "FILE"}
        return [said, _READER, f"run: echo '{json.dumps(ends)}' | sh {LAUNCHER} claude-code"]
    if check["on"] == "tool":
        event = {"hook_event_name": "PreToolUse", "tool_name": "TOOL", "tool_input": {}}
        run = f"echo '{json.dumps(event)}' | sh {LAUNCHER} claude-code"
        return [said, _READER, f"run: {run}", _ANSWERS]
    words = check["on"] in ("command", "session")
    given = {"command": "COMMAND"} if words else {"file_path": "PATH", "content": "TEXT"}
    event = {"hook_event_name": "PreToolUse", "tool_name": "Bash" if words else "Write", "tool_input": given}
    past = {"transcript_path": "FILE"} if check["on"] == "session" else {}
    run = f"echo '{json.dumps(event | past)}' | sh {LAUNCHER} claude-code"
    return [said, _READER, f"run: {run}", _ANSWERS]
