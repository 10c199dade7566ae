"""Rules -> proofs, with the real tools."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _build
from rulec.commands._observe import observe_each
from rulec.errors import RulecError
from rulec.host import process
from rulec.host.changes import tree_of_head
from rulec.model.artifact import Artifact, of_judge, proof_digest
from rulec.model.change import Change
from rulec.model.proof import Proof, Stage
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.mutate import mutate
from rulec.stages.verify import Session, change_of, contradiction, verify
from rulec.stages.verify import edges as look_at_edges


def prove(book: Rulebook, rule: Rule, top: Path, session: Session | None = None, *, edges: bool = False) -> Proof:
    """The proof of one rule; what cannot even be built fails at the stage that it fails in.

    With ``edges`` a check that holds is tried on variants of its examples, too.
    """
    try:
        artifacts = _build.of_rule(book, rule, top)
    except RulecError as error:
        stage = Stage(name="schema", passed=False, detail=str(error))
        return Proof(slug=rule.slug, revision=rule.revision, digest="", stages=(stage,))
    if session is not None:
        session = replace(session, tree=tree_of_head(top))
    proof = verify(rule, artifacts, observe_each, _complaint, session)
    if not edges or not proof.holds or not proof.digest:
        return proof
    if any(stage.left for stage in proof.stages):  # variants of what only a judge sees are none of the machines' edges
        rule = _seen_by_machines(rule, artifacts)
    return replace(proof, edges=look_at_edges(artifacts, observe_each, mutate(rule, artifacts)))


def _seen_by_machines(rule: Rule, artifacts: Sequence[Artifact]) -> Rule:
    machines = [artifact for artifact in artifacts if not of_judge(artifact)]
    seen = observe_each(machines, [change_of(example) for example in rule.invalid])
    return replace(rule, invalid=tuple(one for one, found in zip(rule.invalid, seen, strict=True) if found))


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
