"""Proves what is unproved and writes what is out of date."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rulec.checks.proving.check_reach import reach_of_checks
from rulec.checks.proving.proof import Proof
from rulec.compiling import artifacts, enforcement_limits, succession
from rulec.domain.artifact import COMPILED_FOLDER, Artifact, is_judge_check
from rulec.domain.evidence import Evidence
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.gates import rule_proof
from rulec.infra import journal
from rulec.infra.git import merge_files
from rulec.infra.rulebooks import work_tree
from rulec.language.coverage.gaps import unexplained
from rulec.resolving.revisions import proof_as_evidence
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.setup import compile_stamp, vendored_rulebooks
from rulec.services.writing import rulebook_commit


def compile_rulebook(top: Path, complain: Callable[[str], None], *, check: bool = False) -> Outcome:
    """Prove what is unproved, write what is stale; exit 1 where a proof fails or, with --check, on a difference."""
    if check:
        return _current(top, _load(top, anew=True))
    if done := compile_stamp.output_if_unchanged(top):
        return Outcome(done)
    with journal.write_lock(top):
        began = compile_stamp.rulebook_digests(top)
        book, files = _load(top), work_tree.rulebook_texts(top)
        fetched = vendored_rulebooks.fetch_unlocked(top, book, files, complain)
        if fetched:
            book = work_tree.parse_rulebook(
                {path: text for path, text in {**files, **fetched}.items() if text is not None}
            )
        proofs = fresh_proofs(top, book)
        items = [proof_as_evidence(proof) for proof in proofs if proof.holds]
        written = rulebook_commit.write_work_tree(top, {**fetched, **evidence_texts(items)})
        settled = _settle(top, written)
    failed = [proof for proof in proofs if not proof.holds]
    told = [*book.overruled, *vendored_rulebooks.vendoring_complaints(book.config, work_tree.rulebook_texts(top))]
    told += [_orphan(path) for path in succession.orphaned_evidence(book)]
    lines = [f"{'wrote  ' if file.text is not None else 'removed'} {file.path}" for file in written]
    lines += [f"settled {path}" for path in settled]
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [f"held    {rule.slug}: {why}" for rule in book.rules if (why := enforcement_limits.why_limited(rule))]
    lines += _dropped(top, book, files)
    lines += [f"FAILED  {p.slug} at {p.failure}; {p.cure}; what it finds is only noted until then" for p in failed]
    if not failed:
        compile_stamp.remember_compile(
            top, began, [file.path for file in written], book, "\n".join([*told, _total(book)])
        )
    total = _total(book, len(written), len(items), len(failed))
    return Outcome("\n".join([*told, *lines, total]), FINDINGS if failed else 0)


def _total(book: Rulebook, changed: int = 0, proofs: int = 0, failures: int = 0) -> str:
    return f"{len(book.rules)} rules, {changed} files changed, {proofs} newly proved, {failures} unproved"


def _load(top: Path, *, anew: bool = False) -> Rulebook:
    """The rulebook, whose every file says the same of what became of each rule."""
    book = work_tree.load_rulebook(top, anew=anew)
    succession.require_consistent(book, work_tree.archived_rules(work_tree.rulebook_texts(top)))
    return book


def fresh_proofs(top: Path, book: Rulebook) -> list[Proof]:
    """Fresh proofs of the rules whose checks, as they compile now, have none."""
    built = artifacts.compile_checks(book, top)
    due = [rule for rule in book.rules if rule.checks and not rule_proof.is_proved(book, rule, built)]
    return [rule_proof.prove_with_tools(book, rule, top) for rule in due]


def _dropped(top: Path, book: Rulebook, files: Mapping[str, str]) -> Iterator[str]:
    """What rule files say and neither check nor list: a warning, so that no rulebook stands still for it."""
    some = [rule for rule in book.rules if rule.layer == "team" and unexplained(rule)]
    built = artifacts.compile_checks(book, top) if some else []
    for rule in some:
        texts = reach_of_checks(rule, [one for one in built if one.slug == rule.slug and not is_judge_check(one)]).texts
        if said := unexplained(rule, texts):
            path = file_paths.rule_path(rule.slug)
            text = files.get(path, "").splitlines()
            line = next((number for number, one in enumerate(text, 1) if one.startswith("statement:")), 1)
            names = ", ".join(map(repr, said))
            yield f"unseen  {path}:{line}: no check sees {names}; check it, or list it under not_checked"


def evidence_texts(items: list[Evidence]) -> dict[str, str | None]:
    """Evidence as files."""
    return {file_paths.evidence_path(item): evidence_file.dump_evidence(item) for item in items}


def _settle(top: Path, written: list[Artifact]) -> list[str]:
    """What a merge left in conflict and is generated: it is as it should be now, and git is told so."""
    names = {file.path for file in written}
    paths = [
        path for path in merge_files.unmerged_paths(top) if path in names or path.startswith(f"{COMPILED_FOLDER}/")
    ]
    merge_files.mark_resolved(top, paths)
    return paths


def _orphan(path: str) -> str:
    return f"evidence without a rule: {path}; git rm -r it, or bring the rule back with rulec rollback"


def _current(top: Path, book: Rulebook) -> Outcome:
    differing = vendored_rulebooks.vendoring_complaints(book.config, work_tree.rulebook_texts(top))
    differing += [
        f"{'missing or stale' if file.text else 'left over'}: {file.path}"
        for file in rulebook_commit.stale_files(top, book)
    ]
    differing += [_orphan(path) for path in succession.orphaned_evidence(book)]
    built = artifacts.compile_checks(book, top)
    bare = [r.slug for r in book.rules if r.checks and not rule_proof.is_proved(book, r, built)]
    differing += [f"unproved: {slug}" for slug in bare]
    if differing:
        return Outcome("\n".join([*differing, "run rulec compile and commit what it writes"]), FINDINGS)
    return Outcome(f"{len(book.rules)} rules, every artifact is current")
