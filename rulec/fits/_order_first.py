"""A phrase -> what has to be done first, in a form that a session shows."""

import re
from dataclasses import dataclass, field
from typing import Any

from rulec.fits._asked_files import needed
from rulec.fits._file_samples import sample
from rulec.fits._order_named import meant, named, pattern_of, reads_only
from rulec.fits._order_notes import note_of
from rulec.fits._order_pair import Pair
from rulec.fits._order_tools import PURPOSES, commands_for, languages_of
from rulec.fits._patterns import Pattern
from rulec.language.terms import terms
from rulec.model.rule import Example
from rulec.runtime import filekinds, globs
from rulec.runtime.match import matches

SAME = "same"
TESTS = [
    "**/test/**", "**/tests/**", "**/__tests__/**", "**/spec/**", "**/specs/**", "**/e2e/**", "**/testdata/**",
    "**/*_test/**", "**/*_tests/**", "**/*-tests/**", "**/*Tests/**", "**/cypress/**", "**/fixtures/**", "test_*",
    "*_test.*", "*_tests.*", "*.test.*", "*.tests.*", "*.spec.*", "*_spec.*", "*.cy.*", "*-test.*", "*Test.*",
    "*Tests.*", "*Spec.*", "*IT.java", "conftest.py",
]  # fmt: skip
_TEST = (
    r"(?:(?:unit|integration|e2e|end[- ]to[- ]end|regression|failing|new|red|smoke) )*"
    r"(?:tests?|specs?)(?: cases?| suite)?"
)
_ALONGSIDE = re.compile(r"\bcommit\b.*\b(?:(?:along )?with (?:it|them)|in the same commit)\b", re.IGNORECASE)  # files
_WRITES = re.compile(
    rf"\b(?:writ|add|creat|set(?:ting)? ?up|mak|cod|start|begin|put|draft|impl)\w*\b(?:[^.;]{{0,40}}?) {_TEST}\b|"
    rf"\bfailing {_TEST}\b|\bred test|\btdd\b|\btest[- ]driven",
    re.IGNORECASE,
)
_PULL = re.compile(
    r"\bpull(?:s|ed|ing)?\b(?! request)|\bget the latest\b|\bsync(?:ing)? with (?:main|master|"
    r"upstream)",
    re.IGNORECASE,
)
_REBASE = re.compile(r"\brebas(?:e|es|ed|ing)\b", re.IGNORECASE)
_FETCH = re.compile(r"\bfetch(?:es|ed|ing)?\b", re.IGNORECASE)
_BRANCH = re.compile(
    r"\b(?:cut|mak|creat|start|open|new|own|separate|feature|topic|check(?:ing)?[- ]?out|switch\w* to an?|work "
    r"on an?|use an?|get on an?)"
    r"\w*\b.{0,25}\bbranch(?:es)?\b|^\W*(?:\w+ )?branch(?: off| out|ing)?\W*$|\bbranch off\b",
    re.IGNORECASE,
)
_COMMIT = re.compile(
    r"\bcommit(?:s|t?ed|t?ing)?\b(?! (?:message|hash|sha|id|log|history|title)s?\b)|提交", re.IGNORECASE
)
_OF_COMMITS = re.compile(r"\b(?:squash|sign|amend|reword|review|rebase|combin)\w* (?:\w+ )?commits\b", re.IGNORECASE)
_PUSH = re.compile(r"\bpush(?:es|ed|ing)?\b", re.IGNORECASE)
_READ = re.compile(
    r"\b(?:re-?)?(?:read|look(?:ing)? (?:at|into)|check(?:ing)?(?: out)?|open|view|consult|study|review|see|"
    r"lies|lee|lis)"
    r"(?:ing|s)?\b|прочита\w+|读|閱讀|読",
    re.IGNORECASE,
)
_SAME = re.compile(
    r"^\W*(?:[\w']+[^\w']+){0,4}?(?:re-?)?(?:read|look(?:ing)? (?:at|into)|lies|lee|lis|прочитай|view|open)(?:ing)?\b,?"
    r"(?: (?:it|them|again|(?:the|a|an|any|each|every|all|whole|entire|full|current|actual|that|this|those|die|der|"
    r"das|den|el|los|le|les|la|of|in|completely|fully|entirely|carefully|contents?|source|code|target|"
    r"original|complete|"
    r"files?|datei(?:en)?|archivos?|fichiers?|файлы?)))*\W*$",
    re.IGNORECASE,
)
_PURPOSE = (
    ("lint", re.compile(r"\blint(?:s|er|ers|ing|ed)?\b", re.IGNORECASE)),
    ("format", re.compile(r"\b(?:auto)?format(?:s|ter|ting|ted)?\b|\bfmt\b", re.IGNORECASE)),
    ("types", re.compile(r"\btype[- ]?check(?:s|er|ing|ed)?\b|\btypes? (?:pass|check)", re.IGNORECASE)),
    (
        "build",
        re.compile(
            r"\b(?:re)?build(?:s|ing|able)?\b"
            r"(?! (?:dir|folder|file|script|system|cache|artifact|output|error|number|config|log|step)\w*)|"
            r"\bbuilt\b|\bcompil(?:e|es|ed|ing|ation|able)\b|\bbaut\b|编译|构建",
            re.IGNORECASE,
        ),
    ),
    (
        "test",
        re.compile(
            rf"\b{_TEST}\b|\btest(?:ing|ed)\b|\bsuite\b|тест\w*|测试|テスト|\bpruebas?\b|\bsuites?\b", re.IGNORECASE
        ),
    ),
)
_RUNS = re.compile(r"\b(?:run|ran|running|start|launch|try|execute|do|use|call)\w*\b", re.IGNORECASE)
_WELL_KNOWN = re.compile(
    r"\b(?:README|CONTRIBUTING|ARCHITECTURE|DESIGN|STYLEGUIDE|GUIDELINES|HACKING|ROADMAP|CONVENTIONS)\b"
)
_OWN = frozenset({"claude.md", "agents.md", "gemini.md"})  # what agents are given without reading it
_SHELVES = {"branch": ("git checkout -b|-B", "git switch -c|-C|--create", "git worktree add", "gh issue develop")}


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """What has to have happened: parameters of require-before, what to tell the agent, and a step that does it."""

    what: str  # test, lint, ..., command, write-tests, read, pull, branch, commit, push
    given: dict[str, Any] = field(default_factory=dict)
    cure: str
    step: Example


def firsts(phrase: str, pair: Pair, *, guess: bool = False) -> list[First]:
    """All that the phrase wants done first: each is a check of its own."""
    if _WRITES.search(phrase):
        return [write_tests(pair)]
    if found := _sync(phrase):
        return [found]
    if read := _read(phrase):
        return [read]
    if _BRANCH.search(phrase):
        return [_ran("branch", _SHELVES["branch"], "start a branch of its own", "git switch -c sample")]
    if kept := _kept(phrase) or _noted(phrase, pair):
        return [kept]
    spelled = named(phrase)
    if spelled:
        return [_either([_named(one) for one in spelled])] if _or(phrase) else [_named(one) for one in spelled]
    purposes = [name for name, words in _PURPOSE if words.search(phrase)]
    if purposes:
        return [for_purpose(name, pair) for name in purposes]
    saved = (
        [_ran("commit", ("git commit",), "commit", "git commit -m 'Save the step'")]
        if _COMMIT.search(phrase) and not _ALONGSIDE.search(phrase) and not _OF_COMMITS.search(phrase)
        else []
    )
    saved += [_ran("push", ("git push",), "push", "git push")] if _PUSH.search(phrase) else []
    if saved:
        return saved
    if not guess:
        return []
    earlier = [call for call in pair.runs if not any(call.argv == other.argv for other in pair.ran)]
    pattern = meant(phrase, earlier)
    return [_named(pattern)] if pattern else []


def _noted(phrase: str, pair: Pair) -> First | None:
    """A plan, a design or the like in a file."""
    note = note_of(phrase, pair)
    if note is None:
        return None
    kind, wanted, path = note
    step = Example(kind="file", path=path, text="what is going to be done\n")
    return First(what="note", given={"first_edits": wanted}, cure=f"write the {kind}", step=step)


def _kept(phrase: str) -> First | None:
    """What people call by its purpose, and few programs do: a backup, a look at the diff."""
    if script := _SCRIPT.search(phrase):
        name = script["path"].rpartition("/")[2]
        commands = (name, *(f"{shell} {lead}{script['path']}" for shell in _SHELLS for lead in ("", "./")))
        return _ran("command", commands, f"run `{script['path']}`", f"./{script['path']}")
    if _BACKUP.search(phrase) and not named(phrase):
        return _ran("command", _BACKUPS, "make a backup", "pg_dump shop")
    if _DIFF.search(phrase):
        return _ran("command", ("git diff", "git show"), "look at the diff", "git diff")
    return _wrote(phrase)


_BACKUP = re.compile(r"\bback(?:ing|ed)?[ -]?ups?\b|\bsnapshots?\b(?! (?:tests?|files?|testing|suite))", re.IGNORECASE)
_SCRIPT = re.compile(
    r"\b(?:with|via|using|run|running|execute|call|through) (?:the )?(?:script "
    r")?[`'\"]?(?:\./)?(?P<path>(?:[\w-]+/)*[\w.-]+\.sh)\b"
)
_SHELLS = ("bash", "sh", "zsh")
_BACKUPS = (
    "pg_dump|pg_dumpall|mysqldump|mongodump|pg_basebackup|restic|borg|rsync|cp|tar|sqlite3",
    "make|just|task|rake|npm|pnpm|yarn backup*|db:backup*|db-backup*|dump*|snapshot*",
    "npm|pnpm|yarn|bun|mise run backup*|db:backup*|dump*|snapshot*",
    "aws|gcloud|az|zfs|kubectl|velero|heroku|supabase snapshot*|backup*|create-db-snapshot|pg:backups*|dump",
    "backup|backup.sh",
)
_DIFF = re.compile(
    r"\b(?:review|check|look(?:ing)? (?:at|over|through)|read|inspect|go(?:ing)? (?:over|through)|view)\w* "
    r"(?:\w+ ){0,3}diffs?\b",
    re.IGNORECASE,
)


def _or(phrase: str) -> bool:
    return bool(re.search(r"\bor\b", phrase)) and not re.search(r"\b(?:and|both)\b", phrase)


_WRITE = re.compile(
    r"^\W*(?:(?:please|always|first|you|must|should) )*(?:write|create|updat|add|draft|put|edit|adjust|"
    r"extend|bump|document|"
    r"record|start)\w*\b(?P<what>.*)$",
    re.IGNORECASE,
)


def _wrote(phrase: str) -> First | None:
    """A file by its path or its usual name, that is written or changed first."""
    found = _WRITE.search(phrase)
    if not found or named(phrase):
        return None
    wanted = [glob for glob in needed(found["what"], ()) if not glob.startswith("{")]
    kept = [one for glob in wanted for one in (filekinds.KINDS[glob][0] if glob in filekinds.KINDS else [glob])]
    if not kept or any(glob in ("@tests", "@docs") for glob in wanted):
        return None
    told = " and ".join(glob.removeprefix("@").rstrip("*") for glob in wanted)
    step = Example(kind="file", path=sample(wanted[0]), text="What is planned.\n")
    return First(what="write", given={"first_edits": kept}, cure=f"write {told}", step=step)


def _either(given: list[First]) -> First:
    commands = [command for first in given for command in first.given["first_commands"]]
    return _ran("command", tuple(commands), " or ".join(first.cure for first in given), given[0].step.text)


def _named(pattern: str) -> First:
    return _ran("command", (pattern,), f"run `{pattern}`", Pattern((pattern,)).sample)


def for_purpose(purpose: str, pair: Pair) -> First:
    """Any command that serves the purpose, those of the session's languages, and the one that the session shows."""
    commands = commands_for(purpose, pair.languages)
    used = [call for call in (*pair.runs, *pair.ran) if any(matches(command, call) for command in commands)]
    sample = " ".join(used[0].argv) if used and len(used[0].argv) <= _SHORT else _usual(purpose, pair)
    own = meant(purpose, [*pair.runs, *pair.ran])
    if own and not used:
        commands, sample = [own, *commands], Pattern((own,)).sample
    return _ran(purpose, tuple(commands), _CURES[purpose], sample)


def _usual(purpose: str, pair: Pair) -> str:
    own = PURPOSES[purpose].get((pair.languages or ("python",))[0]) or PURPOSES[purpose][""]
    return Pattern((own[0],)).sample


_SHORT = 6
_CURES = {
    "test": "run the tests",
    "lint": "run the linter",
    "format": "run the formatter",
    "types": "run the type checker",
    "build": "build it",
}
assert _CURES.keys() == PURPOSES.keys()  # noqa: S101 - every purpose has its words


def then_run(pair: Pair) -> list[First]:
    """What "it" is in "run it": the first command afterwards that is no look and was not run before."""
    patterns = (pattern_of(call) for call in pair.runs if call.program != "git" and not reads_only(call))
    known = {pattern_of(call) for call in pair.ran}
    return [_named(pattern) for pattern in patterns if pattern and pattern not in known][:1]


def write_tests(pair: Pair) -> First:
    """A test is written or changed."""
    shown = [path for path in (*pair.edits, *pair.edited) if globs.match(TESTS, path)]
    language = (pair.languages or languages_of(shown) or ("python",))[0]
    path = shown[0] if shown else _TEST_FILES.get(language, "tests/sample.test.ts")
    step = Example(kind="file", path=path, text="a test of the step\n")
    return First(what="write-tests", given={"first_edits": TESTS}, cure="write the test", step=step)


_TEST_FILES = {"python": "tests/test_sample.py", "go": "sample/sample_test.go", "ruby": "spec/sample_spec.rb"}


def _sync(phrase: str) -> First | None:
    pulls, rebases = _PULL.search(phrase), _REBASE.search(phrase)
    if rebases and pulls:
        return _ran("pull", ("git pull --rebase|-r", "git rebase"), "run `git pull --rebase`", "git pull --rebase")
    if rebases:
        return _ran("pull", ("git rebase", "git pull --rebase|-r"), "rebase", "git rebase origin/main")
    if pulls:
        return _ran("pull", ("git pull", "git rebase", "git merge"), "run `git pull`", "git pull")
    if _FETCH.search(phrase):
        return _ran("pull", ("git fetch", "git pull", "git remote update"), "run `git fetch`", "git fetch")
    return None


def _read(phrase: str) -> First | None:
    found = _READ.search(phrase)
    if not found:
        return None
    rest = phrase[found.end() :]
    paths = [term.text for term in terms(rest) if term.kind == "path" and "*" not in term.text]
    names = [path.rstrip("/").rpartition("/")[2] for path in paths]
    files = [name for name in names if "." in name[1:] and name.lower() not in _OWN]
    files += [f"{name}*" for name in _WELL_KNOWN.findall(rest) if not any(file.startswith(name) for file in names)]
    if files:
        step = Example(kind="read", path=files[0].replace("*", ".md"), text="")
        return First(what="read", given={"first_reads": files}, cure=f"read {' and '.join(files)}", step=step)
    if paths or not (_SAME.match(phrase) or re.fullmatch(r"\W*(?:先)?[读読閱讀]\W*(?:文件|ファイル)?\W*", phrase)):
        return None
    step = Example(kind="read", path="", text="")
    return First(what="read", given={"first_reads": [SAME]}, cure="read the file", step=step)


def _ran(what: str, commands: tuple[str, ...], cure: str, sample: str) -> First:
    step = Example(kind="command", text=sample)
    return First(what=what, given={"first_commands": list(dict.fromkeys(commands))}, cure=cure, step=step)
