"""Proves a rule: compiles its checks and runs them with the real tools on its examples and on innocent files."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from rulec import registry
from rulec.checks.proving.example_changes import depends_on_files
from rulec.checks.proving.proof import ExampleVariant, Proof, ProofStage, StageFailure
from rulec.checks.proving.replay import ProofSession
from rulec.checks.proving.variants import make_variants
from rulec.checks.proving.verification import ProofContext, contradiction, verify_checks
from rulec.checks.template_library import packaged_templates
from rulec.compiling.artifacts import compile_rule, rendering
from rulec.domain.artifact import Artifact, is_judge_check, proof_digest
from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import Observed, run_checks_each
from rulec.gates.findings.verdicts import decide_outcomes, facts_by_slug, preexisting_findings
from rulec.infra import state
from rulec.infra.git import git_session
from rulec.infra.git.git_changes import head_tree
from rulec.infra.jobs import merging_jobs, run_jobs, semgrep_identity
from rulec.infra.kept_results import kept_results
from rulec.rulebook.rulebook import Rulebook


def prove_with_tools(
    book: Rulebook,
    rule: Rule,
    top: Path,
    session: ProofSession | None = None,
    *,
    edges: bool = False,
    strict: bool = False,
) -> Proof:
    """The proof of one rule; a check that cannot be built fails at that stage.

    With ``edges`` its checks are tried on variants of its examples, too, unless a challenge wrote better ones; with
    ``strict``, as for whatever is not yet in the rulebook, a check that only repeats another fails the proof.
    """
    built = built_checks(book, rule, top)
    return built if isinstance(built, Proof) else _proved(rule, built, top, session, edges=edges, strict=strict)


def built_checks(book: Rulebook, rule: Rule, top: Path) -> Sequence[Artifact] | Proof:
    """The compiled checks of a rule, or the proof that fails because they cannot be built."""
    try:
        return compile_rule(book, rule, top)
    except RulecError as error:
        stage = ProofStage(name="schema", passed=False, detail=str(error), failures=(StageFailure(what=str(error)),))
        return Proof(slug=rule.slug, revision=rule.revision, digest="", stages=(stage,))


def _proved(
    rule: Rule, artifacts: Sequence[Artifact], top: Path, session: ProofSession | None, *, edges: bool, strict: bool
) -> Proof:
    tree = tree_for_examples(rule, top, session)
    if session is not None:
        session = replace(session, tree=tree)

    def variants(some: Rule) -> tuple[ExampleVariant, ...]:
        return make_variants(some, artifacts)

    return verify_checks(
        rule,
        artifacts,
        new_findings,
        _complaint,
        session,
        beyond=ProofContext(variants=variants, edges=edges and not _is_challenged(rule), tree=tree, strict=strict),
    )


def prove_built(
    some: Sequence[tuple[Rule, Sequence[Artifact] | Proof]], top: Path, *, edges: bool = False
) -> list[Proof]:
    """The proof of each rule by its compiled checks, with few processes: what is asked of a tool is asked together."""
    proofs = {number: built for number, (_, built) in enumerate(some) if isinstance(built, Proof)}
    waiting = [(number, rule, built) for number, (rule, built) in enumerate(some) if not isinstance(built, Proof)]
    with rendering(top), merging_jobs() as merged:
        while waiting:
            for number, rule, built in waiting:
                with merged.attempt() as attempt:
                    proof = _proved(rule, built, top, None, edges=edges, strict=False)
                if attempt.whole:
                    proofs[number] = proof
            waiting = [one for one in waiting if one[0] not in proofs]
            merged.start()
    return [proofs[number] for number in range(len(some))]


def prove_unless_known(book: Rulebook, rules: Sequence[Rule], top: Path) -> list[Proof]:
    """The proofs of rules with variants of their examples; what held under the same conditions is not run again."""
    with rendering(top), kept_results(top, "proofs", [packaged_templates()]) as results:
        some = [(rule, built_checks(book, rule, top)) for rule in rules]
        inputs = [_proof_inputs(rule, built, top) for rule, built in some]
        known = [text and results.find(text, lambda: None) for text in inputs]
        unknown = [one for one, found in zip(some, known, strict=True) if not found]
        fresh = iter(prove_built(unknown, top, edges=True))
        proofs = [state.load_dataclass(Proof, found) if found else next(fresh) for found in known]
        for text, proof in zip(inputs, proofs, strict=True):
            if text and proof.holds:
                results.find(text, partial(state.dump_dataclass, proof))
    return proofs


def _proof_inputs(rule: Rule, built: Sequence[Artifact] | Proof, top: Path) -> str:
    """What a proof of the rule follows from, "" where its checks cannot be built."""
    if isinstance(built, Proof):
        return ""
    checks = [(artifact.path, artifact.text) for artifact in built]
    commit = git_session.head_commit(top) if _of_files(rule) else ""
    return repr((rule, checks, commit, semgrep_identity()))


def tree_for_examples(rule: Rule, top: Path, session: ProofSession | None = None) -> TreeAfterChange | None:
    """The files around a rule's examples: those at HEAD, where an example is about files."""
    return head_tree(top) if session is not None or _of_files(rule) else None


def _of_files(rule: Rule) -> bool:
    """Whether an example is about files that may exist at HEAD: for most rules git need not be asked."""
    examples = [*rule.invalid, *rule.valid, *(example for one in rule.exceptions for example in one.valid)]
    return any(
        step.kind in ("edit", "commit") or depends_on_files(step) for one in examples for step in (one, *one.steps)
    )


def list_unchecked(rule: Rule, proof: Proof, known: Sequence[str] = ()) -> Rule:
    """The rule with the literals that no check holds under ``not_checked``, except those that were ``known``."""
    more = tuple(text for text in proof.unexplained if text not in known)
    return replace(rule, not_checked=(*rule.not_checked, *more)) if more else rule


def new_findings(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Observed]:
    """What the artifacts find, without findings that were there before the change, as at a commit."""
    seen = run_checks_each(artifacts, changes)
    known = [n for n, change in enumerate(changes) if seen[n] and any(file.base is not None for file in change.files)]
    own = [artifact for artifact in artifacts if artifact.kind != "guard"]
    if not known or not own:
        return seen
    facts = {slug: replace(one, enforcement="block") for slug, one in facts_by_slug(own).items()}
    gated = [list(decide_outcomes(seen[n], facts, changes[n])) for n in known]
    before = preexisting_findings(own, [changes[n] for n in known], gated)
    for n, verdicts, old in zip(known, gated, before, strict=True):
        stood = {v.finding for v in verdicts if v.finding and (v.outcome == "old" or v.finding in old)}
        seen[n] = [item for item in seen[n] if item not in stood]
    return seen


def _complaint(artifact: Artifact) -> str:
    checker = registry.checker(artifact.kind)
    jobs = checker.parse(artifact)
    outputs = run_jobs(jobs, Change())
    return checker.complaint(outputs)


def unproved_rules(book: Rulebook, artifacts: Sequence[Artifact]) -> list[tuple[Rule, Sequence[Artifact]]]:
    """The rules with checks of which the evidence holds no proof, each with its compiled checks."""
    own: dict[str, list[Artifact]] = {}
    for artifact in artifacts:
        own.setdefault(artifact.slug, []).append(artifact)
    built = [(rule, own.get(rule.slug, ())) for rule in book.rules if rule.checks]
    return [(rule, some) for rule, some in built if not is_proved(book, rule, some)]


def is_proved(book: Rulebook, rule: Rule, artifacts: Sequence[Artifact]) -> bool:
    """Whether the rule's evidence holds a proof of exactly these checks.

    Of a rule that has nothing but judges all that is to prove is that its examples do not contradict each other.
    """
    machines = [artifact for artifact in artifacts if artifact.slug == rule.slug and not is_judge_check(artifact)]
    if not machines:
        return not contradiction(rule)
    wanted = proof_digest(rule, [artifact.digest for artifact in machines])
    return any(item.kind == "proved" and item.digest == wanted for item in book.observed(rule.slug))


def _is_challenged(rule: Rule) -> bool:
    """Whether some of its examples were written by somebody who saw no check: invented ones say less."""
    return any(example.source == "challenge" for example in (*rule.invalid, *rule.valid))
