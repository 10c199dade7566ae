"""The acts of a session that rules speak of, and which command covers which."""

from __future__ import annotations

import re
from datetime import datetime

from rulec.domain.patterns.command_patterns import plain_program
from rulec.shell import action_events, writes
from rulec.shell.action_events import Act
from rulec.shell.command_matching import matches, words_beside_pattern
from rulec.shell.parsing.call import PIPE_STATUS, Call, join_path
from rulec.shell.programs import WORDS, facts_of, interpreter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import CarriedText


PIPES = ("|", "|&")
LONGEST_COMMAND = 20_000  # characters of one command of the past that are parsed


def seconds_of(stamp: object) -> float:
    """A record's time as seconds; 0 where it has none."""
    try:
        return datetime.fromisoformat(str(stamp or "")).timestamp()
    except ValueError:
        return 0.0


def acts_of(event: Event) -> list[Act]:
    """The acts of one event, found once; those of a command that failed happened only perhaps."""
    if event.acts is None:
        event.acts = _find_acts(event)
        if event.tool:
            event.acts.append(Act("tool", event, text=event.tool))
    return event.acts


def _find_acts(event: Event) -> list[Act]:
    kind = event.kind
    if kind == "command":
        return list(_ran(event))
    if kind in ("says", "stop"):
        text = event.text
        return [Act(kind, event, text=text), *(_mentioned(event, text) if kind == "says" else ())]
    if kind in ("write", "edit", "delete"):
        path = _here(event, event.path)
        done = Act("delete" if kind == "delete" else "edit", event, path=path, sure=not event.unsure)
        done.whole = kind == "write"
        return [done]
    return [Act(kind, event, path=event.path)] if kind in ("read", "gap") else []


def _here(event: Event, path: str) -> str:
    """The path as this work tree has it, where it lies in another one of the same repository."""
    world = event.world if path.startswith("/") else None
    return world.name_of(path) if world else path


def is_outside(event: Event, folder: str) -> bool:
    """Whether a command that runs in the folder does so outside the repository and its other work trees."""
    place = action_events.relative_path(event, folder)
    if not (place.startswith(("/", "~", "../")) or place == ".."):
        return False
    world = event.world
    return not world or world.tree_at(world.absolute(place)) is world


def _ran(event: Event) -> Iterator[Act]:
    if len(event.command) > LONGEST_COMMAND:
        yield Act("gap", event)
        return
    calls = action_events.parsed_command(event).calls
    failed = _failed(calls) if event.ok is False else set()
    for place, call in enumerate(calls):
        run = Act("run", event)
        run.call, run.place, run.ok = call, place, False if place in failed else None
        found = [run]
        for effect in writes.effects_of_call(call):
            if effect.formats:
                continue  # who formats a file need not have read it, and what was tested stays tested
            path = _here(event, action_events.relative_path(event, effect.path))
            done = Act("delete" if effect.delete else "edit", event, path=path)
            done.sure, done.whole = effect.sure and event.ok is not False, effect.whole
            done.undoes = effect.undoes
            found.append(done)
        if run.ok is not False:
            found += [Act("read", event, path=action_events.relative_path(event, path)) for path in _read(call)]
        for act in found:
            act.place = place
        yield from found


def _failed(calls: list[Call]) -> set[int]:
    """Which of a failed text's commands are the ones that failed: its last pipeline, where nothing else is known."""
    last = len(calls) - 1
    while last > 0 and calls[last].program in WORDS["harmless"]:
        last -= 1
    failed = {last}
    while last > 0 and (calls[last - 1].sign in PIPES or calls[last].via):
        last -= 1
        failed.add(last)
    return failed


def _read(call: Call) -> list[str]:
    """The paths that a command shows to the agent, as far as its words name them."""
    found = [target for sign, target in call.redirects if sign == "<"]
    if call.program in WORDS["readers"] and not any(word.startswith(("-i", "--in-place")) for word in call.argv[1:2]):
        found += [word for word in call.argv[1:] if word and not word.startswith("-")]
    elif call.program == "git" and "show" in call.argv[1:]:
        found += [word.partition(":")[2] for word in call.argv[2:] if ":" in word]
    elif interpreter_of(call.program):
        found += writes.string_literals(writes.program_code(call))
    return [join_path(call.cwd, path) for path in found if path]


def _mentioned(event: Event, text: str) -> Iterator[Act]:
    """Files that a person names with @: the agent's program shows them to the agent."""
    for word in text[:LONGEST_COMMAND].split():
        if word.startswith("@") and len(word) > 1:
            yield Act("read", event, path=action_events.relative_path(event, word[1:].rstrip(".,;:!?)")))


_BRANCHING = re.compile(
    r"(?m)(?:^|[;&|({]|\b(?:then|do|else)\b)[ \t]*(?:if|case|for|while|until|select|function)\b|\(\)"
)


def runs_within(run: Act, scripts: Iterable[CarriedText]) -> list[Act]:
    """The runs by the scripts and recipes that a command runs."""
    found: list[Act] = []
    for script in scripts:
        for act in acts_of(run.event.with_script(script)):
            if act.kind == "run":
                act.outer = run
                found.append(act)
    return found


def hides_run(inner: Act) -> str:
    """Why nobody knows that a script or recipe ran the command and how it went; "" where its text shows it."""
    text = inner.event.command
    here = text.rfind(inner.call.argv[0])
    if _BRANCHING.search(text if here < 0 else text[:here]):
        return "the script that runs it has conditions"
    if any(call.sign in ("||", "&&") for call in action_events.parsed_command(inner.event).calls[: inner.place]):
        return "the script runs it only on a condition"
    sign = hiding_operator(inner)
    return f"{sign!r} behind it in the script hides how it went" if sign else ""


def follows_on(run: Act, judged: Act) -> bool:
    """Whether the later command of one text runs only where the earlier one went well."""
    calls = action_events.parsed_command(judged.event).calls
    strict = any(call.program == "set" and _exits_on_error(call) for call in calls[: run.place])
    at = run.place
    while at < judged.place:
        sign = calls[at].sign
        if sign == "||" and _fails(calls[at + 1]):
            at += 1
        elif not (sign in ("&&", "") or (strict and sign in (";", "\n"))):
            return False
        at += 1
    return True


def hiding_operator(run: Act, until: int | None = None) -> str:
    """The operator by which the text hides how the command went: | || ; & or a line's end; "" where nothing does.

    ``until`` is the place of the last command whose running depends on it; otherwise that of the text's last.
    """
    calls = action_events.parsed_command(run.event).calls
    if until is None and _ends_with_status(calls, run.place) and not _BRANCHING.search(run.event.command):
        return ""
    strict = any(call.program == "set" and _exits_on_error(call) for call in calls[: run.place])
    piped = any(call.program == "set" and "pipefail" in call.argv for call in calls[: run.place])
    at, last = run.place, len(calls) - 1 if until is None else until
    while at < last:
        sign = calls[at].sign
        if sign == "||" and (calls[at + 1].program == "false" or _fails(calls[at + 1])):
            at += 1
        elif not (sign in ("&&", "") or (strict and sign in (";", "\n")) or (piped and sign in PIPES)):
            return "" if sign == "||" and any(_fails(call) and call.argv[1:] for call in calls[at:]) else sign
        at += 1
    return "&" if until is None and calls[last].sign == "&" else ""


def _ends_with_status(calls: list[Call], place: int) -> bool:
    """Whether the text ends with the exit status of this command: ``exit $?``, or ``rc=$?`` and later ``exit $rc``."""
    ends = [at for at, call in enumerate(calls) if at > place and call.program in ("exit", "return")]
    if ends != [len(calls) - 1] or len(calls[-1].argv) != 2:
        return False
    over = next((at for at in range(place, ends[0]) if calls[at].sign in (";", "\n")), ends[0])
    signs = {call.sign for call in calls[place:over]}
    first = not place or calls[place - 1].sign not in PIPES
    status = "$?" if not signs - {""} else PIPE_STATUS if first and not signs - {"", *PIPES} else ""
    names = [name for name, value in calls[over].status_in.items() if value == status]
    forms = [form for name in names for form in ("$" + name, "${" + name + "}")]
    return bool(status) and calls[-1].argv[1] in [*forms, *([status] if over + 1 == ends[0] else [])]


def why_unseen(run: Act) -> str:
    """Why nobody knows how an earlier command went that nothing in its text hides; "" where it is known."""
    event = run.event
    if event.background:
        return "it was sent to the background"
    if event.pending:
        return "its result is not there yet"
    if event.nothing:
        return "it says that no tests ran"
    call, calls = run.call, action_events.parsed_command(event).calls
    if call.sign not in PIPES and any(call in one.feeds for one in calls if one.argv):
        return "it runs within the words of another command"
    program = next((name for name in call.via if interpreter_of(name) not in ("", "bun", "deno")), "")
    return f"{program} code started it, which may go on whatever comes of it" if program else ""


def _fails(call: Call) -> bool:
    return call.program in ("exit", "return") and call.argv[1:2] != ["0"]


def _exits_on_error(call: Call) -> bool:
    return any(word[:1] == "-" and word[1:2] != "-" and "e" in word for word in call.argv[1:]) or "errexit" in call.argv


GROUP = re.compile(r"\\([1-9])")
SINGLE = re.compile(r"\w\.\w+(?:::|$)|::|\w/\w")  # a word that names a file, a test, or a folder further down


def fill_numbers(text: str, groups: Sequence[str]) -> str:
    """The text with groups in place of their numbers."""
    return GROUP.sub(lambda found: groups[int(found[1])], text)


def covers_command(form: tuple[str, ...], act: Act, call: Call) -> bool:
    """Whether the call runs more than what the form names, and that too: the folder above the test, or everything.

    ``form`` is the command with group numbers, then the changed file and its groups.
    """
    command, path, groups = form[0], form[1], form[1:]
    kept: list[str] = []
    asked: list[str] = []
    for word in command.split():
        if not GROUP.search(word):
            kept.append(word)
            continue
        if len(kept) > 1 and is_selecting(kept[-1], kept):
            kept.pop()
        asked.append(_place("", fill_numbers(word, groups)))
    if not kept or not matches(" ".join(kept), call):
        return False
    if selects(" ".join(kept), call):
        return False
    rest = words_beside_pattern(" ".join(kept), call)
    given = [_place(call.cwd, word) for word in rest if not word.startswith("-") and ("/" in word or "." in word)]
    if given:
        return all(any(one in ("", ".") or is_above(one, wanted) for one in given) for wanted in asked)
    here = action_events.relative_path(act.event, call.cwd)
    return call.adrift or not here or here == "." or is_above(here, path)


def runs_whole(pattern: str, call: Call) -> bool:
    """Whether the call runs all that the pattern's command does: no option chooses a part, and no file or name does."""
    if selects(pattern, call):
        return False
    rest = words_beside_pattern(pattern, call)
    named = [
        word
        for word, before in zip(rest, ["", *rest], strict=False)
        if not word.startswith("-") and (SINGLE.search(word) or not before.startswith("-") or before == "--")
    ]
    return all(word == "." or (word.endswith(("/", "...")) and not SINGLE.search(word)) for word in named)


def _place(cwd: str, word: str) -> str:
    """The path that a word names, from the top; ./... is all below."""
    word = word.removesuffix("...")
    return join_path(cwd, word.rstrip("/")) if not word.startswith("-") else word


def is_above(folder: str, path: str) -> bool:
    """Whether the path is the folder, or lies in it."""
    return folder in ("", ".") or path == folder or path.startswith(folder.rstrip("/") + "/")


_USUAL = ("pytest", "jest", "vitest", "mocha", "playwright", "node", "cypress")  # of those that nobody names
_HANDED_ON = frozenset(one for runner in _USUAL for one in facts_of(runner)["selects"].split())


def selects(pattern: str, call: Call) -> bool:
    """Whether an option of the call, beside those that the pattern names, chooses a part."""
    rest = words_beside_pattern(pattern, call)
    program = plain_program(call.program)
    runner = _runner([program, *pattern.split(), *call.argv[1:4]])
    facts = facts_of(program)
    more = call.env.get(facts_of(runner).get("options_variable", ""), "").split()
    if runner or "hands_on" not in facts:
        return any(_is_one_of(_selecting(runner) if runner else _HANDED_ON, word) for word in [*rest, *more])
    own = _selecting(program)
    at = rest.index("--") if "--" in rest else 0 if own else len(rest)  # make takes no options for what it runs
    return any(_is_one_of(own, word) for word in rest) or any(_is_one_of(_HANDED_ON - own, word) for word in rest[at:])


def is_selecting(word: str, before: list[str]) -> bool:
    """Whether the word is an option by which the command in whose words it stands chooses a part."""
    runner = _runner(before)
    return _is_one_of(_selecting(runner) if runner else _HANDED_ON | _selecting(before[0]), word)


def _runner(words: list[str]) -> str:
    named = ((word, facts_of(word)) for word in map(plain_program, words))
    return next((word for word, facts in named if "selects" in facts and "hands_on" not in facts), "")


def _selecting(runner: str) -> frozenset[str]:
    return frozenset(facts_of(runner).get("selects", "").split())


def _is_one_of(options: frozenset[str], word: str) -> bool:
    if not word.startswith("-"):
        return False
    attached = not word.startswith("--") and word[2:].replace("_", "").isalnum()  # -ktotal
    return word.partition("=")[0] in options or (attached and word[:2] in options)
