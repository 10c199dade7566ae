"""A phrase like "write down a plan first" -> what has to be written before the code, in a form that a session shows."""

import re

from rulec.fits._order_files import places
from rulec.fits._order_pair import Pair
from rulec.fits._words import stem
from rulec.runtime import globs

_WRITES = (
    r"\b(?:writ|draft|mak|creat|put|add|outlin|sketch|updat|chang|fix|adjust|describ|documen|record|start with)\w*\b"
)
_NOTE = re.compile(
    rf"{_WRITES}.{{0,40}}?\b(?P<kind>plan|design|spec|specification|adr|rfc|proposal|decision record|outline|brief|"
    r"schema|contract|interface|docs?|documentation|readme|changelog|ticket|concept)s?\b"
    r"(?! (?:mode|code|test|tests|file tests)\b)",
    re.IGNORECASE,
)
_KNOWN = {
    "doc": ["docs/**", "*.md", "*.mdx", "*.rst"],
    "documentation": ["docs/**", "*.md", "*.mdx", "*.rst"],
    "readme": ["README*"],
    "changelog": ["CHANGELOG*"],
    "plan": ["*plan*.md", "**/plans/**"],
    "design": ["*design*.md", "**/design/**", "**/designs/**"],
    "spec": ["*spec*.md", "**/specs/**"],
    "specification": ["*spec*.md", "**/specs/**"],
    "adr": ["**/adr/**", "**/adrs/**", "**/decisions/**", "*adr*.md"],
    "rfc": ["**/rfc/**", "**/rfcs/**", "*rfc*.md"],
    "proposal": ["*proposal*.md", "**/proposals/**"],
    "decision record": ["**/adr/**", "**/adrs/**", "**/decisions/**", "*adr*.md"],
}
_PROSE = ("*.md", "*.mdx", "*.rst", "*.adoc", "*.txt")


def note_of(phrase: str, pair: Pair) -> tuple[str, list[str], str] | None:
    """What the note is called, the globs of its files, and one such file; None where no session could show it."""
    found = _NOTE.search(phrase)
    if not found:
        return None
    kind = found["kind"].lower().removesuffix("s")
    named = [path if "." in path.rpartition("/")[2] else f"{path.rstrip('/*')}/**" for path in places(phrase)]
    wanted = named or _KNOWN.get(kind, [])
    shown = next((path for path in pair.edits if globs.match(wanted, path)), "")
    if pair.before and not shown and not named:
        own = [path for path in pair.edits if globs.match(_PROSE, path) and stem(kind) in path.lower()]
        wanted, shown = (
            [f"{own[0].rpartition('/')[0]}/**" if "/" in own[0] else own[0]] if own else [],
            "".join(own[:1]),
        )
    if not wanted or (pair.before and not shown):
        return None
    return kind, wanted, shown or _sample(wanted[0])


def _sample(glob: str) -> str:
    plain = glob.replace("**/", "").replace("**", "sample.md").replace("*", "")
    return plain if "." in plain else f"{plain}.md"
