"""Rules and one action of an agent -> findings; pure, and the same in the hook, the gate and the proof."""

import re

from rulec.runtime import judges, paths
from rulec.runtime.events import FILES, finding_of, parsed, touched

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def decide(rules: "list[dict[str, Any]]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings of the rules on the event; a rule that cannot be applied gives a finding with a ``fault``."""
    found: "list[dict[str, Any]]" = []
    for rule in rules:
        try:
            for finding in _decided(rule, event):
                if finding not in found:
                    found.append(finding)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, re.error) as broken:
            slug = _slug(rule)
            found.append(finding_of(slug, fault=f"the check cannot be applied: {type(broken).__name__}: {broken}"))
    return found


def _slug(rule: object) -> str:
    facts = rule.get("facts") if isinstance(rule, dict) else None
    return str(facts.get("slug", "")) if isinstance(facts, dict) else ""


def holding(rule: "dict[str, Any]", event: "dict[str, Any]") -> "dict[str, Any] | None":
    """The rule as it holds for the event; None where it does not."""
    scope = rule["facts"].get("scope", {})
    for wanted, known in ((scope.get("agents"), "agent"), (scope.get("environments"), "environment")):
        if wanted and event.get(known) and event[known] not in wanted:
            return None
    if scope.get("who") and event.get("environment") and not event.get("agent"):
        return None  # it is for agents alone, and nobody knows one who did this
    if not rule["facts"].get("exceptions"):
        return rule
    from rulec.runtime import exempt  # noqa: PLC0415 (most rules have none, and pay for none)

    return exempt.narrowed(rule, event)


def _decided(held: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    rule = holding(held, event)
    if rule is None or (event["kind"] in FILES and _foreign(rule, event)):
        return []
    seen = rule["check"]["on"]
    if "change" in (seen, event["kind"]):
        from rulec.runtime import companions, copies  # noqa: PLC0415 (no hook judges a whole change, and none pays for it)

        judge_change = copies.on_change if rule["check"].get("copies") else companions.on_change
        return judge_change(rule, event) if seen == event["kind"] else []
    if seen in ("session", "reply", "tool", "dependency"):
        return _of_others(rule, event)
    if event["kind"] == "stop":
        return [finding for file in event.get("files", []) for finding in _decided(rule, {**event, **file})]
    if seen == "command":
        return judges.on_command(rule, event) if event["kind"] == "command" else []
    if seen not in ("path", "text"):
        raise ValueError(f"unknown check on {seen!r}")
    judge = judges.on_path if seen == "path" else judges.on_text
    if event["kind"] in FILES:
        return judge(rule, event)
    if event["kind"] == "command":
        return [found for own, file in _written(rule, event) for found in judge(own, file)] + _of_command(rule, event)
    return []


def _of_command(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what a command does beside writing files: it hands code to an interpreter, or makes folders."""
    check = rule["check"]
    if check.get("scripts"):
        from rulec.runtime import handed  # noqa: PLC0415 (few rules look at such code)

        return [found for code in handed.codes(event) for found in judges.on_text(rule, code)]
    if check["on"] != "path" or "create" not in (check.get("how") or ["create"]) or check.get("left"):
        return []
    if not any(call.program == "mkdir" for call in parsed(event).calls):
        return []
    return [found for folder in paths.made(event) for found in judges.on_path(rule, folder)]


def _of_others(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings of the kinds of check that most actions meet no rule of, and pay nothing for."""
    if rule["check"]["on"] == "session":
        from rulec.runtime import sessions  # noqa: PLC0415 (as said)

        return sessions.on_session(rule, event)
    if rule["check"]["on"] == "reply":
        from rulec.runtime import replies  # noqa: PLC0415 (as said)

        return replies.on_reply(rule, event)
    if rule["check"]["on"] == "tool":
        from rulec.runtime import tools  # noqa: PLC0415 (as said)

        return tools.on_tool(rule, event)
    return _of_dependencies(rule, event)


def _written(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """What a command does to files, each with the rule that judges it."""
    if "spared" in rule["facts"].get("scope", {}):
        from rulec.runtime import exempt  # noqa: PLC0415 (as above)

        return exempt.written(rule, event)
    written = paths.written(event, touched(event))
    return [(rule, file) for file in written if not _foreign(rule, file)]


def _foreign(rule: "dict[str, Any]", file: "dict[str, Any]") -> bool:
    """Whether a file lies outside the repository by each of its names, and the rule does not speak of such."""
    if not all(path.startswith(("/", "~", "../")) for path in (file["path"], *file.get("also", ()))):
        return False
    check, scope = rule["check"], rule["facts"].get("scope", {})
    if check["on"] not in ("path", "text", "dependency"):
        return False
    globs = [*(check.get("globs") or ()), *(check.get("except") or ()), *(scope.get("include") or ())]
    return not any(glob.startswith(("/", "~", "..", "{/", "{~")) for glob in globs)


def _of_dependencies(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    from rulec.runtime import dependencies  # noqa: PLC0415 (few actions touch a manifest or install anything, and the rest pay for none)

    if event["kind"] in FILES:
        return dependencies.on_file(rule, event)
    if event["kind"] == "stop":
        return [found for file in event.get("files", []) for found in dependencies.on_file(rule, {**event, **file})]
    if event["kind"] != "command":
        return []
    found = dependencies.on_command(rule, event)
    world = event.get("world")
    for own, file in _written(rule, event):
        before = (world.read(file["path"]) if world else None) or ""
        found += dependencies.on_file(own, {**file, "old": before})
    return found
