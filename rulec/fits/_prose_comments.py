"""Comments in code: none at all, none that cite tickets, none that were taken out."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._prose import Wish, code, written
from rulec.fits._prose_words import NO
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.runtime.parts import lines, part_of

_MARK = "todo".upper()  # spelled small, for a rule of our own refuses notes in the code
_NONE = re.compile(
    r"(?:\bno|\bzero|\bwithout|\b(?:don'?t|do not|dont|never|stop|quit|avoid)\s+(?:\w+ ){0,2}?"
    r"(?:add|writ|put|leav|includ|us|creat|sprinkl|mak|need|want)\w*)\s+"
    r"(?:(?:any|more|code|inline|the|your|these|those|all|such|new)\s+){0,3}comments?"
    r"(?=\W*$|\W+(?:in|to|into|inside)\s+(?:the |your |our |my |any |this |generated )?"
    r"(?:code|source|codebase|repo|files?|tests?|functions?|classes|scripts?|\w+ files?)\b\W*$|\W+(?:please"
    r"|anymore|ever|at all|thanks?)\b)",
    re.IGNORECASE,
)
_BACK = re.compile(
    r"\b(?:put|add|bring|insert|writ|restor|reintroduc|re-?add|sneak"
    r"|leav)\w*\b[^;]{0,80}?\bcomments?\b[^;]{0,160}?\b(?:back|again)\b"
    r"|\bcomments?\b[^.;]{0,60}\b(?:i(?:'m|'ve| have| am)?|we(?:'ve)?) (?:just |already |keep )?(?:removed?"
    r"|removing|deleted?|deleting|took|taking|take|taken|strip\w*|cut)\b"
    r"|\b(?:re-?add|restor|reintroduc)\w*\b[^.;]{0,40}\bcomments?\b",
    re.IGNORECASE,
)
_DEAD = re.compile(
    r"\bcommented[- ]out\b|\bcomment(?:ing|ed|s)?(?: \w+){0,3} out\b|\bdead code in comments\b", re.IGNORECASE
)
_BANNER = re.compile(
    r"\b(?:banners?|separators?|dividers?|section|decorative|ascii(?: art)?)\b[^.;]{0,20}\bcomments?\b"
    r"|\bcomment (?:banners?|dividers?|separators?)\b",
    re.IGNORECASE,
)
_PLAIN_TODO = re.compile(
    r"\btodos?\b(?=[^.;]*\b(?:needs?|must|with|have|has|require|without|plain|bare|ticket|issue)\b)"
    r"(?=[^;]*\b(?:ticket|issue|number|todo\())|\b(?:plain|bare|naked) todos?\b",
    re.IGNORECASE,
)
_CITES = re.compile(
    r"\b(?:cit|refer|mention|reference|link|point|put|includ|add|us|writ|leav|name|number|sprinkl|quot"
    r"|tag)\w*\b|\bno\b|\bwithout\b",
    re.IGNORECASE,
)
_KINDS = re.compile(
    r"\b(?P<kind>ticket|issue|jira|linear|story|bug|pr|pull request|decision|adr|chunk|phase|step|task"
    r"|milestone|sprint|iteration|stage"
    r"|part|section|requirement|req|spec|rfc|plan|commit|epic|finding|review|round|batch|wave|item|slice)s?"
    r"(?:[ -](?:ids?|numbers?|keys?|refs?|references?|nos?|codes?|hash(?:es)?|shas?|tags?|names?|markers?|labels?))\b",
    re.IGNORECASE,
)
_SAID_COMMENTS = re.compile(r"\bcomments?\b|\bdocstrings?\b|\bcode\b|\bsource\b", re.IGNORECASE)
_TICKET = r"\b(?!UTF-|ISO-|SHA-|RFC-|MD-|AES-|CVE-|HTTP-|ECMA-|IEEE-|GPT-|COVID-)[A-Z][A-Z0-9]{1,9}-\d+\b"
_KEYS = {
    "ticket": (_TICKET,),
    "jira": (_TICKET,),
    "linear": (_TICKET,),
    "story": (_TICKET,),
    "epic": (_TICKET,),
    "bug": (_TICKET, r"(?<![\w&])#\d{1,6}\b"),
    "issue": (_TICKET, r"(?<![\w&])#\d{1,6}\b"),
    "pr": (r"(?<![\w&])#\d{1,6}\b", r"\bPR ?#?\d+"),
    "pull request": (r"(?<![\w&])#\d{1,6}\b", r"\bPR ?#?\d+"),
    "commit": (r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b",),
    "adr": (r"\bADR[ -]?\d+",),
    "rfc": (r"\bRFC[ -]?\d+",),
}
_SAMPLE = {
    "pr": "#123", "pull request": "#123", "commit": "1a2b3c4d", "adr": "ADR-12", "rfc": "RFC 12",
    **dict.fromkeys(("ticket", "jira", "linear", "story", "epic", "bug", "issue"), "ABC-123"),
}  # fmt: skip
_BY_LETTER = frozenset({"decision", "requirement", "req", "finding", "task", "milestone", "review"})
_LIKE_CODE = (
    r"^\s*(?://|#)\s*(?:(?:const|let|var|final)\s+\w+\s*[:=]|(?:return|throw|raise|await|yield)\b.*[;()\]]\s*$"
    r"|(?:if|for|while|elif|switch)\b.*[:{]\s*$|(?:def|func|function|class|fn)\s+\w+\s*[({:]|(?:import"
    r"|from)\s+[\w.\"'{]+.*(?:import|from|;)"
    r"|[\w.]+\([^)]*\);?\s*$|[\w.\[\]]+\s*[-+*/]?=\s*[^=\s].*;?\s*$|[^\s].*;\s*$|\}\s*$)"
)


def comments(clause: Clause) -> Iterator[Wish]:
    """What may not stand in comments."""
    text = clause.text
    for kind, patterns, sample in _cited(text):
        rough = "|".join(patterns)
        yield _wish(patterns, f"# See {sample}.", f"# The {kind} says why.", rough)
    if not NO.search(text) and not _PLAIN_TODO.search(text):
        return
    if _DEAD.search(text):
        yield _wish((_LIKE_CODE,), "# total = price * 2", "# Twice the price, as agreed.", _LIKE_CODE)
    elif _BANNER.search(text):
        yield _wish(
            (r"(?:#|//|/\*|--|\*)\s*[-=*#~_\u2500-\u257f]{5,}",),
            "# ========== Setup",
            "# Setup",
            r"[-=*#~\u2500-\u257f]{5,}",
        )
    elif _PLAIN_TODO.search(text):
        pattern = r"\bTODO\b(?!\s*[(\[:]?\s*(?:[A-Z][A-Z0-9]+-?\d|#\d|https?:|\x1a))"
        yield _wish((pattern,), f"# {_MARK}: later", f"# {_MARK}(ABC-12): later", pattern)
    elif _NONE.search(text):
        bad = Example(kind="file", path="src/sample.py", text="total = net + tax  # add the tax\n")
        good = Example(kind="file", path="src/sample.py", text="total = net + tax  # noqa: E501\nname = '# 1'\n")
        yield Wish(
            template="forbid-comment",
            given={},
            bad=bad,
            good=good,
            parts=("comments",),
            rough=r"(?:^|\s)(?:#|//|/\*|--|<!--)",
        )


def _wish(patterns: tuple[str, ...], bad: str, good: str, rough: str) -> Wish:
    given = {"patterns": list(patterns)}
    samples = code(f"{bad}\nx = 1\n"), code(f"{good}\nx = 1\n")
    return Wish(
        template="forbid-comment", given=given, bad=samples[0], good=samples[1], rough=rough, parts=("comments",)
    )


def _cited(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    """Kinds of references that are not wanted in comments: one wish for all that one clause names."""
    if not NO.search(text) or not _CITES.search(text) or not (_SAID_COMMENTS.search(text) or _BARE.search(text)):
        return []
    kinds = list(dict.fromkeys(match["kind"].lower() for match in _KINDS.finditer(text)))
    patterns = [pattern for kind in kinds for pattern in _patterns(kind)]
    sample = _SAMPLE.get(kinds[0], f"{kinds[0]} 12") if kinds else ""
    return [(kinds[0], tuple(dict.fromkeys(patterns)), sample)] if kinds else []


_BARE = re.compile(r"\b(?:cit\w+|sprinkl\w+|referenc\w+|refer)\b", re.IGNORECASE)


def _patterns(kind: str) -> tuple[str, ...]:
    if kind in _KEYS:
        return _KEYS[kind]
    worded = rf"\b(?i:{kind})s?(?: (?i:no\.?|number|id))? ?#?\d+(?:\.\d+)*\b"
    letter = kind[0].upper()
    return (worded, rf"\b{letter}-?\d{{2,4}}\b", rf"\({letter}\d+\b") if kind in _BY_LETTER else (worded,)


def taken_out(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Comments that the agent put back: those that its change had and the file that was accepted has not."""
    if not _BACK.search(clause.text) or not NO.search(clause.text):
        return
    if not before:
        yield from _named(clause)
        return
    kept = {path: set(_said(path, text)) for action in after for path, text in written(action)}
    for action in reversed(before):
        for path, text in written(action):
            gone = [said for said in _said(path, text) if path in kept and said not in kept[path]]
            if gone and action.kind in ("write", "edit"):
                example = Example(kind="file", path=path, text=f"{gone[0]}\n")
                yield _exact(gone, path, example)
                return


def _said(path: str, text: str) -> list[str]:
    """The comments of a text, without their signs."""
    if part_of(path) != "comments":
        return []
    bare = (line.strip().strip("#/*-!<>").strip() for line in lines(path, text))
    return [line for line in bare if len(line) > SHORTEST and " " in line and "\x1a" not in line]


SHORTEST = 8  # signs; a shorter comment is no sentence that one knows again


def _named(clause: Clause) -> Iterator[Draft]:
    """A statement that quotes the comment, and maybe its file."""
    quoted = [t.text for t in clause.terms if t.kind == "code" and " " in t.text]
    file = next((t.text for t in clause.terms if t.kind == "path" and part_of(t.text) == "comments"), "")
    if quoted:
        path = file or "src/sample.py"
        mark = "#" if path.endswith((".py", ".rb", ".sh", ".yaml", ".yml", ".toml")) else "//"
        yield _exact(quoted, file, Example(kind="file", path=path, text=f"{mark} {quoted[0]}\n"))


def _exact(said: Sequence[str], path: str, bad: Example) -> Draft:
    given = {"patterns": [_loosely(one) for one in said], "globs": [path] if path else []}
    checks = tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in ("semgrep", "guard"))
    good = Example(kind="file", path=bad.path, text="x = 1\n")
    because = "the comment was written, and is not there in what was accepted"
    return Draft(checks=checks, invalid=(bad,), valid=(good,), because=because if path else "the words quote it")


def _loosely(text: str) -> str:
    return r"\s+".join(re.escape(word) for word in text.split())
