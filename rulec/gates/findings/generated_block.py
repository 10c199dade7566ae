"""Whether a finding lies in a line of AGENTS.md that rulec itself wrote."""

import re
from collections.abc import Sequence

from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.finding import Fault, Finding
from rulec.errors import RulecError
from rulec.reminders.wording import rule_line
from rulec.rulebook import file_paths

PATH = "AGENTS.md"
_NAME = re.compile(r"\(`([\w-]{1,200})`\)$")
_FRAME = re.compile(
    r"|#{2,3} (?:Rules|MUST|SHOULD|STYLE)|\d+ (?:more )?rules?: `rulec rules`"
    r"|The rules of this repository\. rulec checks tool calls, commits and pull requests against them\."
    r"|This repository has no rules yet; rulec writes them here\."
)


def in_generated_block(item: Finding | Fault, change: Change) -> bool:
    """Whether a finding lies in a line that rulec wrote: marks alone, which anybody can set, make none of them ours."""
    if isinstance(item, Fault) or item.path != PATH or not item.line:
        return False
    file = next((file for file in change.files if file.path == PATH), None)
    if file is None or item.line not in _between(file.lines):
        return False
    text = file.lines[item.line - 1].rstrip("\r")
    stood = {file.lines_before[number - 1].rstrip("\r") for number in _between(file.lines_before)}
    return text in stood or bool(_FRAME.fullmatch(text)) or change.tree is None or _told(text, change.tree)


def _between(lines: Sequence[str]) -> range:
    """The numbers of the lines between the marks, none where there is not one pair of them."""
    begins = [n for n, text in enumerate(lines, 1) if text.startswith("<!-- rulec:begin ")]
    ends = [n for n, text in enumerate(lines, 1) if text.startswith("<!-- rulec:end ")]
    return range(begins[0] + 1, ends[0]) if len(begins) == len(ends) == 1 else range(0)


def _told(text: str, tree: TreeAfterChange) -> bool:
    """Whether it says a rule as the change leaves it, in the words in which rulec says one."""
    name = _NAME.search(text)
    ending = f"/{name[1]}.yaml" if name else ""
    paths = (path for path in tree.paths() if path.startswith(f"{file_paths.RULES}/") and path.endswith(ending))
    return bool(ending) and any(text == _line(path, tree) for path in paths)


def _line(path: str, tree: TreeAfterChange) -> str:
    from rulec.infra.rulebooks import rule_reading  # noqa: PLC0415 - 50 ms, and hardly a finding lies there

    try:
        rule = rule_reading.read_rule(tree.read(path) or "", source=path)
    except RulecError:  # no rule file, or one that other gates refuse
        return ""
    return f"- {rule_line(rule.statement, rule.when, rule.do, rule.slug)}"
