"""Pieces of code that people call by a name that stands nowhere in the text: "raw SQL", "skipped tests"."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._jargon_words import JARGON, Jargon
from rulec.fits._pair import added, draft_from_pair
from rulec.fits._words import conditional, things
from rulec.language import Clause, Where, where
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example, Scope
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import globs

_UNCOMMENTED = r"^(?!\s*(?://|#(?!\[)|/?\*|<!--|--\s))"


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of forbid-text."""
    if clause.polarity not in ("forbid", "prefer") or conditional(clause) or not things(clause):
        return
    for jargon in (*_constructed(clause), *_called(clause), *_imported(clause), *JARGON):
        if _is_said(jargon, clause):
            yield from _drafts(jargon, before, after)


_MADE = re.compile(
    r"^(?P<new>new |another )?(?P<name>[A-Z][A-Za-z0-9]*[a-z][A-Z][A-Za-z0-9]*)(?:\(\))?(?: (?:instances?|objects?))?$"
)
_MAKES = table("create instantiate construct make new build")
_BY_NEW = ("*.java", "*.ts", "*.tsx", "*.js", "*.jsx", "*.cs", "*.php", "*.cpp", "*.scala")
_BY_NAME = ("*.py", "*.kt", "*.swift", "*.dart")


def _constructed(clause: Clause) -> Iterator[Jargon]:
    """A phrase like "do not create a new ObjectMapper": each language makes one in its own way."""
    for thing in things(clause):
        made = _MADE.match(thing)
        if made and (made["new"] or clause.verb in _MAKES):
            name = made["name"]
            shown = rf"\bnew\s+{name}\b|(?<!class )(?<!def )(?<!fun )(?<![\w.:@]){name}\("
            bad, good = f"value = new {name}();", f"private final {name} value;"
            yield Jargon(rf"\b{name}\b", shown, bad, good, (*_BY_NEW, *_BY_NAME), (f"{name}.*", f"*{name}Factory.*"))


def _called(clause: Clause) -> Iterator[Jargon]:
    """A phrase like "do not call Clock.now()": the two names tell the call in any language."""
    unwanted, wanted = " ".join(things(clause)), " ".join(clause.preferred)
    for term in clause.terms:
        name = term.text.removesuffix("()")
        spelled = term.text.endswith("()") or clause.verb == "call"
        if spelled and _DOTTED.fullmatch(name) and name in unwanted and name not in wanted:
            pattern = rf"(?<![\w$@]){re.escape(name)}\s*\("
            yield Jargon(
                re.escape(name), pattern, f"value = {name}()", f"value = other.{name}", (*_BY_NEW, *_BY_NAME, *_OTHERS)
            )


_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){1,3}")
_OTHERS = ("*.go", "*.rb", "*.mjs", "*.vue", "*.kts", "*.rs", "*.lua")
_PART = re.compile(r"[\w-]+(?:[./][\w-]+)*")


def _imported(clause: Clause) -> Iterator[Jargon]:
    """A phrase like "components must not import the store": a part of the program, by a word of its path."""
    if clause.verb != "import" or not clause.when or where(clause) in (None, Where()):
        return
    for thing in things(clause):
        name = re.sub(r"^(?:from )?(?:the )?|/$|(?: module| package| folder| layer)$", "", thing)
        if _PART.fullmatch(name):
            part = re.escape(name).replace("/", "[/.]")
            pattern = (
                rf"^\s*(?:import|from|export)\b.*[\"'./ ]{part}(?=[\"'./;\s]|$)|\brequire\([\"'][^\"']*/{part}[\"'/]"
            )
            bad, good = f"import {{ a }} from '../{name}/a';", f"import {{ a }} from '../other{name}/a';"
            yield Jargon(re.escape(name), pattern, bad, good, ("*.ts", "*.tsx", *_BY_NEW, *_BY_NAME, *_OTHERS))


def pattern_of(jargon: Jargon) -> str:
    """What shows it, on a line that is not a comment."""
    if jargon.pattern.startswith("^"):
        return jargon.pattern
    small = "(?i)" if jargon.pattern.startswith("(?i)") else ""
    return f"{small}{_UNCOMMENTED}.*?(?:{jargon.pattern.removeprefix('(?i)')})"


def _is_said(jargon: Jargon, clause: Clause) -> bool:
    spoken = [text for thing in things(clause) for text in (thing, f"{clause.verb} {thing}".strip())]
    about = not jargon.about or re.search(jargon.about, clause.text, 0 if "Go" in jargon.about else re.IGNORECASE)
    return bool(about) and any(re.search(jargon.said, text, re.IGNORECASE) for text in spoken)


def _drafts(jargon: Jargon, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    def caught(action: Action) -> bool:
        seen = globs.match(jargon.files, action.path) and not globs.match(jargon.spared, action.path)
        return bool(seen) and any(re.search(pattern, line) for line in added(action).splitlines())

    pattern = pattern_of(jargon)
    given = {
        "patterns": [pattern],
        "globs": list(jargon.files),
        **({"except": list(jargon.spared)} if jargon.spared else {}),
    }
    checks = tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in ("semgrep", "guard"))
    because = "the words are what people call such code by"
    if before:
        yield from draft_from_pair(checks, caught, before, after, kinds=("write", "edit"), because=because)
        return
    path = (
        f"src/sample{jargon.files[0].removeprefix('*')}"
        if jargon.files[0].startswith("*.")
        else jargon.files[0].rstrip("*")
    )
    bad, good = (Example(kind="file", path=path, text=f"{text}\n") for text in (jargon.bad, jargon.good))
    own = Scope(exclude=jargon.spared) if jargon.about else Scope()  # what else the sentence says is in the pattern
    yield Draft(checks=checks, invalid=(bad,), valid=(good,), scope=own, because=because)


PLUG = Fit(name="jargon", fit=fit)
