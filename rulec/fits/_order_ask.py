"""Words by which a person keeps an act to themselves until they say so -> drafts of ask-before."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._order_named import meant, named
from rulec.fits._order_pair import Pair
from rulec.fits._order_permission import FORMS
from rulec.fits._order_then import acts_in
from rulec.fits._patterns import Pattern
from rulec.fits._programs import GIT_TALK
from rulec.fits._words import pieces, stem, stems
from rulec.language.terms import table, terms
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.runtime import globs
from rulec.runtime.match import matches

# What people say of an act when they allow it, by the act's name.
_TOPIC = {
    "commit": r"\bcommit|提交|\bcheck (?:it|this|that|them) in\b",
    "push": r"\bpush|推送|\bship it\b",
    "pr": r"\b(?:prs?|pull[- ]requests?|mrs?|merge requests?)\b",
    "merge": r"\bmerg|\bland\b",
    "rebase": r"\brebas",
    "deploy": r"\bdeploy|\bappl(?:y|ied)\b|\broll(?:ing)?[- ]?out|\bgo live\b|\bship\b|\bprod\b",
    "publish": r"\bpublish|\breleas|\bship\b",
    "migrate": r"\bmigrat|\bschema\b",
    "install": r"\binstall|\badd\b|\bdependenc|\bpackage|\blibrar|\bcrate|\bupgrade|\buse\b",
    "branch": r"\bbranch",
    "apply": r"\bappl",
    "stash": r"\bstash",
    "tag": r"\btag",
    "reply": r"\brepl|\brespond|\banswer|\bcomment|\bpost\b",
}
_TESTS = re.compile(
    r"\b(?P<kind>e2e|end[- ]to[- ]end|integration|ci|acceptance|smoke|load|perf(?:ormance)?|live|slow|"
    r"eval)s?\b.{0,12}"
    r"(?:\btests?\b|\bsuites?\b|\bjobs?\b|\bpipelines?\b|$)",
    re.IGNORECASE,
)
_MOST_SAID = 3
_SYSTEM = (
    "pip|pip3|pipx|gem|brew|apt|apt-get|dnf|yum|snap|choco|winget|scoop|pacman install *", "cargo|go install *",
    "uv tool|pip install *",
)  # fmt: skip
_FREE = re.compile(
    r"\b(?:no need|need ?n[o']t|(?:do ?n[o']t|do not|dont|never) (?:have|need|bother|want you)|(?:stop|quit) "
    r"asking|not necessary|"
    r"feel free|(?:do ?n[o']t|dont|do not|never) (?:ask|wait))\b",
    re.IGNORECASE,
)
_DELETING = re.compile(
    r"\b(?:delet|remov)\w*\b(?: \w+){0,2} (?:any ?thing|files?|stuff|data|folders?)\b|^\W*(?:delet\w+|rm)\W*$",
    re.IGNORECASE,
)
_WRITING = re.compile(r"\b(?:writ|edit|chang|touch|modif|creat|updat|add|put)\w*\b", re.IGNORECASE)


def asked(text: str, pair: Pair) -> Iterator[Draft]:
    """Drafts for what the person wants to be asked about."""
    for form in () if _FREE.search(text) else FORMS:
        found = form.search(text)
        if not found:
            continue
        places = [
            term.text
            for term in terms(found["y"])
            if term.kind == "path" and not term.text.startswith(("/", "~", ".."))
        ]
        if places and _WRITING.search(found["y"]):
            yield from _of_files([place.removeprefix("./") for place in places], pair)
            return
        for commands, words in _kept(found["y"], pair):
            yield from _draft(commands, words, pair)
        return


def _of_files(places: list[str], pair: Pair) -> Iterator[Draft]:
    """What is not to be written to without the person's word."""
    touched = [path for path in pair.edited if globs.match(places, path)]
    if pair.before and (not touched or any(globs.match(places, path) for path in pair.edits)):
        return
    words = "|".join(rf"\b{re.escape(piece)}" for place in places for piece in pieces(place)[:2])
    path = (
        touched
        or [place if "." in place.rpartition("/")[2] else f"{place.rstrip('/*')}/sample.txt" for place in places]
    )[0]
    act = Example(kind="file", path=path, text="x\n")
    yield Draft(
        checks=(Check(kind="guard", template="ask-before", parameters={"globs": places, "words": words}),),
        invalid=(_session(Example(kind="says", text="please go on"), act),),
        valid=(
            _session(Example(kind="says", text=f"good, now change {_allowing(words)}"), act),
            Example(kind="file", path="notes/other.txt", text="x\n"),
            Example(kind="command", text=f"cat {path}"),
        ),
        do="ask, and wait for the answer",
        because="the person keeps these files to themselves until they say so",
    )


def _kept(phrase: str, pair: Pair) -> Iterator[tuple[list[str], str]]:
    """The commands of the act, and what permission for it speaks of."""
    if tests := _TESTS.search(phrase):
        kind = tests["kind"].lower().replace(" ", "-")
        kind = "e2e" if kind.startswith("end") else kind
        yield _suite(kind), rf"\b{kind.replace('-', '[- ]')}|\btests?\b"
        return
    said = stems(phrase)
    if talk := next(((needed, own) for needed, own, _ in GIT_TALK if {stem(word) for word in needed} <= said), None):
        yield list(talk[1]), rf"\b{re.escape(talk[0][0])}"
        return
    if re.search(r"\bdelet\w*\b.{0,12}\bbranch", phrase, re.IGNORECASE):
        yield ["git branch -d|-D|--delete", "git push --delete|-d"], r"\bdelet|\bremov|\bbranch"
        return
    if acts_in(phrase)[:1] and acts_in(phrase)[0][0] == "install":
        more = (
            _SYSTEM if re.search(r"\b(?:any ?thing|something|stuff|software|tools?)\b", phrase, re.IGNORECASE) else ()
        )
        yield [*acts_in(phrase)[0][1], *more], _TOPIC["install"]
        return
    if _DELETING.search(phrase):
        yield ["rm|rmdir|unlink|trash|shred", "git rm|clean"], r"\bdelet|\bremov|\brm\b|\bclean"
        return
    if spelled := named(phrase):
        yield spelled, "|".join(rf"\b{re.escape(word)}" for one in spelled for word in _telling(one))
        return
    if acts := acts_in(phrase)[:_MOST_SAID]:
        yield [command for _, commands in acts for command in commands], "|".join(_TOPIC[name] for name, _ in acts)
        return
    if pattern := meant(phrase, pair.ran):
        yield [pattern], "|".join(rf"\b{re.escape(word)}" for word in _telling(pattern))


def _telling(pattern: str) -> list[str]:
    """The words of a command that a person who allows it would say."""
    words = [word for word in pattern.split() if not word.startswith("-") and word not in _RUNS]
    return words[1:] or words


_RUNS = table("run exec")


def _suite(kind: str) -> list[str]:
    """The commands that run the tests of this kind."""
    tasks = f"{kind}*|test:{kind}*|test-{kind}*|test_{kind}*|{kind}-test*"
    browsers = ["playwright test", "cypress run|open"] if kind == "e2e" else []
    return [
        f"make|just|task|rake|npm|pnpm|yarn|bun {tasks}",
        f"npm|pnpm|yarn|bun|mise|deno|turbo|nx|composer|poe run {tasks}",
        f"go test -tags={kind}*",
        f"go test -tags {kind}",
        f"go test ./{kind}*",
        f"pytest -m={kind}*",
        f"pytest tests/{kind}*|test/{kind}*|{kind}*",
        f"tox|nox -e={kind}*|-s={kind}*",
        *browsers,
    ]


def _draft(commands: Sequence[str], words: str, pair: Pair) -> Iterator[Draft]:
    ran = [call for call in pair.ran if any(matches(command, call) for command in commands)]
    again = [call for call in pair.runs if any(matches(command, call) for command in commands)]
    if pair.before and (not ran or again):
        return
    sample = _sample(commands[0])
    act = Example(kind="command", text=sample)
    shown = next((action for action in pair.before[::-1] if ran and ran[0] in pair.calls(action)), None)
    told = Example(kind="command", text=shown.command) if shown else act
    yield Draft(
        checks=(Check(kind="guard", template="ask-before", parameters={"commands": list(commands), "words": words}),),
        invalid=tuple(dict.fromkeys((told, _session(Example(kind="says", text="please go on"), act)))),
        valid=(
            _session(Example(kind="says", text=f"good, now {_allowing(words)} it"), act),
            Example(kind="command", text=f"grep -rn '{sample}' docs"),
            Example(kind="command", text="git status --short"),
        ),
        do="ask, and wait for the answer",
        because="the person keeps this to themselves until they say so",
    )


def _sample(command: str) -> str:
    words = Pattern((command.replace(" *", " left-pad"),)).sample
    return f"{words} -m 'Save the step'" if words == "git commit" else words


def _allowing(words: str) -> str:
    """A word that the pattern of permission knows."""
    return next(iter(re.findall(r"[a-z0-9-]{2,}", re.sub(r"\\b|\(\?:", " ", words))), "do")


def _session(*steps: Example) -> Example:
    return Example(kind="session", text="", steps=steps)
