"""The pages in ``docs/templates``, one a check template, from what ``rulec templates`` says of them.

``python -m tests.support.template_pages`` writes them; with ``--check`` it writes nothing and exits 1 if one is stale.
"""

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.support.world import act

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/templates"
COMMAND = "python -m tests.support.template_pages"
_SPECIAL = re.compile(r"([\\`*_{}\[\]|#>])")
_INTRODUCTION = """\
# Check templates

A template makes a check from a few parameters. A rule names the template and its parameters under `checks`, see
[Rule files](../rule-file.md). Each page says what the template checks, which parameters it takes and what it does not
see.

`rulec templates` prints this list, `rulec templates NAME` prints one template, and `rulec templates --catalogue` prints
all of them in a few pages, for whoever writes a check.
"""


def pages() -> dict[str, str]:
    """The text of each page, by its file name, as the templates are now."""
    found = [_asked(entry["name"]) for entry in _asked()]
    return {"index.md": _index(found), **{f"{one['name']}.md": "\n".join(_page(one)) + "\n" for one in found}}


def stale() -> list[str]:
    """The names of pages whose file is missing, out of date, or of a template that is gone."""
    written = {path.name: path.read_text("utf-8") for path in PAGES.glob("*.md")}
    wanted = pages()
    return sorted(name for name in {*written, *wanted} if written.get(name) != wanted.get(name))


def write() -> None:
    """Write every page, and delete those of templates that are gone."""
    PAGES.mkdir(exist_ok=True)
    wanted = pages()
    for path in PAGES.glob("*.md"):
        if path.name not in wanted:
            path.unlink()
    for name, text in wanted.items():
        (PAGES / name).write_text(text, "utf-8")


def _asked(*name: str) -> Any:
    """What ``rulec templates`` answers as JSON."""
    return json.loads(act(ROOT, "templates", *name, "--format", "json").out)


def _index(found: list[dict[str, Any]]) -> str:
    """All templates, grouped by what one finding is about."""
    lines = [_mark("templates/checks"), _INTRODUCTION]
    for unit in sorted({one["unit"] for one in found}):
        lines += [f"## About a {unit}", "", "| template | what it checks | kind of check |", "|---|---|---|"]
        for one in found:
            if one["unit"] == unit:
                lines.append(f"| [`{one['name']}`]({one['name']}.md) | {_escaped(one['checks'])} | {one['kind']} |")
        lines.append("")
    return "\n".join(lines)


def _page(one: Mapping[str, Any]) -> Iterator[str]:
    yield _mark(f"templates/checks/{one['name']}.j2")
    yield f"# {one['name']}\n"
    yield f"{_escaped(one['checks'])}. See also [all templates](index.md).\n"
    yield f"- Kind of check: {one['kind']}"
    yield f"- One finding is about: a {one['unit']}"
    if one["blind"]:
        yield f"- Not seen: {_escaped(one['blind'])}"
    for side in ("avoid", "prefer"):
        yield f"\n## {side.capitalize()}\n\n{_fence('text', one[side])}"
    yield "\n## Parameters\n"
    yield from map(_parameter, one["parameters"]) if one["parameters"] else ["It takes none."]
    yield f"\n## Limits\n\n{_escaped(' '.join(one['limits'].split()))}"


def _parameter(one: Mapping[str, Any]) -> str:
    default = "required" if one["required"] else f"default `{_flow(one['default'])}`"
    facts = [f"`{one['type']}`", default]
    if choices := [f"`{choice}`" for choice in one["choices"] if choice]:
        facts.append(f"one of {', '.join(choices)}")
    return f"- `{one['name']}` ({'; '.join(facts)}): {_escaped(one['doc'])}"


def _flow(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _fence(language: str, text: str) -> str:
    """A code block whose fence is longer than any run of backticks in it."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}{language}\n{text.rstrip()}\n{ticks}"


def _escaped(text: str) -> str:
    """Plain text in which Markdown reads no sign of its own."""
    return _SPECIAL.sub(r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def _mark(source: str) -> str:
    return f"<!-- Generated from {source} by {COMMAND}; do not edit. -->\n"


def main(argv: list[str]) -> int:
    """Write the pages, or say which are stale."""
    if argv != ["--check"]:
        write()
        return 0
    for name in (found := stale()):
        sys.stdout.write(f"stale: docs/templates/{name}; run {COMMAND}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
