"""Whether a pipeline's own text runs ``rulec check`` on every change and heeds its answer; what is unclear does not."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulec.errors import RulecError
from rulec.integrations.targets import gitlab_ci
from rulec.rulebook import yaml_text

_CHECK = re.compile(
    r"(?:cd \S+ && )?(?:\w+=\S*\s+)*(?:(?:uv|poetry|pdm|hatch|pipenv|pixi) run |uvx (?:--from \S+ )?|python3? -m )?"
    r"rulec check\b(?!.*(?:--help|--version))[^|;&]*"
)
_ACTION = re.compile(r"[\w.-]+/rulec@(?P<revision>\S+)")  # rulec's own GitHub Action, which runs rulec check
_COMMIT = re.compile(r"[0-9a-f]{40}")
# what may end a script, or decide whether a later line of it runs
_DECIDES = re.compile(
    r"(?:if|for|while|until|case|exit|return|exec|trap|alias|function|set \+|!|\{|:\s*<<)(?!\w)|\w+\s*\(\)|.*<<-?\s*\w"
)
_ALWAYS = ("always()", "success()", "!cancelled()", "success() || failure()", "true", "!github.event.created")
_CHANGES = ("pull_request", "push", "merge_group", "pull_request_target")
_OF_ALL = {
    "pull_request": ("branches",),
    "push": ("branches",),
    "merge_group": (),
    "pull_request_target": ("branches",),
}
_SHOWN = 70  # characters of a line
_MERGE_REQUEST = re.compile(r'\$CI_PIPELINE_SOURCE == ["\']merge_request_event["\']')


def why_nothing_is_checked(name: str, texts: Mapping[str, str], path: str) -> str:
    """What keeps an integration's pipeline from judging changes, as the end of a sentence; "" where nothing does."""
    try:
        data = {one: yaml_text.load_yaml(text, one) for one, text in texts.items()}
    except RulecError as error:
        return f"cannot be read: {error.message}"
    if any(not isinstance(one, dict) for one in data.values()):
        return "is no pipeline"
    return _of_gitlab(data, path) if name == "gitlab-ci" else _of_github(data[path])


def _of_github(data: Mapping[str, Any]) -> str:
    triggers = _triggers(data.get("on"))
    if not any(_is_of_all(name, how) for name, how in triggers.items() if name in _CHANGES):
        limited = [name for name in triggers if name in _CHANGES]
        when = f"some of {' and '.join(limited)}" if limited else " and ".join(triggers) or "nothing"
        return f"runs at {when} alone"
    jobs = {name: job for name, job in _mapping(data.get("jobs")).items() if isinstance(job, dict)}
    told = [why for name, job in jobs.items() if _speaks(job) and (why := _of_github_job(name, jobs)) is not None]
    return "" if "" in told else (told or ["does not run rulec"])[0]


def _triggers(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    return dict.fromkeys(map(str, value if isinstance(value, list) else filter(None, [value])))


def _is_of_all(name: str, how: Any) -> bool:
    """Whether an event is limited in nothing but branches, of which a team has main ones."""
    return how is None or (isinstance(how, dict) and set(how) <= set(_OF_ALL[name]))


def _of_github_job(name: str, jobs: Mapping[str, Mapping[str, Any]]) -> str:
    for one in _with_needed(name, jobs):
        if why := _condition(jobs.get(one, {}), f"its job {one}"):
            return why
    told = [_of_step(step) for step in jobs[name].get("steps") or () if isinstance(step, dict) and _speaks(step)]
    return "" if "" in told else (told or [f"does not run rulec check in its job {name}"])[0]


def _with_needed(name: str, jobs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A job and all that must have run before it."""
    found = [name]
    for one in found:
        needed = jobs.get(one, {}).get("needs") or []
        found += [job for job in ([needed] if isinstance(needed, str) else needed) if job not in found]
    return found


def _of_step(step: Mapping[str, Any]) -> str:
    if why := _condition(step, "the step that runs rulec check"):
        return why
    if action := _ACTION.fullmatch(str(step.get("uses", ""))):
        return "" if _COMMIT.fullmatch(action["revision"]) else f"uses {step['uses']}, which is no full commit"
    if str(step.get("shell") or "bash").split()[0] not in ("bash", "sh"):
        return f"runs rulec check in {step['shell']}"
    return _of_script(str(step.get("run") or "").splitlines())


def _condition(part: Mapping[str, Any], named: str) -> str:
    """Why a job or a step may be left out, or may fail in vain."""
    condition = re.sub(r"^\$\{\{\s*|\s*\}\}$", "", str(part.get("if", "true")))
    if condition not in _ALWAYS and condition.casefold() != "true":
        return f"runs rulec check on a condition alone: {named} has if: {part['if']}"
    if str(part.get("continue-on-error", "false")).casefold() != "false":
        return f"ignores what rulec finds: {named} has continue-on-error: {part['continue-on-error']}"
    return ""


def _of_script(lines: Sequence[str]) -> str:
    """Whether a shell script that ends at its first failure runs ``rulec check``, whatever else is in it."""
    whole = re.sub(r"\\\n\s*", " ", "\n".join(lines))
    for line in (line.strip() for line in whole.splitlines()):
        if _CHECK.fullmatch(line):
            return ""
        if _DECIDES.match(line):
            return f"may end before it runs rulec check: {_shortened(line)}"
    seen = next((line.strip() for line in whole.splitlines() if "rulec check" in line), "")
    return f"does not heed rulec check: {_shortened(seen)}" if seen else "does not run rulec check"


def _shortened(line: str) -> str:
    return line if len(line) <= _SHOWN else f"{line[: _SHOWN // 2]} … {line[-_SHOWN // 2 :]}"


def _of_gitlab(data: Mapping[str, Any], path: str) -> str:
    pipeline = data.get(gitlab_ci.PIPELINE)
    if pipeline is None:
        return f"is included by no {gitlab_ci.PIPELINE}"
    included = pipeline.get("include") or []
    named = [one.get("local") if isinstance(one, dict) else one for one in _list(included)]
    if not any(str(one).lstrip("/") == path for one in named):
        return f"is not included by {gitlab_ci.PIPELINE}"
    jobs = {**_mapping(data.get(path)), **pipeline}
    told = [_of_gitlab_job(name, job) for name, job in jobs.items() if isinstance(job, dict) and _speaks(job)]
    return "" if "" in told else (told or ["does not run rulec check"])[0]


def _of_gitlab_job(name: str, job: Mapping[str, Any]) -> str:
    if job.get("allow_failure") not in (None, False) or str(job.get("when", "on_success")) in ("manual", "never"):
        return f"ignores what rulec finds, or waits for somebody: its job {name}"
    rules = [rule for rule in _list(job.get("rules") or []) if isinstance(rule, dict)]
    on_change = [rule for rule in rules if _MERGE_REQUEST.fullmatch(str(rule.get("if", "")))]
    plain = [rule for rule in on_change if not set(rule) - {"if"}]
    if (rules and not plain) or {"only", "except"} & set(job):
        return f"runs rulec check on a condition alone: its job {name}"
    return _of_script([str(line) for line in _list(job.get("script") or [])])


def _speaks(part: Any) -> bool:
    return any("rulec check" in text or _ACTION.fullmatch(text) for text in _strings(part))


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)
    elif isinstance(value, str):
        yield value


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
