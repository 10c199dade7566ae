"""The compiled checks that a change is judged by: those of HEAD or of a base, never those that it brings itself."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.checkout import learned_needs, remote_base
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, compiled_checks, slug_of_artifact
from rulec.domain.change import Change
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import learn_needs
from rulec.infra import jobs, state
from rulec.infra.git import git_changes, git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook

Texts = Mapping[str, str]
_FOLDER = f"{COMPILED_FOLDER}/shell/"
_KNOWN = "scripts"  # digests of scripts that were compiled here; agents' hooks run no others at the end of a turn
_MOST = 20_000
_BODY = "\n# usage: "  # what stands before it are comments, which say what the rule does at which gate
_REFUSE = "echo 'is not what its rule compiles to: run rulec compile' >&2\nexit 2\n"


_BASES = (*remote_base.BASES, remote_base.MAIN_TREE)


@dataclass(frozen=True, slots=True)
class TrustedChecks:
    """The compiled files by path, and what is known about the checks among them."""

    texts: Mapping[str, str]
    needs: Mapping[str, str] = field(default_factory=dict)  # see Artifact, by path
    tree: str = ""  # the id of the tree of compiled files, "" where no commit has them

    def artifacts(self) -> list[Artifact]:
        """The checks, sorted by path."""
        return [replace(one, needs=self.needs.get(one.path, "")) for one in compiled_checks(self.texts)]


def staged_change(top: Path) -> tuple[TrustedChecks, Change]:
    """The checks of HEAD, or those that stand for them (see ``_trusted``), and what is staged, read together."""
    change, head = git_changes.staged_beside(top, COMPILED_FOLDER)
    return _trusted(top, head.tree, head.files), change


def _trusted(top: Path, tree: str, compiled: Mapping[str, str]) -> TrustedChecks:
    """The checks of HEAD; where HEAD has none, those of the first of ``_BASES`` that has any, else those in the index.

    HEAD has none before the first commit, on an orphan branch, and on a commit from before there were rules.
    """
    if tree:
        rules = partial(git_contents.files_at_commit, top, "HEAD", file_paths.RULES)
        texts = trusted_texts(top, compiled, rules)
    elif base := _base_with_rules(top):
        texts = texts_at_commit(top, base)
    else:
        files = git_contents.files_in_index(top, file_paths.RULES)
        staged = {path: text for path, text in files.items() if path.startswith(f"{COMPILED_FOLDER}/")}
        texts = trusted_texts(top, staged, lambda: files)
    return TrustedChecks(texts, needs_of_checks(top, texts), tree)


def _base_with_rules(top: Path) -> str:
    """The commit whose rules judge where HEAD has none; "" where no such commit has any."""
    trees = git_contents.tree_ids(top, [f"{base}:{COMPILED_FOLDER}" for base in _BASES])
    return next((base for base, tree in zip(_BASES, trees, strict=True) if tree), "")


def needs_of_checks(top: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """What files must hold for Semgrep's rules to see anything, by path; asked once, and the agents' hook knows it."""
    artifacts = [one for one in compiled_checks(texts) if one.kind == "semgrep"]
    if not artifacts:
        return {}
    known = learned_needs.load_needs(str(top))
    found = (known.get(learned_needs.digest_of(one.text or "")) for one in artifacts)
    artifacts = [
        one if need is None else replace(one, needs=json.dumps(need))
        for one, need in zip(artifacts, found, strict=True)
    ]
    if not all(one.needs for one in artifacts) and jobs.semgrep_identity():
        artifacts = learn_needs(registry.checker("semgrep"), artifacts)
        _store_needs(top, artifacts)
    return {one.path: one.needs for one in artifacts}


def _store_needs(top: Path, artifacts: Sequence[Artifact]) -> None:
    needs = {learned_needs.digest_of(one.text or ""): json.loads(one.needs or "true") for one in artifacts}
    learned_needs.store_needs(str(top), jobs.semgrep_identity(), needs)


def remember_scripts(top: Path, artifacts: Iterable[Artifact]) -> None:
    """Note the scripts among what was just compiled."""
    fresh = {_digest(one.text) for one in artifacts if one.path.startswith(_FOLDER) and one.text}
    known = _known(top)
    if fresh - set(known):
        kept = [*(one for one in known if one not in fresh), *sorted(fresh)]
        state.write_state(top, _KNOWN, {"compiled": kept[-_MOST:]})


def trusted_texts(top: Path, compiled: Texts, rules: Callable[[], Texts]) -> dict[str, str]:
    """The compiled files, each script as its rule among ``rules`` compiles to; one that has none only complains."""
    known = set(_known(top))
    foreign = {p: t for p, t in compiled.items() if p.startswith(_FOLDER) and _digest(t) not in known}
    if not foreign:
        return dict(compiled)
    from rulec.gates.weakening.gate_states import GateState  # noqa: PLC0415 - 100 ms of rule files and templates

    book = GateState(top=top, files=rules()).book(slug_of_artifact(path) for path in foreign)
    own = {path: _as_compiled(top, book, path, text) for path, text in foreign.items()}
    remember_scripts(top, [Artifact(path=path, text=text) for path, text in own.items() if text == foreign[path]])
    return {**compiled, **own}


def texts_at_commit(top: Path, revision: str) -> dict[str, str]:
    """The compiled files of a commit, with the scripts of its own rules."""

    def rules() -> Texts:
        return git_contents.files_at_commit(top, revision, file_paths.RULES)

    return trusted_texts(top, rulebook_files.compiled_at_commit(top, revision), rules)


def texts_in_work_tree(top: Path) -> dict[str, str]:
    """The compiled files of the work tree, with the scripts of its own rules."""
    return trusted_texts(top, rulebook_files.compiled_in_work_tree(top), lambda: rulebook_files.rulebook_texts(top))


def _as_compiled(top: Path, book: Rulebook, path: str, text: str) -> str:
    """The script with its own comments and the body that the rule compiles to."""
    from rulec.compiling.artifacts import compile_rule  # noqa: PLC0415 - as above

    comments, mark, body = text.partition(_BODY)
    head = "\n".join(line for line in comments.split("\n") if line.startswith("#"))
    try:
        (rule,) = (rule for rule in book.rules if rule.slug == slug_of_artifact(path))
        (own,) = (one.text for one in compile_rule(book, rule, top) if one.path == path and one.text)
    except (RulecError, ValueError):
        return f"{head}\n{_REFUSE}"
    compiled = own.partition(_BODY)[2]
    return text if mark and body == compiled and comments == head else f"{head}{_BODY}{compiled}"


def _known(top: Path) -> list[str]:
    found = state.read_state(top, _KNOWN)
    digests = found.get("compiled") if isinstance(found, dict) else None
    return [one for one in digests if isinstance(one, str)] if isinstance(digests, list) else []


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
