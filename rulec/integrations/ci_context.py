"""What the CI workflows of all forges share: what they install, and which files the rulebook has a part in."""

from rulec.agents.protocol import agent_tables
from rulec.agents.protocol.agent_spec import all_agents
from rulec.domain.artifact import CompilePlan
from rulec.domain.text.requirement import install_command

# A change of one of these is compiled and proved again, in a job that may do nothing else.
_DOCUMENTS = {document.path for spec in all_agents() for document in spec.documents if "/" not in document.path}
GATED = (
    ".rules",
    *sorted(
        {".agents", ".gitattributes", ".github", ".gitlab", ".gitlab-ci.yml", ".pre-commit-config.yaml", "AGENTS.md"}
        | {"CODEOWNERS", "docs/CODEOWNERS", *agent_tables.FOLDERS, *agent_tables.TOP_FILES, *_DOCUMENTS}
    ),
)
CI = ("github-actions", "gitlab-ci")  # the integrations that run rulec in CI
COMMITS = 200  # that a changed rule is held against
MINUTES = 60  # that the suites of tests may take


# No name is installed that the settings do not say: whoever registers it would run their code in the trusted job.
NOT_SAID = "rulec: .rules/config.yaml does not say under install what pip shall install; see rulec doctor"


def ci_context(plan: CompilePlan) -> dict[str, object]:
    """What their templates are given: ``install`` is the command that installs what the settings name.

    ``trusted`` is that of the job which judges by the base's rules: where it ``asks`` a model, with what that takes.
    With ``tests`` a job of its own runs the suites, for they are the change's code; ``setup`` are the commands before.
    """
    missing = f"echo '{NOT_SAID}' >&2 && exit 1"
    install = install_command(plan.install) if plan.install else missing
    trusted = install_command(plan.install, "anthropic" if plan.asks else "") if plan.install else missing
    setup = [{"name": name, "folder": folder, "line": line} for name, folder, lines in plan.suites for line in lines]
    return {
        "install": install,
        "trusted": trusted,
        "asks": plan.asks,
        "gated": GATED,
        "commits": COMMITS,
        "tests": bool(plan.suites),
        "setup": setup,
        "minutes": MINUTES,
        "composite": False,
    }
