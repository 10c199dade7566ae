"""Where things come from and stay: a clone on the disk, lasting tests, a fresh container."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check
from rulec.fits._pair import calls_of
from rulec.language import Clause
from rulec.model.transcript import Action

_LOCAL = re.compile(
    r"\b(?:local(?:ly)?|already)\b.{0,30}\b(?:copy|checkout|clone|cloned|checked out|repo|repository|version|folder)\b|"
    r"\b(?:copy|checkout|repo|repository|version)\b.{0,30}\blocal(?:ly)?\b|\bchecked out (?:at|in|under|here)\b",
    re.IGNORECASE,
)
_FETCHERS = ["curl", "wget", "http|https|xh", "git clone", "gh repo clone|view", "gh api", "git ls-remote", "degit"]
_ANY_FOLDER = ("tmp", "src", "lib", "docs", "test", "tests", "repo", "home", "main", "data", "code", "work", "api")
# What a copy on the disk does not have: its pull requests, issues, runs.
_ONLY_THERE = (
    "actions|branches|collaborators|commits|deployments|hooks|issues|labels|milestones|pulls|pull|releases|runs"
)

_SCRIPT = re.compile(
    r"\b(?:throw-?away|temp(?:orary)?|scratch|ad[- ]?hoc|one[- ]off|disposable)\b[^.]{0,30}"
    r"\b(?:scripts?|programs?|tests?)\b|"
    r"\bscripts? (?:in|under|to) /tmp\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\b(?:unit|proper|real|actual|permanent|kept)\b[^.]{0,20}\btests?\b", re.IGNORECASE)
_TEST_FILE = re.compile(r"(?:^|/)tests?/|(?:^|[/_.-])(?:test|spec)s?[_.]|[_.-](?:test|spec)s?\.\w+$", re.IGNORECASE)
_THROWN = (
    r"(?:^/(?:private/)?(?:tmp|var/tmp|var/folders)/|(?:^|/)(?:scratch|tmp|temp)/)"
    r".*\.(?:py|[cm]?js|ts|go|rb|sh|php|pl|rs)$"
)
_INTERPRETERS = ["go run", "python", "node", "tsx", "ts-node", "bun", "deno run", "ruby", "php", "perl", "bash", "sh"]

_CLEAN = re.compile(r"\b(?:clean|fresh|brand[- ]new|from scratch)\b", re.IGNORECASE)
_CONTAINER = re.compile(
    r"\b(?:clean|fresh|brand[- ]new|new|own)(?: docker| test)? containers?\b"
    r"(?! (?:element|div|class|component|widget|view))",
    re.IGNORECASE,
)
_RUNNING = re.compile(r"\b(?:run|start|restart|use|test|spin|launch|execute)\w*\b", re.IGNORECASE)
_REUSE = ["start|restart|unpause", "container start|restart|unpause"]


def demands(clause: Clause, subject: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Demand]:
    """What the clause says about such places."""
    yield from _local_copy(clause)
    if _SCRIPT.search(subject) or (_TESTS.search(clause.text) and _tests_written(before, after)):
        yield _no_throwaway()
    spelled = clause.addressed == "work" and clause.polarity in ("prefer", "require") and _CONTAINER.search(clause.text)
    if (spelled and _RUNNING.search(clause.text)) or (_CLEAN.search(clause.text) and _run_anew(after)):
        yield _anew()


def _local_copy(clause: Clause) -> Iterator[Demand]:
    paths = [term.text.rstrip("/.") for term in clause.terms if term.kind == "path"]
    names = [path.rpartition("/")[2] for path in paths if path.startswith(("../", "~/", "/", "./"))]
    telling = len(names) == 1 and re.fullmatch(r"\w[\w.-]{2,}", names[0]) and names[0] not in _ANY_FOLDER
    if not _LOCAL.search(clause.text) or not telling:
        return
    name, path = names[0], paths[0]
    words = rf"[/:]{re.escape(name)}(?:\.git)?(?:$|[?#]|/(?:$|[^/]*$|[^/]+/.*))"
    unwanted = check(
        "require-argument", commands=_FETCHERS, each=words, must=rf"/{re.escape(name)}/(?:{_ONLY_THERE})\b"
    )
    yield Demand(
        (unwanted,),
        (f"curl -sL https://example.com/acme/{name}/main/README.md",),
        (f"cat {path}/README.md", f"git -C {path} log -3", "curl -sL https://example.com/acme/other", f"ls {path}"),
        f"read {path}",
    )


def _tests_written(before: Sequence[Action], after: Sequence[Action]) -> bool:
    return bool(before) and any(a.kind in ("write", "edit") and _TEST_FILE.search(a.path) for a in after)


def _no_throwaway() -> Demand:
    scripts = check("forbid-command", commands=_INTERPRETERS, files=_THROWN)
    good = ("python src/tool.py", "cat /tmp/try.py", "go run .", "pytest -q")
    return Demand((scripts,), ("python /tmp/try.py",), good, "write a test that is kept")


def _run_anew(after: Sequence[Action]) -> bool:
    calls = [call for action in after for call in calls_of(action)]
    return any(call.program in ("docker", "podman") and {"run", "create"} & set(call.argv) for call in calls)


def _anew() -> Demand:
    commands = [f"{program} {words}" for program in ("docker", "podman") for words in _REUSE]
    good = ("docker run --rm web", "docker rm -f web", "docker ps -a", "docker build -t web .")
    return Demand((check("forbid-command", commands=commands, instead="docker run --rm"),), ("docker start web",), good)
