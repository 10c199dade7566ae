"""Which words an action asks for; index_file files rules under the same ones."""

import re

from rulec.shell import action_events
from rulec.shell.command_matching import doubtful_calls, program_names
from rulec.shell.parsing.call import WHY_UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


ALWAYS = "*"  # rules that no word leads to
FILES = "f"  # rules on files that no part of a path leads to
WHOLE = "w"  # all rules on paths: for what touches more than one can tell
END = "e"  # rules on the end of a turn
TOOLS = "t"  # rules on tools by their names
MOST_WORDS = 2_000  # different ones, at a text's beginning and as many at its end
LONGEST = 2_000_000  # characters of a text's beginning and end


def words_of_event(event: "dict[str, Any]") -> "list[str]":
    """The words of an action, to look rules up by."""
    if event["kind"] == "tool":
        return [TOOLS]
    found = {ALWAYS}
    if event["kind"] == "command":
        reading = action_events.parsed_command(event)
        found.update("c" + name for call in reading.calls for name in program_names(call))
        unsure = doubtful_calls(reading.calls)
        if unsure:
            from rulec.shell import possible_matches  # noqa: PLC0415 (most commands leave none)

            found.update(
                word
                for call in unsure
                for word in possible_matches.index_words_of_call(call, str(event.get("command") or ""))
            )
        if reading.unsure:
            found.update("c" + word for word in _words(str(event.get("command", ""))))
            found.update((FILES, WHOLE) if reading.unsure in WHY_UNREAD else ())  # it may write any file
        for file in action_events.file_events(event, action_events.touched_paths(event)):
            _of_file(file, found)
        if any(call.program == "mkdir" for call in reading.calls):
            for path in action_events.new_folders(event, above=True):
                _of_file({"path": path}, found)
    elif event["kind"] in action_events.FILE_KINDS:
        _of_file(event, found)
    elif event["kind"] == "stop":
        found.add(END)
    return sorted(found)


def _of_file(file: "dict[str, Any]", found: "set[str]") -> None:
    found.add(FILES)
    for path in (file["path"], *file.get("also", ()), *([file["inside"]] if file.get("within") else ())):
        parts = [part for part in path.split("/") if part]
        if not parts or any(sign in path for sign in "*?["):
            found.add(WHOLE)
            continue
        found.add("p" + parts[0])
        if path.startswith("/"):
            found.add("p~")  # it may lie in a home
        found.update("n" + part for part in parts)
        found.update("s" + part.rpartition(".")[2] for part in parts if "." in part)


def _words(text: str) -> "list[str]":
    words = dict.fromkeys(re.findall(r"[\w.-]+", text if len(text) <= LONGEST else text[:LONGEST] + text[-LONGEST:]))
    return [*words][:MOST_WORDS] + [*words][-MOST_WORDS:]
