"""The files of the gate at one of two times: settings, rules, artifacts."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rulec.domain.artifact import Artifact, compiled_checks, slug_of_artifact
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import extensions, rulebook_files
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook

_ASIDE = re.compile("/(?:archive|evidence|compiled)/")
KINDS = ("guard", "semgrep", "shell", "judge", "words")  # the folders of what a rule compiles to


@dataclass(frozen=True, slots=False, kw_only=True)
class GateState:
    """The files of the gate at one of two times."""

    top: Path
    files: Mapping[str, str]

    @cached_property
    def config(self) -> Config:
        """The team's settings."""
        text = self.files.get(file_paths.CONFIG, "")
        return config.parse_config(text, source=file_paths.CONFIG, own=rulebook_files.is_personal(self.top), past=True)

    @cached_property
    def whole(self) -> Rulebook:
        """Every rule of the rulebook."""
        return rulebook_files.parse_rulebook(
            {path: text for path, text in self.files.items() if is_rulebook_path(path)}, past=True
        )

    @cached_property
    def slugs(self) -> frozenset[str]:
        """The slugs of the rules in force, from the names of their files."""
        sources = (path for path in self.files if path.endswith(".yaml") and not _ASIDE.search(path))
        return frozenset(slug for path in sources if (slug := slug_of_path(path)))

    def book(self, slugs: Iterable[str]) -> Rulebook:
        """The given rules with their evidence and archive; all of them where others decide what it is."""
        wanted = set(slugs)
        kept = {
            p: t
            for p, t in self.files.items()
            if is_rulebook_path(p) and (slug_of_path(p) in wanted or not slug_of_path(p))
        }
        found = rulebook_files.parse_rulebook(kept, past=True)
        return self.whole if any(rule.refines or rule.formerly for rule in found.rules) else found

    def archive(self, slugs: Iterable[str]) -> dict[str, Rule]:
        """Those of the given rules that are archived."""
        wanted = set(slugs)
        return rulebook_files.archived_rules(
            {path: text for path, text in self.files.items() if slug_of_path(path) in wanted}
        )

    def artifacts(self, slugs: Iterable[str]) -> list[Artifact]:
        """The compiled checks of the given rules."""
        wanted = set(slugs)
        return [artifact for artifact in compiled_checks(self.files) if slug_of_artifact(artifact.path) in wanted]


def is_rulebook_path(path: str) -> bool:
    """Whether a file is one of which the rulebook is read."""
    parts = path.split("/")
    return parts[0] == file_paths.RULES and path.endswith(".yaml") and parts[1] not in ("compiled", "templates")


def slug_of_path(path: str) -> str:
    """The slug of the rule that a rulebook file is about, "" for a file about all rules or none."""
    parts = path.split("/")
    if parts[0] != file_paths.RULES or path == file_paths.CONFIG:
        return ""
    if extensions.extension_of(path):
        parts = [file_paths.RULES, *parts[3:]]
        if parts[1:] == [extensions.LOCK_NAME]:
            return ""
    match parts[1:]:
        case [name] | ["archive", name]:
            return name.removesuffix(".yaml") if name.endswith(".yaml") else ""
        case ["evidence", slug, _]:
            return slug
        case ["compiled", kind, _] if kind in KINDS:
            return slug_of_artifact(path)
    return ""
