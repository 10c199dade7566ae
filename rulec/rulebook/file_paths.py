"""The paths of a rulebook's files: rules, archive, evidence, settings."""

from rulec.domain.evidence import Evidence
from rulec.rulebook import evidence_file, rule_file

RULES = ".rules"
CONFIG = f"{RULES}/config.yaml"
RULEBOOK_GLOBS = (  # of the files that make up a rulebook
    "*.yaml", "archive/*.yaml", "evidence/*/*.yaml", "exceptions/*.yaml", "extends/*/*.yaml",
    "extends/*/evidence/*/*.yaml",
)  # fmt: skip


def rule_path(slug: str) -> str:
    """The path of a rule's file."""
    return f"{RULES}/{rule_file.checked_slug(slug)}.yaml"


def archive_path(slug: str) -> str:
    """The path of an archived rule's file."""
    return f"{RULES}/archive/{rule_file.checked_slug(slug)}.yaml"


def evidence_path(item: Evidence) -> str:
    """The path of an observation's file."""
    return f"{evidence_folder(item.slug)}/{evidence_file.evidence_id(item)}.yaml"


def evidence_folder(slug: str) -> str:
    """The folder of a rule's observations."""
    return f"{RULES}/evidence/{rule_file.checked_slug(slug)}"


# What instruction documents say of the rules. It names none of them: a line for each rule would put two branches that
# add one into conflict at every merge, for forges merge without rulec's driver.
POINTER = (
    "## Rules",
    "",
    "This repository has rules for people and agents, one file each in `.rules/`. Read them before you start:",
    "",
    "    grep -hE '\"(says|do)\":' .rules/compiled/words/*",
    "",
    "rulec checks work against them at the gates that `rulec doctor` lists.",
)
