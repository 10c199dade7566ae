"""Replies: whether the agent's last message says what it must, claims what was not done, or is in another language."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import EventFinding
from rulec.domain.files import globs
from rulec.guard import acts
from rulec.shell.action_events import LONGEST_SHOWN
from rulec.shell.command_matching import matches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.domain.compiled_rule import Facts, ReplyCheck
    from rulec.shell.action_events import Event


LEAST = 6  # small words or signs, below which nothing is said
NAMES = {
    "en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese",
    "nl": "Dutch", "pl": "Polish", "ru": "Russian", "zh": "Chinese", "ja": "Japanese", "ko": "Korean",
}  # fmt: skip
WORDS = {
    "en": "the of and to is was are were that this with it for have has will would should been which not you from but",
    "de": "der die das und ist nicht ein eine mit auf für dem den des im zu werden wird wurde auch sich sind aber oder",
    "fr": "le les des et est une dans que pour pas sur avec vous sont ce cette qui au aux du il nous mais ou été",
    "es": "el los las y es una que para con por se del al como más pero está son este esta fue lo sus hay ya",
    "it": "il di che è una per non con del della sono gli nel alla questo questa più anche ma lo dei ho si stato",
    "pt": "o os e é uma que para com não do da dos das em no na foi mais como mas este esta são ao você também",
    "nl": "de het een en is niet van op voor met dat die zijn wordt ook er maar aan naar bij deze dit worden heeft",
    "pl": "w i nie na jest się z do że to jak ale za od po są dla przez tego już tak oraz ten może było",
}
SCRIPTS = {
    "ru": re.compile(r"[\u0400-\u04FF]"),
    "ja": re.compile(r"[\u3040-\u30FF]"),
    "ko": re.compile(r"[\uAC00-\uD7AF]"),
    "zh": re.compile(r"[\u4E00-\u9FFF]"),
}
_WORD = re.compile(r"[^\W\d_]+")


def foreign_language(text: str, wanted: str) -> str:
    """The name of the language that a text is written in, where it is surely not the one that is wanted; else ""."""
    counts = count_by_language(text)
    best = max(counts, key=lambda code: counts[code])
    sure = counts[best] >= LEAST and counts[best] >= 2 * counts.get(wanted, 0)
    return NAMES[best] if best != wanted and sure else ""


def count_by_language(text: str) -> dict[str, int]:
    """How much of the text speaks for each language."""
    words = _WORD.findall(text.lower())
    counts = {code: sum(1 for word in words if word in known) for code, known in _SETS.items()}
    counts.update((code, len(pattern.findall(text))) for code, pattern in SCRIPTS.items())
    if counts["ja"]:  # Japanese writes with Chinese signs, too
        counts["ja"], counts["zh"] = counts["ja"] + counts["zh"], 0
    return counts


_SETS = {code: frozenset(words.split()) for code, words in WORDS.items()}

LONGEST = 20_000  # characters of one message that are looked at
LONGEST_LINE = 2_000
MOST_LINES = 1_000
MOST_MESSAGES = 200  # of one turn
MOST_ACTS = 5_000  # of one turn
_FENCE = re.compile(r"^[ \t]{0,3}(```|~~~)")
_QUOTED_LINE = re.compile(r"^([ \t]{0,3}(?:>[ \t]?)+).+$", re.MULTILINE)
_BEGINS = re.compile(r"\s*(?:$|[-*+] |\d{1,3}[.)] |#{1,6} |[|>])")  # a line that goes on with no line before it
# Between marks that pair on one line: not ', which is an apostrophe, too; of " one that no word or measure ends with.
_QUOTED = re.compile(
    r"(“)[^“”\n]+(?=”)|(„)[^„“”\n]+(?=[“”])|(«)[^«»\n]+(?=»)|(「)[^「」\n]+(?=」)|"
    r"(?<!\w)(\")(?=[^\s\"])[^\"\n]*(?<=\S)(?=\"(?!\w))"
)
_SPAN = re.compile(r"`[^`\n]+`")


def check_reply(facts: Facts, check: ReplyCheck, event: Event) -> list[EventFinding]:
    """The first thing that the rule has against what the agent said in this turn."""
    last = event.text[:LONGEST]
    if event.kind != "stop" or not last.strip() or not _meant(check, event):
        return []
    said = [last, *(_earlier(event) if check.every else ())]
    for text in said:
        wrong = _wrong(check, text)
        if wrong:
            cure = check.instead or "say it again, as the rule has it"
            return [EventFinding(facts=facts, text=f"the reply {wrong}"[: 2 * LONGEST_SHOWN], cure=cure)]
    return []


def _earlier(event: Event) -> list[str]:
    """What the agent said between its acts, the latest first, since the person spoke or we last objected."""
    found: list[str] = []
    for one in reversed(event.history or ()):
        if one.kind in ("says", "stop") or len(found) == MOST_MESSAGES:
            break
        if one.kind == "reply":
            found.append(one.text[:LONGEST])
    return found


def _meant(check: ReplyCheck, event: Event) -> bool:
    """Whether the turn did what the rule speaks of, where it asks for that; any one of what it names."""
    edits, commands = check.after_edits, check.after_commands
    if not edits and not commands:
        return True
    left = MOST_ACTS
    for one in reversed(event.history or ()):
        if one.kind == "says" or left < 0:
            return False
        for act in acts.acts_of(one):
            left -= 1
            if act.kind in ("edit", "delete") and act.sure and globs.match(edits, act.path):
                return True
            if act.kind == "run" and act.ok is not False and any(matches(form, act.call) for form in commands):
                return True
    return False


def _wrong(check: ReplyCheck, text: str) -> str:
    """What is wrong with a message, in words; "" where nothing is."""
    flags = re.IGNORECASE if check.ignore_case else 0
    whole = flags | re.MULTILINE
    if check.when and not re.search(check.when, text, whole):
        return ""
    if check.unless and re.search(check.unless, text, whole):
        return ""
    prose = text if check.code else prose_of(text)
    lines = text.split("\n")[:MOST_LINES] if check.code else own_lines(text)
    forbidden, most = check.forbid, check.most
    count = sum(len(re.findall(one, line[:LONGEST_LINE], flags)) for one in forbidden for line in lines) if most else 0
    if count > most:
        return f"says {count} times what it may say {most} times"
    for line in () if most else lines if check.code else [*lines, *_joined_lines(lines)]:
        found = _first(forbidden, line[:LONGEST_LINE], flags)
        if found:
            return f"says {found!r}"
    missed = next((one for one in check.require if not re.search(one, text, whole)), "")
    return f"lacks {missed}" if missed else _measured(check, prose)


def own_lines(text: str) -> list[str]:
    """The lines of a message, without its code and its quotations."""
    return without_quotes(prose_of(text)).split("\n")[:MOST_LINES]


def own_words(text: str) -> list[str]:
    """Those lines, and each passage of several as one line."""
    lines = own_lines(text)
    return [line[:LONGEST_LINE] for line in [*lines, *_joined_lines(lines)]]


def _joined_lines(lines: list[str]) -> list[str]:
    """Each passage of several lines as one line: a phrase may be broken over two of them."""
    passages: list[list[str]] = [[]]
    for line in lines:
        if _BEGINS.match(line):
            passages.append([])
        passages[-1].append(line.strip())
    return [" ".join(passage) for passage in passages if len(passage) > 1]


def _measured(check: ReplyCheck, prose: str) -> str:
    most = check.max_words or 0
    if most and len(prose.split()) > most:
        return f"has {len(prose.split())} words besides its code, and {most} are allowed"
    most, lines = check.max_lines or 0, sum(1 for line in prose.split("\n") if line.strip())
    if most and lines > most:
        return f"has {lines} lines besides its code, and {most} are allowed"
    if not check.language:
        return ""

    other = foreign_language(prose, check.language)
    return f"is written in {other}" if other else ""


def _first(patterns: Sequence[str], line: str, flags: int) -> str:
    """The first match of the patterns in the line, with a little context."""
    for pattern in patterns:
        found = re.search(pattern, line, flags)
        if found:
            start, end = max(0, found.start() - 20), min(len(line), found.end() + 20)
            return " ".join(line[start:end].split())[:LONGEST_SHOWN]
    return ""


def prose_of(text: str) -> str:
    """The message without its code: fenced blocks are left out, spans are blank."""
    kept: list[str] = []
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
