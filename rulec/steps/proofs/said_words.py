"""A person's word as a proof: which object it is about, in which turn of the session it stands, whether it holds."""

import re

from rulec.domain.files import file_kinds
from rulec.guard import dependency_check, manifests
from rulec.guard.session import answer_words, permissions
from rulec.guard.session.acts import Act
from rulec.guard.session.package_permission import name_pattern
from rulec.reminders.words import LONGEST, task_paths, task_words
from rulec.steps.proofs.claimed_files import seconds_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulec.steps.proofs.claimed_files import ChangedFile


PACKAGE, PATH, RULE = "package", "path", "rule"
CHANGES = ("edit", "write", "delete")
SHORTEST_STEM = 4  # letters of a file's name without its ending by which people call it
SHORTEST_QUOTE = 2  # letters of a quote that is not a whole turn
LONGEST_DONE = 400  # characters
_ANY_RULE = {"facts": {"slug": "", "scope": {}}, "check": {}}


class SaidObject:
    """What a person has to speak of: a package that is brought in, or a file, by a pattern of their words for it.

    ``done`` is the text of what is done with it, which may meet a condition of the person.
    """

    __slots__ = ("deletes", "done", "kind", "name", "words")

    def __init__(self, kind: str, name: str, words: str, *, deletes: bool = False, done: str = "") -> None:
        self.kind, self.name, self.words, self.deletes = kind, name, words, deletes
        self.done = done[:LONGEST_DONE]

    def data(self) -> "list[Any]":
        """The object as a record keeps it."""
        return [self.kind, self.name, self.words, self.deletes, self.done]


def object_from_data(data: object) -> "SaidObject | None":
    """The object of a record; None where it is none."""
    if not isinstance(data, list) or len(data) not in (4, 5) or not all(isinstance(one, str) for one in data[:3]):
        return None
    return SaidObject(data[0], data[1], data[2], deletes=data[3] is True, done=str(data[4]) if len(data) == 5 else "")


def objects_of(file: "ChangedFile", rule_words: "Sequence[str]" = ()) -> "list[SaidObject]":
    """What a change of a file has to be allowed for: each package that it brings in, or else the file itself.

    ``rule_words`` are patterns of what the rule speaks of, by which people may name the file as well. A lock file goes
    with the manifests.
    """
    packages = brought_packages(file)
    if packages:
        return [SaidObject(PACKAGE, name, name_pattern(name), done=_lines_with(name, file)) for name in packages]
    if is_lock_file(file.path):
        return []
    words = "|".join([path_pattern(file.path), *(f"(?:{one})" for one in rule_words)])
    return [SaidObject(PATH, file.path, words, deletes=file.now is None)]


def _lines_with(name: str, file: "ChangedFile") -> str:
    """The added lines that name the package, and the section of each where it is one for development."""
    known, found, section = set((file.before or "").splitlines()), [], ""
    for line in (file.now or "").splitlines():
        if line.rstrip().endswith(("{", "]", "[")):
            section = line.strip()
        if name in line and line not in known:
            found.append(f"{line.strip()} ({section})" if "dev" in section.lower() else line.strip())
    return "\n".join(found)


def brought_packages(file: "ChangedFile") -> "list[str]":
    """The packages that the change of a manifest brings in."""
    if file.now is None or not manifests.kind_of(file.path):
        return []
    event = {"kind": "edit", "path": file.path, "old": file.before or "", "new": file.now, "content": file.now}
    event["disk"] = file.before or ""
    return list(dict.fromkeys(one.name for one, _ in dependency_check.brought_packages(_ANY_RULE, event)))


def is_lock_file(path: str) -> bool:
    """Whether a package manager writes the file."""
    return file_kinds.is_among(["@lockfile"], path)


def path_pattern(path: str) -> str:
    """What a person may call a file: its path, the end of it, its name, or the folder right above it with a slash."""
    parts = path.split("/")
    names = ["/".join(parts[at:]) for at in range(len(parts))]
    stem = parts[-1].partition(".")[0]
    names += [stem] if len(stem) >= SHORTEST_STEM else []
    folders = ["/".join(parts[at:-1]) for at in range(len(parts) - 1)]
    told = [rf"(?<![\w/.-]){re.escape(name)}(?![\w/-])(?!\.\w)" for name in dict.fromkeys(names)]
    told += [rf"(?<![\w/.-]){re.escape(folder)}/(?![\w])" for folder in dict.fromkeys(folders)]
    return f"(?:{'|'.join(told)})"


class PersonTurn:
    """One turn of a person, with the agent's words that it answers, and its place among the events."""

    __slots__ = ("at", "place", "told")

    def __init__(self, event: "dict[str, Any]", asked: str, place: int) -> None:
        self.place = place
        self.told = Act("says", event, text=str(event.get("text") or ""))
        self.told.asked = asked
        self.at = seconds_of(event.get("at"))


def person_turns(events: "Sequence[dict[str, Any]]") -> "list[PersonTurn]":
    """The turns of the person, the last one first."""
    found = []
    for at, event in enumerate(events):
        if event["kind"] == "says":
            before = events[at - 1] if at else {}
            found.append(PersonTurn(event, str(before.get("text") or "") if before.get("kind") == "stop" else "", at))
    return found[::-1]


def why_not_said(
    events: "Sequence[dict[str, Any]] | None",
    objects: "Sequence[SaidObject]",
    quote: str,
    known: float,
    started: float = 0.0,
    *,
    subject: "frozenset[str]" = frozenset(),
) -> str:
    """Why the quote is no person's word that allows all of this; "" where it is.

    It has to be said since the step was ``known``, or in answer to a question about the object. A word about a file
    that was changed under it before the step ``started`` was for an earlier step, and is used up. ``subject`` is
    what a rule that asks for no word is about: to be given the task, or a file, allows nobody to break it.
    """
    if events is None:
        return "the session's transcript cannot be read"
    if not objects:
        return "nothing in the change says what a person would have to speak of"
    wanted = " ".join(quote.split())
    turns = person_turns(events)
    quoting = [turn for turn in turns if _is_quoted(wanted, " ".join(turn.told.text.split()))]
    if not quoting:
        return "no turn of a person in this session has these words"
    for one in objects:
        allowing = [turn for turn in quoting if permits(one, turn)]
        if not allowing:
            return f"those words do not allow {one.name}: ask about it by name"
        timely = [turn for turn in allowing if turn.at >= known or _answers(one, turn)]
        if not timely:
            return f"they were said of {one.name} before the step was known"
        timely = [turn for turn in timely if not subject or _speaks_of(subject, one, turn)]
        if not timely:
            return f"those words name {one.name}, but nothing that the rule is about: ask 'May I … although RULE?'"
        timely = [turn for turn in timely if not _is_used_up(one, turn, events, started)]
        if not timely:
            return f"they were about an earlier step, in which {one.name} was changed already: ask again"
        if is_taken_back(one, turns[: turns.index(timely[0])]):
            return f"the person took that back for {one.name} later"
    return ""


def _is_quoted(quote: str, turn: str) -> bool:
    return bool(quote) and (quote == turn or (len(quote) >= SHORTEST_QUOTE and quote in turn))


def is_still_said(events: "Sequence[dict[str, Any]] | None", objects: "Sequence[SaidObject]") -> bool:
    """Whether a person's word that was found earlier stands in the session and was not taken back since."""
    turns = person_turns(events or ())
    return bool(objects) and all(
        any(permits(one, turn) for turn in turns) and not is_taken_back(one, turns) for one in objects
    )


def permits(one: SaidObject, turn: PersonTurn) -> bool:
    """Whether the turn asks for the object's change, or says yes to a question about it."""
    path = one.name if one.kind == PATH else ""
    if permissions.refuses_thing(one.words, turn.told.text[: permissions.LONGEST]):
        return False
    return permissions.permits(
        one.words, turn.told, path, deletes=one.deletes, of_thing=one.kind != RULE, done=one.done
    )


def _is_used_up(one: SaidObject, turn: PersonTurn, events: "Sequence[dict[str, Any]]", started: float) -> bool:
    """Whether the file was changed after the turn and before the step began."""
    if one.kind != PATH:
        return False
    for event in events[turn.place + 1 :]:
        at = seconds_of(event.get("at"))
        if event["kind"] in CHANGES and event.get("path") == one.name and at and at < started:
            return True
    return False


def subject_of(record: "dict[str, Any]", path: str) -> "frozenset[str]":
    """The words that tell what a rule is about, without those of the file's path as long as others are left."""
    words = task_words(" ".join(str(record.get(key) or "") for key in ("slug", "says", "when", "do")))
    return frozenset(words - task_words(path) or words)


def _speaks_of(subject: "frozenset[str]", one: SaidObject, turn: PersonTurn) -> bool:
    """Whether the turn, besides the paths in it, or the question about the object that it answers has such a word."""
    return any(
        subject & task_words(_without_paths(text))
        for text in (turn.told.text, turn.told.asked if _answers(one, turn) else "")
    )


def _without_paths(text: str) -> str:
    text = text[-LONGEST:]
    for path in task_paths(text):
        text = text.replace(path, " ")
    return text


def _answers(one: SaidObject, turn: PersonTurn) -> bool:
    """Whether the agent's question before the turn names the object."""
    return "?" in turn.told.asked and bool(re.search(one.words, turn.told.asked, re.IGNORECASE))


def is_taken_back(one: SaidObject, later: "Sequence[PersonTurn]") -> bool:
    """Whether one of the later turns, the last one first, takes the word back, and none after it gives it again."""
    for at, turn in enumerate(later):
        if permits(one, turn):
            return False
        if permissions.forbids(one.words, turn.told):
            return True
        if answer_words.retracts(turn.told.text) and (at + 1 == len(later) or permits(one, later[at + 1])):
            return True
    return False
