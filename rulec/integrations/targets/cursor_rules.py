""".cursor/rules/rulec.mdc: the rules in words, which Cursor puts before every request."""

from rulec.integrations.documents import document_integration

PATH = ".cursor/rules/rulec.mdc"
HEAD = "---\ndescription: What this repository's people have decided\nalwaysApply: true\n---\n\n"

PLUG = document_integration(
    "cursor-rules",
    PATH,
    wanted=lambda paths: any(path == ".cursorrules" or path.startswith(".cursor/") for path in paths),
    agent="cursor",
    head=HEAD,
)
