"""Rules -> proofs, with the real tools."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _build
from rulec.commands._baseline import in_bases
from rulec.commands._observe import Seen, observe_each
from rulec.commands._verdicts import facts_of
from rulec.errors import RulecError
from rulec.host import process
from rulec.host.changes import tree_of_head
from rulec.model.artifact import COMPILED, Artifact, of_judge, proof_digest
from rulec.model.change import Change, Tree
from rulec.model.proof import Failure, Mutant, Proof, Stage
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.mutants.reach import reach
from rulec.stages.gate import gate
from rulec.stages.mutate import mutate
from rulec.stages.verify import Beyond, Session, appends, contradiction, verify
from rulec.stages.verify import pruned as without_dead


def prove(
    book: Rulebook, rule: Rule, top: Path, session: Session | None = None, *, edges: bool = False, strict: bool = False
) -> Proof:
    """The proof of one rule; what cannot even be built fails at the stage that it fails in.

    With ``edges`` its checks are tried on variants of its examples, too; with ``strict``, as for whatever is not yet in
    the rulebook, a check that only repeats another fails the proof.
    """
    try:
        artifacts = _build.of_rule(book, rule, top)
    except RulecError as error:
        stage = Stage(name="schema", passed=False, detail=str(error), failures=(Failure(what=str(error)),))
        return Proof(slug=rule.slug, revision=rule.revision, digest="", stages=(stage,))
    tree = around(rule, top, session)
    if session is not None:
        session = replace(session, tree=tree)

    def mutants(some: Rule) -> tuple[Mutant, ...]:
        return mutate(some, artifacts)

    def looked() -> tuple[str, ...]:
        return reach(rule, [artifact for artifact in artifacts if not of_judge(artifact)]).texts

    return verify(
        rule,
        artifacts,
        at_gate,
        _complaint,
        session,
        beyond=Beyond(mutants=mutants, edges=edges, looked=looked, tree=tree, strict=strict),
    )


def around(rule: Rule, top: Path, session: Session | None = None) -> Tree | None:
    """The files among which a rule's examples stand: those at HEAD, where any of them is of a file."""
    return tree_of_head(top) if session is not None or _of_files(rule) else None


def _of_files(rule: Rule) -> bool:
    """Whether an example is of files that may stand at HEAD: most rules need not ask git what does."""
    examples = [*rule.invalid, *rule.valid, *(example for one in rule.exceptions for example in one.valid)]
    return any(step.kind in ("edit", "commit") or appends(step) for one in examples for step in (one, *one.steps))


def pruned(
    book: Rulebook, rule: Rule, top: Path, session: Session | None = None, *, edges: bool = False, strict: bool = False
) -> tuple[Rule, Proof]:
    """The rule without the checks that nobody asked for by their kind and that catch nothing, and its proof.

    The proof goes on naming them: where they would have acted nothing does now.
    """
    proof, gone = prove(book, rule, top, session, edges=edges, strict=strict), tuple[Check, ...]()
    while proof.dead:
        rule, gone = without_dead(rule, proof), (*gone, *proof.dead)
        proof = prove(book, rule, top, session, edges=edges, strict=strict)
    return rule, replace(proof, dead=gone)


def listed(rule: Rule, proof: Proof, known: Sequence[str] = ()) -> Rule:
    """The rule with all that its statement says and nothing sees under ``not_checked``, but for what was known."""
    more = tuple(text for text in proof.unexplained if text not in known)
    return replace(rule, not_checked=(*rule.not_checked, *more)) if more else rule


def at_gate(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """What the artifacts see, but for what stood there before: at a commit the gate refuses none of that."""
    seen = observe_each(artifacts, changes)
    known = [n for n, change in enumerate(changes) if seen[n] and any(file.base is not None for file in change.files)]
    own = [artifact for artifact in artifacts if not artifact.path.startswith(f"{COMPILED}/guard/")]
    if not known or not own:
        return seen
    facts = {slug: replace(one, enforcement="block") for slug, one in facts_of(own).items()}
    gated = [list(gate(seen[n], facts, changes[n])) for n in known]
    before = in_bases(own, [changes[n] for n in known], gated)
    for n, verdicts, old in zip(known, gated, before, strict=True):
        stood = {v.finding for v in verdicts if v.finding and (v.outcome == "old" or v.finding in old)}
        seen[n] = [item for item in seen[n] if item not in stood]
    return seen


def _complaint(artifact: Artifact) -> str:
    checker = registry.checker(artifact.path.split("/")[-2])
    jobs = checker.parse(artifact)
    outputs = process.run_all(jobs, Change())
    return checker.complaint(outputs)


def proved_already(book: Rulebook, rule: Rule, artifacts: Sequence[Artifact]) -> bool:
    """Whether these very checks of this rule stand proved in its evidence.

    Of a rule that has nothing but judges all that is to prove is that its examples do not contradict each other.
    """
    machines = [artifact for artifact in artifacts if artifact.slug == rule.slug and not of_judge(artifact)]
    if not machines:
        return not contradiction(rule)
    wanted = proof_digest(rule, [artifact.digest for artifact in machines])
    return any(item.kind == "proved" and item.digest == wanted for item in book.observed(rule.slug))
