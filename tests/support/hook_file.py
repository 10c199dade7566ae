"""The hook's one file, with a section of it broken."""

import re
from pathlib import Path

from rulec.hook import hook_setup

HOOK = ".rules/compiled/hook.py"


def break_section(repo: Path, module: str, source: str = "raise ValueError('x')") -> None:
    """Let a module of the hook be another, as if rulec had written it so."""
    text = (repo / HOOK).read_text()
    at = text.index(hook_setup.RULER)
    head, sections = text[:at], text[at:]
    mark = f"{hook_setup.RULER}{module} ====\n"
    begin = sections.index(mark) + len(mark)
    end = sections.find(hook_setup.RULER, begin)
    sections = sections[:begin] + source + "\n" + (sections[end:] if end >= 0 else "")
    head = re.sub(r'(?m)^DIGEST = ".*"', f'DIGEST = "{hook_setup.digest_of(sections)}"', head)
    (repo / HOOK).write_text(head + sections)
    hook_setup.keep_hook(head + sections, str(repo / ".git/rulec"))
