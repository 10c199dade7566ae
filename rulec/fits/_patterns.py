"""Clause -> command patterns, from its words alone."""

import re
from dataclasses import dataclass
from itertools import takewhile

from rulec.fits._programs import GENERIC_PLACE, GIT_TALK, PROGRAMS, RUN_AS_MODULES, SUBCOMMANDS
from rulec.fits._words import VAGUE, conditional, stem, stems
from rulec.language import Clause

_BRANCH = re.compile(
    r"\b(?:to|on|onto|into) (?:the )?`?(?P<branch>main|master|develop|production|prod|release|trunk)`?\b", re.IGNORECASE
)
_PREFIX = re.compile(r"\b(?:prefix(?:ed)?|starts?(?:ing)? with|begins?(?:ning)? with)\b", re.IGNORECASE)
_NAMED_TOOL = re.compile(r"\b(?P<name>[a-z][\w-]+) (?:cli|command|binary|tool)\b", re.IGNORECASE)
_COMMAND_WORD = re.compile(r"^(?:--?[a-zA-Z][\w-]*|[a-z][\w:.-]*)$")
_OPERAND = re.compile(r"[/~$*:]|^\.|\.\w+$")
MOST_WORDS = 4


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a guard looks for: a command, what stays free, and what one of its later words must be."""

    commands: tuple[str, ...]
    unless: tuple[str, ...] = ()
    arguments: str = ""
    operand: str = ""  # a word that the arguments match

    @property
    def sample(self) -> str:
        """A command that the pattern names."""
        words = [word.split("|")[0].rstrip("*") for word in self.commands[0].split()]
        return " ".join(words)


def said(clause: Clause, things: tuple[str, ...]) -> list[Pattern]:
    """The patterns that a clause spells out; none where it holds only under some condition or in some place."""
    if conditional(clause) or not place_is_checkable(clause):
        return []
    talk = _git_talk(clause)
    if talk:
        return talk
    whole = [pattern for thing in things if (pattern := _with_operand(thing, clause))]
    if whole:
        return whole if len(whole) == len(things) and all(pattern.commands for pattern in whole) else []
    flagged = _flagged(clause)
    spelled = [flagged] if flagged else [_spelled(thing, clause) for thing in things]
    commands = [command for words in spelled for command in words]
    return [Pattern(tuple(dict.fromkeys(commands)))] if commands and all(spelled) else []


def _with_operand(thing: str, clause: Clause) -> Pattern | None:
    """A phrase like "rm -rf /": what it acts on is part of what is not wanted, and never left out.

    None where the thing has no flag and no operand; a pattern without commands where its words are no command.
    """
    words = thing.strip("`'\" ").split()
    words += ["."] if re.search(rf"{re.escape(thing)}[`'\"]? \.[`'\"]?$", clause.text) else []  # "git add ."
    if len(words) < 2 or words[0] not in PROGRAMS or len(words) > MOST_WORDS + 1:
        return None
    command = [words[0], *takewhile(lambda word: word.startswith("-") or word in SUBCOMMANDS, words[1:])]
    rest = [word for word in words[len(command) :] if word not in VAGUE]
    operands = [word for word in rest if _OPERAND.search(word)]
    if not operands:
        return None
    if clause.polarity != "forbid" or len(rest) > 1 or len(command) == 1:
        return Pattern(())
    bare = operands[0].rstrip("/")
    return Pattern((" ".join(command),), (), rf"^{re.escape(bare)}/?$" if bare else r"^/\*?$", operands[0])


def branch_prefix(clause: Clause) -> list[Pattern]:
    """A phrase like "use prefix x/ for branch names": new branches whose name starts otherwise."""
    prefix = next(
        (term.text for term in clause.terms if term.kind in ("code", "path") and term.text.endswith(("/", "-"))), ""
    )
    if (
        clause.polarity == "forbid"
        or not prefix
        or "branch" not in clause.text.lower()
        or not _PREFIX.search(clause.text)
    ):
        return []
    other = rf"^(?!{re.escape(prefix)}|-|origin/|upstream/|(?:checkout|switch|main|master|develop|HEAD)\b)[\w./-]+$"
    return [Pattern(("git checkout -b|-B", "git switch -c|-C|--create"), (), other)]


def _flagged(clause: Clause) -> list[str]:
    """A phrase like "never run the x CLI with --flag": the flag is what is not wanted, on the program that is named."""
    unwanted = " ".join((*clause.forbidden, *clause.objects, clause.when))
    flags = [term.text for term in clause.terms if term.kind == "flag" and term.text in unwanted]
    if clause.polarity != "forbid" or not flags:
        return []
    words = [word.strip("`'\"") for word in clause.text.split()]
    start = next((index for index, word in enumerate(words) if word in PROGRAMS), None)
    if start is not None:
        following = list(takewhile(lambda word: word in SUBCOMMANDS, words[start + 1 : start + MOST_WORDS]))
        return [" ".join([words[start], *following, *flags])]
    tool = _NAMED_TOOL.search(clause.text)
    return [" ".join([tool["name"], *flags])] if tool else []


def branch_of(clause: Clause) -> str:
    """The branch that a clause speaks of, or ""."""
    match = _BRANCH.search(clause.text)
    return match["branch"] if match else ""


def place_is_checkable(clause: Clause) -> bool:
    """Whether the wish holds wherever a command is run: a command does not show the place it is about."""
    when = clause.when.lower()
    return not when or when.startswith((*GENERIC_PLACE, "for ", "to ")) or bool(branch_of(clause))


def _git_talk(clause: Clause) -> list[Pattern]:
    words, branch = stems(f"{clause.verb} {clause.text}"), branch_of(clause)
    arguments = rf"^\+?(?:[^:]*:)?(?:refs/heads/)?{branch}$" if branch else ""
    if clause.polarity != "forbid":
        return []
    for needed, meant, unless in GIT_TALK:
        if all(stem(word) in words or word in clause.text.lower() for word in needed):
            commands = _as_spelled(meant, clause)
            pushes = all(command.startswith("git push") for command in commands)
            return [Pattern(commands, unless, arguments)] if pushes or not branch else []
    if clause.verb == "push" and branch:
        return [Pattern(("git push",), (), arguments)]
    return []


def _as_spelled(commands: tuple[str, ...], clause: Clause) -> tuple[str, ...]:
    """Where the person wrote the command out, "git push --force", no other command or flag is meant."""
    written = [thing.split() for thing in (*clause.forbidden, *clause.objects) if thing.startswith("git ")]
    if not written:
        return commands
    kept = tuple(command for command in commands if command.split()[1] == written[0][1])
    return tuple(command.removesuffix("|--force-with-lease") for command in kept)


def _spelled(thing: str, clause: Clause) -> list[str]:
    words = thing.strip("`'\" ").split()
    if words[:1] and words[0] in ("running", "run", "calling", "using"):
        words = words[1:]
    if len(words) == 1 and words[0] in RUN_AS_MODULES and clause.polarity == "prefer":
        return [f"python -m {words[0]}"]
    if not words or words[0] not in PROGRAMS:
        return _verb_first(words, clause)
    kept = [words[0]]
    for word in words[1:MOST_WORDS]:
        if (
            word in VAGUE
            or not _COMMAND_WORD.match(word)
            or not (word.startswith("-") or word in SUBCOMMANDS or _marked(thing, clause))
        ):
            if word not in VAGUE:
                return []  # "git history", "docker images": a thing, not a command
            break
        kept.append(word)
    purpose = [word for word in clause.when.lower().split() if stem(word) in _DOING]
    if len(kept) == 1 and clause.when and not clause.when.lower().startswith(GENERIC_PLACE):
        return [f"{kept[0]} {_DOING[stem(purpose[0])]}"] if purpose else []
    return [" ".join(kept)]


def _verb_first(words: list[str], clause: Clause) -> list[str]:
    """A phrase like "don't npm install": the program is the verb."""
    if clause.verb in PROGRAMS and clause.verb not in ("make", "find", "node", "just"):
        kept = [word for word in words[:2] if word in SUBCOMMANDS or word.startswith("-")]
        return [" ".join([clause.verb, *kept])] if len(kept) == len([w for w in words if w not in VAGUE]) else []
    return []


def _marked(thing: str, clause: Clause) -> bool:
    return any(term.kind == "code" and thing in term.text for term in clause.terms)


_DOING = {stem(word): word for word in ("install", "test", "build", "lint", "publish", "run")}
