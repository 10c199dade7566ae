"""rulec compile: proves what is not proved and writes what is out of date; nothing where nothing changed."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from rulec import registry
from rulec.checks import template_library
from rulec.checks.proving.proof import Proof
from rulec.compiling import artifacts, compile_planning, effective_enforcement
from rulec.domain.artifact import COMPILED_FOLDER, Artifact
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.gates.findings import rule_proof
from rulec.infra import journal, kept_results, state, text_files
from rulec.infra.git import merge_files
from rulec.infra.rulebooks import rule_files, rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.proposals import rule_conflicts
from rulec.services.setup import extend

_PIECE = "compiled"
Digests = Mapping[str, str]


def output_if_unchanged(top: Path) -> str:
    """The output of the last compile where nothing changed since, "" where compile has to run."""
    return _said(top, "compile")


def said_when_current(top: Path) -> str:
    """What compile --check says where nothing changed since everything was current, "" where it has to look."""
    return _said(top, "check")


def _said(top: Path, what: str) -> str:
    """What was said when everything was compiled or compared, if each file is as it was then; "" otherwise.

    It lies in the git folder, where no commit can put a file, and holds for the very same rulec and contents alone.
    """
    if not rulebook_files.has_rulebook(top) or journal.is_unfinished(top):
        return ""
    kept = kept_results.load_piece(_place(top), _program())
    if (
        kept is None
        or text_files.digest_of_digests(text_files.digest_files(top, file_paths.RULES, kept["beside"])) != kept["files"]
    ):
        return ""
    text: str = kept[what]
    return "" if merge_files.unmerged_paths(top) else text


def rulebook_digests(top: Path) -> Digests:
    """Digests of the rulebook's files, taken before a compile."""
    return text_files.digest_files(top, file_paths.RULES, _beside())


def remember_compile(
    top: Path, began: Digests, written: Collection[str], book: Rulebook, text: str, *, current: str = ""
) -> None:
    """Remember what compile and compile --check say of these files ("": they have to look), unless others matter.

    Nothing is remembered where somebody else wrote meanwhile.
    """
    ours = frozenset(written)
    now = text_files.digest_files(top, file_paths.RULES, _beside())
    same = all(began.get(path) == now.get(path) for path in began.keys() | now.keys() if path not in ours)
    if same and not book.config.extends and not registry.has_foreign_plugs():
        said = {"compile": text, "check": current}
        kept = {"files": text_files.digest_of_digests(now), "beside": _beside(), **said}
        kept_results.store_piece(_place(top), _program(), kept)


def _place(top: Path) -> str:
    return str(state.state_dir(top) / _PIECE)


def _beside() -> list[str]:
    """Files of other tools that contain a part written by rulec."""
    return sorted({path for emitter in registry.emitters().values() for path in emitter.files})


def _program() -> str:
    return text_files.digest_program(kept_results.PACKAGE_FOLDER, template_library.packaged_templates())


def compile_rulebook(top: Path, complain: Callable[[str], None], *, check: bool = False) -> Outcome:
    """Prove what is unproved, write what is stale; exit 1 where a proof fails or, with --check, on a difference."""
    if check:
        return Outcome(said) if (said := said_when_current(top)) else _current(top)
    if done := output_if_unchanged(top):
        return Outcome(done)
    with journal.write_lock(top):
        merged = _merge_rule_files(top)
        began = rulebook_digests(top)
        book, files = _load(top)
        fetched = extend.fetch_unlocked(top, book, files, complain)
        if fetched:
            files = {path: text for path, text in {**files, **fetched}.items() if text is not None}
            book = rulebook_files.parse_rulebook(files)
        proofs = fresh_proofs(top, book)
        items = [proof.as_evidence() for proof in proofs if proof.holds]
        written = rulebook_commit.write_work_tree(top, {**fetched, **rulebook_commit.evidence_files(items)})
        settled = _settle(top, written)
        rule_conflicts.refresh_conflicts(top, book)
    failed = [proof for proof in proofs if not proof.holds]
    told = [*book.overruled, *extend.vendoring_complaints(book.config, files)]
    told += [_orphan(path) for path in compile_planning.orphaned_evidence(book)]
    lines = [f"{'wrote  ' if f.text is not None else 'removed'} {f.path}" for f in written]
    lines += [f"settled {path}" for path in (*merged, *settled)]
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [
        f"held    {rule.slug}: {why}" for rule in book.rules if (why := effective_enforcement.why_only_audits(rule))
    ]
    lines += [f"held    {rule.slug}: {why}" for rule in book.rules if (why := book.why_unheld(rule))]
    lines += [f"FAILED  {p.slug} at {p.failure}; {p.cure}; it only audits until then" for p in failed]
    if not failed:
        current = "" if set(told) - set(book.overruled) else _current_words(book)
        text = "\n".join([*told, _total(book)])
        remember_compile(top, began, [file.path for file in written], book, text, current=current)
    total = _total(book, len(written), len(items), len(failed))
    return Outcome("\n".join([*told, *lines, total]), FINDINGS if failed else 0)


def _total(book: Rulebook, changed: int = 0, proofs: int = 0, failures: int = 0) -> str:
    return f"{len(book.rules)} rules, {changed} files changed, {proofs} newly proved, {failures} unproved"


def _load(top: Path, *, anew: bool = False) -> tuple[Rulebook, dict[str, str]]:
    """The rulebook, checked for contradictions about archived rules, and the texts of its files."""
    book, files = rulebook_files.load_rulebook(top, anew=anew), rulebook_files.rulebook_texts(top)
    compile_planning.require_consistent(book, rulebook_files.archived_rules(files))
    return book, files


def fresh_proofs(top: Path, book: Rulebook) -> list[Proof]:
    """New proofs of rules whose compiled checks have none."""
    built = artifacts.compile_checks(book, top)
    return rule_proof.prove_built(rule_proof.unproved_rules(book, built), top)


def _merge_rule_files(top: Path) -> list[str]:
    """Merge the rules that git, without rulec's driver, left in conflict where nothing is a person's to settle."""
    paths = []
    for path in filter(rule_files.is_rule_file, merge_files.unmerged_paths(top)):
        texts, place = merge_files.conflicting_texts(top, path), top / path
        marked = place.is_file() and not place.is_symlink() and "\n<<<<<<< " in text_files.read_text(place)
        merged = rule_files.merged_rule_text(*texts, path) if texts and marked else ""
        if merged:
            place.write_bytes(merged.encode("utf-8"))
            paths.append(path)
    merge_files.mark_resolved(top, paths)
    return paths


def _settle(top: Path, written: list[Artifact]) -> list[str]:
    """Resolve merge conflicts in generated files, and stage them."""
    names = {file.path for file in written}
    paths = [
        path for path in merge_files.unmerged_paths(top) if path in names or path.startswith(f"{COMPILED_FOLDER}/")
    ]
    merge_files.mark_resolved(top, paths)
    return paths


def _orphan(path: str) -> str:
    return f"evidence without a rule: {path}; git rm -r it, or bring the rule back with rulec rollback"


def _current(top: Path) -> Outcome:
    """Whether every file is what its rules compile to, of which nothing that was read before is taken for granted."""
    began = rulebook_digests(top)
    book, files = _load(top, anew=True)
    differing = extend.vendoring_complaints(book.config, files)
    differing += [
        f"{'missing or stale' if file.text else 'left over'}: {file.path}"
        for file in rulebook_commit.stale_files(top, book)
    ]
    differing += [_orphan(path) for path in compile_planning.orphaned_evidence(book)]
    built = artifacts.compile_checks(book, top)
    differing += [f"unproved: {rule.slug}" for rule, _ in rule_proof.unproved_rules(book, built)]
    if differing:
        return Outcome("\n".join([*differing, "run rulec compile and commit what it writes"]), FINDINGS)
    text = _current_words(book)
    remember_compile(
        top, began, (), book, "", current=text
    )  # a compile has more to do than to look, such as to keep the hook
    return Outcome(text)


def _current_words(book: Rulebook) -> str:
    return f"{len(book.rules)} rule{'s' * (len(book.rules) != 1)}, every artifact is current"
