"""The corpus of injections, and every place of a question to a model at which the words of a stranger stand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ruamel.yaml import YAML

from rulec.host import templates
from rulec.model.candidate import Candidate, Draft, Offered
from rulec.model.correction import Correction
from rulec.model.exchange import Prompt
from rulec.model.judge import Asked, Judge, Line, Piece
from rulec.model.mined import Moment
from rulec.model.plan import Facts
from rulec.model.resolution import Resolution
from rulec.model.rule import Check, Example, Rule
from rulec.model.transcript import Action, Turn
from rulec.stages import decide, draft, judge, mine

FOLDER = Path(__file__).parents[1] / "cases" / "injections"
RENDER = templates.library().render
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
    (bundle,) = mine.bundles([moment, replace(moment, turn=replace(HUMAN, index=4))], {})
    return mine.ask([mine.blocks(bundle)], RENDER)


def _decided(rule: Rule = RULE, wish: Rule = UNSURE, quote: str = "No comments in tests.", because: str = "") -> Prompt:
    said = Correction(quote=quote, turn=HUMAN, before=(), after=())
    found = Resolution(decision="UPDATE", slug=rule.slug, because=because or "perhaps", band="review", new_slug="new")
    candidate = Candidate(rule=wish, drafts=(), correction=said)
    return decide.ask([decide.Unsure(candidate=candidate, said=found, rules=(rule,))], RENDER)


def _drafted(wish: Rule = UNSURE, quote: str = "No comments.", deed: Action = DEED, profile: str = "1 .py") -> Prompt:
    said = Correction(quote=quote, turn=replace(HUMAN, text=quote), before=(deed,), after=())
    candidate = Candidate(rule=wish, drafts=(), correction=said, offered=Offered(offence=deed))
    (prompt,) = draft.ask([draft.Wanted(candidate)], RENDER, "the catalogue", profile)
    return prompt


def _mended(
    wish: Rule = UNSURE, quote: str = "No comments.", failure: str = "parse", script: str = "exit 0", example: str = "x"
) -> Prompt:
    check = Check(kind="shell", template="raw-shell", parameters={"script": script})
    offered = Offered(invalid=(Example(kind="command", text=example),), drafted=True)
    said = Correction(quote=quote, turn=HUMAN, before=(DEED,), after=())
    candidate = Candidate(rule=wish, drafts=(), correction=said, offered=offered)
    wanted = draft.Wanted(candidate, (Draft(checks=(check,)),), ({"failed at": failure},))
    (prompt,) = draft.ask_again([wanted], RENDER, "the catalogue", "1 .py")
    return prompt


def judged(path: str = "src/a.py", text: str = "x = 1", rule: str = "Names say what a thing is.") -> Asked:
    """A judge that looks at a text and at another file."""
    facts = Facts(slug="plain-names", revision=1, statement=rule)
    own = Judge(facts=facts, of="diff", text=f"- Rule: {rule}")
    lines = tuple(Line(number, line, new=True) for number, line in enumerate(text.split("\n"), 1))
    pairs = [(own, Piece(path=path, lines=lines)), (own, Piece(path="b.py", lines=(Line(1, "y = 2", new=True),)))]
    (asked,) = judge.ask(pairs, SEED, RENDER)
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
