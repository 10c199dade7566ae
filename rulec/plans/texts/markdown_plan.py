"""Plans as Markdown or plain text: check lists, spec-kit's tasks, numbered headings and lists; read, and written into.

The steps are the first of these that a text has: entries with a box, numbered headings, numbered entries, entries.
"""

from __future__ import annotations

import re

from rulec.plans.plan import ACTIVE, DONE, DROPPED, LONGEST, PENDING, PlanItem
from rulec.plans.texts.step_names import MOST_PATHS, is_rule_line, paths_named, words_like_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


BOXED, HEADED, NUMBERED, LISTED = "checklist", "headings", "numbers", "list"
_ENTRY = re.compile(r"(\s*)([-*+]|\d{1,4}[.)])(\s+)(?:\[([ xX~/-])\]\s+)?(\S.*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(`{3,}|~{3,})")
_NUMBER = re.compile(  # T012, "Step 3:", "Phase 2", "1.", "2.1"
    r"(?:T\d{2,5}[a-z]?\b|(?:step|phase|task)\s+\d{1,4}(?:\.\d+)*|\d{1,4}(?:\.\d{1,4})+|\d{1,4}(?=[.):]\s))[.):\s\u2013\u2014-]*",
    re.IGNORECASE,
)
_TAGS = re.compile(r"(?:\[[A-Z]{1,3}\d{0,3}\]\s+)+")  # [P] [US1]
_STRUCK = re.compile(r"~~(.{1,400})~~")
_BOXES = {"x": DONE, "X": DONE, " ": PENDING, "-": ACTIVE, "~": ACTIVE, "/": ACTIVE}


class _Line:
    """A line that may be a step: its number from 0, depth, form, text and status, and what its rules begin with."""

    __slots__ = ("at", "depth", "form", "indent", "key", "status", "text")

    def __init__(self, at: int, depth: int, form: str, text: str) -> None:
        self.at, self.depth, self.form = at, depth, form
        self.indent, self.status, self.key = "", PENDING, ""
        struck = _STRUCK.fullmatch(text.strip())
        number = _NUMBER.match(text) if form in (BOXED, HEADED) else None
        if number is not None:
            self.key = number[0].strip(" \t.):\u2013\u2014-")
            text = text[number.end() :]
        if struck:
            self.status, text = DROPPED, struck[1]
        self.text = _TAGS.sub("", text, count=1).replace("**", "").replace("__", "").strip()[:LONGEST]


def read_markdown_plan(text: str) -> list[PlanItem]:
    """The steps of a text; [] where it has none."""
    return [item for _, item in _steps(text.splitlines())]


def write_markdown_plan(text: str, additions: dict[int, list[str]]) -> str:
    """The text with lines of rules below its steps, by their index; lines of rules that stood there are gone."""
    lines = _lines(text)
    below: dict[int, list[str]] = {}
    for index, (step, _) in enumerate(_steps(lines)):
        told = [f"{step.indent}- {line}" for line in additions.get(index, [])]
        end = _end_of_entry(lines, step)
        apart = told and step.form == HEADED and lines[end : end + 1] not in ([], [""])
        below[end] = [*told, *([""] if apart else [])]
    written = [*below.get(0, [])]
    for at, line in enumerate(lines, 1):
        written += [line, *below.get(at, [])]
    ending = "\r\n" if "\r\n" in text else "\n"
    return ending.join(written) + (ending if text.endswith("\n") else "")


def _lines(text: str) -> list[str]:
    """The lines of a text without those of rules."""
    return [line for line in text.splitlines() if not is_rule_line(line)]


def _end_of_entry(lines: Sequence[str], step: _Line) -> int:
    """The number of the line behind the step's own words."""
    end = step.at + 1
    while step.form != HEADED and end < len(lines) and lines[end].strip() and not _begins(lines[end]):
        end += 1
    return end


def _begins(line: str) -> bool:
    return any(sign.match(line) for sign in (_ENTRY, _HEADING, _FENCE)) or line.lstrip().startswith((">", "|", "<!--"))


def _steps(lines: Sequence[str]) -> list[tuple[_Line, PlanItem]]:
    every = list(_candidates(lines))
    counts = {form: sum(one.form == form for one in every) for form in (BOXED, HEADED, NUMBERED, LISTED)}
    form = next((form for form, count in counts.items() if count > (form == HEADED)), "")
    top = min((one.depth for one in every if one.form == form), default=0)
    chosen = [one for one in every if one.form == form and (form != LISTED or one.depth == top)]
    found: list[tuple[_Line, PlanItem]] = []
    open_ones: list[int] = []  # steps that the next one may be below
    ends = [*(one.at for one in chosen[1:]), len(lines)]
    for one, end in zip(chosen, ends, strict=False):
        while open_ones and chosen[open_ones[-1]].depth >= one.depth:
            open_ones.pop()
        item = PlanItem(one.text, open_ones[-1] if open_ones else -1, one.status, one.key)
        details = "\n".join(_details(lines[one.at + 1 : end], one))
        item.paths = list(dict.fromkeys([*paths_named(lines[one.at]), *paths_named(details)]))[:MOST_PATHS]
        item.named = words_like_rules(f"{one.text}\n{details}")
        open_ones.append(len(found))
        found.append((one, item))
    return found


def _details(lines: Sequence[str], step: _Line) -> Iterator[str]:
    """What stands below a step, up to a heading, or of an entry as far as it is indented or goes on."""
    blank = False
    for line in lines:
        heading = _HEADING.fullmatch(line)
        if heading and (step.form != HEADED or len(heading[1]) <= step.depth):
            return
        if step.form != HEADED and line.strip() and blank and len(line) - len(line.lstrip()) <= step.depth:
            return
        blank = not line.strip()
        yield line


def _candidates(lines: Sequence[str]) -> Iterator[_Line]:
    """The lines that may be steps; none within code, comments of several lines, or what stands in front."""
    fence, hidden = "", lines[:1] == ["---"]
    for at, line in enumerate(lines):
        if is_rule_line(line):
            continue
        mark = _FENCE.match(line)
        if fence or hidden:
            hidden = hidden and not (at and line.strip() in ("---", "-->"))
            fence = "" if mark and fence and mark[1].startswith(fence) else fence
            continue
        if mark:
            fence = mark[1]
            continue
        if line.lstrip().startswith("<!--") and "-->" not in line:
            hidden = True
            continue
        heading, entry = _HEADING.fullmatch(line), _ENTRY.fullmatch(line)
        if heading and _NUMBER.match(heading[2]):
            yield _Line(at, len(heading[1]), HEADED, heading[2])
        elif entry:
            form = BOXED if entry[4] else NUMBERED if entry[2][0].isdigit() else LISTED
            step = _Line(at, len(entry[1].expandtabs(4)), form, entry[5])
            step.indent = entry[1] + " " * (len(entry[2]) + 1)
            step.status = step.status if step.status == DROPPED else _BOXES.get(entry[4] or " ", PENDING)
            if step.text:
                yield step
