"""``rulec compile``: rules -> proved artifacts, or with --check only whether they are current."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _build, _extends, _held, _prove, _standing, _unchanged, _write
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.host import journal, mergefile, worktree
from rulec.literals import unexplained
from rulec.model.artifact import COMPILED, Artifact, of_judge
from rulec.model.evidence import Evidence
from rulec.model.proof import Proof
from rulec.model.rulebook import Rulebook
from rulec.mutants.reach import reach
from rulec.stages.revise import proved


def run(top: Path, complain: Callable[[str], None], *, check: bool = False) -> Outcome:
    """Prove what is unproved, write what is stale; exit 1 where a proof fails or, with --check, on a difference."""
    if check:
        return _current(top, _load(top, anew=True))
    if done := _unchanged.said(top):
        return Outcome(done)
    with journal.lock(top):
        began = _unchanged.before(top)
        book, files = _load(top), worktree.texts(top)
        fetched = _extends.current(top, book, files, complain)
        if fetched:
            book = worktree.book({path: text for path, text in {**files, **fetched}.items() if text is not None})
        proofs = unproved(top, book)
        items = [proved(proof) for proof in proofs if proof.holds]
        written = _write.to_work_tree(top, {**fetched, **texts_of(items)})
        settled = _settle(top, written)
    failed = [proof for proof in proofs if not proof.holds]
    told = [*book.overruled, *_extends.complaints(book.config, worktree.texts(top))]
    told += [_orphan(path) for path in _standing.orphans(book)]
    lines = [f"{'wrote  ' if file.text is not None else 'removed'} {file.path}" for file in written]
    lines += [f"settled {path}" for path in settled]
    lines += [f"proved  {proof.slug}: {proof.stages[2].detail}" for proof in proofs if proof.holds]
    lines += [f"held    {rule.slug}: {why}" for rule in book.rules if (why := _held.why(rule))]
    lines += _dropped(top, book, files)
    lines += [f"FAILED  {p.slug} at {p.failure}; {p.cure}; what it finds is only noted until then" for p in failed]
    if not failed:
        _unchanged.keep(top, began, [file.path for file in written], book, "\n".join([*told, _total(book)]))
    total = _total(book, len(written), len(items), len(failed))
    return Outcome("\n".join([*told, *lines, total]), FINDINGS if failed else 0)


def _total(book: Rulebook, changed: int = 0, proofs: int = 0, failures: int = 0) -> str:
    return f"{len(book.rules)} rules, {changed} files changed, {proofs} newly proved, {failures} unproved"


def _load(top: Path, *, anew: bool = False) -> Rulebook:
    """The rulebook, whose every file says the same of what became of each rule."""
    book = worktree.load(top, anew=anew)
    _standing.hold(book, worktree.archive(worktree.texts(top)))
    return book


def unproved(top: Path, book: Rulebook) -> list[Proof]:
    """Fresh proofs of the rules whose checks, as they compile now, have none."""
    built = _build.checks(book, top)
    due = [rule for rule in book.rules if rule.checks and not _prove.proved_already(book, rule, built)]
    return [_prove.prove(book, rule, top) for rule in due]


def _dropped(top: Path, book: Rulebook, files: Mapping[str, str]) -> Iterator[str]:
    """What rule files say and neither check nor list: a warning, so that no rulebook stands still for it."""
    some = [rule for rule in book.rules if rule.layer == "team" and unexplained(rule)]
    built = _build.checks(book, top) if some else []
    for rule in some:
        texts = reach(rule, [one for one in built if one.slug == rule.slug and not of_judge(one)]).texts
        if said := unexplained(rule, texts):
            path = worktree.rule_path(rule.slug)
            text = files.get(path, "").splitlines()
            line = next((number for number, one in enumerate(text, 1) if one.startswith("statement:")), 1)
            names = ", ".join(map(repr, said))
            yield f"unseen  {path}:{line}: no check sees {names}; check it, or list it under not_checked"


def texts_of(items: list[Evidence]) -> dict[str, str | None]:
    """Evidence as files."""
    return {worktree.evidence_path(item): evidencefile.dumps(item) for item in items}


def _settle(top: Path, written: list[Artifact]) -> list[str]:
    """What a merge left in conflict and is generated: it is as it should be now, and git is told so."""
    names = {file.path for file in written}
    paths = [path for path in mergefile.unmerged(top) if path in names or path.startswith(f"{COMPILED}/")]
    mergefile.resolve(top, paths)
    return paths


def _orphan(path: str) -> str:
    return f"evidence without a rule: {path}; git rm -r it, or bring the rule back with rulec rollback"


def _current(top: Path, book: Rulebook) -> Outcome:
    differing = _extends.complaints(book.config, worktree.texts(top))
    differing += [f"{'missing or stale' if file.text else 'left over'}: {file.path}" for file in _write.sync(top, book)]
    differing += [_orphan(path) for path in _standing.orphans(book)]
    built = _build.checks(book, top)
    bare = [r.slug for r in book.rules if r.checks and not _prove.proved_already(book, r, built)]
    differing += [f"unproved: {slug}" for slug in bare]
    if differing:
        return Outcome("\n".join([*differing, "run rulec compile and commit what it writes"]), FINDINGS)
    return Outcome(f"{len(book.rules)} rules, every artifact is current")
