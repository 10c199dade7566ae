"""Writes a change of the rulebook and its compiled files, as one commit or into the work tree alone."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from rulec.checkout.worktree import shared_state_directory
from rulec.compiling import bundle, hook_sources
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.redaction import redact
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates import passed_changes
from rulec.gates.findings import rule_proof
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.infra import journal, text_files
from rulec.infra.git import committing, git_contents, git_refs, git_session
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.resolving.revisions import proof_as_evidence
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import change_target
from rulec.services.change_target import HEAD, ChangeTarget

SHOWN = 3  # of many paths
Texts = Mapping[str, str | None]  # rule, evidence and archive files; None removes one


def stale_files(top: Path, book: Rulebook) -> list[Artifact]:
    """The files of the work tree that differ from what its rulebook compiles to."""

    def present(paths: Iterable[str]) -> dict[str, str]:
        return text_files.read_existing(top, paths)

    wanted = bundle.generated_files(top, book)
    files = bundle.outdated_files(wanted, rulebook_files.compiled_in_work_tree(top), present)
    emitted = bundle.integration_files(book, top, present)
    texts = present([artifact.path for artifact in emitted])
    files += [artifact for artifact in emitted if not bundle.same_text(texts.get(artifact.path), artifact.text)]
    missing = [file.path for file in files if file.path not in texts and not (top / file.path).exists()]
    left_out = git_contents.sparse_paths(top, *missing) if missing else []  # a sparse checkout stays as sparse as it is
    return [file for file in files if file.path not in left_out]


def write_work_tree(top: Path, changes: Texts) -> list[Artifact]:
    """Write the changes and the compiled files; returns the files written or removed."""
    book = rulebook_files.parse_rulebook(_patched(rulebook_files.rulebook_texts(top), changes))
    files = _artifacts(changes) + stale_files(top, book)
    journal.write_journaled(top, files)
    hook_sources.prepare_hook(shared_state_directory(str(top)))
    return files


def write_rulebook_change(top: Path, changes: Texts, message: str, onto: ChangeTarget) -> str:
    """Write the changes to the target; returns the commit's id, "" where only the work tree was written."""
    if onto.commit:
        return commit_rulebook_change(top, changes, message, onto)
    write_work_tree(top, changes)
    return ""


def commit_rulebook_change(top: Path, changes: Texts, message: str, onto: ChangeTarget = HEAD) -> str:
    """Write the changes and what follows from them as one commit, on HEAD in the work tree too; the commit's id.

    Asked once more for what it had done when it was interrupted, it does not do it twice.
    """
    journal.recover_journal(top)
    start = change_target.base_commit(top, onto)

    def stood(paths: Iterable[str]) -> dict[str, str]:
        return git_contents.files_at_commit(top, start, *paths) if start and (paths := list(paths)) else {}

    before = stood([file_paths.RULES])
    config = {} if onto.branch else text_files.read_existing(top, [file_paths.CONFIG])
    book = rulebook_files.parse_rulebook(_patched({**config, **_yaml_of(before)}, changes))
    wanted = bundle.generated_files(top, book)
    compiled = {path: text for path, text in before.items() if path.startswith(f"{COMPILED_FOLDER}/")}
    files = [*_artifacts(changes), *bundle.outdated_files(wanted, compiled, stood)]
    # A document that the person has not committed yet is theirs to commit first; we change it in the work tree only.
    documents = [a for a in bundle.integration_files(book, top, stood) if stood([a.path]).get(a.path, a.text) != a.text]
    now = stood([file.path for file in (*files, *documents)])
    if start and all(now.get(file.path) == file.text for file in (*files, *documents)):
        return start
    here, staged = ([], []) if onto.branch else _work_tree_and_index(top, changes, stood, files, documents)
    commit = committing.make_commit(top, map(_blob, [*files, *documents]), message, on=start or "HEAD")
    ref = git_refs.branch_ref(onto.branch)
    old = start if git_session.find_commit(top, ref) else None  # a new branch
    journal.write_journaled(top, here, commit=(commit, old, staged), ref=ref)
    passed_changes.note_own_commit(top, commit)
    return commit


def _work_tree_and_index(
    top: Path, changes: Texts, stood: bundle.Present, files: list[Artifact], documents: list[Artifact]
) -> tuple[list[Artifact], list[Artifact]]:
    """What the person's work tree and index shall hold beside the commit: the same, and their own edits as they are.

    In a document we only own a part, which is put into the committed, the staged and the edited text, each for itself.
    """
    paths = [file.path for file in files]
    before, edited = stood(paths), []
    for texts in (git_contents.files_in_index(top, *paths), text_files.read_existing(top, paths)):
        edited += [f.path for f in files if not _is_before_or_after(texts.get(f.path), before.get(f.path), f.text)]
    if edited:
        some = list(dict.fromkeys(edited))
        where = ", ".join(some[:SHOWN]) + ", …" * (len(some) > SHOWN)
        raise RulecError("has changes that are not committed", where=where, hint="commit or stash them first")
    here = _artifacts(changes) + stale_files(
        top, rulebook_files.parse_rulebook(_patched(rulebook_files.rulebook_texts(top), changes))
    )
    return here, [*files, *_staged_documents(top, changes, stood, documents)]


def _is_before_or_after(text: str | None, before: str | None, after: str | None) -> bool:
    return bundle.same_text(text, before) or bundle.same_text(text, after)


def _staged_documents(top: Path, changes: Texts, stood: bundle.Present, documents: list[Artifact]) -> list[Artifact]:
    """The instruction documents as the index should hold them."""
    paths = [file.path for file in documents]
    before, texts = stood(paths), git_contents.files_in_index(top, *paths)
    edited = [path for path in paths if texts.get(path) != before.get(path)]
    kept = [file for file in documents if file.path not in edited]
    if not edited:
        return kept
    config = text_files.read_existing(top, [file_paths.CONFIG])
    book = rulebook_files.parse_rulebook(
        _patched({**config, **_yaml_of(git_contents.files_in_index(top, file_paths.RULES))}, changes)
    )
    emitted = bundle.integration_files(book, top, lambda names: git_contents.files_in_index(top, *names))
    return kept + [file for file in emitted if file.path in edited and file.path in texts]


def _artifacts(changes: Texts) -> list[Artifact]:
    return [Artifact(path=path, text=text) for path, text in changes.items()]


def _blob(file: Artifact) -> committing.FileToCommit:
    return committing.FileToCommit(file.path, None if file.text is None else file.text.encode(), file.executable)


def _yaml_of(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if change_target.is_rulebook_file(path)}


def _patched(files: Mapping[str, str], changes: Texts) -> dict[str, str]:
    merged: dict[str, str | None] = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}


def supersession_files(old: Rule, new: Rule, old_text: str = "", new_text: str = "") -> dict[str, str | None]:
    """The changes of SUPERSEDE; the texts are those of the two files, whose comments people want to keep.

    The evidence of the old rule stays where it is, and its artifacts go because no rule in force has them.
    """
    return {**archive_files(replace(old, superseded_by=new.slug), old_text), **_successor_file(old, new, new_text)}


def archive_files(rule: Rule, text: str = "") -> dict[str, str | None]:
    """The changes that archive a rule."""
    return {
        file_paths.rule_path(rule.slug): None,
        file_paths.archive_path(rule.slug): rule_reading.write_rule(rule, text),
    }


def _successor_file(old: Rule, new: Rule, text: str) -> dict[str, str | None]:
    follows = tuple(dict.fromkeys((*new.supersedes, old.slug)))
    return {file_paths.rule_path(new.slug): rule_reading.write_rule(replace(new, supersedes=follows), text)}


def clean_reason(because: str) -> str:
    """A person's reason in one line, without secrets."""
    return " ".join(redact(because.encode("utf-8", "replace").decode()).split())


def rule_commit_message(
    subject: str, rule: Rule, decision: str, *, because: str, evidence: Iterable[Evidence] = (),
    others: Iterable[Rule] = (),
) -> str:  # fmt: skip
    """The commit message of a verb, with the trailers that log and why read.

    ``decision`` is the verb and the rule that it was about; ``rule`` and ``others`` are what it wrote.
    """
    ids = ", ".join(evidence_file.evidence_id(item) for item in evidence)
    lines = [f"Rule: {one.slug}@{one.revision}" for one in (rule, *others)] + [f"Evidence: {ids}"] * bool(ids)
    said = " ".join(rule.statement.split())
    return f"{subject}\n\nIt says: {said}\n\nResolution: {decision} -- {because}\n" + "\n".join(lines) + "\n"


def missing_proof(book: Rulebook, rule: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule's checks lack, [] where they are proved; RulecError where it fails."""
    if not rule.checks or rule_proof.is_proved(book, rule, compile_rule(book, rule, top)):
        return []
    held = rule_proof.prove_with_tools(book, rule, top)
    if not held.holds:
        raise RulecError(f"its check fails at {redact(held.failure)}", where=rule.source or rule.slug, hint=held.cure)
    return [proof_as_evidence(held)]


def evidence_files(evidence: Iterable[Evidence]) -> dict[str, str | None]:
    """Evidence as files, by path."""
    return {file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in evidence}


def enforcement_in_effect(book: Rulebook, rule: Rule, top: Path) -> str:
    """What happens on a finding, by the evidence of the rulebook; "" for a reminder."""
    artifacts = compile_rule(book, rule, top)
    return facts_by_slug(artifacts)[rule.slug].enforcement if artifacts else ""


def closing_outcome(top: Path, onto: ChangeTarget, commit: str, what: str) -> Outcome:
    """The outcome of a verb: what it did, where that was written, and the next step."""
    lines = [f"{what}: {change_target.describe_written(top, onto, commit)}", change_target.push_hint(top, onto)]
    return Outcome("\n".join(filter(None, lines)))
