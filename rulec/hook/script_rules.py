"""What a command runs from files, judged as if typed: scripts of this session, recipes, SQL."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.worktree import Worktree
from rulec.guard import acts
from rulec.shell import action_events, run_files
from rulec.shell.action_events import Event
from rulec.shell.parsing.call import CarriedText, join_path, quote_word
from rulec.shell.parsing.interpreters import code_option, started_as_text
from rulec.shell.programs import facts_of, interpreter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulec.domain.compiled_rule import EventFinding
    from rulec.shell.action_events import Act

    Judge = Callable[[Event], list[EventFinding]]
    Read = Callable[[str], str | None]


END = "END_OF_TEXT"
DEEPEST = 3  # scripts that run scripts


def judge_scripts(event: Event, asked: HookRequest, judge: Judge) -> list[EventFinding]:
    """Certain findings on what the command runs from files.

    Of scripts, those count that this session wrote, without what HEAD has too; what the command itself writes and then
    runs always counts, for HEAD cannot have it ("typed" tells the readers of files whether to look there). Recipes of a
    Makefile or a package, and SQL, count whoever wrote them, for the rules on commands: to call one is to run what
    stands in it. The files that a recipe writes are its own business, as a generator's are.
    """
    standing = _findings(event.but(standing=True), event.here.read, judge)
    known = {(one.slug, one.text) for one in standing}
    return standing + [one for one in _of_session(event, asked, judge) if (one.slug, one.text) not in known]


def _of_session(event: Event, asked: HookRequest, judge: Judge) -> list[EventFinding]:
    """Findings on what this session wrote."""
    world = event.here
    found = _findings(event, world.read, judge)
    if not found:
        return []  # nothing to ask the session about
    made, changed = _written_paths(asked, world)
    found = _findings(event, lambda path: world.read(path) if path in made or path in changed else None, judge)
    if not found or not changed:
        return found
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess)

    old = pending_change.texts_at_head(world.root, sorted(changed))
    before = _findings(event.but(typed=False), lambda path: old.get(path) if path not in made else None, judge)
    known = [(one.slug, one.text) for one in before]
    return [one for one in found if (one.slug, one.text) not in known]


def _findings(event: Event, read: Callable[[str], str | None], judge: Judge, depth: int = 1) -> list[EventFinding]:
    found: list[EventFinding] = []
    view = event.but(reader=read, scripts_read=None, typed=depth > 1 or event.typed)
    for call in action_events.parsed_command(event).calls:
        if event.standing and depth == 1 and not _counts_whoever_wrote(call.program):
            continue
        for script in run_files.texts_of_scripts(view, call) if run_files.runs_files(call) else ():
            inner = _as_typed(event, script).but(run_by=(*event.run_by, call))
            line = action_events.command_line(call.argv)
            seen = [one for one in judge(inner) if not one.unsure and not one.fault]
            found += [one.but(text=f"{line} runs: {one.text}") for one in seen]
            if depth < DEEPEST:
                found += _findings(inner, read, judge, depth + 1)
    return found


def _counts_whoever_wrote(program: str) -> bool:
    """Whether the program's recipes, statements or diffs are judged even where this session did not write them."""
    return facts_of(program).get("from_files") in (*run_files.RECIPES, "sql", "diff") or program == "git"


def _as_typed(event: Event, script: CarriedText) -> Event:
    """The event of a command that gives the script's text on its line."""
    text = script.text
    if script.program == "diff":
        text = f"git apply <<'{END}'\n{text}\n{END}"
    elif interpreter_of(script.program):
        text = " ".join([script.program, code_option(script.program), quote_word(text)])
    elif facts_of(script.program).get("from_files") == "source":
        text = started_as_text(script.program, text)
    elif facts_of(script.program).get("from_files") == "sql":  # on its line and on standard input: rules look at either
        text = f"{script.program} {quote_word(text)} <<'{END}'\n{text}\n{END}"
    cwd, where = join_path(event.cwd, script.cwd), {"root": event.root, "world": event.world}
    inner = Event(kind="command", command=text, cwd=cwd, agent=event.agent, environment=event.environment)
    inner.script_words = script.words if text is script.text else ()
    return inner.but(**where, standing=event.standing)


def _written_paths(asked: HookRequest, world: Worktree) -> tuple[set[str], set[str]]:
    """The files that the session created, and those that it changed.

    Where its record cannot tell, because there is none or it was written before the file, what HEAD does not have.
    """
    from rulec.checkout import pending_change  # noqa: PLC0415 (few commands run a script that a rule minds)
    from rulec.transcripts import recent_history  # noqa: PLC0415 (as above)

    seen = recent_history.recent_history(asked, world)
    since = recent_history.last_written(asked.transcript) if seen else 0
    pending = (path for path, _ in pending_change.changed_paths(world.root))
    made: set[str] = set()
    changed = {path for path in pending if recent_history.last_written(world.absolute(path)) >= since}
    if seen is None:
        return made, changed
    for act in _edits(seen.events):
        (made if act.whole and act.path not in changed else changed).add(act.path)
    return made, changed


def _edits(events: list[Event]) -> Iterator[Act]:
    for event in events:
        yield from (act for act in acts.acts_of(event) if act.kind == "edit")


def judge_known_scripts(event: Event, any_text: Read, own_text: Read, judge: Judge) -> list[EventFinding]:
    """As ``judge_scripts``, where an example says all that the session wrote: ``own_text`` knows it and no more."""
    standing = _findings(event.but(standing=True), any_text, judge)
    known = {(one.slug, one.text) for one in standing}
    own = _findings(event, own_text, judge)
    return standing + [one for one in own if (one.slug, one.text) not in known]
