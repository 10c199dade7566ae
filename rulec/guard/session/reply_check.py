"""The guard check on a reply: what the agent says to the person at the end of its turn, and on the way there."""

import re

from rulec.domain.patterns import globs
from rulec.guard.session import acts
from rulec.shell.action_events import LONGEST_SHOWN, finding_of
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


LONGEST = 20_000  # characters of one message that are looked at
LONGEST_LINE = 2_000
MOST_LINES = 1_000
MOST_MESSAGES = 200  # of one turn
MOST_ACTS = 5_000  # of one turn
_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)")
_QUOTED_LINE = re.compile(r"^([ \t]{0,3}(?:>[ \t]?)+).+$", re.MULTILINE)
# Between marks that pair on one line: not ', which is an apostrophe, too; of " one that no word or measure ends with.
_QUOTED = re.compile(
    r"(“)[^“”\n]+(?=”)|(„)[^„“”\n]+(?=[“”])|(«)[^«»\n]+(?=»)|(「)[^「」\n]+(?=」)|"
    r"(?<!\w)(\")(?=[^\s\"])[^\"\n]*(?<=\S)(?=\"(?!\w))"
)
_SPAN = re.compile(r"`[^`\n]+`")


def check_reply(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """The first thing that the rule has against what the agent said in this turn."""
    check, slug = rule["check"], rule["facts"]["slug"]
    last = str(event.get("text") or "")[:LONGEST]
    if event["kind"] != "stop" or not last.strip() or not _meant(check, event):
        return []
    said = [last, *(_earlier(event) if check.get("every") else ())]
    for text in said:
        wrong = _wrong(check, text)
        if wrong:
            cure = check.get("instead") or "say it again, as the rule has it"
            return [finding_of(slug, text=f"the reply {wrong}"[: 2 * LONGEST_SHOWN], cure=cure)]
    return []


def _earlier(event: "dict[str, Any]") -> "list[str]":
    """What the agent said between its acts, the latest first, since the person spoke or we last objected."""
    found: "list[str]" = []
    for one in reversed(event.get("history") or ()):
        if one["kind"] in ("says", "stop") or len(found) == MOST_MESSAGES:
            break
        if one["kind"] == "reply":
            found.append(str(one.get("text") or "")[:LONGEST])
    return found


def _meant(check: "dict[str, Any]", event: "dict[str, Any]") -> bool:
    """Whether the turn did what the rule speaks of, where it asks for that; any one of what it names."""
    edits, commands = check.get("after_edits") or (), check.get("after_commands") or ()
    if not edits and not commands:
        return True
    left = MOST_ACTS
    for one in reversed(event.get("history") or ()):
        if one["kind"] == "says" or left < 0:
            return False
        for act in acts.acts_of(one):
            left -= 1
            if act.kind in ("edit", "delete") and act.sure and globs.match(edits, act.path):
                return True
            if act.kind == "run" and act.ok is not False and any(matches(form, act.call) for form in commands):
                return True
    return False


def _wrong(check: "dict[str, Any]", text: str) -> str:
    """What is wrong with a message, in words; "" where nothing is."""
    flags = re.IGNORECASE if check.get("ignore_case") else 0
    whole = flags | re.MULTILINE
    if check.get("when") and not re.search(check["when"], text, whole):
        return ""
    if check.get("unless") and re.search(check["unless"], text, whole):
        return ""
    prose = text if check.get("code") else prose_of(text)
    for line in (prose if check.get("code") else without_quotes(prose)).split("\n")[:MOST_LINES]:
        found = _first(check.get("forbid") or (), line[:LONGEST_LINE], flags)
        if found:
            return f"says {found!r}"
    missed = next((one for one in check.get("require") or () if not re.search(one, text, whole)), "")
    return f"lacks {missed}" if missed else _measured(check, prose)


def _measured(check: "dict[str, Any]", prose: str) -> str:
    most = check.get("max_words") or 0
    if most and len(prose.split()) > most:
        return f"has {len(prose.split())} words besides its code, and {most} are allowed"
    most, lines = check.get("max_lines") or 0, sum(1 for line in prose.split("\n") if line.strip())
    if most and lines > most:
        return f"has {lines} lines besides its code, and {most} are allowed"
    if not check.get("language"):
        return ""
    from rulec.guard.session import reply_language  # noqa: PLC0415 (few rules ask for a language)

    other = reply_language.foreign_language(prose, check["language"])
    return f"is written in {other}" if other else ""


def _first(patterns: "Sequence[str]", line: str, flags: int) -> str:
    """What one of the patterns finds in the line, with a little of what stands around it."""
    for pattern in patterns:
        found = re.search(pattern, line, flags)
        if found:
            start, end = max(0, found.start() - 20), min(len(line), found.end() + 20)
            return " ".join(line[start:end].split())[:LONGEST_SHOWN]
    return ""


def prose_of(text: str) -> str:
    """The message without its code: fenced blocks are left out, spans are blank."""
    kept: "list[str]" = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1] == fence):
            fence = "" if fence else mark[1]
        elif not fence:
            kept.append(_SPAN.sub(lambda span: " " * len(span[0]), line))
    return "\n".join(kept)


def without_quotes(prose: str) -> str:
    """The message with blanks for what it quotes, unless it says nothing else."""
    marked = _QUOTED_LINE.sub(lambda line: line[1] + " " * (len(line[0]) - len(line[1])), prose)
    marked = _QUOTED.sub(lambda found: found[found.lastindex or 0].ljust(len(found[0])), marked)
    return marked if re.search(r"\w", marked) else prose
