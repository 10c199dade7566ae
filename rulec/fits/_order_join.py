"""What comes first and what is judged, joined into the parameters of require-before."""

import re
from dataclasses import dataclass, replace
from typing import Any

from rulec.fits._order_first import SAME, TESTS, First
from rulec.fits._order_named import reads_only
from rulec.fits._order_pair import Pair
from rulec.fits._order_then import Then
from rulec.fits._order_tools import globs_of, languages_by
from rulec.model.rule import Check
from rulec.runtime.match import matches
from rulec.runtime.shell import parse

Given = dict[str, Any]
MAINS = ["main", "master", "trunk", "develop"]
CHECKS = ("test", "lint", "format", "types", "build")
ONCE = (
    "deploy",
    "publish",
    "migrate",
    "command",
    "install",
    "reply",
    "apply",
    "tag",
)  # done anew each time, whatever was edited
_NO_LOGIC = ["*.d.ts", "*.config.*", "**/migrations/**", "**/generated/**", "**/gen/**", "setup.py", "__init__.py"]
_TESTLESS = ("rust", "shell", "terraform")  # whose tests stand in the same file, or nowhere
_TESTLESS_ENDINGS = ("rs", "sh", "bash", "zsh", "tf")
_OF_DOCS = ("mkdocs", "sphinx-build", "markdownlint", "vale", "quarto", "lychee")


@dataclass(frozen=True, slots=True)
class Order:
    """Both halves, and the parameters that join them."""

    first: First
    then: Then
    given: Given

    @property
    def check(self) -> Check:
        """As the rule holds it."""
        kept = {key: value for key, value in self.given.items() if value not in ([], "", False, None)}
        return Check(kind="guard", template="require-before", parameters=kept)


def order_of(first: First, then: Then, pair: Pair) -> Order | None:
    """The two joined; None where no session could ever show that order."""
    joint = _JOINTS.get(first.what, _run)(first, then, pair)
    if joint is None:
        return None
    given: Given = {**then.given, **first.given, "first": first.cure, **joint}
    return None if _itself(given) else Order(first, then, given)


def _read(first: First, then: Then, _: Pair) -> Given | None:
    if SAME in first.given["first_reads"]:
        return {"how": ["change"]} if "before_edits" in then.given else None
    return {"except": first.given["first_reads"]} if "before_edits" in then.given else {}


def _tests(_: First, then: Then, pair: Pair) -> Given | None:
    code = tuple(one for one in pair.languages if one not in _TESTLESS)
    if then.given.get("before_edits") != ["**"] or (pair.languages and not code):
        return None
    wanted = globs_of(code) if code else [g for g in globs_of(()) if g[2:] not in _TESTLESS_ENDINGS]
    return {"before_edits": wanted, "except": [*TESTS, *_NO_LOGIC]}


def _note(first: First, then: Then, pair: Pair) -> Given | None:
    """A plan comes before code, whoever wrote it this session; other prose needs none."""
    if then.given.get("before_edits") != ["**"]:
        return {"except": first.given["first_edits"]} if "before_edits" in then.given else None
    return {"before_edits": globs_of(pair.languages), "except": first.given["first_edits"]}


def _branch(_: First, then: Then, pair: Pair) -> Given | None:
    anywhere = then.given.get("before_edits") == ["**"] and pair.languages
    return {"on_branch": MAINS, **({"before_edits": globs_of(pair.languages)} if anywhere else {})}


def on_named(order: Order, text: str) -> Order:
    """The order asked only on the branches that the words name, where they name some; main and master are one name."""
    named = [name for name in MAINS if re.search(rf"\b{name}\b", text, re.IGNORECASE)]
    if not named or "on_branch" not in order.given:
        return order
    named += [name for name in MAINS[:2] if name not in named and set(named) & set(MAINS[:2])]
    return replace(order, given={**order.given, "on_branch": named})


def _pull(_: First, then: Then, __: Pair) -> Given | None:
    return {"since_commands": ["git push"]} if then.what == "push" else {}


def _saved(_: First, then: Then, __: Pair) -> Given | None:
    """Committed or pushed; never asked before an edit: the second one of any piece of work would lack it."""
    return None if then.what == "edit" else {"since": ["**"]}


def _run(first: First, then: Then, pair: Pair) -> Given | None:
    """Since when a run counts: the last change of the code, or the last time that this was done."""
    own = first.what == "command"
    if not own and then.what == "edit":
        return {"before_edits": globs_of(pair.languages)} if then.given["before_edits"] == ["**"] else {}
    if own and pair.before and then.what == "edit" and any(map(reads_only, parse(first.step.text).calls)):
        return None
    if then.what == "edit" or (own and then.what in ONCE):
        return {"since_commands": then.given.get("before_commands", [])}
    if own and (due := _due(first)):
        return due
    if not pair.languages and pair.edited:
        endings = [f"*.{path.rpartition('.')[2]}" for path in pair.edited if "." in path.rpartition("/")[2]]
        return {"since": list(dict.fromkeys(endings)) or globs_of(())}
    return {"since": globs_of(pair.languages)}


def _due(first: First) -> Given:
    """The files that a named command is about, as far as its name tells."""
    command = first.given["first_commands"][0]
    program, _, module = command.partition(" -m ")
    if module:
        folders = module.split(".")
        return {"since": [f"{'/'.join(folders[:-1] or folders)}/**/*.py"], "since_except": TESTS}
    if program.split()[0] in _OF_DOCS:
        return {"since": ["*.md", "*.mdx", "*.rst", "*.adoc", "docs/"]}
    if command.startswith("git "):
        return {"since": ["**"]}
    spoken = languages_by(first.given["first_commands"])
    return {"since": globs_of(spoken)} if spoken else {}


def _wrote(first: First, then: Then, pair: Pair) -> Given | None:
    """A file is written or changed; what a commit has to bring along is asked of the commit itself."""
    if then.what in ("commit", "push", "pr", "merge"):
        return None
    if then.what == "stop":
        return {"since": ["**"], "since_except": first.given["first_edits"]}
    if "before_edits" not in then.given:
        return {"since_commands": then.given["before_commands"]}
    edits = globs_of(pair.languages) if then.given["before_edits"] == ["**"] else then.given["before_edits"]
    return {"before_edits": edits, "except": [*first.given["first_edits"], *TESTS]}


_JOINTS = {
    "read": _read,
    "write": _wrote,
    "write-tests": _tests,
    "branch": _branch,
    "note": _note,
    "pull": _pull,
    "commit": _saved,
    "push": _saved,
}


def _itself(given: Given) -> bool:
    """Whether what must come first is itself what is judged: no session could begin."""
    from_first = (call for command in given.get("first_commands", ()) for call in parse(plain(command)).calls)
    return any(matches(judged, call) for call in from_first for judged in given.get("before_commands", ()))


def plain(command: str) -> str:
    """A command that the pattern names."""
    return " ".join(word.split("|")[0].rstrip("*") for word in command.split())
