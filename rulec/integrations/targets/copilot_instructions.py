""".github/copilot-instructions.md: the rules in words, which Copilot reads with every request."""

from rulec.integrations.documents import document_integration

PATH = ".github/copilot-instructions.md"

PLUG = document_integration(
    "copilot-instructions",
    PATH,
    wanted=lambda paths: any(path == PATH or path.startswith(".github/instructions/") for path in paths),
    agent="copilot",
)
