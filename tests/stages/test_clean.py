"""A rule keeps no secret of the transcript that it came from."""

from dataclasses import asdict

from rulec.model.rule import Check, Example, Exemption, Rule, Scope
from rulec.stages.revise import clean

SECRET = "hunter2"
STEP = Example(kind="command", text=f"echo {SECRET}")
RULE = Rule(
    slug="use-pnpm",
    statement=f"Use {SECRET}.",
    rationale=SECRET,
    when=SECRET,
    do=SECRET,
    checks=(Check(kind="guard", template="forbid-command", parameters={"commands": [f"npm {SECRET}"]}),),
    invalid=(Example(kind="session", text="", steps=(STEP, STEP)),),
    valid=(Example(kind="commit", text=SECRET, files=((SECRET, SECRET),)),),
    exceptions=(
        Exemption(
            because=f"it says {SECRET}",
            when=SECRET,
            scope=Scope(include=("legacy/**",)),
            valid=(Example(kind="edit", path=SECRET, old=SECRET, text=SECRET),),
        ),
    ),
)


def test_nothing_of_a_rule_keeps_a_secret() -> None:
    cleaned = clean(RULE, lambda text: text.replace(SECRET, "***"))
    assert SECRET not in str(asdict(cleaned))
    assert str(asdict(cleaned)) == str(asdict(RULE)).replace(SECRET, "***")
