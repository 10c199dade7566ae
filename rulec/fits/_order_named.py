"""Commands that a phrase names, or that the pair shows it to mean, as guard patterns."""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile

from rulec.fits._order_tools import PURPOSES, RUNNERS, TASKS
from rulec.fits._programs import PROGRAMS, SUBCOMMANDS
from rulec.fits._words import pieces, stem, telling
from rulec.language.terms import table
from rulec.runtime.manuals import GLOBALS
from rulec.runtime.match import operands, plain
from rulec.runtime.shell import Call, parse

_KNOWN = (
    PROGRAMS
    | RUNNERS
    | table("dbt quarto mkdocs sphinx-build ansible-lint hadolint yamllint actionlint markdownlint vale knip storybook")
    | table("prisma alembic buf protoc swag wire sqlc tflint checkov trivy gitleaks lychee codespell typos gleam zig")
    | {
        name
        for own in PURPOSES.values()
        for commands in own.values()
        for command in commands
        for name in command.split()[0].split("|")
        if not name.endswith("*")
    }
)
# Programs whose names are words of everyday speech: taken only with a subcommand, or in code marks.
_EVERYDAY = table(
    "go make task find node m standard tap next invoke black head tail kill cat python karma pint pest revive nx xo "
    "all ava gem rm mv cp sed which turbo moon hatch inv poe steep psalm revive ty tsc.sh rails gcc dart "
    "flutter swift "
    "composer"
)
_ALONE = table("black pint pest karma ava revive steep psalm")
_RUN = table("run running execute with use via through")
_SUB = (
    SUBCOMMANDS
    | TASKS
    | table("verify package vet mod tidy plan diff doctor validate typecheck clippy nextest analyze credo render")
)
# Tasks of programs that have several: `ruff check` is not `ruff format`.
_OWN_SUB = table("verify package check format fmt lint generate gen build validate diff migrate audit compile")
_CODE = re.compile(r"`([^`\n]{2,80})`|(?<!\w)\"([^\"\n]{2,80})\"|(?<!\w)'([^'\n]{2,80})'(?!\w)")
_WORD = re.compile(r"[^\s,;()\"'`\u3001\u3002\uff0c\uff1b]+")
_TASK = re.compile(r"^[a-z][a-z0-9]*(?:[:_-][a-z0-9]+)*$")
_FILE = re.compile(r"\.(?:md|mdx|rst|txt|ya?ml|toml|json|adoc)$", re.IGNORECASE)
_READING = table(
    "cat ls grep rg find head tail cd echo pwd which wc test true tree jq sort uniq diff stat file date sleep "
    "printf env "
    "export set source type read awk cut tr less more bat column basename dirname xargs tee sed python node"
)
_READS = table("status log diff show branch rev-parse remote ls-files blame describe view list checks get help config")
_DEEPER = table(
    "run run-script exec compose pr issue repo release workflow state workspace image container volume network "
    "stack secret"
)
_ADDS = table("install add get require i")
_MOST = 3


def pattern_of(call: Call) -> str:
    """The call without what changes from one time to the next: its program and subcommands."""
    program = plain(call.program)
    if program in ("python", "py", "ruby", "node", "php", "bash", "sh"):
        return _script(program, call.argv[1:])
    bare, _ = operands(program, call.argv[1:])
    kept: list[str] = []
    for word in bare[:_MOST] if program in GLOBALS or program in RUNNERS else ():
        if not _TASK.match(word) or (kept and kept[-1] not in _DEEPER and program not in ("aws", "gcloud")):
            break
        kept.append(word)
    if not kept and bare[:1] and bare[0] in _OWN_SUB and program in _KNOWN:
        kept = bare[:1]
    adds = kept[-1:] and kept[-1] in _ADDS and len(bare) > len(kept)
    return " ".join([program, *kept, *("*" if adds else "")])


def _script(program: str, rest: list[str]) -> str:
    if "-m" in rest[:-1]:
        return f"{program} -m {rest[rest.index('-m') + 1]}"
    named = next((word for word in rest if not word.startswith("-")), "")
    return f"{program} {named}" if "." in named or "/" in named else ""


def reads_only(call: Call) -> bool:
    """Whether the call only looks: no one wants anything done before that."""
    if plain(call.program) in _READING and not any(">" in sign for sign, _ in call.redirects):
        return not _script(plain(call.program), call.argv[1:]) or plain(call.program) in ("cat", "ls")
    return any(word in _READS for word in call.argv[1:3]) or "--help" in call.argv


def named(phrase: str) -> list[str]:
    """Patterns for the commands that the phrase spells out, in code marks or as the names of known programs."""
    found: list[str] = []
    for match in _CODE.finditer(phrase):
        text = next(group for group in match.groups() if group)
        if _FILE.search(text.split()[0]) or not _runs(phrase, text):
            continue
        found += [pattern for call in _told(text) if (pattern := _in_marks(call))]
    for match in () if found else _BRACKETED.finditer(phrase):
        text = match["text"]
        if text.split()[0] not in _EVERYDAY and _runs(phrase, text):
            found += [pattern for call in _told(text) if (pattern := pattern_of(call))]
    return list(dict.fromkeys(found or _spoken(_CODE.sub(" ", phrase))))


_BRACKETED = re.compile(r"\((?P<text>[a-z][^()\n]{3,80})\)")  # "look at it (npx tool shot)"


def _in_marks(call: Call) -> str:
    """Of a program that nobody knows, all the words that are written out name what it does."""
    pattern = pattern_of(call)
    if pattern != plain(call.program) or pattern in _KNOWN:
        return pattern
    return " ".join([pattern, *takewhile(_TASK.match, call.argv[1 : _MOST + 1])])


def _runs(phrase: str, text: str) -> bool:
    programs = [call.program for call in parse(text).calls]
    known = any(name in _KNOWN or name.endswith(".sh") for name in programs) or text.startswith("./")
    return known or bool(re.search(rf"\b(?:run|use|do|call|execute)\w* [`'\"]{re.escape(text)}", phrase, re.IGNORECASE))


def _told(text: str) -> Iterator[Call]:
    """The calls a command text runs: of a carrier and what it carries, the carried one."""
    calls = [call for call in parse(text).calls if call.argv and call.program != "cd"]
    for index, call in enumerate(calls):
        following = calls[index + 1].argv if index + 1 < len(calls) else []
        if not following or call.argv[-len(following) :] != following:
            yield call


def _spoken(phrase: str) -> Iterator[str]:
    words = [word.strip(".!?:") for word in _WORD.findall(phrase)]
    at = 0
    while at < len(words):
        program, previous = words[at], words[at - 1].lower() if at else ""
        at += 1
        if program not in _KNOWN or program == "just":
            continue
        rest: list[str] = []
        start = at
        while at < len(words) and len(rest) < _MOST and _continues(words[at], rest):
            rest.append(words[at])
            at += 1
        if rest or program not in _EVERYDAY | GLOBALS.keys() or (previous in _RUN and program in _ALONE):
            calls = list(_told(" ".join([program, *rest])))
            yield from (pattern for call in calls if (pattern := pattern_of(call)))
        else:
            at = start


def _continues(word: str, rest: list[str]) -> bool:
    if rest and rest[-1] == "-m":
        return bool(re.fullmatch(r"[\w.]+", word))
    return (
        word in _SUB
        or word.startswith("-")
        or (":" in word and bool(_TASK.match(word)))
        or word.endswith((".py", ".sh"))
    )


def meant(phrase: str, calls: Iterable[Call], besides: Iterable[str] = ()) -> str:
    """The pattern of the call that the phrase names by a word of it, or ""."""
    said = set(telling(phrase)) - _SMALL
    for call in calls:
        pattern = pattern_of(call)
        if not pattern or pattern in besides or reads_only(call):
            continue
        words = [piece for word in pattern.split() for piece in (word, *pieces(word))]
        if {stem(word) for word in words} & said:
            return pattern
    return ""


_SMALL = {
    stem(word)
    for word in table("run it the that first again before you use do make go start all thing check code file")
}
