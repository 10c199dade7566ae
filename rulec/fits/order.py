"""The order of work: what must have happened before a command, an edit or the end of the turn."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulec.fits._order_ask import asked
from rulec.fits._order_draft import drafts
from rulec.fits._order_files import spoken_files
from rulec.fits._order_first import First, firsts, for_purpose, then_run, write_tests
from rulec.fits._order_join import CHECKS, Order, on_named, order_of
from rulec.fits._order_pair import Pair, pair_of
from rulec.fits._order_then import Then, acts_in, after_commands, before_edits, spoken_tool, the_end, then_of
from rulec.fits._order_tools import commands_for
from rulec.fits._order_usual import usual
from rulec.fits._order_words import Said, afterwards, guide, negated, orders, straight
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime.globs import match
from rulec.runtime.match import matches

_NO_NEED = re.compile(
    r"\b(?:no need|need ?n[o']t|(?:do ?n[o']t|do not|dont|did ?n[o']t|never) (?:have|need|want|bother|"
    r"require)\b|not necessary|"
    r"unnecessary|overkill|instead of|too slow|skip(?:ping)? the|stop (?:run|lint|test|build|commit|read|ask)\w*)\b"
    r"|^\W*(?:why (?:do|did|are|would) (?:you|we)(?! not)|what|how|where|who|can i|should i|shall i|is there|"
    r"are there|is it|"
    r"(?:\w+ )?(?:maybe|let me|i'll|i will|i'm|i am|i did|i was|i have|i've))\b",
    re.IGNORECASE,
)
_REMIND = re.compile(
    r"\b(?:(?:do ?n[o']?t|do not|never) (?:ever )?(?:forget|skip|omit)(?: to)?|(?:please )?(?:make|be) sure "
    r"(?:that )?(?:you |we |to )*|"
    r"remember to)\b ?",
    re.IGNORECASE,
)
_UNLESS = re.compile(r"\bunless\b", re.IGNORECASE)
_BROKEN = re.compile(
    r"\bcommit(?:s|t?ed|t?ing)?\b(?! (?:list|message|hash|history|log|sha|id|view|graph)).{0,40}?\b(?P<how>broken|"
    r"(?:does|do|is|are|did)(?: not|n'?t)(?: even)? (?:compil\w*|build\w*|pass\w*|work|run)\b|"
    r"(?:wo|ca)n'?t (?:compile|build)|fail(?:s|ing|ed)? tests?|tests? (?:fail\w*|are red)|red\b|uncompilable|"
    r"non-?compiling|"
    r"half[- ]?(?:working|done|finished))",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:do ?n[o']?t|do not|dont|never|no|not|stop|avoid|makes? no sense|should ?n[o']t|must ?n[o']t|why|bad|"
    r"wrong|again|you committed|n't)\b|n't\b",
    re.IGNORECASE,
)
_TDD = re.compile(
    r"(?<![a-z])tdd(?![a-z])|\btest[- ]driven\b|\btests?[- ]first\b|\bred[-, /]+green\b|\bfirst,? (?:a|the|"
    r"write|add) (?:\w+ ){0,3}failing test|"
    r"\bred first\b|\bfailing test\b.{0,30}\b(?:first|before)\b|\btests? (?:come|goes|go|comes) (?:first|"
    r"before)\b|(?:先写|先)测试",
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"\b(?:about|what is|what's|explain|doc(?:s|ument\w*)?|guide|book|section|page|article|not|no|n't|"
    r"without)\b",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:us(?:e|ing)|follow\w*|do|doing|with|via|by|practi[sc]\w*|approach|includ\w*|like|style|stick|work\w*|"
    r"want|always|strict\w*|"
    r"proper\w*|per|according|go|apply|wie|nach|mit|con|avec|first)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)
_RUNNING = re.compile(
    r"\b(?:run|running|execute|fix|remove|delete|update|clean)\b|\bthen (?:you |we )?(?:commit|push|merg|deploy|"
    r"releas|publish)",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"^(?!.*\b(?:don'?t|do not|stop|no need)\b).*\bcommit\w*\b.{0,20}\b(?:early|often|frequently|regularly|"
    r"small steps|small chunks|incrementally)\b|"
    r"\byou (?:keep forgetting to|(?:always |again )?forg[eo]t to|did ?n[o']t|never|have ?n[o']t) commit|"
    r"\b(?:never|do ?n[o']t|no)\b.{0,20}\buncommitted\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\W*(?:the |a |your )?(?:tests?|specs?)\W*", re.IGNORECASE)
_PASSES = re.compile(r"\b(?:run|ran|running|execut\w*|pass\w*|green|succeed\w*)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\b(?:it|them)\b", re.IGNORECASE)
_OWN = re.compile(
    r"\b(?:it|them|that|files?)\b|^\W*(?:(?:you|we|ever|any)\W+)*(?:re)?(?:edit|chang|overwrit|writ|modif|"
    r"touch)\w*\W*$",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:run|execut|try|test)\w* (?:it|them|that|those)\b", re.IGNORECASE)
_LOOKS = re.compile(
    r"^\W*(?:(?:please|always|also|just)\W+)*(?:look|read|study|see|find|search|updat\w*|fix|adapt|change|"
    r"delete|remove|move)\b",
    re.IGNORECASE,
)
_FEW = 5  # words that are a motto by themselves: "TDD!", "tests first please"
_BRANCH = re.compile(
    r"^\W*(?:please )?not on (?:main|master)\W*$|^\W*(?:(?:please|always|and) )*branch(?:es)? first\b|\bnever "
    r"(?:directly |straight )?(?:on|to|in) "
    r"`?(?:main|master)\b|"
    r"^\W*(?:(?:please|pls|always|use|make|cut|create|work on|on|in|start|open|a|an|the|new|own|your|separate|"
    r"feature|its) ?)*branch(?:es)?"
    r"(?:\W*!|,? (?:please|pls|always|first)\W*$)|\b(?:never|don'?t|do not|dont|not|stop|no|"
    r"why)\b.{0,30}\b(?:work|edit|chang|cod|"
    r"develop|mak|do|writ|hack|commit)(?:s|es|t?ing|e)?\b.{0,30}\b(?:on|in|to|at) (?:the )?`?(?:main|master|"
    r"trunk|develop)\b(?! branch of)|"
    r"\b(?:always|never|each|every|all)\b.{0,40}\b(?:on|in|from) (?:a |an |its |their )?(?:own|new|separate|"
    r"feature|topic|fresh)\b.{0,12}"
    r"\bbranch|\bbranch(?:es)?,? (?:and )?(?:not|never|instead of)\b.{0,20}\b(?:main|master|trunk|develop)\b|"
    r"\b(?:creat|mak|cut|check|start|open|use)\w*\b.{0,30}\bbranch(?:es)?\b.{0,20}\bfor (?:each|every|any|all|new)\b|"
    r"\b(?:new|own|separate|fresh|feature) branch(?:es)? (?:for|per) (?:(?:each|every|any|all|new) )?\w+\W*$|"
    r"^\W*(?:\w+\W+){0,2}you(?:'re| are) (?:still )?on (?:main|master|trunk|develop)\W*$",
    re.IGNORECASE,
)
_BRINGS = re.compile(
    r"^(?!.*\b(?:commit|push|merg|deploy|releas)).*\b(?:no|never|not|n't) .*\bwithout (?:(?:any|unit|"
    r"new|proper|adding|writing|matching|its|their|corresponding) )*tests?\W*$"
    r"|^(?!.*\b(?:commit|push|merg|deploy|releas|first\b)).*\b(?:no|never|not|n't) .*\bwithout (?:also )?"
    r"(?:updat|add|bump|document|adjust|adapt|creat|an? )",
    re.IGNORECASE,
)
_ON_MAIN = re.compile(r"^\W*why (?:are|did|do) you .{0,30}\b(?:on|to|in) (?:main|master)\b", re.IGNORECASE)
_INSIST = re.compile(
    r"\b(?:you (?=do |run )|you (?:need to|have to|must|should(?: have)?|forgot(?: to)?|did ?n[o']t|did not|are "
    r"not|aren'?t|never|skipped|"
    r"have ?n[o']t|keep (?:forgetting|skipping))|did you (?:even )?|have you (?:even )?|why (?:did|do|have)n'?t "
    r"you|why (?:are|did|do) you "
    r"not|always|every ?time|yourself|never (?:forget|skip)|don'?t (?:ever )?(?:forget|skip)|immer|toujours|"
    r"siempre|всегда)\b.{0,60}?"
    r"\b(?P<x>(?:run|ran|running|execut\w*|lint(?:ed|ing)?|compil\w*|launch\w*|type-?check\w*|build (?:it|the)|"
    r"test (?:it|this|your)|"
    r"(?:do|did|doing) the|ejecuta\w*|lance\w*)\b.*)$|"
    r"^\W*(?:(?:and|so|but|ok|also)\W+)*(?:did|do|are|have|does|is) (?:the |your |all )*(?P<w>(?:unit )?"
    r"(?:tests?|specs?|suite|lint\w*|build|types?)\b.{0,12}\b(?:pass\w*|run|green|succeed\w*|clean|happy)\b.*)$|"
    r"(?:每次|总是|必须|一定要).{0,10}?(?P<z>(?:跑|运行|执行).*)$",
    re.IGNORECASE | re.DOTALL,
)
_FORBIDS = re.compile(
    r"^\W*(?:(?:please|and|but|so|no|ok|also)\W+)*(?:do ?n[o']?t|do not|never|stop|no|avoid)\b"
    r"(?! (?:ever )?(?:forget|skip))",
    re.IGNORECASE,
)
_LASTS = re.compile(
    r"^\W*(?:please |pls |and |so |you )*(?:always|every ?time|must|never (?:forget|skip)|don'?t (?:ever "
    r")?(?:forget|skip)|have to|immer|toujours|"
    r"siempre|всегда)\b|^\W*(?:每次|总是|必须)",
    re.IGNORECASE,
)
_PASSING = re.compile(r"\btests?\b.{0,15}\b(?:pass|green|succeed)", re.IGNORECASE)

_INSTEAD = re.compile(
    r"(?<=\w\w),\s+(?:and )?(?:not|instead of|rather than)\b(?! (?:before|until|without)).*$", re.IGNORECASE
)
_REASONS = re.compile(
    r",\s+(?:i (?:do ?n[o']t|can'?t|hate|am|was|keep|always|lost|had|have|just)\b(?! (?:want you|need you|ask))|"
    r"you (?:keep|guessed|broke|forgot|just|always|never|missed)\b|(?:it|this|that|nothing|nobody|everything) "
    r"(?:is|was|broke|takes|works?|costs?|knows?)\b|the \w+ (?:is|was|broke|failed|takes)\b).*$",
    re.IGNORECASE,
)


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of require-before and ask-before."""
    text, pair = _INSTEAD.sub("", _REASONS.sub("", straight(clause.text))), pair_of(before, after)
    permission = list(asked(text, pair))
    yield from permission
    for found in () if permission else _readings(text, pair):
        yield from drafts(found, pair, "the words say what has to come first")


def _readings(text: str, pair: Pair) -> Iterator[list[Order]]:
    """What the words may mean, the most telling reading first."""
    if (broken := _BROKEN.search(text)) and _AGAINST.search(text) and not _UNLESS.search(text):
        purpose = "test" if re.search(r"\btests?\b|\bred\b", broken["how"], re.IGNORECASE) else "build"
        yield _joined([for_purpose(purpose, pair)], after_commands("commit", ["git commit"]), pair)
        return
    if found := guide(text):
        yield _guided(found, pair)
    brings = not pair.before and _BRINGS.search(text)  # what a commit has to bring along
    if brings or (_NO_NEED.search(text) and not _ON_MAIN.match(text)):
        return
    plain = _REMIND.sub("", text)
    if _is_tdd(plain):
        yield _joined([write_tests(pair)], before_edits(["**"]), pair)
        return
    if _BRANCH.search(plain):
        commits = re.search(r"\bcommit", plain, re.IGNORECASE)
        then = after_commands("commit", ["git commit"]) if commits else before_edits(["**"])
        yield [on_named(order, plain) for order in _joined(firsts("branch", pair), then, pair)]
        return
    for said in orders(plain):
        yield _ordered(said, pair)
    if _OFTEN.search(text):
        yield _joined(firsts("commit", pair), the_end(), pair)
    elif said_after := afterwards(plain):
        yield _afterwards(said_after, plain, pair)
    elif _INSIST.search(text) and not _FORBIDS.search(plain):
        yield _insisted(text, pair)


def _is_tdd(text: str) -> bool:
    few = len(re.findall(r"\w+", text)) <= _FEW
    return (
        bool(_TDD.search(text))
        and (few or bool(_BY.search(text)))
        and not (_ABOUT.search(text) or _RUNNING.search(text))
    )


def _joined(found: list[First], then: Then | None, pair: Pair) -> list[Order]:
    """All of them or none: half of what was said is another wish."""
    made = [order_of(first, then, pair) for first in found] if then else []
    return [order for order in made if order] if all(made) else []


def _ordered(said: Said, pair: Pair) -> list[Order]:
    if negated(said.first):
        return []
    found = firsts(said.first, pair, guess=bool(said.then))
    if not found and ":" in said.then:  # "run it before you say done: make check"
        found = firsts(said.then.partition(":")[2], pair)
    if not found and _IT.search(said.first):  # "don't say that tests pass before running them"
        found = [first for first in firsts(said.then, pair) if first.what in CHECKS] or then_run(pair)
    if not found:
        return []
    if found[0].what in CHECKS and _LOOKS.search(said.first):
        return []
    first = found[0]
    if not said.then and _TESTS.fullmatch(said.first):
        return _joined([write_tests(pair)], before_edits(["**"]), pair)
    if not said.then:
        return _joined(found, usual(first.what, first.given.get("first_commands", []), pair), pair)
    reads = first.given.get("first_reads", [])
    tool = spoken_tool(said.then, reads[0]) if reads else ""
    then = after_commands("command", [tool]) if tool else then_of(said.then, pair, first.what)
    if first.what == "test" and not _PASSES.search(said.first) and then and then.what == "edit":
        return _joined([write_tests(pair)], before_edits(["**"]), pair)
    if reads == ["same"] and _PRONOUN.search(said.first) and not _OWN.search(said.then):
        return []  # "it" is something named before
    return _joined(found, then, pair)


def _guided(found: tuple[str, str], pair: Pair) -> list[Order]:
    """A phrase like "how to use acme stands in GUIDE.md": the tool was used, and only then the guide was read."""
    path, about = found
    first = firsts(f"read {path}", pair)
    then = then_of(about, pair, "read")
    shown = any(
        action.path.endswith(path.rpartition("/")[2]) or path.rpartition("/")[2] in action.command
        for action in pair.after
    )
    return _joined(first, then, pair) if then and then.what == "command" and shown else []


def _afterwards(said: Said, text: str, pair: Pair) -> list[Order]:
    """What is to be done after each piece of work has to be done before the agent says that it is done."""
    told = firsts(said.then.partition(": ")[2], pair) or firsts(said.first, pair, guess=bool(pair.before))
    found = [first for first in told if first.what in (*CHECKS, "command", "commit", "push")]
    if not found or acts_in(said.then):
        return []
    made = _narrowed(_joined(found, the_end(), pair), said.then, pair)
    if found[0].what == "commit" and _PASSING.search(text):
        return [
            replace(one, given={**one.given, "also_commands": commands_for("test", pair.languages)}) for one in made
        ]
    return made


def _narrowed(made: list[Order], phrase: str, pair: Pair) -> list[Order]:
    """The orders asked only after a change of the files that the phrase speaks of."""
    files = spoken_files(phrase, pair)
    if any("since" not in one.given for one in made):
        return made
    if not files:
        return [replace(one, given={**one.given, "since": _with_shown(one.given["since"], pair)}) for one in made]
    return [replace(one, given={**one.given, "since": files}) for one in made]


def _with_shown(since: list[str], pair: Pair) -> list[str]:
    """The files since whose change the step is due, with the kinds of those that were changed without it."""
    if not pair.edited or any(match(since, path) for path in pair.edited):
        return since
    return [*since, *dict.fromkeys(f"*.{path.rpartition('.')[2]}" for path in pair.edited if "." in path)]


def _insisted(text: str, pair: Pair) -> list[Order]:
    """A phrase like "you forgot to compile": it was not done before, and it was done then."""
    doing = _INSIST.search(text)
    said = next(filter(None, (doing["x"], doing["w"], doing["z"])), "") if doing else ""
    found = [first for first in firsts(said, pair) if first.what in (*CHECKS, "command")]
    if not found or (not pair.before and not _LASTS.search(text)):
        return []
    commands = [command for first in found for command in first.given["first_commands"]]
    if pair.before and not any(matches(command, call) for command in commands for call in pair.runs):
        return []
    return _joined(found, usual(found[0].what, commands, pair), pair)


PLUG = Fit(name="order", fit=fit, any_clause=True)
