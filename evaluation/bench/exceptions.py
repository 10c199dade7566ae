"""What three notes about generated rules propose: ``bench exceptions [NUMBER [SEED]] [--show]``.

Each triple is a rule of one of several templates (commands, paths, edits, code, sessions) with invalid and valid
examples, and three actions that the rule catches and that were noted as wrong: they share a folder, a file, a folder's
name, where they run, or nothing. Every proposal is accepted by the same function as the verb, in a commit of its own,
and read back from the rule's file. Prints how many triples got a proposal, how many proposals were refused, and in how
many all three actions pass and all invalid examples stay caught afterwards. The generator was written in view of the
search.
"""

import argparse
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.proving.example_changes import change_of
from rulec.domain.evidence import Evidence
from rulec.domain.rule import Check, Example, Rule
from rulec.errors import RulecError
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.reports.rule_lines import describe_exemption
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import ChangeTarget
from rulec.services.rules.exception_proposals import propose_exceptions
from rulec.services.rules.exceptions import is_caught, write_exception
from tests.support.world import WORLD, act, run

COMMANDS = (  # the form that a rule forbids, and how it is run on a file
    ("sed -i", "sed -i s/{word}/x/ {path}"),
    ("rm -rf", "rm -rf {path}"),
    ("chmod", "chmod 644 {path}"),
    ("git checkout", "git checkout -- {path}"),
    ("npm install", "npm install {word}"),
    ("git push --force", "git push --force origin {word}"),
    ("docker run", "docker run --rm {word}"),
    ("black", "black {path}"),
    ("pip install", "pip install -r {path}"),
    ("curl", "curl -o {path} https://x.example/{word}"),
)
FOLDERS = ("migrations", "legacy/old", "web/gen", "docs", "scripts/one", "vendor/x", "packages/api", "tests/data")
NAMES = ("gen", "fixtures", "__snapshots__")
WORDS = ("alpha", "beta", "gamma", "delta", "kappa", "sigma", "omega")
SHARED = ("folder", "file", "name", "place", "nothing")


@dataclass(frozen=True, slots=True)
class Triple:
    """A rule and three actions noted as wrong."""

    kind: str
    shares: str
    rule: Rule
    actions: tuple[Example, ...]


def triples(number: int, seed: int = 19) -> Iterator[Triple]:
    """The triples of a seed, all kinds and ways to share in turn."""
    chance = random.Random(seed)
    for count in range(number):
        kind = tuple(_MAKERS)[count % len(_MAKERS)]
        shares = SHARED[count // len(_MAKERS) % len(SHARED)]
        rule, actions = _MAKERS[kind](chance, f"rule-{count}", shares)
        yield Triple(kind, shares, rule, actions)


def _paths(chance: random.Random, shares: str, ending: str) -> list[str]:
    words = chance.sample(WORDS, 3)
    folders = chance.sample(FOLDERS, 3)
    match shares:
        case "file":
            return [f"{folders[0]}/{words[0]}.{ending}"] * 3
        case "name":
            name = chance.choice(NAMES)
            return [f"{folder}/{name}/{word}.{ending}" for folder, word in zip(folders, words, strict=True)]
        case "nothing":
            return [f"{folder}/{word}.{ending}" for folder, word in zip(folders, words, strict=True)]
        case _:
            return [f"{folders[0]}/{word}.{ending}" for word in words]


def _commands(chance: random.Random, slug: str, shares: str) -> tuple[Rule, tuple[Example, ...]]:
    form, text = chance.choice(COMMANDS)
    texts = [
        text.format(path=path, word=word)
        for path, word in zip(_paths(chance, shares, "sql"), chance.sample(WORDS, 3), strict=True)
    ]
    if shares == "place":
        folder = chance.choice(FOLDERS)
        texts = [f"cd {folder} && {text.format(path=f'{word}.sql', word=word)}" for word in chance.sample(WORDS, 3)]
    check = Check(kind="guard", template="forbid-command", parameters={"commands": [form]})
    invalid = _command(text.format(path="src/app/main.py", word="zeta"))
    return _rule(slug, check, invalid, _command("ls src")), tuple(map(_command, texts))


def _protected(chance: random.Random, slug: str, shares: str) -> tuple[Rule, tuple[Example, ...]]:
    paths = _paths(chance, shares, "lock")
    check = Check(kind="guard", template="protect-path", parameters={"globs": ["*.lock"]})
    invalid = Example(kind="file", path="src/app/main.lock", text="x\n", source="person")
    actions = [
        chance.choice([Example(kind="file", path=path, text="y\n"), _command(f"sed -i s/a/b/ {path}")])
        for path in paths
    ]
    valid = Example(kind="file", path="src/app/main.py", text="x\n", source="person")
    return _rule(slug, check, invalid, valid), tuple(actions)


def _edits(chance: random.Random, slug: str, shares: str) -> tuple[Rule, tuple[Example, ...]]:
    word = chance.choice(WORDS).upper()
    check = Check(kind="guard", template="forbid-text", parameters={"patterns": [rf"\b{word}\b"], "part": "comments"})
    invalid = Example(kind="file", path="src/app/main.py", text=f"x = 1  # {word}\n", source="person")
    valid = replace(invalid, text="x = 1  # fine\n")
    actions = [
        Example(kind="edit", path=path, old="x = 2\n", text=f"x = {number}  # {word} is meant\n")
        for number, path in enumerate(_paths(chance, shares, "py"))
    ]
    return _rule(slug, check, invalid, valid), tuple(actions)


def _code(chance: random.Random, slug: str, shares: str) -> tuple[Rule, tuple[Example, ...]]:
    check = Check(kind="semgrep", template="forbid-call", parameters={"functions": ["print"], "language": "python"})
    invalid = Example(kind="file", path="src/app/main.py", text="print(1)\n", source="person")
    valid = replace(invalid, text="log(1)\n")
    actions = [
        Example(kind="commit", text="Show it", files=((path, f"def show():\n    print({number})\n"),))
        for number, path in enumerate(_paths(chance, shares, "py"))
    ]
    return _rule(slug, check, invalid, valid), tuple(actions)


def _sessions(chance: random.Random, slug: str, shares: str) -> tuple[Rule, tuple[Example, ...]]:
    check = Check(
        kind="guard",
        template="require-before",
        parameters={"before_commands": ["git push"], "first_commands": ["pytest"]},
    )
    ran = _command("pytest")
    invalid = Example(kind="session", text="", steps=(_edit("src/a.py"), _command("git push origin zeta")))
    valid = replace(invalid, steps=(_edit("src/a.py"), ran, _command("git push origin zeta")))
    words = chance.sample(WORDS, 3)
    flag = chance.choice(["--tags", "--delete", "--no-verify"]) if shares != "nothing" else ""
    begin = f"cd {chance.choice(FOLDERS)} && " if shares == "place" else ""
    actions = [
        Example(kind="session", text="", steps=(_edit("src/a.py"), _command(f"{begin}git push {flag} origin {word}")))
        for word in words
    ]
    return _rule(slug, check, invalid, valid), tuple(actions)


def _edit(path: str) -> Example:
    return Example(kind="edit", path=path, old="a", text="b")


def _command(text: str) -> Example:
    return Example(kind="command", text=" ".join(text.split()))


def _rule(slug: str, check: Check, invalid: Example, valid: Example) -> Rule:
    return Rule(
        slug=slug, statement=f"Mind {slug}.", enforcement="block", checks=(check,),
        invalid=(replace(invalid, source="person"),), valid=(replace(valid, source="person"),),
    )  # fmt: skip


_MAKERS = {"commands": _commands, "paths": _protected, "edits": _edits, "code": _code, "sessions": _sessions}


def founded(top: Path, some: Sequence[Triple]) -> Path:
    """A repository with the rules, compiled and committed."""
    (top / ".rules").mkdir(parents=True)
    (top / ".rules/config.yaml").write_text("schema: 1\nemitters: []\n")
    run(top, "init", "-q", "-b", "main")
    for triple in some:
        text = rule_reading.write_rule(triple.rule)
        (top / f".rules/{triple.rule.slug}.yaml").write_text(text)
    act(top, "compile")
    run(top, "add", "-A")
    run(top, "commit", "-qm", "Found it")
    return top


def evidence_of(triple: Triple) -> list[Evidence]:
    """The three counterexamples."""
    return [
        Evidence(
            slug=triple.rule.slug,
            kind="counterexample",
            weight=1.0,
            quote="it is meant so",
            at=f"2026-11-2{number}T10:00:00+00:00",
            example=None if action.kind == "command" else action,
            accepted=action.text if action.kind == "command" else "",
        )
        for number, action in enumerate(triple.actions)
    ]


def played(top: Path, triple: Triple) -> tuple[str, str]:
    """What became of a triple, and the exception in words: none, refused, wrong or right."""
    book = rulebook_files.load_rulebook(top)
    rule = next(one for one in book.rules if one.slug == triple.rule.slug)
    if not all(is_caught(top, book, rule, [change_of(one) for one in (*triple.actions, *rule.invalid)])):
        return "not caught", ""
    case = next(iter(propose_exceptions(top, book, rule, evidence_of(triple))), None)
    if case is None:
        return "none", ""
    words = describe_exemption(case.wanted)
    try:
        with rulebook_commit.open_rulebook(top, ChangeTarget()) as now:
            write_exception(top, now, rule, case.new, ChangeTarget())
    except RulecError as error:
        return f"refused: {error}", words
    after = rulebook_files.load_rulebook(top)
    kept = next(one for one in after.rules if one.slug == rule.slug)
    passes = not any(is_caught(top, after, kept, [change_of(one) for one in triple.actions]))
    caught = all(is_caught(top, after, kept, [change_of(one) for one in triple.rule.invalid]))
    return "right" if passes and caught and set(triple.rule.invalid) <= set(kept.invalid) else "wrong", words


def main() -> None:
    """Play the triples in repositories of forty rules, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=200)
    parser.add_argument("seed", nargs="?", type=int, default=19)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    some = list(triples(given.number, given.seed))
    told: Counter[tuple[str, str]] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        os.environ |= WORLD | {"HOME": name, "XDG_CONFIG_HOME": f"{name}/config"}
        for start in range(0, len(some), 40):
            batch = some[start : start + 40]
            top = founded(Path(name) / str(start), batch)
            for triple in batch:
                what, words = played(top, triple)
                told[triple.kind, what.partition(":")[0]] += 1
                if given.show or what.startswith(("refused", "wrong", "not caught")):
                    print(f"{triple.kind:9} {triple.shares:8} {what:7} {words}  <- {triple.actions[0].text or ''}")
    outcomes = ("right", "none", "refused", "wrong", "not caught")
    print(f"{'':9}" + "".join(f"{one:>11}" for one in outcomes))
    for kind in _MAKERS:
        print(f"{kind:9}" + "".join(f"{told[kind, one]:>11}" for one in outcomes))
    total = [sum(count for (_, what), count in told.items() if what == one) for one in outcomes]
    print(f"{'all':9}" + "".join(f"{one:>11}" for one in total))
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
