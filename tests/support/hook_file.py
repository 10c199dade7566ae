"""The hook's one file: asked as the line in an agent's settings asks it, or with a section of it broken."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rulec.hook import hook_setup
from rulec.integrations.hook_settings import launcher

HOOK = ".rules/compiled/hook.py"
LINE = launcher({"systemMessage": ""})  # reads the head of the file alone; Python takes 0.2 s to parse all of it


def ask_hook(
    top: Path, asked: Mapping[str, Any] | bytes, agent: str = "claude-code", *options: str,
    python: str | Path = sys.executable, cwd: Path | None = None, **environment: str,
) -> subprocess.CompletedProcess[bytes]:  # fmt: skip
    """The hook of a repository in a process of its own; ``options`` are Python's."""
    return subprocess.run(
        [python, "-I", "-S", *options, "-c", LINE, top / HOOK, agent],
        input=asked if isinstance(asked, bytes) else json.dumps(asked).encode(),
        capture_output=True,
        cwd=cwd or top,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(top), **environment},
        check=False,
    )


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
