"""What the CI workflows of all forges share: what they install, and which files the rulebook has a part in."""

from rulec import __version__
from rulec.agents.protocol import agent_tables
from rulec.agents.protocol.agent_spec import all_agents
from rulec.domain.artifact import CompilePlan

# A change of one of these is compiled and proved again, in a job that may do nothing else.
_DOCUMENTS = {document.path for spec in all_agents() for document in spec.documents if "/" not in document.path}
GATED = (
    ".rules",
    *sorted(
        {".agents", ".gitattributes", ".github", ".gitlab", ".gitlab-ci.yml", ".pre-commit-config.yaml", "AGENTS.md"}
        | {"CODEOWNERS", "docs/CODEOWNERS", *agent_tables.FOLDERS, *agent_tables.TOP_FILES, *_DOCUMENTS}
    ),
)
COMMITS = 200  # that a changed rule is held against


def ci_context(plan: CompilePlan) -> dict[str, object]:
    """What their templates are given: ``install`` is a requirement that pip understands.

    ``trusted`` is that of the job which judges by the base's rules: where it ``asks`` a model, with what that takes.
    """
    install = plan.install or f"rulec=={__version__}"
    trusted = f'{install} "rulec[anthropic]"' if plan.asks else install
    return {"install": install, "trusted": trusted, "asks": plan.asks, "gated": GATED, "commits": COMMITS}
