"""A proof that cannot fail would prove nothing: each stage fails on what it is for."""

from collections.abc import Sequence
from dataclasses import replace

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.proof import ExampleVariant
from rulec.checks.proving.replay import ProofSession, Seen
from rulec.checks.proving.verification import LEFT_TO_JUDGE, ProofContext, verify_checks
from rulec.domain.artifact import Artifact
from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.rule import Check, Example, Rule
from rulec.domain.transcript import Action

ARTIFACT = Artifact(path=".rules/compiled/guard/no-npm.json", text="{}", digest="d")
RULE = Rule(
    slug="no-npm",
    statement="No npm.",
    invalid=(Example(kind="command", text="npm ci"),),
    valid=(Example(kind="command", text="pnpm i"),),
)


def _observe(_: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """A check that catches commands which begin with npm, and breaks on the word break."""
    seen: list[Seen] = []
    for change in changes:
        commands = [action.command for action in change.actions]
        if any("break" in command for command in commands):
            seen.append([Fault(slug="no-npm", what="it broke")])
        else:
            seen.append([Finding(slug="no-npm", text=c) for c in commands if c.startswith("npm")])
    return seen


def _failure(rule: Rule, session: ProofSession | None = None, complaint: str = "") -> str:
    return verify_checks(rule, [ARTIFACT], _observe, lambda _: complaint, session).failure


def _command(text: str, **more: object) -> Action:
    return replace(Action(kind="command", command=text), **more)  # type: ignore[arg-type]  # fields of Action


def test_a_good_check_is_proved() -> None:
    session = ProofSession(before=(_command("npm ci"),), after=(_command("pnpm i"),), later=(_command("ls"),))
    proof = verify_checks(RULE, [ARTIFACT], _observe, lambda _: "", session)
    assert proof.holds
    assert [stage.name for stage in proof.stages] == ["parse", "schema", "examples", "replay"]
    assert (proof.caught, proof.passed_valid, proof.replayed) == (1, 1, 2)


def test_what_the_tool_cannot_read_fails_at_parse() -> None:
    assert _failure(RULE, complaint="line 3: unexpected )").startswith(
        "parse: .rules/compiled/guard/no-npm.json: line 3"
    )


JUDGE = Artifact(path=".rules/compiled/judge/no-npm.md", text="", digest="j")
MEANT = replace(RULE, invalid=(Example(kind="file", path="a.py", text="x"),), valid=())


def test_what_only_a_model_decides_is_parsed_and_left_to_its_measure() -> None:
    session = ProofSession(before=(_command("npm ci"),), after=(_command("npm i"),))
    proof = verify_checks(MEANT, [JUDGE], _observe, lambda _: "", session)
    assert proof.holds
    assert (proof.digest, proof.caught, proof.passed_valid, proof.replayed) == ("", 0, 0, -1)
    assert [(stage.name, stage.detail) for stage in proof.stages][2:] == [("examples", LEFT_TO_JUDGE)]
    assert verify_checks(replace(MEANT, invalid=()), [JUDGE], _observe, lambda _: "").holds
    assert not verify_checks(MEANT, [JUDGE], _observe, lambda _: "it is not plain").holds
    assert verify_checks(replace(MEANT, valid=MEANT.invalid), [JUDGE], _observe, lambda _: "").failure.startswith(
        "schema: "
    )


def test_a_judge_spoils_no_proof_and_lends_none() -> None:
    alone, beside = (verify_checks(RULE, some, _observe, lambda _: "") for some in ([ARTIFACT], [ARTIFACT, JUDGE]))
    assert beside == alone
    more = replace(RULE, invalid=(*RULE.invalid, *MEANT.invalid))
    assert verify_checks(more, [ARTIFACT], _observe, lambda _: "").failure == "examples: did not catch 'a.py: x'"
    both = verify_checks(more, [ARTIFACT, JUDGE], _observe, lambda _: "")
    assert (both.holds, both.caught) == (True, 1)
    assert both.stages[2].detail == "1 caught, 1 passed, 1 left to the judge"


def test_what_no_judge_can_read_is_left_to_none() -> None:
    rule = replace(RULE, invalid=(*RULE.invalid, Example(kind="command", text="yarn")))
    assert verify_checks(rule, [ARTIFACT, JUDGE], _observe, lambda _: "").failure == "examples: did not catch 'yarn'"
    idle = verify_checks(MEANT, [ARTIFACT, JUDGE], _observe, lambda _: "")
    assert idle.failure == f"examples: check 1 ({ARTIFACT.path}) caught none of the invalid examples"


def test_a_missed_invalid_example_fails() -> None:
    rule = replace(RULE, invalid=(Example(kind="command", text="yarn"),))
    assert _failure(rule) == "examples: did not catch 'yarn'"


def test_a_caught_valid_example_fails() -> None:
    rule = replace(RULE, valid=(Example(kind="command", text="npm --version"),))
    assert _failure(rule) == "examples: caught the valid 'npm --version'"


def test_five_of_what_a_stage_failed_on_are_named_for_whoever_mends_the_check() -> None:
    missed, caught = ([Example(kind="command", text=f"{word} {at}") for at in range(3)] for word in ("yarn", "npm"))
    proof = verify_checks(replace(RULE, invalid=tuple(missed), valid=tuple(caught)), [ARTIFACT], _observe, lambda _: "")
    assert proof.failure == "examples: did not catch 'yarn 0'"
    named = [f"did not catch 'yarn {at}'" for at in range(3)] + [f"caught the valid 'npm {at}'" for at in range(2)]
    assert proof.failures == f"examples: {'; '.join(named)}"
    session = ProofSession(
        before=(_command("npm ci"),), after=(_command("npm a"), _command("npm b"), _command("npm b"))
    )
    proof = verify_checks(RULE, [ARTIFACT], _observe, lambda _: "", session)
    what = "would have blocked what was accepted: 'npm"
    assert proof.failures == f"replay: {what} a'; {what} b'"


def test_a_check_that_catches_nothing_of_its_own_is_no_part_of_a_proof() -> None:
    idle = replace(ARTIFACT, path=".rules/compiled/shell/no-npm.sh")

    def observe(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
        return _observe(artifacts, changes) if ARTIFACT in artifacts else [[] for _ in changes]

    proof = verify_checks(RULE, [ARTIFACT, idle], observe, lambda _: "")
    assert proof.failure == "examples: check 2 (.rules/compiled/shell/no-npm.sh) caught none of the invalid examples"


def test_a_broken_check_in_the_replay_is_no_catch() -> None:
    assert "did not catch" in _failure(RULE, ProofSession(before=(_command("break"),)))


def test_contradicting_examples_fail() -> None:
    assert _failure(replace(RULE, valid=RULE.invalid)) == "schema: 'npm ci' is both valid and invalid"


def test_a_rule_without_an_invalid_example_proves_nothing() -> None:
    assert _failure(replace(RULE, invalid=())).startswith("schema: the rule has no invalid example")


def test_a_check_that_breaks_fails() -> None:
    assert (
        _failure(replace(RULE, valid=(Example(kind="command", text="break"),))) == "examples: the check broke: it broke"
    )


def test_the_offence_must_be_caught_in_its_own_session() -> None:
    failure = _failure(RULE, ProofSession(before=(_command("cd web && npm ci"),)))
    assert failure == "replay: did not catch the action that was corrected"


def test_what_the_person_accepted_must_pass() -> None:
    session = ProofSession(before=(_command("npm ci"),), later=(_command("npm test"),))
    assert _failure(RULE, session) == "replay: would have blocked what was accepted: 'npm test'"


def test_a_commit_command_shows_its_message() -> None:
    change = change_of(Example(kind="command", text="git add -A && git commit -m 'Fix it' -m 'Because'"))
    assert change.message == "Fix it\n\nBecause\n"
    assert change_of(Example(kind="command", text="echo 'git commit -m x'")).message is None


COMPANION = replace(ARTIFACT, text='{"check": {"on": "change"}}')


def _observe_changes(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """A check that catches whole changes of code without a test."""
    seen: list[Seen] = []
    for change in changes:
        paths = [file.path for file in change.files]
        alone = change.whole and "a.py" in paths and "a_test.py" not in paths
        seen.append([Finding(slug="no-npm", path="a.py")] if alone and artifacts else [])
    return seen


def _companion_failure(before: tuple[Action, ...], after: tuple[Action, ...]) -> str:
    rule = replace(RULE, invalid=(Example(kind="commit", text="x", files=(("a.py", "x"),)),), valid=())
    return verify_checks(
        rule, [COMPANION], _observe_changes, lambda _: "", ProofSession(before=before, after=after)
    ).failure


_CODE = Action(kind="write", path="a.py", new="x")
_TEST = Action(kind="write", path="a_test.py", new="x")


def test_a_check_of_changes_is_replayed_commit_by_commit() -> None:
    commit = _command("git add -A && git commit -m x")
    assert _companion_failure((_CODE, commit), (_TEST, commit)) == ""
    assert _companion_failure((_CODE,), (_TEST, commit)) == ""
    assert _companion_failure((_CODE, _TEST, commit), ()) == "replay: did not catch the action that was corrected"
    accepted = _companion_failure((_CODE, commit), (_TEST, commit, _CODE, commit))
    assert accepted == "replay: would have blocked what was accepted: a commit of a.py"


def test_what_stood_beside_a_change_may_show_the_offence() -> None:
    def observe(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
        """A check that catches code beside which the same stands already."""
        known = [bool(change.tree and "b.py" in change.tree.paths()) for change in changes]
        bad = [any(file.path == "bad.py" for file in change.files) for change in changes]
        hits = [one or two for one, two in zip(known, bad, strict=True)]
        return [[Finding(slug="no-npm", path="a.py")] if hit and artifacts else [] for hit in hits]

    rule = replace(RULE, invalid=(Example(kind="commit", text="x", files=(("bad.py", "x"),)),), valid=())
    alone = ProofSession(before=(_CODE,), after=())
    beside = replace(alone, tree=TreeAfterChange(lambda: frozenset({"b.py"}), lambda _: ""))
    assert verify_checks(rule, [COMPANION], observe, lambda _: "", alone).failure.startswith("replay: did not catch")
    assert verify_checks(rule, [COMPANION], observe, lambda _: "", beside).failure == ""


def _observe_order(_: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """A check that catches commits, and ends of turns, without a test before them."""

    def wrong(change: Change) -> bool:
        (action,) = change.actions
        tested = any(action.command == "pytest" for action in change.earlier)
        return (action.command == "git commit" or action.kind == "stop") and not tested

    return [[Finding(slug="no-npm")] if wrong(change) else [] for change in changes]


def _order_failure(session: ProofSession | None, *valid: Example) -> str:
    steps = (Example(kind="says", text="go"), Example(kind="command", text="git commit"))
    rule = replace(RULE, invalid=(Example(kind="session", text="", steps=steps),), valid=valid)
    return verify_checks(rule, [ARTIFACT], _observe_order, lambda _: "", session).failure


_COMMIT, _TESTS = _command("git commit"), _command("pytest")
_STOP, _SAYS = Action(kind="stop", new="Done."), Action(kind="says", new="go", aside=True)


def test_of_a_session_the_last_step_is_judged_after_the_others() -> None:
    steps = (
        Example(kind="command", text="pytest"),
        Example(kind="read", path="a", text=""),
        Example(kind="stop", text="x"),
    )
    assert _order_failure(None, Example(kind="session", text="", steps=steps)) == ""
    alone = Example(kind="session", text="", steps=steps[1:])
    assert _order_failure(None, alone) == "examples: caught the valid 'read a' > 'stop: x'"


def test_the_originating_session_is_replayed_in_its_order() -> None:
    assert _order_failure(ProofSession(before=(_COMMIT,), after=(_TESTS, _COMMIT), later=(_STOP,))) == ""
    assert _order_failure(ProofSession(before=(_STOP,), after=(_TESTS,))) == ""
    assert "did not catch" in _order_failure(ProofSession(before=(_TESTS, _COMMIT)))
    accepted = _order_failure(ProofSession(before=(_COMMIT,), after=(_COMMIT,)))
    assert accepted == "replay: would have blocked what was accepted: 'git commit'"


def test_what_only_happened_is_neither_judged_nor_counted() -> None:
    aside = replace(_COMMIT, aside=True)
    session = ProofSession(
        before=(_SAYS, aside, _STOP), after=(_SAYS, aside, _TESTS, _COMMIT), others=((aside, _TESTS, _STOP),)
    )
    assert _order_failure(session) == ""
    assert session.accepted == 4
    assert _order_failure(replace(session, before=(_SAYS, aside))) == ""  # nothing was wrong, so nothing was missed


def test_each_time_that_it_was_said_has_a_past_of_its_own() -> None:
    session = ProofSession(before=(_COMMIT,), after=(_TESTS,), others=((_COMMIT,),))
    assert "would have blocked" in _order_failure(session)


def _check(template: str, **more: object) -> Check:
    return replace(Check(kind="guard", template=template), **more)  # type: ignore[arg-type]  # fields of Check


def _alone(artifacts: Sequence[Artifact], changes: Sequence[Change]) -> list[Seen]:
    """Checks that each catch the commands which hold their path's stem."""
    words = [artifact.path.rpartition("/")[2].partition(".")[0] for artifact in artifacts]
    return [
        [
            Finding(slug="no-npm", text=action.command)
            for word in words
            for action in change.actions
            if word in action.command
        ]
        for change in changes
    ]


def _machine(word: str) -> Artifact:
    return Artifact(path=f".rules/compiled/guard/{word}.json", text="{}", digest=word)


TWICE = (
    "check 2 (guard ci) catches nothing that check 1 (guard npm) does not catch: leave it out, "
    "or give an invalid example that it alone catches"
)
MANY = [  # checks by what they catch, and the failure
    (("npm",), ""),
    (("npm", "ci"), TWICE),
    (("npm", "yarn"), "check 2 (guard yarn) caught none of the invalid examples"),
    (("yarn",), "did not catch 'npm ci'"),
]


def test_every_check_earns_its_place_alone() -> None:
    wrong = []
    for words, failure in MANY:
        rule = replace(RULE, checks=tuple(map(_check, words)), valid=())
        proof = verify_checks(rule, list(map(_machine, words)), _alone, lambda _: "", beyond=ProofContext(strict=True))
        if (got := proof.failure.removeprefix("examples: ")) != failure:
            wrong.append((words, got))
    assert not wrong


def _mutant(text: str, **more: object) -> ExampleVariant:
    return replace(ExampleVariant(name="made", example=Example(kind="command", text=text), invalid=False), **more)  # type: ignore[arg-type]  # fields of ExampleVariant


LOOK_ALIKES = [  # and whether the proof holds
    ((_mutant("echo npm", firm=True),), True),
    ((_mutant("npm --help", firm=True),), False),
    ((_mutant("npm --help"),), True),
    ((_mutant("npm i", invalid=True, firm=True),), True),
    ((_mutant("break", firm=True),), True),
]


def test_what_is_innocent_by_construction_fails_the_proof_where_it_is_caught() -> None:
    wrong = []
    for variants, holds in LOOK_ALIKES:
        beyond = ProofContext(variants=lambda _, known=variants: known)  # type: ignore[misc]  # mypy knows no lambda with a default
        proof = verify_checks(RULE, [ARTIFACT], _observe, lambda _: "", beyond=beyond)
        wrong += [(variants, proof.failure)] if proof.holds != holds else []
        if not holds:
            (failed,) = proof.failed
            assert (failed.example, failed.expected, failed.got) == (variants[0].example, "passed", "caught")
    assert not wrong


def test_what_nothing_checks_is_told_and_fails_nothing() -> None:
    rule = replace(RULE, statement="No npm; write the log to `notes.md`.", checks=(_check("forbid-command"),))
    proof = verify_checks(rule, [ARTIFACT], _observe, lambda _: "")
    assert (proof.holds, proof.unexplained) == (True, ("notes.md",))
    listed = replace(rule, not_checked=("that the log goes to notes.md",))
    assert not verify_checks(listed, [ARTIFACT], _observe, lambda _: "").unexplained


AT_HEAD = {"app.py": "a = 1\nb = 2\nc = 3\n", "old.py": "x\n"}
STARTS = [  # an example -> content, added lines and status of its first file
    (Example(kind="edit", path="app.py", old="b = 2\n", text="b = 4\n"), "a = 1\nb = 4\nc = 3\n", ((2, 2),), "M"),
    (Example(kind="edit", path="app.py", old="b = 2\n", text=""), "a = 1\nc = 3\n", (), "M"),
    (Example(kind="edit", path="app.py", old="not there", text="b = 4\n"), "b = 4\n", None, "M"),
    (Example(kind="edit", path="new.py", old="b", text="c"), "c", None, "M"),
    (Example(kind="commit", text="m", files=(("old.py", "x\ny\n"),)), "x\ny\n", ((2, 2),), "M"),
    (Example(kind="commit", text="m", files=(("old.py", "x\n"),)), "x\n", None, "A"),
    (Example(kind="commit", text="m", files=(("new.py", "x\n"),)), "x\n", None, "A"),
]


def test_edits_and_commits_start_from_the_files_at_head() -> None:
    tree = TreeAfterChange(lambda: frozenset(AT_HEAD), AT_HEAD.get)
    files = [change_of(example, tree).files[0] for example, *_ in STARTS]
    assert [(f.content, f.added, f.status) for f in files] == [(c.encode(), a, s) for _, c, a, s in STARTS]
