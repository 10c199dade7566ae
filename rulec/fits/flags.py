"""Flags that a command must carry, as the words say or as the accepted command has them."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._demands import Demand, check, drafts
from rulec.fits._pair import calls_of, offences
from rulec.fits._programs import PROGRAMS, SUBCOMMANDS
from rulec.fits._words import conditional, pieces, stem, stems
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.manuals import GLOBALS
from rulec.runtime.match import plain
from rulec.runtime.shell import Call

_MUST = re.compile(
    r"\b(?:always|immer|stets|toujours|siempre|sempre|"
    r"must|needs?(?: to)?|have to|has to|should|make sure|be sure|require[sd]?|every time|"
    r"with [`'\"]?--?[a-z][\w-]*|never .{0,60}?without|(?:do not|don'?t) .{0,60}?without|remember)\b",
    re.IGNORECASE,
)
_FOREIGN = re.compile(r"\b(?:immer|stets|mit|toujours|avec|siempre|con|sempre)\b", re.IGNORECASE)
_ASKS = re.compile(
    r"(?:^|\s)--?[a-z]|\b(?:with|pass|add|use|using|flags?|option|set|needs?|include|should|must|always|mode|run)\b",
    re.IGNORECASE,
)
_IF = re.compile(r"\W*(?:\w+ )?(?:if|when|unless|in case) (?:you|it|we|there)\b", re.IGNORECASE)
_ASIDE = re.compile(r"\([^()]*\)")
_MOST_WORDS = 4  # of a command in a sentence
_VALUE = re.compile(r"^[\w.:/@=-]+$")
_NO_VALUE = table(
    "to for when with in on and or if so flag flags option every is are as at because unless while the a an it argument"
    " before after from by again please always"
)
# Spellings of one flag.
_SAME = {
    "-s": ("git commit", "--signoff"),
    "--signoff": ("git commit", "-s"),
    "-S": ("git commit", "--gpg-sign"),
    "--draft": ("gh pr create", "-d"),
    "-d": ("gh pr create", "--draft"),
    "--rebase": ("git pull", "-r"),
}
# What people say without naming the flag: words that all stand there -> commands and flags.
_TALK: tuple[tuple[re.Pattern[str], tuple[str, ...], tuple[str, ...]], ...] = (
    (
        re.compile(r"\bsign(?:ed)?[- ]?off\b.*\bcommits?\b|\bcommits?\b.*\bsign(?:ed)?[- ]?off\b", re.IGNORECASE),
        ("git commit",),
        ("--signoff", "-s"),
    ),
    (
        re.compile(
            r"\b(?:prs|pull requests)\b.*\bdrafts?\b|\bdraft (?:prs|pull requests)\b|"
            r"\b(?:always|every|each|only|must|any)\b.*\b(?:pr|pull request)\b.*\bdraft\b|"
            r"\b(?:always|only|must)\b.*\bdraft (?:pr|pull request)\b",
            re.IGNORECASE,
        ),
        ("gh pr create",),
        ("--draft", "-d"),
    ),
)
_REBASE = re.compile(
    r"\bno merge commits?\b.*\brebase\b|\b(?:always|must) (?:use )?(?:git )?pull (?:with )?-{0,2}rebas", re.IGNORECASE
)


_BASE = re.compile(
    r"\b(?:open|creat|target|send|submit|mak|rais|fil)\w*\b.{0,20}\b(?:prs|pull requests)\b.{0,12}"
    r"\b(?:against|to|into|at|onto|towards?) (?:the )?[`'\"]?(?P<one>dev|develop|development|staging|"
    r"next|main|master|trunk)\b"
    r"|\btarget (?:the )?[`'\"]?(?P<other>dev|develop|development|staging|next|main|master|"
    r"trunk)\b.*\b(?:prs|pull requests)\b",
    re.IGNORECASE,
)
_PRS = re.compile(r"\b(?:open|creat|mak|rais|submit)\w* (?:\w+ )?(?:prs?|pull requests?)\b", re.IGNORECASE)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-flag."""
    if _IF.match(clause.text):  # "if you really have to, then with --flag" asks it of no command
        return
    for demand in (*_spoken(clause), *_written(clause), *(_shown(clause, before, after) if before else ())):
        if _applies_to(clause, demand):
            yield from drafts(demand, before, after, "the command is to carry this flag")


def _applies_to(clause: Clause, demand: Demand) -> bool:
    """Whether the wish holds whenever the command is run: "when you build" is the very act of docker build."""
    acts = {stem(word) for word in demand.bad[0].split()}
    return not conditional(clause) or "without" in clause.text or bool(stems(clause.when) & acts)


def _spoken(clause: Clause) -> Iterator[Demand]:
    """Flags that people ask for by what they do."""
    if clause.polarity == "forbid" and not _REBASE.search(clause.text):
        return
    for cue, commands, flags in _TALK:
        if cue.search(clause.text):
            yield _demand(commands[0], flags, "")
    if base := _BASE.search(clause.text):
        yield _demand("gh pr create", ("--base", "-B"), base["one"] or base["other"])
    if _REBASE.search(clause.text):
        yield _demand("git pull", ("--rebase", "-r", "--ff-only"), "")


def _written(clause: Clause) -> Iterator[Demand]:
    """A phrase like "always pass --flag to PROGRAM": program and flag stand in the sentence."""
    words = [word.strip("`'\",.:;!?()") for word in clause.text.split()]
    flags = [(at, word) for at, word in enumerate(words) if re.fullmatch(r"--?[A-Za-z][\w-]*(?:=\S+)?", word)]
    spelled = [
        term.text for term in clause.terms if term.kind == "code" and " -" in term.text
    ]  # "`tool --flag` must pass"
    if len(spelled) == 1 and clause.polarity == "prefer" and not clause.forbidden and clause.verb in ("use", "run"):
        yield from _whole(spelled[0])
    if spelled or len(flags) != 1 or not _MUST.search(clause.text) or not _is_wanted(clause):
        return
    at, flag = flags[0]
    command = _command(words[:at]) or _command(words[at + 1 :]) or ("gh pr create" if _PRS.search(clause.text) else "")
    flag, _, own = flag.partition("=")
    following = words[at + 1] if at + 1 < len(words) else ""
    ends = clause.text.split()[at].endswith((",", ".", ";", ":"))
    foreign = "another language" in clause.cues or bool(_FOREIGN.search(clause.text))  # its verbs follow the flag
    value = own or (following if not ends and not foreign and _is_value(following) else "")
    if command:
        other = _SAME.get(flag, ("", ""))
        yield _demand(command, (flag, other[1]) if other[0] == command else (flag,), value)


def _whole(spelled: str) -> Iterator[Demand]:
    """A command that is written out with its flag: "use `tool act --flag`"."""
    words = spelled.split()
    at = next(place for place, word in enumerate(words) if word.startswith("-"))
    flag, _, own = words[at].partition("=")
    command, rest = _command(words[:at]), words[at + 1 :]
    if command == " ".join(words[:at]) and re.fullmatch(r"--?[A-Za-z][\w-]*", flag) and len(rest) < _MOST_WORDS - 2:
        value = own or (rest[0] if rest and _is_value(rest[0]) else "")
        other = _SAME.get(flag, ("", ""))
        yield _demand(command, (flag, other[1]) if other[0] == command else (flag,), value)


def _is_wanted(clause: Clause) -> bool:
    """Whether the flag is what is to be there; "never run X without --flag" wants it too."""
    return clause.polarity != "forbid" or bool(re.search(r"\bwithout (?:the )?[`'\"]?-", clause.text))


def _is_value(word: str) -> bool:
    return bool(_VALUE.match(word)) and word.lower() not in _NO_VALUE and word not in PROGRAMS


def _command(words: Sequence[str]) -> str:
    """The command among the words: a program and the subcommands behind it."""
    for at, word in enumerate(words):
        if word in PROGRAMS and word not in ("make", "find", "just"):
            kept = [word]
            for more in words[at + 1 : at + _MOST_WORDS]:
                if more not in SUBCOMMANDS or (word not in GLOBALS and len(kept) > 1):
                    break
                kept.append(more)
            return " ".join(kept)
    return ""


def _shown(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Demand]:
    """The accepted command carries a flag whose name, and value, the words give; the one before has not."""
    if clause.polarity == "forbid":
        return
    accepted = [call for action in after for call in calls_of(action) if any(map(_is_long, call.argv))]
    if not accepted:
        return
    asked = bool(_ASKS.search(clause.text))
    said = stems(_ASIDE.sub(" ", clause.text))
    for action in offences(before):
        for call in calls_of(action):
            for other in accepted:
                yield from _added(call, other, said, asked=asked)


def _is_long(word: str) -> bool:
    return word.startswith("--")


def _added(call: Call, other: Call, said: frozenset[str], *, asked: bool) -> Iterator[Demand]:
    if plain(call.program) != plain(other.program):
        return
    mine, theirs = _subcommands(call), _subcommands(other)
    if mine[:1] != theirs[:1] or not mine:
        return
    for at, word in enumerate(other.argv):
        flag, _, own = word.partition("=")
        following = other.argv[at + 1] if at + 1 < len(other.argv) else ""
        value = own or (following if _VALUE.match(following) and not following.startswith("-") else "")
        named = _is_long(flag) and all(stem(piece) in said for piece in pieces(flag)) and bool(pieces(flag))
        told = bool(value) and stems(value) <= said and _VALUE.match(value)
        has = any(one.partition("=")[0] == flag for one in call.argv)
        if named and (told or (asked and mine == theirs and not has)):
            known = flag in GLOBALS.get(plain(call.program), "").split()  # it goes with every subcommand
            yield _demand(" ".join([plain(call.program), *(() if known else mine)]), (flag,), value if told else "")


def _subcommands(call: Call) -> list[str]:
    found: list[str] = []
    for word in call.argv[1:3]:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", word):
            break
        found.append(word)
    return found


# Subcommands that speak to nobody: what is asked of all others is not meant for them.
_LOCAL = {
    "kubectl": ("kubectl config|version|completion|explain|kustomize|plugin",),
    "helm": ("helm version|repo|search|template|lint|completion|env|show|dependency|package",),
    "aws": ("aws configure",),
    "gcloud": ("gcloud config|version|init|components",),
    "docker": ("docker context|version|login|logout",),
    "terraform": ("terraform fmt|version|validate",),
}


def _demand(command: str, flags: tuple[str, ...], value: str) -> Demand:
    flags = tuple(flag for flag in flags if flag)
    pattern = rf"^['\"]?{re.escape(value)}['\"]?$" if value else ""
    free = _LOCAL.get(command, ())
    asked = check("require-flag", commands=[command], flags=list(flags), value=pattern, unless=list(free))
    given = f"{flags[0]} {value}" if value else flags[0]
    good = (f"{command} {given}", f"echo '{command}'", f"{command} --help")
    return Demand((asked,), (command,), good, f"run {command} {given}")


PLUG = Fit(name="flags", fit=fit, any_clause=True)
