"""rulec prove: makes a proof that a rule was kept at a step, pins it to the changed lines, and stores it signed."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checks import template_library
from rulec.checks.judge import proof_question
from rulec.checks.judge.diff_pieces import cut_change
from rulec.domain.change import Change
from rulec.domain.files import file_kinds
from rulec.domain.outcome import CLEAN, FINDINGS, Outcome, no_progress
from rulec.domain.prompt import AwaitedAnswer, ModelFailure
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates.judging import judge_settings
from rulec.gates.steps.commit_proofs import cure_of
from rulec.infra.git import git_changes, git_session
from rulec.infra.test_runs import suite_runs
from rulec.infra.test_runs.proof_by_test import prove_by_tests
from rulec.llm import model_settings
from rulec.llm.conversation import Conversation
from rulec.rulebook import config, file_paths
from rulec.rulebook.config import Config
from rulec.rulebook.rulebook import Rulebook
from rulec.services.steps.find_step import NamedStep, find_rule_at_step
from rulec.steps.proofs import proof_store, said_words
from rulec.steps.proofs.claimed_files import ChangedFile, read_text
from rulec.steps.proofs.open_proofs import Obligation
from rulec.steps.proofs.proof_store import CHECKED, CITED, JUDGED, SAID, SUFFICES, TESTED
from rulec.steps.proofs.said_words import SaidObject
from rulec.steps.proofs.session_words import events_of_plan

Say = Callable[[str], None]
_LONGEST_QUOTE = 400  # characters that a record keeps
_HEAD_LINES = 10  # of a file, in which programs say that they wrote it
_MADE = re.compile(r"@generated\b|\bgenerated\b.{0,80}\bdo not (?:edit|modify)\b", re.IGNORECASE)
_MARKS = ("linguist-generated", "gitlab-generated")
_WAYS = "--test, --said, --judge and --cite"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofWay:
    """How somebody wants to prove it: one of these, or none to see what is there."""

    tests: tuple[str, ...] = ()  # SUITE::NODE
    said: str = ""
    judge: bool = False
    cite: str = ""  # PATH:A-B
    note: str = ""

    @property
    def chosen(self) -> int:
        """How many ways were named."""
        return sum(map(bool, (self.tests, self.said, self.judge, self.cite)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """A proof that was found, with the files that it is pinned to; or why there is none."""

    kind: str
    why: str = ""
    detail: Mapping[str, Any] | None = None
    files: Sequence[str] = ()


def prove_rule(top: Path, step: str, slug: str, way: ProofWay, say: Say) -> Outcome:
    """Make the proof: exit 0 where the rule is proved then, 1 where it is not, with why. RulecError for bad input."""
    if way.chosen > 1:
        raise RulecError("choose one way", where="rulec prove", hint=f"one of {_WAYS}")
    named = find_rule_at_step(top, step, slug)
    settings = _settings(top)
    one = named.obligation
    if one is None:
        return _outcome(named, "", [f"nothing of step {named.number} is changed yet that {slug} speaks of"], FINDINGS)
    if not way.chosen or one.proved == SAID:
        return _standing(named, one, settings)
    unreadable = next((file.path for file in one.files if not file.readable), "")
    if unreadable:
        return _outcome(named, "", [f"{unreadable} holds no text to which a proof could be pinned"], FINDINGS)
    found = _Prover(top=top, named=named, one=one, settings=settings, say=say).find(way)
    if found.why:
        return _outcome(named, "", [f"not {found.kind}: {found.why}"], FINDINGS)
    if not proof_store.add_proof(str(top), _record(top, named, found)):
        raise RulecError("the proof cannot be kept", where=str(top), hint="see ~/.config/rulec and the git folder")
    left = [path for path in one.paths if path not in found.files]
    suffices = found.kind in SUFFICES[one.level]
    told = [f"{slug} at step {named.number} is {found.kind}: {_summary(found)}"]
    if left:
        told.append(f"still to prove: {', '.join(left)}")
    if not suffices:
        told.append(f"{found.kind} {_not_enough(found.kind)}; {one.level} asks for {_wanted(one.level)}")
    return _outcome(named, found.kind, told, CLEAN if suffices and not left else FINDINGS)


def _not_enough(kind: str) -> str:
    return "is only the agent's word, which suffices for remind alone" if kind == CITED else "does not suffice"


def _wanted(level: str) -> str:
    kinds = [kind for kind in SUFFICES[level] if kind != CHECKED]
    return " or ".join(filter(None, (", ".join(kinds[:-1]), kinds[-1])))


def _standing(named: NamedStep, one: Obligation, settings: Config) -> Outcome:
    """What is there without anybody's word."""
    slug, step = named.terms.slug, named.number
    if one.risk is not None:
        risk = f"its risk is accepted by {one.risk.get('by')} until {one.risk.get('until')}: {one.risk.get('reason')}"
        return _outcome(named, one.proved, [f"{slug} at step {step} needs no proof: {risk}"], CLEAN)
    if one.is_met:
        how = one.proved or f"only reminded of ({one.level})"
        later = "; the commit runs its check" if one.later else ""
        return _outcome(named, one.proved, [f"{slug} at step {step} is {how}{later}"], CLEAN)
    lacks = "; ".join(one.missing) or "no proof of it was found"
    told = [
        f"{slug} at step {step} is not proved ({one.level}): {lacks}",
        f"to prove it: {cure_of(one, str(step), settings)}",
    ]
    return _outcome(named, "", told, FINDINGS)


def _outcome(named: NamedStep, kind: str, told: Sequence[str], code: int) -> Outcome:
    data = {
        "step": named.step.id, "number": named.number, "rule": named.terms.slug, "proved": code == CLEAN,
        "class": kind, "told": [*told],
    }  # fmt: skip
    return Outcome("\n".join(map(to_one_line, told)), code, data)


def _record(top: Path, named: NamedStep, found: _Found) -> dict[str, Any]:
    changed = {file.path: file for file in named.files}
    texts = {path: changed[path].now if path in changed else read_text(str(top), path) for path in found.files}
    pins = {
        path: changed[path].pin if path in changed else proof_store.pin_of(text, text) for path, text in texts.items()
    }
    return {
        "session": named.plan.session, "step": named.step.id, "rule": named.terms.slug, "class": found.kind,
        "revision": named.terms.revision, "pin": pins, "detail": {**(found.detail or {})},
        "now": {path: proof_store.text_digest(text) for path, text in texts.items()},
    }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prover:
    """Looks for a proof of one rule at one step."""

    top: Path
    named: NamedStep
    one: Obligation
    settings: Config
    say: Say

    def find(self, way: ProofWay) -> _Found:
        """The proof that the way leads to, or why it leads to none."""
        if way.tests:
            return self._tested(way.tests)
        if way.said:
            return self._said(way.said)
        return self._judged() if way.judge else self._cited(way)

    def _tested(self, tests: Sequence[str]) -> _Found:
        """Tests that are red at the step's base and green now; the test files are pinned, too."""
        suites = dict.fromkeys(name.partition("::")[0] for name in tests)
        if len(suites) > 1:
            raise RulecError("names several suites", where="--test", hint="prove it by tests of one suite")
        suite = suite_runs.suite_at(self.top, next(iter(suites)))
        nodes = [node for name in tests if (node := name.partition("::")[2])]
        proof = prove_by_tests(self.top, suite, nodes, self._base(), self.one.paths)
        if not proof.proved:
            person = "; a person has to decide" if proof.needs_person else ""
            return _Found(kind=TESTED, why=f"{proof.why}{person}")
        folder = f"{suite.folder.rstrip('/')}/" if suite.folder else ""
        files = [f"{folder}{node.partition('::')[0].removeprefix('./')}" for node in proof.proving]
        held = [path for path in files if read_text(str(self.top), path) is not None]
        also = [file.path for file in self.named.files if _is_test(file, suite.files)]
        return _Found(kind=TESTED, detail=proof.detail(), files=list(dict.fromkeys([*self.one.paths, *held, *also])))

    def _base(self) -> str:
        """The commit on which the step began, where HEAD builds on it."""
        base = git_session.find_commit(self.top, self.named.step.base) if self.named.step.base else None
        builds = base and git_session.run_git(self.top, "merge-base", "--is-ancestor", base, "HEAD").code == 0
        return base if base and builds else "HEAD"

    def _said(self, quote: str) -> _Found:
        """A turn of the person that allows what the files bring; files that it does not speak of are left open."""
        events = events_of_plan(str(self.top), self.named.plan)
        words = [str(rule["check"]["first_said"]) for rule in self.one.terms.asks if rule["check"].get("before_edits")]
        known = self.named.step.known or self.named.plan.opened
        allowed: list[str] = []
        objects: list[SaidObject] = []
        reasons: list[str] = []
        for file in self.one.files:
            own = said_words.objects_of(file, words)
            terms, started = self.one.terms, self.named.step.started
            subject = frozenset() if terms.asks else said_words.subject_of(terms.record, file.path)
            why = said_words.why_not_said(events, own, quote, known, started, subject=subject) if own else ""
            if why:
                reasons.append(why)
            elif own:
                allowed.append(file.path)
                objects += own
        if not allowed:
            return _Found(
                kind=SAID, why=reasons[0] if reasons else "nothing in the change says what they would speak of"
            )
        allowed += [file.path for file in self.one.files if said_words.is_lock_file(file.path)]
        detail = {"quote": redact(quote)[:_LONGEST_QUOTE], "objects": [item.data() for item in objects], "known": known}
        return _Found(kind=SAID, detail=detail, files=allowed)

    def _judged(self) -> _Found:
        """A model's answer whose quote stands in the lines that the change brings."""
        change = git_changes.uncommitted_change(self.top, self.one.paths)
        pieces, unsent = cut_change(Change(files=change.files))
        pieces = [piece for piece in pieces if piece.path]
        lost = [file.path for file in unsent if file.status != "D"]
        if lost or not pieces:
            return _Found(
                kind=JUDGED, why=f"{lost[0] if lost else self.one.paths[0]} holds no lines that could be sent"
            )
        if len(pieces) > proof_question.MOST_PIECES:
            return _Found(
                kind=JUDGED, why=f"{len(pieces)} pieces are too many for one question; commit in smaller parts"
            )
        models = model_settings.choose_models(self.top, Rulebook(config=self.settings))
        if not models.backend:
            hint = "a person sets models.backend in .rules/config.yaml, or in their own settings"
            raise RulecError("no backend is configured", where="--judge", hint=hint)
        if registry.backend(models.backend).waits:
            why = f"{models.backend} has its answers written into files, so that whoever asks could answer"
            return _Found(kind=JUDGED, why=why)
        chat = Conversation(self.top, models, template_library.open_library().render, self.say, no_progress)
        record = self.named.terms.record
        rule = "\n".join(str(record[key]) for key in ("says", "do") if record[key])
        prompt = proof_question.write_proof_prompt(rule, self.named.step.text, pieces, chat.render)
        (heard,) = chat.ask([prompt])
        if spent := chat.spent():
            self.say(spent)
        if isinstance(heard, AwaitedAnswer):
            return _Found(kind=JUDGED, why=f"the question waits in {heard.place}: answer it, then run this again")
        if isinstance(heard, ModelFailure):
            return _Found(kind=JUDGED, why=heard.line)
        return _of_answer(proof_question.read_proof_answer(heard.data, pieces), self.one, chat.model or chat.who)

    def _cited(self, way: ProofWay) -> _Found:
        """Lines that the step changed, with a note: the agent's word."""
        path, first, last = _parsed(way.cite)
        if not way.note.strip():
            raise RulecError("the note is missing", where="--cite", hint='such as --note "the limit is checked here"')
        file = next((file for file in self.one.files if file.path == path), None)
        if file is None:
            return _Found(kind=CITED, why=f"{path} is not changed in this step, or the rule does not speak of it")
        if _is_generated(self.top, file):
            return _Found(kind=CITED, why=f"{path} is generated")
        lines = (file.now or "").split("\n")
        if not lines[-1]:
            lines = lines[:-1]
        if last > len(lines):
            return _Found(kind=CITED, why=f"{path} has {len(lines)} lines")
        change = git_changes.uncommitted_change(self.top, [path])
        added = next((one.added_lines for one in change.files if one.path == path), set())
        unchanged = [number for number in range(first, last + 1) if added is not None and number not in added]
        if unchanged:
            return _Found(kind=CITED, why=f"line {unchanged[0]} of {path} was not changed in this step")
        note = redact(to_one_line(way.note))[:_LONGEST_QUOTE]
        return _Found(kind=CITED, detail={"path": path, "lines": [first, last], "note": note}, files=self.one.paths)


def _is_test(file: ChangedFile, globs: Sequence[str]) -> bool:
    return file.readable and file.now is not None and file_kinds.is_among(list(globs), file.path)


def _of_answer(answer: proof_question.ProofAnswer, one: Obligation, model: str) -> _Found:
    if answer.why_not:
        return _Found(kind=JUDGED, why=answer.why_not)
    quote = redact(answer.quote)[:_LONGEST_QUOTE]
    detail = {"model": model, "path": answer.path, "line": answer.line, "quote": quote}
    return _Found(kind=JUDGED, detail=detail, files=one.paths)


def _is_generated(top: Path, file: ChangedFile) -> bool:
    """Whether a program writes the file: by its name, its attributes in git, or the words at its beginning."""
    head = "\n".join((file.now or "").split("\n")[:_HEAD_LINES])
    if file_kinds.is_generated(file.path) or said_words.is_lock_file(file.path) or _MADE.search(head):
        return True
    told = git_session.git_output(top, "check-attr", "-z", *_MARKS, "--", file.path).split("\0")
    return any(value in ("set", "true") for value in told[2::3])


def _parsed(text: str) -> tuple[str, int, int]:
    path, _, lines = text.rpartition(":")
    first, _, last = lines.partition("-")
    if not path or not first.isdecimal() or not (last or first).isdecimal():
        raise RulecError(
            f"{text!r} names no lines", where="--cite", hint="write PATH:FIRST-LAST, such as src/a.py:10-14"
        )
    numbers = int(first), int(last or first)
    if not 0 < numbers[0] <= numbers[1]:
        raise RulecError(f"{lines!r} are no lines", where="--cite", hint="count from 1, the first line first")
    return path, *numbers


def _summary(found: _Found) -> str:
    detail = found.detail or {}
    if found.kind == TESTED:
        return ", ".join(map(str, detail.get("tests", ())))
    if found.kind == SAID:
        return f'"{detail["quote"]}"'
    if found.kind == JUDGED:
        return f'{detail["path"]}:{detail["line"]} "{detail["quote"]}" ({detail["model"]})'
    return f"{detail['path']}:{detail['lines'][0]}-{detail['lines'][1]}"


def _settings(top: Path) -> Config:
    """HEAD's settings: the work tree's are the agent's to change."""
    revision = "HEAD" if git_session.head_commit(top) else ""
    return config.parse_config(judge_settings.settings_at_commit(top, revision), source=file_paths.CONFIG)
