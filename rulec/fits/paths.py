"""Paths that are not to be touched, and files that are not to be there."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._asked_files import ROOTS
from rulec.fits._file_kinds import of_kind
from rulec.fits._pair import calls_of, draft_from_pair
from rulec.fits._path_names import ENDING, at_root, called, family, in_general, sample
from rulec.fits._words import VAGUE, conditional, pieces, stem, telling, things
from rulec.language import Clause, place
from rulec.language.terms import table
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example
from rulec.model.transcript import Action
from rulec.ports import Fit
from rulec.runtime import globs as glob

_TOUCH = re.compile(
    r"\b(?:touch|edit|chang|modif|updat|alter|rewrit|overwrit|mess|fuck|fiddl|leav|keep|hands "
    r"(?:off|out|away)|generated|auto[ -]?generated|read[ -]only|off[ -]limits"
    r"|frozen|not ours|writ|regenerat|delet|remov|renam|mov|format|reformat|stay|forbidden)",
    re.IGNORECASE,
)
_MAKE = re.compile(
    r"\b(?:creat|add|put|want|need|writ|mak|generat|leav|no more|no|have|dump|place|sav|produc)", re.IGNORECASE
)
_COMMIT = re.compile(r"\b(?:commit|check(?:ing|ed)? in|push|stag|track|git add)", re.IGNORECASE)
_DELETE = re.compile(r"\b(?:delet|remov|rm)", re.IGNORECASE)
_WRITERS = table("rm mv cp touch tee sed perl truncate install ln git rsync mkdir rmdir chmod dd")
_REMOVES = re.compile(r"(?:git )?(?:rm|restore|reset|checkout|clean|mv) ")
_APART = re.compile(
    r"\b(?:outside|other than|except|elsewhere)\b", re.IGNORECASE
)  # what is named is the place to stay in
_WORD_IN_NAME = 4  # letters that a plain word needs to name a file


def fit(clause: Clause, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """Drafts of protect-path and forbid-path."""
    if clause.polarity not in ("forbid", "prefer") or (clause.polarity == "prefer" and not clause.forbidden):
        return
    if conditional(clause) or _APART.search(clause.text):
        return
    if not before:
        yield from _from_words(clause, _kind(clause))
        return
    makes = _kind(clause) == "make"
    written = (path for action in before if not (makes and action.kind == "edit") for path in paths_of(action))
    for path in dict.fromkeys(written):
        for found in _globs(clause, path):
            for within in _held(clause, found):
                yield from _drafts(clause, of_kind(clause, within), before, after)


def _from_words(clause: Clause, kind: str) -> Iterator[Draft]:
    """Drafts of a whole statement: the paths that it spells out, or what it calls files by."""
    apart, free = at_root(clause) if kind == "make" else ([], [])
    if apart:
        yield _stated(clause, kind, apart, free)
        return
    spelled = [text for text in _named_paths(clause) if kind == "touch" or not _is_place(clause, text)]
    named = [to_glob(text) for text in spelled] or called(clause, kind)
    general = [one for text in spelled if kind == "make" and (one := in_general(clause, text))]
    if not named or not kind or not all(glob.match([one], sample(one)) and one[0] not in "/~" for one in named):
        return
    if ".env" in named and kind != "touch" and ".env file" in clause.text:
        named = [*named, _ENV_KINDS]
    if held := [there for pattern in (*general, *named) for there in _held(clause, pattern)]:
        yield _stated(clause, kind, [*held, *(family(held) if kind == "make" else ())])


_ENV_KINDS = ".env.{local,dev,development,prod,production,staging,test,*.local}"  # and no .env.example


def _held(clause: Clause, pattern: str) -> list[str]:
    """The glob narrowed to where the person said that the wish holds; none where no path shows that place."""
    where = place(clause)
    root = pattern.removesuffix("**").rstrip("/")
    if where == () or (root and root in clause.when):
        return [pattern]
    within = [glob_.removesuffix("**").rstrip("/") for glob_ in where or ()]
    if any(pattern.startswith(f"{folder}/") for folder in within):
        return [pattern]
    return [f"{folder}/**/{pattern}" for folder in within if "." not in folder.rpartition("/")[2]]


def _kind(clause: Clause) -> str:
    verb = clause.verb or clause.text.split()[0]
    if _COMMIT.match(verb):
        return "commit"
    if clause.polarity == "prefer" or (
        _MAKE.match(verb) and not re.search(r"\bwrit\w* (?:to|in|into)\b", clause.text, re.IGNORECASE)
    ):
        return "make" if not _TOUCH.match(verb) or clause.verb == "write" else "touch"
    return "touch" if _TOUCH.match(verb) else ""


def _named_paths(clause: Clause) -> list[str]:
    wanted = " ".join(clause.preferred)
    anything = _anything(clause)
    unwanted = [
        f"*{term.text}" if _is_ending(term.text, clause) else term.text
        for term in clause.terms
        if term.kind == "path"
        and term.text not in wanted
        and (anything or term.text not in clause.when)
        and f"{term.text}(" not in clause.text
    ]
    spoken = [found["path"] for thing in things(clause) if (found := _SPOKEN_PATH.fullmatch(thing))]
    if clause.polarity == "prefer":  # "setUp/tearDown" is no path
        spoken = [path for path in spoken if "." in path or path.endswith("/") or path.partition("/")[0] in ROOTS]
    known = [
        f"{thing.rstrip('/')}/"
        for thing in things(clause)
        if thing.rstrip("/") in _FOLDERS and _kind(clause) == "commit"
    ]
    held = list(place(clause) or ()) if anything and not unwanted and _kind(clause) == "touch" else []
    unwanted = [path for path in unwanted if path.rstrip("/") in _FOLDERS] if known else unwanted + spoken + held
    return list(dict.fromkeys((*known, *unwanted)))


def _is_ending(path: str, clause: Clause) -> bool:
    """Whether it stands for all files that end so: ".js files"."""
    return bool(re.fullmatch(r"(?:\.\w+)+", path)) and path != ".env" and f"{path} file" in clause.text


_SPOKEN_PATH = re.compile(r"(?P<path>[\w.-]+(?:/[\w.*-]+)+/?)(?: (?:docs?|files?|folders?|director(?:y|ies)|stuff))?")
# Folders that everybody knows as made by a tool.
_FOLDERS = table("node_modules __pycache__ dist build target coverage venv .venv .idea .pytest_cache .mypy_cache .next")


def _anything(clause: Clause) -> bool:
    """Whether the clause is about all that lies in a place, and not about some of it."""
    return all(word.lower() in (*VAGUE, "new") for thing in things(clause) for word in thing.split())


def to_glob(text: str) -> str:
    """A path as a person writes it, as a glob."""
    text = re.sub(r"^(?:@|\./)*", "", text.strip("`'\" "))
    text = re.sub(r"^(?:\.\./)+", "", text)
    text = f"*{text}" if ENDING.fullmatch(text) else text
    return f"{text}**" if text.endswith("/") and text.rstrip("/") not in _FOLDERS else text


def paths_of(action: Action, *, removed: bool = True) -> list[str]:
    """Paths that an action writes or stages, and, unless told otherwise, those it removes."""
    if action.kind in ("write", "edit", "delete"):
        return [action.path] if action.path and (removed or action.kind != "delete") else []
    found: list[str] = []
    for call in calls_of(action):
        found += [target for sign, target in call.redirects if ">" in sign and not target.startswith("/dev/")]
        if call.program in _WRITERS and (removed or not _REMOVES.match(" ".join(call.argv))):
            found += [
                word
                for word in call.argv[1:]
                if not word.startswith("-") and re.search(r"[./]", word) and " " not in word
            ]
    return [path for path in found if path not in (".", "..", "/")]


def _globs(clause: Clause, path: str) -> Iterator[str]:
    """What the clause names of this path: a glob of its own, a folder or file by its name, a word of the name."""
    for text in _named_paths(clause):
        if _kind(clause) != "touch" and _is_place(clause, text) and not (things(clause) and _anything(clause)):
            continue
        pattern = to_glob(text)
        for candidate in (pattern, f"**/{pattern}" if "/" in pattern else pattern):
            if glob.match([candidate], path):
                yield candidate
                break
        else:
            if "/" in pattern and path.endswith(pattern.rstrip("*")):
                yield path
    parts = path.split("/")
    for thing in (*things(clause), *([clause.when] if _anything(clause) else [])):
        words = frozenset(telling(" ".join(pieces(thing)))) - _PLACE
        hits = [index for index, part in enumerate(parts[:-1]) if stem(part) in words and not part.startswith(".")]
        whole = {stem(piece) for part in parts for piece in pieces(part)}
        if hits and words <= {stem(parts[index]) for index in hits} | (whole if len(words) > 1 else set()):
            yield "/".join((*parts[: hits[-1] + 1], "**"))
        elif words and words <= {
            stem(piece) for piece in (*pieces(parts[-1]), *_SPOKEN.get(parts[-1].rpartition(".")[2], ()))
        }:
            yield from _by_word(words, parts[-1])


_PLACE = frozenset(
    map(stem, ("in", "into", "under", "inside", "within", "to", "of", "the", "any", "new", "more", "doc"))
)
_SPOKEN = {
    "md": ("markdown", "doc", "docs"),
    "py": ("python", "script", "scripts"),
    "sh": ("shell", "script", "scripts"),
    "json": ("json",),
}


def _is_place(clause: Clause, text: str) -> bool:
    """Whether the path only says where something is put: "no TODOs in notes.md" is not about having notes.md."""
    return bool(
        re.search(
            (
                rf"\b(?:in|into|to|from|of|on|under|inside|for)\s+(?:the\s+)?[`'\"@]?(?:\.\./|"
                rf"\./)*{re.escape(text.lstrip('@./'))}"
            ),
            clause.text,
        )
    )


def _by_word(words: frozenset[str], name: str) -> Iterator[str]:
    """A phrase like "summary files" and IMPLEMENTATION_SUMMARY.md: the word as it stands in the name."""
    base, dot, ending = name.rpartition(".")
    for piece in re.findall(r"[A-Za-z]+", base or name):
        if len(piece) >= _WORD_IN_NAME and stem(piece) in words and len(pieces(base)) > 1:
            yield f"*{piece}*{dot}{ending}"
        elif len(piece) >= _WORD_IN_NAME and stem(piece) in words:
            yield name


def _drafts(clause: Clause, pattern: str, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    kind = _kind(clause)
    if not kind:
        return

    def caught(action: Action) -> bool:
        return any(glob.match([pattern], path) for path in paths_of(action, removed=kind == "touch"))

    because = f"{pattern!r} is named, and was written before the person spoke and not afterwards"
    if kind == "commit":
        if any(caught(action) for action in before):
            yield _stated(clause, kind, [pattern.removesuffix("**")])
        return
    near = (Example(kind="command", text=f"cat {sample(pattern)}"),)
    yield from draft_from_pair(
        _checks(clause, kind, [pattern]),
        caught,
        before,
        after,
        kinds=("write", "edit", "command"),
        near=near,
        because=because,
    )


def _checks(clause: Clause, kind: str, named: list[str], free: Sequence[str] = ()) -> tuple[Check, ...]:
    given = {"globs": named, **({"except": list(free)} if free else {})}
    if kind == "commit":
        staged = {"commands": ["git add|stage"], "arguments": "|".join(glob.regex(pattern) for pattern in named)}
        return (
            Check(kind="shell", template="forbid-path", parameters=given),
            Check(kind="guard", template="forbid-command", parameters=staged),
        )
    if kind == "make":
        return tuple(Check(kind=each, template="forbid-path", parameters=given) for each in ("shell", "guard"))
    how = (
        {"how": ["delete"]}
        if _DELETE.match(clause.verb)
        else {"how": ["change", "delete"]}
        if _STANDS.search(clause.text)
        else {}
    )
    return (Check(kind="guard", template="protect-path", parameters={**given, **how}),)


_STANDS = re.compile(
    r"\b(?:existing|already|committed|applied|merged|released)\b", re.IGNORECASE
)  # new ones may be added


def _stated(clause: Clause, kind: str, named: list[str], free: Sequence[str] = ()) -> Draft:
    invalid: tuple[Example, ...]
    valid: tuple[Example, ...]
    paths = [sample(pattern) for pattern in named]
    if kind == "commit":
        invalid = tuple(Example(kind="commit", text="chore: save work", files=((path, "x = 1\n"),)) for path in paths)
        invalid += tuple(Example(kind="command", text=f"git add {path}") for path in paths)
        valid = (
            Example(kind="commit", text="chore: save work", files=(("notes/other.txt", "x = 1\n"),)),
            Example(kind="command", text="git add notes/other.txt"),
        )
    elif _DELETE.match(clause.verb):
        invalid = tuple(Example(kind="command", text=f"rm {path}") for path in paths)
        valid = tuple(Example(kind="command", text=f"cat {path}") for path in paths)
    elif kind == "touch" and _STANDS.search(clause.text):
        invalid = tuple(Example(kind="edit", path=path, old="x = 1\n", text="x = 2\n") for path in paths)
        valid = tuple(Example(kind="command", text=f"cat {path}") for path in paths)
    else:
        invalid = tuple(Example(kind="file", path=path, text="x = 1\n") for path in paths)
        valid = (
            *(Example(kind="command", text=f"cat {path}") for path in paths),
            Example(kind="file", path="notes/other.txt", text="x = 1\n"),
        )
    return Draft(
        checks=_checks(clause, kind, named, free), invalid=invalid, valid=valid, because="the statement names the path"
    )


PLUG = Fit(name="paths", fit=fit)
