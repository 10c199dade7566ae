"""Judge checks: a rule in words, for a model that is asked about all of them at once."""

import json
from collections.abc import Iterator, Sequence
from typing import cast, get_args

from rulec.checks import skipped_files
from rulec.checks.judge.rulings import Judge, JudgedKind, JudgedPair, Piece
from rulec.domain.artifact import Artifact, PlannedCheck, RuleFacts, facts_comment, facts_in_comment
from rulec.domain.change import Change
from rulec.domain.files import globs
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput
from rulec.domain.rule import Example
from rulec.domain.text.one_line import spell_out, to_one_line
from rulec.errors import RulecError

_OF = "# of: "
_EXAMPLES = "\n## Examples\n"
_SEEN = ("file", "edit", "commit", "message")  # examples that a judge of changes can see
MOST = 4  # examples of each sort
LONGEST = 2_000  # signs that a judge asks
_LINES, _SIGNS = 24, 160  # that are shown of one example


def build(step: PlannedCheck, body: str) -> str:
    """The rule in Markdown: its facts in a comment, then the text for the model."""
    of, asks = _parameters(body, step.place)
    head = facts_comment(step.facts).replace("-->", "--\\u003e")[len("# ") :]
    examples = "\n".join([*_examples("Fails", step.rule.invalid), *_examples("Holds", step.rule.valid)])
    said = "\n".join(_words(step, asks))
    return f"<!-- {head}{_OF}{of}\n-->\n\n# {step.facts.slug}\n\n{said}\n{_EXAMPLES}\n{examples}"


def _parameters(body: str, where: str) -> tuple[JudgedKind, str]:
    """What the template says, which may be a team's own."""
    try:
        data = json.loads(body)
        of, asks = data.pop("of"), data.pop("asks", "")
        known = not data
    except (ValueError, TypeError, KeyError, AttributeError):
        known = False
    if not known:
        hint = 'render one line of JSON: {"of": "diff", "asks": "what counts as a fail"}, and nothing else'
        raise RulecError("the template of a judge renders no such object", where=where, hint=hint)
    if of not in get_args(JudgedKind) or not isinstance(asks, str):
        raise RulecError(
            f"a judge of {of!r} is not known", where=where, hint=f"known are {', '.join(get_args(JudgedKind))}"
        )
    if len(asks) > LONGEST:
        hint = "one judge asks about one thing; write examples into the rule"
        raise RulecError(f"a judge's question is longer than {LONGEST:,} characters", where=where, hint=hint)
    if spell_out(asks) != asks:
        hint = "write what a reader can see"
        raise RulecError("a judge's question holds signs that nobody sees", where=where, hint=hint)
    return cast("JudgedKind", of), asks


def _words(step: PlannedCheck, asks: str) -> Iterator[str]:
    rule = step.rule
    yield f"- Rule: {to_one_line(rule.statement)}"
    told = (("Applies", rule.when), ("Instead", rule.do), ("Counts as a fail", asks))
    yield from (f"- {name}: {to_one_line(text)}" for name, text in told if text.strip())
    for one in rule.exceptions:
        yield f"- Left alone: {to_one_line(': '.join(filter(None, (one.when, one.because))))}"


def _examples(title: str, examples: Sequence[Example]) -> Iterator[str]:
    shown = [example for example in examples if example.kind in _SEEN][:MOST]
    for example in shown:
        yield f"{title}:\n\n{_indented(example)}"


def _indented(example: Example) -> str:
    """An example whose lines are all indented, so that nothing in it can end it."""
    parts = [f"{path}:\n{text}" for path, text in example.files]
    text = "\n".join(filter(None, [f"{example.path}:" * bool(example.path), example.text, *parts]))
    lines = [one[:_SIGNS] for one in text.splitlines()]
    more = ["…"] if len(lines) > _LINES else []
    return "".join(f"    {spell_out(line).rstrip()}\n" for line in [*lines[:_LINES], *more])


def read_judge(artifact: Artifact) -> Judge:
    """What an artifact asks; ValueError where it is none of a judge."""
    text = artifact.text or ""
    head, mark, said = text.partition("\n-->\n")
    of = next((line[len(_OF) :] for line in head.splitlines() if line.startswith(_OF)), "")
    if not mark or of not in get_args(JudgedKind):
        raise ValueError("does not say what it judges")
    words, _, examples = said.partition(_EXAMPLES)
    told = words.partition("\n\n- Rule: ")[2]
    if not told:
        raise ValueError("does not say what it asks")
    return Judge(
        facts=facts_in_comment(text),
        of=cast("JudgedKind", of),
        text=f"- Rule: {told}".strip(),
        examples=examples.strip("\n"),
    )


def facts(text: str) -> RuleFacts:
    """The facts of the artifact's rule; ValueError also where the question is missing."""
    return read_judge(Artifact(path="", text=text)).facts


def pair_judges(artifacts: Sequence[Artifact], pieces: Sequence[Piece], environment: str) -> list[JudgedPair]:
    """Each piece with each judge that looks at it."""
    judges = [read_judge(artifact) for artifact in artifacts]
    paths = {piece.path for piece in pieces}
    of = {path: [judge for judge in judges if looks_at(judge, path, environment)] for path in paths}
    return [(judge, piece) for piece in pieces for judge in of[piece.path]]


def looks_at(judge: Judge, path: str, environment: str) -> bool:
    """Whether the judge is asked about a file, or where there is no path about a commit message."""
    if judge.of == "message" or not path:
        return judge.of == "message" and not path
    scope = judge.facts.scope
    inside = globs.match(scope.include, path) and not globs.match(scope.exclude, path)
    return inside and not skipped_files.is_excepted(judge.facts, path, environment)


def jobs(_: Sequence[Artifact], __: Change) -> list[Job]:
    """No process: judges are asked through a backend."""
    return []


def findings(_: Sequence[Artifact], __: Change, ___: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """Nothing without a model's answer."""
    yield from ()


def reach(artifact: Artifact) -> FileReach:
    """The files of its scope; of messages none."""
    judge = read_judge(artifact)
    return FileReach(judge.facts.scope.include if judge.of == "diff" else ())


PLUG = Checker(
    name="judge",
    suffix=".md",
    build=build,
    facts=facts,
    jobs=jobs,
    findings=findings,
    reach=reach,
)
