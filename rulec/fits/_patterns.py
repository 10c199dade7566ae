"""Clause -> command patterns, from its words alone."""

import re
from dataclasses import dataclass
from itertools import takewhile

from rulec.fits._programs import (
    GENERIC_PLACE,
    GIT_TALK,
    OWN_ACTS,
    PLAIN_WORDS,
    PROGRAMS,
    PURPOSES,
    READING,
    RUN_AS_MODULES,
    SCRIPTED,
    SUBCOMMANDS,
    TWINS,
)
from rulec.fits._words import VAGUE, conditional, stem, stems
from rulec.language import Clause

_BRANCH = re.compile(
    r"\b(?:to|on|onto|into) (?:the )?`?(?P<branch>main|master|develop|production|prod|release|trunk)`?\b", re.IGNORECASE
)
_NOT_OURS = re.compile(
    r"\b(?:shared|public|published|pushed|other people'?s?|someone else'?s?) (?:\w+ )?(?:branch|commit|histor)",
    re.IGNORECASE,
)
_REMOTE = re.compile(r"^to (?:the )?(?:remote )?[`'\"]?(?P<name>origin|upstream)[`'\"]?(?: remote)?$", re.IGNORECASE)
_NAMED_TOOL = re.compile(r"\b(?P<name>[a-z][\w-]+) (?:cli|command|binary|tool)\b", re.IGNORECASE)
_COMMAND_WORD = re.compile(r"^(?:--?[a-zA-Z0-9][\w-]*|[a-z][\w:.-]*)$")
_OPERAND = re.compile(r"[/~$*:]|^\.|\.\w+$")
LEASE = "--force-with-lease"
MOST_WORDS = 4
TELLING = 4  # hyphens of a flag whose name alone says which program has it: --break-system-packages


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
        words = [word.split("|")[0].rstrip("*") or "tool" for word in self.commands[0].split()]
        return " ".join(words)


def said(clause: Clause, named: tuple[str, ...]) -> list[Pattern]:
    """The patterns that a clause spells out; none where it holds only under some condition or in some place."""
    things = trimmed(named)
    if (conditional(clause) and not own_act(clause)) or not place_is_checkable(clause):
        return []
    talk = _git_talk(clause)
    if talk:
        return talk
    if purpose := _for_a_purpose(clause, things):
        return purpose
    whole = [_with_operand(thing, clause) for thing in things]
    if any(whole):
        return _together(things, whole, clause)
    flagged = _flagged(clause)
    spelled = [flagged] if flagged else [_spelled(thing, clause) for thing in things]
    commands = tuple(dict.fromkeys(twinned(command) for words in spelled for command in words))
    free = READING if any(command.startswith("* ") for command in commands) else ()
    return [Pattern(commands, free)] if commands and all(spelled) else []


def trimmed(things: tuple[str, ...]) -> tuple[str, ...]:
    """The things without "running" before and "directly" behind them, and without asides about why."""
    kept = (thing for at, thing in enumerate(things) if at == 0 or not _ASIDE.match(thing))
    return tuple(bare for thing in kept if (bare := _TAIL.sub("", _RUNNING.sub("", _WITH.sub("", thing))).strip()))


_WITH = re.compile(
    r"^(?:it|anything|commands?|this|that|things|stuff|everything) with (?=sudo\b|nohup\b|npx\b)", re.IGNORECASE
)
_RUNNING = re.compile(
    r"^(?:(?:to )?(?:run|call|use|execut|invok|us|do|try)(?:ning|ing|e)?|(?:the|a|an|any|plain|bare|raw)) (?=\S)",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?: (?:directly|yourself|manually|by hand|by yourself|on your own|for me|any ?more|at all|ever|again|either|"
    r"commands?|(?:on|in) the command line|itself))+$",
    re.IGNORECASE,
)
_ASIDE = re.compile(
    r"^(?:i|we|you|it|they|that|this|those|these|only|just|too|so|because|since|use|add|stage|as|not|always|never|"
    r"instead|run|ask|let|write|which|otherwise)\b",
    re.IGNORECASE,
)


def twinned(command: str) -> str:
    """The command with both spellings of each flag: "git add -A" is "git add --all", too."""
    words = command.split()
    known = TWINS.get(" ".join(words[:2]), TWINS.get(words[0], {}))
    return " ".join(f"{word}|{known[word]}" if word in known else word for word in words)


def own_act(clause: Clause) -> bool:
    """Whether the condition is the very act: "when pushing"."""
    return bool(
        re.match(rf"^when (?:you (?:are )?|we )?(?:{'|'.join(OWN_ACTS)})(?:e?s|ing|t?ting|e)?$", clause.when.lower())
    )


def _for_a_purpose(clause: Clause, things: tuple[str, ...]) -> list[Pattern]:
    """A phrase like "don't use sed to edit files": one use of a program and not all of them."""
    if clause.polarity != "forbid" and not clause.forbidden:
        return []
    for named, purpose, command, arguments in PURPOSES:
        if things == (named,) and re.search(purpose, clause.when, re.IGNORECASE):
            return [Pattern((command,), (), arguments, "a.py" if arguments else "")]
    return []


def _together(things: tuple[str, ...], whole: "list[Pattern | None]", clause: Clause) -> list[Pattern]:
    """All things in one pattern; none where one of them is no command."""
    if len(whole) == 1:
        return [pattern for pattern in whole if pattern and pattern.commands]
    commands: list[str] = []
    for thing, pattern in zip(things, whole, strict=True):
        if pattern:
            found = [f"{command} {pattern.operand}" for command in pattern.commands]
        else:
            found = [twinned(command) for command in _spelled(thing, clause)]
        if not found:
            return []
        commands += found
    return [Pattern(tuple(dict.fromkeys(commands)))]


def _with_operand(thing: str, clause: Clause) -> Pattern | None:
    """A phrase like "rm -rf /": what it acts on is part of what is not wanted, and never left out.

    None where the thing has no flag and no operand; a pattern without commands where its words are no command.
    """
    words = thing.strip("`'\" ").split()
    words += ["."] if re.search(rf"{re.escape(thing)}[`'\"]? \.(?:[`'\"]|$|[\s,;])", clause.text) else []  # "git add ."
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


def _flagged(clause: Clause) -> list[str]:
    """A phrase like "never run the x CLI with --flag": the flag is what is not wanted, on the program that is named."""
    unwanted = (*clause.forbidden, *clause.objects, *((clause.when,) if clause.polarity == "forbid" else ()))
    told = re.findall(r"(?<![\w-])--?[a-zA-Z][\w-]*", " ".join(unwanted))
    flags = [term.text for term in clause.terms if term.kind == "flag" and term.text in told]
    if (clause.polarity != "forbid" and not clause.forbidden) or not flags or "without" in clause.text.lower():
        return []
    words = [word.strip("`'\",.:;!?()") for word in clause.text.split()]
    start = next((index for index, word in enumerate(words) if word in PROGRAMS), None)
    if start is not None:
        following = list(takewhile(lambda word: word in SUBCOMMANDS, words[start + 1 : start + MOST_WORDS]))
        return _with_flags(" ".join([words[start], *following]), flags, clause)
    tool = _NAMED_TOOL.search(clause.text)
    act = next((command for act, command in OWN_ACTS.items() if act in stems(clause.text)), "")
    if tool or act:
        return _with_flags(tool["name"] if tool else act, flags, clause)
    alone = clause.verb in ("use", "pass", "add", "run") and all(flag.count("-") >= TELLING for flag in flags)
    return [f"* {flag}" for flag in flags] if alone else []


def _with_flags(command: str, flags: list[str], clause: Clause) -> list[str]:
    """Any one of the flags is meant where the person lists them, all of them together otherwise."""
    listed = len(flags) > 1 and re.search(rf"{re.escape(flags[0])}\S*(?:,| or | and |, )", clause.text)
    return [f"{command} {flag}" for flag in flags] if listed else [" ".join([command, *flags])]


def branch_of(clause: Clause) -> str:
    """The branch that a clause speaks of, or ""."""
    match = _BRANCH.search(clause.text)
    return match["branch"] if match else ""


def place_is_checkable(clause: Clause) -> bool:
    """Whether the wish holds wherever a command is run: a command does not show the place it is about."""
    when = clause.when.lower()
    return own_act(clause) or not when or when.startswith((*GENERIC_PLACE, "for ", "to ")) or bool(branch_of(clause))


def _git_talk(clause: Clause) -> list[Pattern]:
    told = f"{clause.verb} {' '.join(clause.objects)} {clause.when}".split(":")[0] if clause.objects else clause.text
    words, branch = stems(f"{clause.verb} {told}"), branch_of(clause)
    arguments = rf"^\+?(?:[^:]*:)?(?:refs/heads/)?{branch}$" if branch else ""
    if clause.polarity != "forbid":
        return []
    if _NOT_OURS.search(told) and "force" not in told.lower():  # no command shows whose branch it is
        return []
    for needed, meant, unless in GIT_TALK:
        foreign = "another language" in clause.cues and len(needed) == 1 and "commit" not in told and "git" not in told
        if not foreign and all(stem(word) in words or word in told.lower() for word in needed):
            commands = _as_spelled(meant, clause)
            pushes = all(command.startswith("git push") for command in commands)
            return [Pattern(commands, unless, arguments)] if pushes or not branch else []
    if clause.verb == "push" and (remote := _REMOTE.match(clause.when)):
        return [Pattern(("git push",), (), rf"^{remote['name']}$", remote["name"])]
    if clause.verb == "push" and branch:
        return [Pattern(("git push",), (), arguments)]
    everything = all(thing.lower() in VAGUE for thing in clause.objects) and not clause.when
    if clause.verb in ("push", "commit") and everything and ({"never", "always"} & set(clause.cues) or clause.marked):
        return [Pattern((f"git {clause.verb}",), ("git push --dry-run",) if clause.verb == "push" else ())]
    return []


def _as_spelled(commands: tuple[str, ...], clause: Clause) -> tuple[str, ...]:
    """Where the person wrote the command out, "git push --force", no other command or flag is meant."""
    if LEASE in clause.text:  # they tell the two apart, whatever language the rest is in
        commands = tuple(command.removesuffix(f"|{LEASE}") for command in commands)
    if any(command.startswith(f"git {clause.verb} ") for command in commands):  # "do not push with --no-verify"
        commands = tuple(command for command in commands if command.startswith(f"git {clause.verb} "))
    spoken = [f"git {thing}" if clause.verb == "git" else thing for thing in (*clause.forbidden, *clause.objects)]
    written = [thing.split() for thing in spoken if thing.startswith("git ")]
    if not written:
        return commands
    kept = tuple(command for command in commands if command.split()[1] == written[0][1])
    return tuple(command.removesuffix(f"|{LEASE}") for command in kept)


def _spelled(thing: str, clause: Clause) -> list[str]:
    words = thing.strip("`'\" ").split()
    run = clause.verb in ("use", "run", "call", "execute", "invoke", "do") or f"`{thing.strip('`')}`" in clause.text
    if len(words) == 1 and words[0] in RUN_AS_MODULES and clause.polarity == "prefer":
        return [f"python -m {words[0]}"]
    if not words or words[0] not in PROGRAMS:
        return _verb_first(words, clause)
    kept = [words[0]]
    for word in words[1:MOST_WORDS]:
        if (
            word in VAGUE
            or not _COMMAND_WORD.match(word)
            or not (word.startswith("-") or word in SUBCOMMANDS or _marked(thing, clause) or _script(kept))
        ):
            if word not in VAGUE:
                return []  # "git history", "docker images": a thing, not a command
            break
        kept.append(word)
    if kept[0] in PLAIN_WORDS and len(kept) == 1 and not run:
        return []
    purpose = [word for word in clause.when.lower().split() if stem(word) in _DOING]
    if len(kept) == 1 and clause.when and not clause.when.lower().startswith(GENERIC_PLACE):
        return [f"{kept[0]} {_DOING[stem(purpose[0])]}"] if purpose else []
    return [" ".join(kept)]


def _verb_first(words: list[str], clause: Clause) -> list[str]:
    """A phrase like "don't npm install": the program is the verb."""
    if clause.verb in PROGRAMS and (clause.verb not in PLAIN_WORDS or (words and clause.verb == "go")):
        kept = [word for word in words[:3] if word in SUBCOMMANDS or word.startswith("-")]
        return [" ".join([clause.verb, *kept])] if len(kept) == len([w for w in words if w not in VAGUE]) else []
    return []


def _script(kept: list[str]) -> bool:
    """Whether the next word is the name of a script or target: "npm run NAME", "make NAME"."""
    return kept[0] in SCRIPTED and (kept[-1] == "run" or kept in (["make"], ["just"]))


def _marked(thing: str, clause: Clause) -> bool:
    return any(term.kind == "code" and thing in term.text for term in clause.terms)


_DOING = {stem(word): word for word in ("install", "test", "build", "lint", "publish", "run")}
