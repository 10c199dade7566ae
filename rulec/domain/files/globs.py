"""Globs over paths in the repository: one meaning for scopes, path rules and gates."""

import re

OPEN, COMMA, CLOSE = "\1", "\2", "\3"  # unquoted braces and commas while a word is being read
LITERAL = {ord(OPEN): "{", ord(COMMA): ",", ord(CLOSE): "}"}
MOST_FIELDS = 64  # a word with more alternatives in braces than this is not known


WILDCARDS = "*?["
EVERYWHERE = frozenset(["**", "*", "**/*", "./**", "./**/*"])  # any place in the repository, none outside
OUTSIDE_PREFIXES = ("/", "~", "../")  # how a path outside the repository begins


def names_path(wanted: "list[str] | tuple[str, ...]", path: str, *, deletes: bool) -> "bool | None":
    """Whether the globs name the path (True), may name it (False) or do not (None)."""
    if match(wanted, path):
        return True
    if deletes and any(_lies_below(glob, path) for glob in wanted):
        return True
    if any(sign in path for sign in WILDCARDS) and any(_may_name(path, glob) for glob in wanted):
        return False
    return None


def _may_name(wild: str, glob: str) -> bool:
    """Whether a path with wildcards may mean what the glob names, or a folder above it."""
    if _may_mean("/" + wild, literal_folder(glob)):
        return True
    name = wild.rpartition("/")[2]
    floats = "/" not in glob and not any(sign in glob for sign in WILDCARDS)
    hidden = glob.startswith(".") and not name.startswith(".")  # no wildcard of a shell stands for the dot
    return floats and not hidden and match([name], glob)


def _may_mean(wild: str, place: str) -> bool:
    """Whether a path with wildcards may mean the place or a folder above it."""
    parts = place.split("/") if place else []
    return any(match([wild], "/".join(parts[: count + 1])) for count in range(len(parts)))


def _lies_below(glob: str, folder: str) -> bool:
    """Whether what the glob names lies in the folder."""
    start = literal_folder(glob)
    return bool(start) and (folder in ("", start) or start.startswith(folder + "/"))


_known: "dict[str, re.Pattern[str]]" = {}
_HOME = re.compile(r"^/(?:(?:Users|home)/[^/]+|root)(?=/|$)")
LONGEST = 1_000
ROOT = (".", "./", "/")  # what lies directly in the repository, and in no folder of it
MOST = 1_000  # alternatives in braces
MARKS = {"{": OPEN, ",": COMMA, "}": CLOSE}


def regex(glob: str) -> str:
    """The anchored regular expression for a glob.

    ``**`` is any depth, ``*`` and ``?`` stay within a name, ``{a,b}`` is either; a folder's name means all below it; a
    glob without "/" matches at any depth, with "./" or "/" before it at the top alone; "." is whatever lies at the top.
    """
    options = [_one(option) for option in expand_braces(glob)]
    return "^" + (options[0] if len(options) == 1 else "(?:" + "|".join(options) + ")") + "$"


def _one(glob: str) -> str:
    if glob in ROOT:
        return "[^/]*"
    rooted = glob.startswith("./")
    while glob.startswith("./"):
        glob = glob[2:]
    body = glob.rstrip("/") or glob
    parts = [part for part in body.split("/") if part] or ["**"]
    out = "(?:.*/)?" if not rooted and "/" not in body and parts != ["**"] else ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part != "**":
            out += _name(part) + ("" if last else "/")
        elif not (index and parts[index - 1] == "**"):
            out += ".*" if last else "(?:.*/)?"
        elif last:
            out = out[: -len("(?:.*/)?")] + ".*"
    if parts[-1] == "**":
        return out
    below = glob.endswith("/") or not any(sign in parts[-1] for sign in "*?[")
    return out + ("(?:/.*)?" if below else "")


def match(globs: "list[str] | tuple[str, ...]", path: str) -> bool:
    """Whether one of the globs matches the path; "~" is anybody's home, so that a team can share such a glob."""
    if path.startswith("/"):
        home = _HOME.sub("~", path)
        return any(glob and _matches_outside(glob, path, home) for glob in globs)
    return any(glob and compile_glob(glob).match(path) for glob in globs)


def _matches_outside(glob: str, path: str, home: str) -> bool:
    """Whether a glob matches an absolute path; of anchored ones only those that begin with "/" or "~" do."""
    if glob in ROOT:
        return False
    if glob.startswith("/"):
        return bool(compile_glob(glob).match(path[1:]))
    return bool(compile_glob(glob).match(home if glob.startswith("~") else path))


def compile_glob(glob: str) -> "re.Pattern[str]":
    """The glob's expression, compiled once."""
    pattern = _known.get(glob)
    if pattern is None:
        pattern = _known[glob] = re.compile(regex(glob[:LONGEST]), re.DOTALL)
    return pattern


def literal_folder(glob: str) -> str:
    """The folder or file that the glob names before its first wildcard, "" where it has none or floats."""
    body = glob.removeprefix("./")
    if "/" not in body.rstrip("/"):
        return ""
    kept = []
    for part in body.strip("/").split("/"):
        if any(sign in part for sign in "*?[{\\"):
            break
        kept.append(part)
    return "/".join(kept)


def expand_braces(glob: str) -> "list[str]":
    """The glob without its braces: each alternative as a glob of its own."""
    if "{" not in glob or "}" not in glob:
        return [glob]
    marked, at = "", 0
    while at < len(glob):
        taken = 2 if glob[at] == "\\" else 1
        marked += glob[at : at + taken] if taken > 1 else MARKS.get(glob[at], glob[at])
        at += taken
    return [option.translate(LITERAL) for option in expand(marked, MOST) if option] or [glob]


def _name(part: str) -> str:
    """One name of a path."""
    out, at = "", 0
    while at < len(part):
        char = part[at]
        at += 1
        if char == "*":
            if not out.endswith("[^/]*"):
                out += "[^/]*"
        elif char == "?":
            out += "[^/]"
        elif char == "\\" and at < len(part):
            out += re.escape(part[at])
            at += 1
        elif char == "[" and "]" in part[at + 1 :]:
            end = part.index("]", at + 1)
            out += _class(part[at:end])
            at = end + 1
        else:
            out += re.escape(char)
    return out


def _class(inner: str) -> str:
    negated = inner[:1] in ("!", "^")
    body = inner[1:] if negated else inner
    body = body.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace("&", "\\&").replace("~", "\\~")
    body = body.replace("|", "\\|").replace("^", "\\^")
    try:
        re.compile("[" + body + "]")
    except re.error:
        return re.escape("[" + inner + "]")
    return "[" + ("^/" if negated else "") + body + "]"


def expand(part: str, most: int = MOST_FIELDS) -> "list[str]":
    """The words that a word with marked braces stands for, bounded; braces without a comma are plain text."""
    ready: list[str] = []
    waiting = [part]
    while waiting and len(ready) + len(waiting) <= most:
        text = waiting.pop(0)
        options = _innermost(text)
        if options:
            waiting[:0] = options
        else:
            ready.append(text)
    return ready + waiting


def _innermost(text: str) -> "list[str]":
    """The texts that the first innermost {a,b} stands for, or none."""
    start = 0
    while True:
        close = text.find(CLOSE, start)
        if close < 0:
            return []
        opened = text.rfind(OPEN, 0, close)
        if opened >= 0 and COMMA in text[opened:close]:
            return [text[:opened] + x + text[close + 1 :] for x in text[opened + 1 : close].split(COMMA)]
        if opened >= 0:
            text = text[:opened] + "{" + text[opened + 1 : close] + "}" + text[close + 1 :]
        start = close + 1
