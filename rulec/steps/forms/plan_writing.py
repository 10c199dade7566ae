"""Texts of plans with lines of rules below their steps, and without those that stood there before."""

import re

from rulec.steps.forms.markdown_blocks import behind_front_matter, read_blocks, split_lines
from rulec.steps.forms.plan_json import read_listed
from rulec.steps.forms.plan_markdown import read_markdown
from rulec.steps.forms.prose_plan import title_of
from rulec.steps.rule_lines import ALWAYS, checked_lines

_BEGINS = re.compile(
    r"\s*(?:[-*+\u2022#>|]|\d+[.)]\s|```|~~~|<!--|(?i:step|phase|stage|task) \d)"
)  # a line that continues nothing


def write_markdown(text: str, additions: "dict[int, list[str]]", always: "list[str]") -> str:
    """The text with lines of rules below its steps, by their index, and those of all steps above; old ones are gone."""
    bare = "".join(_without_ours(split_lines(text)))
    _, items = read_markdown(bare)
    return _write(bare, [(item.after, item.indent) for item in items], additions, always)


def write_lines(text: str, additions: "dict[int, list[str]]", always: "list[str]") -> str:
    """The same for what TaskList answers, where each step is a line."""
    bare = "".join(_without_ours(split_lines(text)))
    return _write(bare, [(item.line, "  ") for item in read_listed(bare)], additions, always)


def _write(bare: str, places: "list[tuple[int, str]]", additions: "dict[int, list[str]]", always: "list[str]") -> str:
    lines = split_lines(bare)
    end = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    new: "dict[int, list[str]]" = {}
    for index, told in additions.items():
        if told:
            after, indent = places[index]
            new.setdefault(after, []).extend(f"{indent}- {line}" for line in checked_lines(told))
    written: "list[str]" = []
    top = _top(lines) if always else -1
    for at in range(len(lines) + 1):
        if at == top:
            _put(written, ["", *_always_block(always)] if at else _always_block(always), lines, at, end)
        if at in new:
            _put(written, new[at], lines, at, end)
        if at < len(lines):
            written.append(lines[at])
    return "".join(written)


def _always_block(always: "list[str]") -> "list[str]":
    return [ALWAYS, *(f"- {line}" for line in checked_lines(always))]


def _put(written: "list[str]", new: "list[str]", lines: "list[str]", at: int, end: str) -> None:
    """Append new lines; a blank one follows where the next one would continue the last of them."""
    whole = not written or written[-1].endswith("\n")
    if not whole:
        written[-1] += end
    written.extend(line + end for line in new)
    if at < len(lines) and (not at or (lines[at].strip() and not _BEGINS.match(lines[at]))):
        written.append(end)
    if not whole:
        written[-1] = written[-1][: -len(end)]


def _without_ours(lines: "list[str]") -> "list[str]":
    """The lines without those of rules; also without the blank one that parts those of all steps from the title."""
    _, ours = read_blocks(lines)
    if not ours:
        return lines
    gone = set(ours)
    for at in ours:
        if lines[at].strip() == ALWAYS:
            last = at
            while last + 1 in gone:
                last += 1
            if at and not lines[at - 1].strip():
                gone.add(at - 1)
            elif not at and last + 1 < len(lines) and not lines[last + 1].strip():
                gone.add(last + 1)
    kept = [line for at, line in enumerate(lines) if at not in gone]
    if kept and len(lines) - 1 in gone and not lines[-1].endswith("\n"):
        kept[-1] = kept[-1].rstrip("\r\n")
    return kept


def _top(lines: "list[str]") -> int:
    """The number of the line before which the rules of all steps stand: behind the title, or else first."""
    root, _ = read_blocks(lines)
    title = title_of(root)
    return title.end if title is not None else behind_front_matter(lines)
