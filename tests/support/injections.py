"""The corpus of injections, and every place of a question to a model at which the words of a stranger stand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from rulec.checks import template_library
from rulec.checks.judge import judge_questions
from rulec.checks.judge.rulings import Judge, JudgeRequest, Piece, PieceLine
from rulec.domain.artifact import RuleFacts
from rulec.domain.candidate import Candidate, Challenge, Correction, Draft, ReaderOpinion
from rulec.domain.prompt import Prompt
from rulec.domain.rule import Check, Example, Rule
from rulec.domain.transcript import Action, Turn
from rulec.drafting import challenge_questions, draft_questions
from rulec.mining import mining_questions
from rulec.mining.moments import Moment
from rulec.resolving import match_questions
from rulec.resolving.resolver import Resolution

FOLDER = Path(__file__).parents[1] / "cases" / "injections"
RENDER = template_library.open_library().render
PLAIN = "All is well."
SEED = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"


@dataclass(frozen=True)
class Injection:
    """Words that want to be obeyed: where they stand, and what they are after."""

    where: str
    wants: str
    text: str

    @property
    def line(self) -> str:
        """As what has no line ends can hold it."""
        return " ".join(self.text.split("\n"))


@cache
def corpus() -> tuple[Injection, ...]:
    found = (YAML(typ="safe").load(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.yaml")))
    return tuple(Injection(**case) for cases in found for case in cases)


def some(*where: str) -> tuple[Injection, ...]:
    return tuple(one for one in corpus() if one.where in where)


Place = Callable[[str], Prompt]
HUMAN = Turn(role="human", kind="typed", text="Use pnpm, never npm.", index=2, line=1, session="s", agent="claude-code")
DEED = Action(kind="command", id="1", tool="Bash", command="npm install left-pad", output="ok", ok=True)
RULE = Rule(slug="no-comments", statement="No comments.")
UNSURE = Rule(slug="new-one", statement="No comments in test files.")


def _mined(turn: Turn = HUMAN, said: str = "Done.", deed: Action = DEED) -> Prompt:
    moment = Moment(turn=turn, said=said, before=(deed,), after=(deed,))
    (bundle,) = mining_questions.bundle_turns([moment, replace(moment, turn=replace(HUMAN, index=4))], {})
    return mining_questions.write_mining_prompt([mining_questions.bundle_blocks(bundle)], RENDER)


def _decided(rule: Rule = RULE, wish: Rule = UNSURE, quote: str = "No comments in tests.", because: str = "") -> Prompt:
    said = Correction(quote=quote, turn=HUMAN, before=(), after=())
    found = Resolution(decision="UPDATE", slug=rule.slug, because=because or "perhaps", band="review", new_slug="new")
    candidate = Candidate(rule=wish, drafts=(), correction=said)
    return match_questions.write_match_prompt(
        [match_questions.UnsureMatch(candidate=candidate, said=found, rules=(rule,))], RENDER
    )


def _drafted(
    wish: Rule = UNSURE, quote: str = "No comments.", deed: Action = DEED, profile: str = "1 .py", challenge: str = "x"
) -> Prompt:
    said = Correction(quote=quote, turn=replace(HUMAN, text=quote), before=(deed,), after=())
    examples = Challenge(invalid=(Example(kind="command", text=challenge),))
    offered = ReaderOpinion(offence=deed)
    candidate = Candidate(rule=wish, drafts=(), correction=said, offered=offered, challenge=examples)
    (prompt,) = draft_questions.write_draft_prompts(
        [draft_questions.DraftRequest(candidate)], RENDER, "the catalogue", profile
    )
    return prompt


def _challenged(
    wish: Rule = UNSURE, quote: str = "No comments.", deed: Action = DEED, profile: str = "1 .py"
) -> Prompt:
    said = Correction(quote=quote, turn=replace(HUMAN, text=quote), before=(deed,), after=())
    candidate = Candidate(rule=wish, drafts=(), correction=said, offered=ReaderOpinion(offence=deed))
    wanted = [challenge_questions.ChallengeRequest(candidate)]
    (prompt,) = challenge_questions.write_challenge_prompts(wanted, RENDER, profile)
    return prompt


def _mended(
    wish: Rule = UNSURE, quote: str = "No comments.", failure: str = "parse", script: str = "exit 0", example: str = "x"
) -> Prompt:
    check = Check(kind="shell", template="raw-shell", parameters={"script": script})
    offered = ReaderOpinion(invalid=(Example(kind="command", text=example),), drafted=True)
    said = Correction(quote=quote, turn=HUMAN, before=(DEED,), after=())
    candidate = Candidate(rule=wish, drafts=(), correction=said, offered=offered)
    wanted = draft_questions.DraftRequest(candidate, (Draft(checks=(check,)),), ({"failed at": failure},))
    (prompt,) = draft_questions.write_mend_prompts([wanted], RENDER, "the catalogue", "1 .py")
    return prompt


def judged(path: str = "src/a.py", text: str = "x = 1", rule: str = "Names say what a thing is.") -> JudgeRequest:
    """A judge that looks at a text and at another file."""
    facts = RuleFacts(slug="plain-names", revision=1, statement=rule)
    own = Judge(facts=facts, of="diff", text=f"- Rule: {rule}")
    lines = tuple(PieceLine(number, line, new=True) for number, line in enumerate(text.split("\n"), 1))
    pairs = [(own, Piece(path=path, lines=lines)), (own, Piece(path="b.py", lines=(PieceLine(1, "y = 2", new=True),)))]
    (asked,) = judge_questions.write_judge_prompts(pairs, SEED, RENDER)
    return asked


def _judged(**what: str) -> Prompt:
    return judged(**what).prompt


PLACES: dict[str, Place] = {
    "mine: what the person said": lambda text: _mined(turn=replace(HUMAN, text=text)),
    "mine: what the agent said": lambda text: _mined(said=text),
    "mine: a command": lambda text: _mined(deed=replace(DEED, command=text)),
    "mine: what a command printed": lambda text: _mined(deed=replace(DEED, output=text)),
    "mine: the name of a tool": lambda text: _mined(deed=replace(DEED, kind="other", tool=text)),
    "mine: the path of a file": lambda text: _mined(deed=replace(DEED, kind="write", path=text, new="x")),
    "mine: a file": lambda text: _mined(deed=replace(DEED, kind="write", path="a.py", new=text)),
    "mine: an edit": lambda text: _mined(deed=replace(DEED, kind="edit", path="a.py", old="y", new=text)),
    "decide: the person's quote": lambda text: _decided(quote=text),
    "decide: the candidate": lambda text: _decided(wish=replace(UNSURE, statement=text)),
    "decide: when it holds": lambda text: _decided(wish=replace(UNSURE, when=text)),
    "decide: a rule": lambda text: _decided(rule=replace(RULE, statement=text)),
    "decide: what to do instead": lambda text: _decided(rule=replace(RULE, do=text)),
    "decide: why it is in doubt": lambda text: _decided(because=text),
    "challenge: the statement": lambda text: _challenged(wish=replace(UNSURE, statement=text)),
    "challenge: the person's words": lambda text: _challenged(quote=text),
    "challenge: an edit": lambda text: _challenged(deed=replace(DEED, kind="edit", path="a.py", old="y", new=text)),
    "challenge: the repository": lambda text: _challenged(profile=text),
    "draft: an example of the challenge": lambda text: _drafted(challenge=text),
    "draft: the statement": lambda text: _drafted(wish=replace(UNSURE, statement=text)),
    "draft: the person's words": lambda text: _drafted(quote=text),
    "draft: a command": lambda text: _drafted(deed=replace(DEED, command=text)),
    "draft: an edit": lambda text: _drafted(deed=replace(DEED, kind="edit", path="a.py", old="y", new=text)),
    "draft: the repository": lambda text: _drafted(profile=text),
    "mend: the statement": lambda text: _mended(wish=replace(UNSURE, statement=text)),
    "mend: the person's quote": lambda text: _mended(quote=text),
    "mend: how it failed": lambda text: _mended(failure=text),
    "mend: the check itself": lambda text: _mended(script=text),
    "mend: an example": lambda text: _mended(example=text),
    "judge: a changed line": lambda text: _judged(text=text),
    "judge: the name of a file": lambda text: _judged(path=" ".join(text.split("\n"))),
    "judge: a commit message": lambda text: _judged(path="", text=text),
    "judge: a rule": lambda text: _judged(rule=" ".join(text.split("\n"))),
}
