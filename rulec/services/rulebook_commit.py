"""Where a change of the rulebook goes, and writes it with its compiled files: as one commit, or into the work tree."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from rulec import registry
from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling import bundle
from rulec.compiling.artifacts import compile_rule
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, compiled_checks, slug_of_artifact
from rulec.domain.change import Change
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates import message_file, passed_changes, trusted_checks
from rulec.gates.findings import rule_proof
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.weakening.gate_states import GateState, is_rulebook_path
from rulec.infra import journal, text_files
from rulec.infra.git import committing, git_contents, git_refs, git_session
from rulec.infra.rulebooks import extensions, rule_reading, rulebook_files
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook

Said = TypeVar("Said")
TEMPLATES = f"{file_paths.RULES}/templates"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeTarget:
    """Where a change goes: HEAD with its work tree, ``branch`` alone, or without ``commit`` the work tree alone."""

    branch: str = ""
    commit: bool = True
    seen: tuple[tuple[str, str], ...] = ()  # rules with their state as a person saw it, else nothing is written


HEAD = ChangeTarget()


@contextmanager
def open_rulebook(top: Path, onto: ChangeTarget, *, writes: bool = True) -> Iterator[Rulebook]:
    """The rulebook to change, while the write lock is held and, where it ``writes``, nothing here is half done."""
    with journal.write_lock(top):
        if writes:
            require_ready_to_write(top, onto)
        require_as_seen(top, onto)
        yield load_target_rulebook(top, onto)


def rule_state(top: Path, onto: ChangeTarget, slug: str) -> str:
    """A value that differs once a rule is written, archived or restored; evidence alone does not change it."""
    texts = [rule_text(top, onto, slug), target_file_text(top, onto, file_paths.archive_path(slug))]
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def require_as_seen(top: Path, onto: ChangeTarget) -> None:
    """Refuse to write over a rule that is not as a person saw it when they decided."""
    for slug, state in onto.seen:
        if rule_state(top, onto, slug) != state:
            what = f"{slug} was changed after it was shown, so nothing is written"
            raise RulecError(what, where=file_paths.rule_path(slug), hint="look at it again, then decide")


def ask_unlocked(top: Path, onto: ChangeTarget, ask: Callable[[], Said]) -> tuple[Said, bool]:
    """What a person says while other commands may write; and whether the rulebook is still as they were shown it."""
    before = target_rulebook_texts(top, onto)
    with journal.released_lock(top):
        said = ask()
    return said, target_rulebook_texts(top, onto) == before


def require_ready_to_write(top: Path, onto: ChangeTarget = HEAD) -> None:
    """Refuse to write where a change of ours could meet unfinished business of the person's.

    What they have staged or edited is none: the commit is built beside it, and `_write` refuses those very paths.
    """
    if onto.commit:
        _require_nothing_under_way(top, onto)
    if onto.branch:
        git_refs.require_free_branch(top, onto.branch)
    elif (top / file_paths.RULES).is_symlink() or (top / file_paths.RULES / ".git").exists():
        hint = "make it a plain folder, or run rulec where it lives"
        raise RulecError("is a link or a repository of its own", where=file_paths.RULES, hint=hint)
    elif left_out := git_contents.sparse_paths(top, file_paths.RULES):
        hint = f"run git sparse-checkout add {file_paths.RULES}"
        raise RulecError("is not in this sparse checkout", where=left_out[0], hint=hint)
    if onto.commit:
        _require_same_templates(top, onto)


def _require_nothing_under_way(top: Path, onto: ChangeTarget) -> None:
    under_way = git_session.operation_under_way(top)
    if under_way:
        raise RulecError(f"a {under_way} is under way", where=str(top), hint=f"finish or abort the {under_way} first")
    if not onto.branch and git_session.is_index_locked(top):
        hint = "wait until it ends; if none runs, remove index.lock from the git folder"
        raise RulecError("another git process is running here", where=str(top), hint=hint)


def _require_same_templates(top: Path, onto: ChangeTarget) -> None:
    """Refuse where the work tree's check templates differ from those of the commit that the change follows."""
    names = [path.relative_to(top).as_posix() for path in sorted((top / TEMPLATES).rglob("*.j2"))]
    begin = base_commit(top, onto) if onto.branch else "HEAD"
    here = text_files.read_existing(top, names)
    files = git_contents.files_at_commit(top, begin, TEMPLATES) if begin else {}
    there = {path: text for path, text in files.items() if path.endswith(".j2")}
    different = [path for path in sorted({*here, *there}) if _plain(here.get(path)) != _plain(there.get(path))]
    if different and base_commit(top, onto):
        hint = "commit your check templates first, or switch to the branch that has them"
        raise RulecError("differs from the commit that the change would follow", where=different[0], hint=hint)


def base_commit(top: Path, onto: ChangeTarget) -> str | None:
    """The commit that the change follows: HEAD, or the end of the branch; a new branch begins at HEAD."""
    return (
        git_session.find_commit(top, git_refs.branch_ref(onto.branch)) if onto.branch else None
    ) or git_session.head_commit(top)


def load_target_rulebook(top: Path, onto: ChangeTarget) -> Rulebook:
    """The rulebook to change: that of the work tree, or of the last commit of the branch."""
    if not onto.branch:
        return rulebook_files.load_rulebook(top)
    files = target_rulebook_texts(top, onto)
    if file_paths.CONFIG not in files:
        raise RulecError("has no rulebook", where=onto.branch, hint="commit the rulebook of the work tree first")
    try:
        return rulebook_files.parse_rulebook(files)
    except RulecError as error:
        raise RulecError(error.message, where=f"{onto.branch}:{error.where}", hint=error.hint) from None


def target_rulebook_texts(top: Path, onto: ChangeTarget) -> dict[str, str]:
    """Every YAML file of the rulebook to change, by path."""
    begin = base_commit(top, onto) if onto.branch else None
    if not begin:
        return rulebook_files.rulebook_texts(top)
    files = git_contents.files_at_commit(top, begin, file_paths.RULES)
    return {path: _plain(text) for path, text in files.items() if extensions.is_rulebook_file(path)}


def target_file_text(top: Path, onto: ChangeTarget, path: str) -> str:
    """The text of one file of that rulebook (its comments are kept), "" for none."""
    begin = base_commit(top, onto) if onto.branch else None
    files = git_contents.files_at_commit(top, begin, path) if begin else text_files.read_existing(top, [path])
    return _plain(files.get(path, ""))


def _plain(content: str | None) -> str:
    return (content or "").removeprefix("\ufeff").replace("\r\n", "\n")


def describe_written(top: Path, onto: ChangeTarget, commit: str) -> str:
    """Where a change went, in words."""
    if not commit:
        return "written in the work tree, not committed"
    if onto.branch:
        return f"commit {commit[:10]} on {onto.branch}"
    loose = "; HEAD is detached: the commit is on no branch" if not git_session.current_branch(top) else ""
    return f"commit {commit[:10]}{loose}"


def push_hint(top: Path, onto: ChangeTarget) -> str:
    """The push command for a change on a branch, "" where there is no remote."""
    remote = git_refs.default_remote(top) if onto.branch else ""
    return f"next: git push -u {remote} {onto.branch}" if remote else ""


SHOWN = 3  # of many paths
Texts = Mapping[str, str | None]  # rule, evidence and archive files; None removes one


def stale_files(top: Path, book: Rulebook) -> list[Artifact]:
    """The files of the work tree that differ from what its rulebook compiles to."""
    present = partial(text_files.read_existing, top)
    wanted = bundle.generated_files(top, book)
    trusted_checks.remember_scripts(top, wanted)
    here = {**rulebook_files.compiled_in_work_tree(top), **present([LAUNCHER])}  # that one with its line ends
    files = bundle.outdated_files(wanted, here, present)
    emitted = bundle.integration_files(book, top, present)
    texts = present([artifact.path for artifact in emitted])
    files += [artifact for artifact in emitted if not bundle.same_text(texts.get(artifact.path), artifact.text)]
    missing = [file.path for file in files if file.path not in texts and not (top / file.path).exists()]
    left_out = git_contents.sparse_paths(top, *missing) if missing else []  # a sparse checkout stays as sparse as it is
    return [file for file in files if file.path not in left_out]


def commit_command(top: Path, book: Rulebook) -> str:
    """The command that commits what rulec writes, and nothing else of the work tree."""
    named = [path for one in bundle.wanted_integrations(book) for path in one.files if (top / path).is_file()]
    return f"git add {' '.join([file_paths.RULES, *sorted(dict.fromkeys(named))])} && git commit -m 'Set up rulec'"


def write_work_tree(top: Path, changes: Texts) -> list[Artifact]:
    """Write the changes and the compiled files; returns the files written or removed."""
    book = rulebook_files.parse_rulebook(patched(rulebook_files.rulebook_texts(top), changes))
    files = _artifacts(changes) + stale_files(top, book)
    journal.write_journaled(top, files)
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
    start = base_commit(top, onto)
    emitted = {path for emitter in registry.emitters().values() for path in emitter.files}
    there, stood = git_contents.texts_of_commit(top, start, file_paths.RULES, *sorted(emitted))
    before = {path: text for path, text in there.items() if path.startswith(f"{file_paths.RULES}/")}
    config = {} if onto.branch else text_files.read_existing(top, [file_paths.CONFIG])
    texts = {**config, **_yaml_of(before)}
    book = rulebook_files.parse_rulebook(patched(texts, changes))
    other = _of_another_version(top, rulebook_files.parse_rulebook(texts), stood)
    wanted = bundle.generated_files(top, book)
    trusted_checks.remember_scripts(top, wanted)
    compiled = {path: text for path, text in before.items() if path.startswith(f"{COMPILED_FOLDER}/")}
    files = [*_artifacts(changes), *bundle.outdated_files(wanted, compiled, stood)]
    # A document that the person has not committed yet is theirs to commit first; we change it in the work tree only.
    documents = [a for a in bundle.integration_files(book, top, stood) if stood([a.path]).get(a.path, a.text) != a.text]
    files, documents = ([one for one in some if one not in other] for some in (files, documents))
    now = stood([file.path for file in (*files, *documents)])
    if start and all(now.get(file.path) == file.text for file in (*files, *documents)):
        return start
    here, staged = ([], []) if onto.branch else _work_tree_and_index(top, changes, stood, files, documents)
    here = [one for one in here if one not in other]
    message = message_file.fitting_message(top, message, [one for one in wanted if one.slug])
    commit = committing.make_commit(top, map(_blob, [*files, *documents]), message, start)
    ref = git_refs.branch_ref(onto.branch)
    old = start if not onto.branch or git_session.find_commit(top, ref) else None  # a new branch
    passed_changes.note_own_commit(top, commit, start)  # first: recovery after a kill moves the branch and nothing more
    journal.write_journaled(top, here, commit=(commit, old, staged), ref=ref)
    return commit


def _of_another_version(top: Path, book: Rulebook, stood: bundle.Present) -> list[Artifact]:
    """The committed files that differ for no change of a rule: another rulec wrote them, and compile renews them.

    They are no part of a commit about something else, in which nobody would look for a new program.
    """
    wanted = [*bundle.shared_files(top, book), *bundle.integration_files(book, top, stood)]
    texts = stood([one.path for one in wanted])
    return [one for one in wanted if one.path in texts and not bundle.same_text(texts[one.path], one.text)]


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
    stale = stale_files(top, rulebook_files.parse_rulebook(patched(rulebook_files.rulebook_texts(top), changes)))
    return _artifacts(changes) + stale, [*files, *_staged_documents(top, changes, stood, documents)]


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
        patched({**config, **_yaml_of(git_contents.files_in_index(top, file_paths.RULES))}, changes)
    )
    emitted = bundle.integration_files(book, top, lambda names: git_contents.files_in_index(top, *names))
    return kept + [file for file in emitted if file.path in edited and file.path in texts]


def _artifacts(changes: Texts) -> list[Artifact]:
    return [Artifact(path=path, text=text) for path, text in changes.items()]


def _blob(file: Artifact) -> committing.FileToCommit:
    return committing.FileToCommit(file.path, None if file.text is None else file.text.encode(), file.executable)


def _yaml_of(files: Mapping[str, str]) -> dict[str, str]:
    return {path: text for path, text in files.items() if extensions.is_rulebook_file(path)}


def patched(files: Mapping[str, str], changes: Texts) -> dict[str, str]:
    """The files as the changes leave them, by path."""
    merged: dict[str, str | None] = {**files, **changes}
    return {path: text for path, text in sorted(merged.items()) if text is not None}


def supersession_files(old: Rule, new: Rule, old_text: str = "", new_text: str = "") -> dict[str, str | None]:
    """The changes of SUPERSEDE; the texts are those of the two files, whose comments people want to keep.

    The evidence of the old rule stays where it is, and its artifacts go because no rule in force has them.
    """
    follows = tuple(dict.fromkeys((*new.supersedes, old.slug)))
    new_file = rule_reading.write_rule(replace(new, supersedes=follows), new_text)
    return archive_files(replace(old, superseded_by=new.slug), old_text) | {file_paths.rule_path(new.slug): new_file}


def archive_files(rule: Rule, text: str = "") -> dict[str, str | None]:
    """The changes that archive a rule."""
    return {
        file_paths.rule_path(rule.slug): None,
        file_paths.archive_path(rule.slug): rule_reading.write_rule(rule, text),
    }


def rule_text(top: Path, onto: ChangeTarget, slug: str) -> str:
    """The text of a rule's file as it stands, "" for none."""
    return target_file_text(top, onto, file_paths.rule_path(slug))


def rule_files(top: Path, onto: ChangeTarget, rule: Rule) -> dict[str, str | None]:
    """The changes that write a rule in place of what its file says; a person's comments there are kept."""
    return {file_paths.rule_path(rule.slug): rule_reading.write_rule(rule, rule_text(top, onto, rule.slug))}


def clean_reason(because: str) -> str:
    """A person's reason in one line, without secrets."""
    return " ".join(redact(because.encode("utf-8", "replace").decode()).split())


def require_reason(because: str, hint: str) -> str:
    """As ``clean_reason``; RulecError where it says nothing."""
    reason = clean_reason(because)
    if not reason:
        raise RulecError("the reason is empty", hint=hint)
    return reason


def commit_rule_change(
    top: Path, onto: ChangeTarget, rule: Rule, changes: Texts, *, subject: str, decision: str, because: str, done: str,
    evidence: Sequence[Evidence] = (), others: Iterable[Rule] = (),
) -> Outcome:  # fmt: skip
    """Write what a verb made of a rule, with its evidence; the message has the trailers that log and why read.

    ``decision`` is the verb and the rule that it was about; ``rule`` and ``others`` are what it wrote. ``done`` is said
    to the person.
    """
    ids = ", ".join(map(evidence_file.evidence_id, evidence))
    trailers = [f"Rule: {one.slug}@{one.revision}" for one in (rule, *others)] + [f"Evidence: {ids}"] * bool(ids)
    said = " ".join(rule.statement.split())
    lines = [subject, "", f"It says: {said}", "", f"Resolution: {decision} -- {because}", *trailers, ""]
    return commit_with_outcome(top, onto, {**changes, **evidence_files(evidence)}, "\n".join(lines), done)


def commit_with_outcome(
    top: Path, onto: ChangeTarget, changes: Texts, message: str, done: str, *, more: str = ""
) -> Outcome:
    """Write the changes; the outcome says what was ``done``, where it was written, ``more``, and the next step."""
    commit = write_rulebook_change(top, changes, message, onto)
    lines = [f"{done}: {describe_written(top, onto, commit)}{more}", push_hint(top, onto)]
    return Outcome("\n".join(filter(None, lines)))


def missing_proof(book: Rulebook, rule: Rule, top: Path) -> list[Evidence]:
    """The proof that the rule's checks lack, [] where they are proved; RulecError where it fails."""
    if not rule.checks or rule_proof.is_proved(book, rule, compile_rule(book, rule, top)):
        return []
    held = rule_proof.prove_with_tools(book, rule, top)
    if not held.holds:
        raise RulecError(f"its check fails at {redact(held.failure)}", where=rule.source or rule.slug, hint=held.cure)
    return [held.as_evidence()]


def evidence_files(evidence: Iterable[Evidence]) -> dict[str, str | None]:
    """Evidence as files, by path."""
    return {file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in evidence}


def enforcement_in_effect(book: Rulebook, rule: Rule, top: Path) -> str:
    """What happens on a finding, by the evidence of the rulebook; "" for a reminder."""
    artifacts = compile_rule(book, rule, top)
    return facts_by_slug(artifacts)[rule.slug].enforcement if artifacts else ""


def require_compiled(top: Path, change: Change) -> None:
    """RulecError where a staged rule cannot be read or built, or differs from the staged compiled files."""
    slugs = {
        slug for file in change.files for path in (file.path, file.old_path) if (slug := _slug_of_file(path or ""))
    }
    if not slugs:
        return
    files = git_contents.files_in_index(top, file_paths.RULES)
    own = {path: text for path, text in files.items() if is_rulebook_path(path)}
    extensions.require_locked(own)
    book = GateState(top=top, files=files).book(slugs)
    there = {artifact.path: artifact.text for artifact in compiled_checks(files)}
    for slug in sorted(slugs):
        rule = book.rule(slug)
        wanted = {artifact.path: artifact.text for artifact in compile_rule(book, rule, top)} if rule else {}
        known = {path for path in there if slug_of_artifact(path) == slug}
        if any(not bundle.same_text(there.get(path), wanted.get(path)) for path in known | wanted.keys()):
            what, cure = "does not match the compiled files that are staged", "run rulec compile, then git add .rules"
            if not rule:
                what = "is removed, but its compiled files are still staged"
                cure = f"restore it and run rulec retire {slug}, or {cure}"
            raise RulecError(what, where=rule.source if rule else file_paths.rule_path(slug), hint=cure)


def _slug_of_file(path: str) -> str:
    """The slug of the rule of the team or of an extended rulebook whose file this is, "" for any other file."""
    folder, _, name = path.rpartition("/")
    holds_rules = folder == file_paths.RULES or folder.rpartition("/")[0] == extensions.EXTENSIONS_FOLDER
    return name.removesuffix(".yaml") if holds_rules and name.endswith(".yaml") and path != file_paths.CONFIG else ""
