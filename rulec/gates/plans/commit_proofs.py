"""Verdicts of the commit gate on rules at the steps of open plans: what was not proved, and how it is."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from rulec import registry
from rulec.compiling.compile_planning import rule_facts
from rulec.domain.artifact import COMPILED_FOLDER, RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import MODES, SEVERITIES, STRICTEST, Enforcement, PinnedEnforcement, Severity, refuses
from rulec.domain.finding import Finding, Verdict
from rulec.gates.trusted_checks import TrustedChecks
from rulec.gates.weakening.committer import is_made_by_person
from rulec.gates.weakening.gate_states import GateState
from rulec.infra.git import git_contents, git_session
from rulec.plans.plan import TESTABLE, Plan
from rulec.plans.proofs import changed_files, owed_proofs, rule_terms, signed_records
from rulec.plans.proofs.changed_files import EVERY_BYTE, LARGEST, ChangedFile, changed_time
from rulec.plans.proofs.owed_proofs import GateView, OwedProof
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class StepGate:
    """What the open plans of a work tree ask of a commit."""

    top: Path
    trusted: TrustedChecks
    change: Change
    plans: Sequence[Plan]
    complain: Callable[[str], None]
    by_person: Callable[[], bool] = is_made_by_person

    def verdicts(self, others: Sequence[Verdict]) -> tuple[list[Verdict], frozenset[str]]:
        """A verdict on each rule at a step that was not proved, and all rules at steps that the change belongs to.

        ``others`` are the verdicts on the same change.
        """
        root = str(self.top)
        if foreign := signed_records.count_foreign(root):
            self.complain(f"{foreign} records of runs or approvals were not made by rulec here: they count for nothing")
        found = self.owed(others)
        slugs = frozenset(one.terms.slug for one in found)
        lacking = [one for one in found if one.is_open and not _is_refused_anyway(one, others)]
        if not lacking:
            return [], slugs
        book = _trusted_book(self.top, {one.terms.slug for one in lacking})
        return [self._verdict(one, *book) for one in lacking], slugs

    def owed(self, others: Sequence[Verdict]) -> list[OwedProof]:
        """The rules at the steps that the change belongs to, by the rules that judge the commit."""
        terms = rule_terms.terms_of_texts(self.trusted.texts, owed_proofs.attached_slugs(self.plans))
        files = staged_files(self.top, self.change)
        return owed_proofs.owed_proofs(str(self.top), self.plans, files, terms, _view(others), by_person=self.by_person)

    def note_passed(self) -> None:
        """Note that the change was let through: what of it is committed belongs to no step any more."""
        changed_files.note_passes(str(self.top), staged_files(self.top, self.change))

    def _verdict(self, one: OwedProof, book: Rulebook, settings: Config) -> Verdict:
        facts = self._facts(one, book)
        place = next((file.path for file in one.files if file.now is not None), one.files[0].path)
        step = step_name(one, self.plans)
        also = f" and {len(one.files) - 1} more" if len(one.files) > 1 else ""
        text = f'step {step} "{one.step.text[:80]}" changed it{also} and asks for a proof ({one.level}): {one.missing}'
        cure = cure_of(one, [suite.name for suite in settings.tests])
        return Verdict(
            outcome=facts.enforcement, facts=facts, finding=Finding(slug=facts.slug, path=place, text=text, cure=cure)
        )

    def _facts(self, one: OwedProof, book: Rulebook) -> RuleFacts:
        """The facts of the rule; of one whose file is not there to read what its compiled words say."""
        rule = book.rule(one.terms.slug)
        if rule is not None:
            named = replace(rule, formerly=book.former_names(rule))
            facts = rule_facts(named, book.observed(rule.slug))
            return replace(facts, enforcement=self._enforcement(one, rule.enforcement))
        record = one.terms.record
        severity = next((name for name in SEVERITIES if name == record["severity"]), SEVERITIES[0])
        return RuleFacts(
            slug=one.terms.slug, revision=one.terms.revision, statement=record["says"], do=one.terms.do,
            severity=cast("Severity", severity), enforcement=self._enforcement(one, "auto"),
        )  # fmt: skip

    def _enforcement(self, one: OwedProof, pinned: PinnedEnforcement) -> Enforcement:
        """What a missing proof does: at most what people pinned, and where they set no level what the rule does."""
        if pinned != "auto":
            return pinned
        return STRICTEST if one.terms.pinned else _effective(self.trusted.texts, one.terms.slug)


def step_name(one: OwedProof, plans: Sequence[Plan]) -> str:
    """What verbs call the step: its number in the one open plan, else the beginning of its id."""
    return str(one.number) if len(plans) == 1 else one.step.id[:6]


def cure_of(one: OwedProof, suites: Sequence[str]) -> str:
    """What proves it: what the rule wants instead, a run of a suite, or a person."""
    do = one.terms.do.removeprefix("Do: ").rstrip(".")
    ways = [do] if do and one.level != TESTABLE else []
    if one.tested_paths:
        ways += [f"write a test that is red without the change, then rulec run {suites[0] if suites else 'SUITE'}"]
    return "; or ".join([*ways, "a person runs git add, then rulec approve"])


def _view(verdicts: Sequence[Verdict]) -> GateView:
    found: dict[str, set[str]] = {}
    for one in verdicts:
        if one.finding and one.outcome not in ("old", "excepted"):
            found.setdefault(one.facts.slug, set()).add(one.finding.path)
    return GateView(found, [one.facts.slug for one in verdicts if one.fault])


def _is_refused_anyway(one: OwedProof, verdicts: Sequence[Verdict]) -> bool:
    """Whether the rule's own check refuses the change of these files already."""
    return any(
        refuses(verdict.outcome) and verdict.facts.slug == one.terms.slug and verdict.finding.path in ("", *one.paths)
        for verdict in verdicts
        if verdict.finding
    )


def _effective(texts: Mapping[str, str], slug: str) -> Enforcement:
    """What the rule's machine checks do; a rule without any is kept by people, and refuses."""
    found: list[RuleFacts] = []
    for kind in rule_terms.KINDS:
        checker = registry.checker(kind)
        own = [text for path, text in texts.items() if path.startswith(f"{COMPILED_FOLDER}/{kind}/{slug}.")]
        found += [checker.facts(text) for text in own]
    return max((facts.enforcement for facts in found), key=list(MODES).index, default=STRICTEST)


def _trusted_book(top: Path, slugs: set[str]) -> tuple[Rulebook, Config]:
    """The rules as HEAD has them, or the index where there is no commit, and the settings."""
    if git_session.head_commit(top):
        files = git_contents.files_at_commit(top, "HEAD", file_paths.RULES)
    else:
        files = git_contents.files_in_index(top, file_paths.RULES)
    state = GateState(top=top, files=files)
    return state.book(slugs), state.config


def staged_files(top: Path, change: Change) -> list[ChangedFile]:
    """The files of the staged change; those that a merge brings as they are belong to no step."""
    merging = bool(git_session.merge_heads(top))
    files = [file for file in change.files if not (merging and file.status == "M" and file.added == ())]
    unlike = frozenset(git_session.git_output(top, "diff-files", "--name-only", "-z").split("\0")) if files else ()
    return [_placed(top, one, whole=one.path not in unlike) for file in files for one in _sides(file)]


def _sides(file: FileChange) -> Iterator[ChangedFile]:
    """The file; one that was moved is deleted and made anew, as git has it before both are staged."""
    moved = bool(file.old_path) and file.old_path != file.path
    if moved:
        yield ChangedFile(file.old_path, _text(file.base), None)
    one = ChangedFile(file.path, None if moved else _text(file.base), _text(file.content))
    if one.before is not None and one.before == one.now:
        return  # only its mode or the time of its file is another one: there are no lines to prove anything of
    one.pinned = file.status == "D" or (file.content is not None and len(file.content) <= LARGEST)
    yield one


def _text(content: bytes | None) -> str | None:
    """The text, with every byte kept apart."""
    return None if content is None else content.decode("utf-8", EVERY_BYTE)


def _placed(top: Path, file: ChangedFile, *, whole: bool) -> ChangedFile:
    file.whole = whole
    file.at = changed_time(str(top / file.path)) if whole else 0.0
    return file
