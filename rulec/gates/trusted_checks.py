"""The compiled checks that a change is judged by: those of HEAD or of a base, never those that it brings itself."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.checkout import learned_needs
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.change import Change
from rulec.gates import trusted_scripts
from rulec.gates.findings.check_runs import learn_needs
from rulec.hook import remote_base
from rulec.infra import jobs
from rulec.infra.git import git_changes, git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths

_BASES = (*remote_base.BASES, remote_base.MAIN_TREE)


@dataclass(frozen=True, slots=True)
class TrustedChecks:
    """The compiled files by path, and what is known about the checks among them."""

    texts: Mapping[str, str]
    needs: Mapping[str, str] = field(default_factory=dict)  # see Artifact, by path
    tree: str = ""  # the id of the tree of compiled files, "" where no commit has them

    def artifacts(self) -> list[Artifact]:
        """The checks, sorted by path."""
        return [replace(one, needs=self.needs.get(one.path, "")) for one in rulebook_files.compiled_checks(self.texts)]


def staged_change(top: Path) -> tuple[TrustedChecks, Change]:
    """The checks of HEAD, or those that stand for them (see ``_trusted``), and what is staged, read together."""
    change, head = git_changes.staged_beside(top, COMPILED_FOLDER)
    return _trusted(top, head.tree, head.files), change


def trusted_checks(top: Path) -> TrustedChecks:
    """The checks of HEAD, or those that stand for them (see ``_trusted``)."""
    (tree,) = git_contents.tree_ids(top, [f"HEAD:{COMPILED_FOLDER}"])
    return _trusted(top, tree, rulebook_files.compiled_at_commit(top, "HEAD") if tree else {})


def _trusted(top: Path, tree: str, compiled: Mapping[str, str]) -> TrustedChecks:
    """The checks of HEAD; where HEAD has none, those of the first of ``_BASES`` that has any, else those in the index.

    HEAD has none before the first commit, on an orphan branch, and on a commit from before there were rules.
    """
    if tree:
        rules = partial(git_contents.files_at_commit, top, "HEAD", file_paths.RULES)
        texts = trusted_scripts.trusted_texts(top, compiled, rules)
    elif base := _base_with_rules(top):
        texts = trusted_scripts.texts_at_commit(top, base)
    else:
        files = git_contents.files_in_index(top, file_paths.RULES)
        staged = {path: text for path, text in files.items() if path.startswith(f"{COMPILED_FOLDER}/")}
        texts = trusted_scripts.trusted_texts(top, staged, lambda: files)
    return TrustedChecks(texts, needs_of_checks(top, texts), tree)


def _base_with_rules(top: Path) -> str:
    """The commit whose rules judge where HEAD has none; "" where no such commit has any."""
    trees = git_contents.tree_ids(top, [f"{base}:{COMPILED_FOLDER}" for base in _BASES])
    return next((base for base, tree in zip(_BASES, trees, strict=True) if tree), "")


def needs_of_checks(top: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """What files must hold for Semgrep's rules to see anything, by path; asked once, and the agents' hook knows it."""
    known = learned_needs.load_needs(str(top))
    artifacts = []
    for one in rulebook_files.compiled_checks(texts):
        if "/semgrep/" in one.path:
            need = known.get(learned_needs.digest_of(one.text or ""))
            artifacts.append(replace(one, needs="" if need is None else json.dumps(need)))
    if not all(one.needs for one in artifacts) and jobs.semgrep_identity():
        artifacts = learn_needs(registry.checker("semgrep"), artifacts)
        _store_needs(top, artifacts)
    return {one.path: one.needs for one in artifacts}


def _store_needs(top: Path, artifacts: Sequence[Artifact]) -> None:
    needs = {learned_needs.digest_of(one.text or ""): json.loads(one.needs or "true") for one in artifacts}
    learned_needs.store_needs(str(top), jobs.semgrep_identity(), needs)
