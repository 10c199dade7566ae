"""What is said and how it is spelled: the person's words -> the templates spelling and forbid-phrase."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from rulec.fits._prose import Wish, code, markdown
from rulec.fits._words import VAGUE
from rulec.known.cliches import LISTS, SAMPLES
from rulec.language import Clause
from rulec.language.terms import table
from rulec.model.rule import Check, CheckKind, Example

NO = re.compile(
    r"\b(?:no|zero|never|without|avoid|stop|quit|drop|remove|cut|skip|don'?t|dont|do not|not|shouldn'?t|must ?n[o']t"
    r"|less|fewer"
    r"|kein\w*|keine|sans|sin|ban(?:s|ned)?|scream\w*)\b",
    re.IGNORECASE,
)
_SPELLING = re.compile(r"\bspell\w*|\borthograph\w*|\benglish\b", re.IGNORECASE)
_BRITISH = re.compile(
    r"\b(?:british|uk|gb|en[-_]gb|aus|australian|aussie|en[-_]au|commonwealth|queen'?s|king'?s|nz|irish)\b",
    re.IGNORECASE,
)
_AMERICAN = re.compile(r"\b(?:american|us|usa|en[-_]us|u\.s\.)\b", re.IGNORECASE)
_EITHER = re.compile(rf"(?P<british>{_BRITISH.pattern})|(?P<american>{_AMERICAN.pattern})", re.IGNORECASE)
_UNWANTED = re.compile(
    r"\b(?:not|no|never|instead of|rather than|over|stop using|don'?t use|avoid)(?: the)?\s*$", re.IGNORECASE
)
_DOCS = re.compile(
    r"\b(?:docs?|documentation|readmes?|markdown|copy|prose|texts?|guides?|changelogs?|wiki|pages?|writing)\b|\.md\b",
    re.IGNORECASE,
)
_COMMENTS = re.compile(r"\bcomments?\b|\bdocstrings?\b|\bcode\b", re.IGNORECASE)
_SAMPLES = {
    "british": ("It uses the favorite color.\n", "It uses the favourite colour of `color`.\n", "Change the color\n"),
    "american": ("It uses the favourite colour.\n", "It uses the favorite color of `colour`.\n", "Change the colour\n"),
}
_ROUGH = {
    "british": r"\w+(?:or|er|iz|yz|el|ens|gray|og|fill|ol)\w*",
    "american": r"\w+(?:our|re|is|ys|ell|enc|grey|ogue|fil|ol|ce)\w*",
}


class _Known(NamedTuple):
    """Words for a manner of speaking, patterns of it, a sample, and whether only documentation is meant."""

    said: str
    patterns: tuple[str, ...]
    sample: str
    where: tuple[str, ...] = ("docs", "comments")
    lists: tuple[str, ...] = ()  # of the template's own words


_KNOWN = (
    _Known(
        r"\bmarketing[ -]?(?:speak|language|words?|copy|fluff|tone|talk|adjectives|terms|jargon)\b"
        r"|\bbuzz ?words?\b|\bhype\b|\bsuperlatives?\b",
        (),
        SAMPLES["marketing"],
        ("docs",),
        ("marketing",),
    ),
    _Known(
        r"\b(?:ai|llms?|(?:chat ?)?gpt|claude|bot|robot)(?:'s)?[ -]?(?:speak|slop|isms?|language|talk|words?|phrases?"
        r"|jargon|voice|tone|style|sounding|clich[eé]s?|prose)\b|\bsound(?:s|ing)? like (?:an? )?(?:ro)?bot\b"
        r"|\bsound(?:s|ing)? like (?:an? )?(?:ai|llm|(?:chat ?)?gpt|advert\w*|marketing)\b"
        r"|\b(?:flowery|grandiose|puffed|inflated) (?:language|words?|prose|phrases?)\b",
        (),
        SAMPLES["ai"],
        ("docs",),
        ("ai",),
    ),
    _Known(r"\bexclamation (?:marks?|points?|signs?)\b", (r"[A-Za-z)]!(?=\s|$)",), "It works!", ("docs",)),
    _Known(
        r"\b(?:generated|written|co-?authored|made|created) (?:by|with) [`'\"]?(?:claude|copilot|chatgpt|codex"
        r"|ai|an llm)\b"
        r"|\b(?:claude|copilot|chatgpt|ai|llm) (?:attribution|credits?|mentions?)\b"
        r"|\bmention\w* (?:of )?(?:claude|copilot|chatgpt|ai|llms?|yourself)\b",
        (
            (
                r"\b(?:generated|written|created|authored|made|built) (?:by|with|using) (?:an? )?"
                r"(?:claude|copilot|chatgpt|gpt|codex|gemini|cursor|ai|llm)\b"
            ),
        ),
        "Generated with Claude.",
    ),
)
_KNOWN_SAID = tuple((known, re.compile(known.said, re.IGNORECASE)) for known in _KNOWN)
_ABOUT = re.compile(
    r"\b(?:notes?|mentions?|mentioning|references?|refer(?:ring)?|remarks?|explanations?|commentary)\s+(?:about"
    r"|of|to|on|regarding)\s+"
    r"(?:the |our |any |its |that |this )?(?P<thing>[^,;]+)|\bcomments? about (?:the |our |any )?(?P<noted>[^,;]+)"
    r"|\bmention(?:ing|s)? (?:the |our |any )?(?P<named>[^,;]+)",
    re.IGNORECASE,
)
_NEAR = 40  # signs between a refusal and what it refuses
_ENDS = re.compile(
    r"\s+(?:in|into|from|inside|anywhere|within|either|at all|because|since|as|when|is|are|that|which|for|to)\b.*$",
    re.IGNORECASE,
)
_VERSION = re.compile(r"\bv?\d+(?:\.\d+)+\+?")
_NAME = re.compile(r"\b(?:[A-Z][\w.+-]{2,}|[a-z][\w-]*[A-Z_][\w-]*)")
_WORDY = table(
    "notes note mentions references legacy old new version versions support code comments docs compatibility"
)


def spelling(clause: Clause) -> Iterator[Wish]:
    """British or American, as the person named it; nothing where both stand there and none is turned down."""
    text = clause.text
    if not _SPELLING.search(text):
        return
    wanted: set[str] = set()
    unwanted: set[str] = set()
    for found in _EITHER.finditer(text):
        if found[0] == "us":  # "let us", "tell us"
            continue
        (unwanted if _UNWANTED.search(text[: found.start()]) else wanted).add(str(found.lastgroup))
    if NO.match(text.strip()) and not unwanted:
        wanted, unwanted = set(), wanted
    wanted = wanted or ({"british", "american"} - unwanted if unwanted else set())
    if len(wanted) != 1 or (
        re.search(r"\benglish\b", text, re.IGNORECASE)
        and not re.search(r"\bspell|\buse\b|\bwrite\b", text, re.IGNORECASE)
    ):
        return
    variety = wanted.pop()
    bad, good, message = _SAMPLES[variety]
    given = {"variety": variety}
    yield Wish(
        template="spelling",
        given=given,
        rough=_ROUGH[variety],
        parts=("docs", "comments"),
        bad=markdown(bad),
        good=markdown(good),
        also=(Check(kind="shell", template="spelling", parameters=given),),
        more=(Example(kind="message", text=message),),
    )


def phrases(clause: Clause, written: Callable[[], str]) -> Iterator[Wish]:
    """What is not to be said; ``written``: what stood in documentation and comments when the person spoke."""
    text = clause.text
    if not NO.search(text):
        return
    for known, said in _KNOWN_SAID:
        if said.search(text) and (_DOCS.search(text) or _COMMENTS.search(text) or known.where == ("docs",)):
            yield _phrase(known.patterns, known.sample, _where(text, known.where), known.lists)
    if "lorem" in text.lower():
        bad = Example(kind="file", path="src/sample.html", text="<p>Lorem ipsum dolor</p>\n")
        good = Example(kind="file", path="src/sample.html", text="<p>Opening hours</p>\n")
        given = {"patterns": [r"\blorem ipsum\b"], "ignore_case": True}
        kinds: tuple[CheckKind, ...] = ("semgrep", "guard")
        yield Wish(template="forbid-text", given=given, bad=bad, good=good, kinds=kinds, parts=("docs", "comments"))
    yield from _quoted(clause)
    yield from _about(clause, written)


def _where(text: str, usual: tuple[str, ...]) -> tuple[str, ...]:
    docs, comments = bool(_DOCS.search(text)), bool(_COMMENTS.search(text))
    if docs == comments:
        return ("docs", "comments") if docs else usual
    return ("docs",) if docs else ("comments",)


def _phrase(patterns: tuple[str, ...], sample: str, where: tuple[str, ...], lists: tuple[str, ...] = ()) -> Wish:
    bad = markdown(f"{sample}\n") if "docs" in where else code(f"# {sample}\n")
    good = markdown("Plain words.\n") if "docs" in where else code("# Plain words.\n")
    named = {"lists": list(lists)} if lists else {"patterns": list(patterns)}
    rough = "|".join((*patterns, *(LISTS[name] for name in lists)))
    given = {**named, "where": list(where)}
    return Wish(template="forbid-phrase", given=given, rough=rough, bad=bad, good=good, parts=where)


def _quoted(clause: Clause) -> Iterator[Wish]:
    """Plain words between quotes that may not be written in documentation: 'simply' and "just"."""
    text = clause.text
    named = [t.text for t in clause.terms if t.kind == "code" and re.fullmatch(r"[A-Za-z][A-Za-z' -]{2,40}", t.text)]
    wanted = " ".join(clause.preferred)
    words = [word for word in named if word not in wanted]
    if not NO.search(re.sub(r"[`'\"\u201c][^`'\"\u201d]*[`'\"\u201d]", "", text)):
        return
    about = re.search(r"\b(?:words?|phrases?|say|write|writ\w+|wording|term)\b", text, re.IGNORECASE)
    if words and _DOCS.search(text) and (about or len(words) > 1) and not clause.preferred:
        pattern = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)
        yield _phrase((rf"\b(?:{pattern})\b",), f"You can {words[0]} it.", _where(text, ("docs",)))


def _about(clause: Clause, told: Callable[[], str]) -> Iterator[Wish]:
    """A phrase like "no notes about version 1 in the docs": its versions, names and exact terms."""
    found = _ABOUT.search(clause.text)
    if found is None:
        return
    where, written = _where(clause.text, ()), told()
    if not (where or written) or not NO.search(clause.text[: found.start()][-_NEAR:]):
        return
    thing = _ENDS.sub("", found["thing"] or found["noted"] or found["named"] or "").strip(" .!?`'\"")
    versions = [version.strip("v+") for version in _VERSION.findall(thing)]
    exact = [
        t.text for t in clause.terms if t.kind in ("code", "symbol") and t.text in thing and t.text not in versions
    ]
    names = [name for name in _NAME.findall(thing) if name.lower() not in _WORDY and name not in versions]
    patterns = [rf"(?<![\w.])v?{re.escape(version)}(?!\w|\.\d)" for version in versions]
    patterns += [] if versions else [_bounded(name) for name in dict.fromkeys((*exact, *names))]
    words = [word for word in thing.split() if word.lower() not in VAGUE]
    if not patterns and len(words) > 1 and thing.lower() in " ".join(written.lower().split()):
        patterns, versions = [_bounded(thing)], [thing]
    if patterns:
        sample = f"Was like that in {versions[0] if versions else (*exact, *names)[0]} once."
        yield _phrase(tuple(patterns), sample, ("docs", "comments") if versions or not where else where)


def _bounded(text: str) -> str:
    head, tail = r"\b" if re.match(r"\w", text) else "", r"\b" if re.search(r"\w$", text) else ""
    return f"{head}{re.escape(text)}{tail}"
