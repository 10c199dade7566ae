"""A sentence in one of a few explicit forms -> what it forbids, wants and bounds; nothing where a word is left over."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal, TypeVar

from rulec.sentences.literals import (
    LONGEST,
    Token,
    is_call,
    is_command,
    is_name,
    is_path,
    tokens_of,
    without_marks,
    word_table,
)
from rulec.sentences.names import WORDS_TOO, Names, is_program, language_named

Act = Literal[
    "use",
    "import",
    "write",
    "comment",
    "message",
    "trailer",
    "edit",
    "delete",
    "commit",
    "push",
    "commit-on",
    "depend",
    "before",
    "after",
]
Kind = Literal["command", "path", "call", "module", "flag", "text", "branch", "package"]


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that a sentence names literally."""

    text: str
    kind: Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a sentence says that it holds, or does not."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a sentence says: an act that is refused, or a step that comes first."""

    act: Act
    things: tuple[Thing, ...]  # what must not be used, edited, ...; of a step that comes first: the step
    wanted: Thing | None = None  # what is to be used in its place
    do: str = ""  # what to do instead, in the person's words
    place: Place = field(default_factory=Place)
    unless: tuple[Thing, ...] = ()  # commands and paths that are allowed all the same
    behind: tuple[Thing, ...] = ()  # what the step must come before; or whose change it must follow
    at_end: bool = False  # the step must come before the turn ends
    verb: str = ""  # of a call that is refused: "call"
    suffix_of: bool = False  # the things are names of files' kinds: ".env files"


_USE = word_table("use run call execute invoke choose try")
_USING = word_table("using running calling executing invoking choosing")
_EDIT = word_table("edit touch change modify alter update overwrite rewrite")
_EDITING = word_table("editing touching changing modifying altering updating overwriting rewriting")
_DELETE = word_table("delete remove rm")
_FILLERS = word_table("please here ever again anymore anywhere instead")
_HAND = (("by", "hand"), ("manually",), ("directly",), ("yourself",))
_FILES = word_table("files file folder folders directory directories code anything")
_OPENING = word_table("no nope stop please ok okay actually and also so again well always hey yes wait")
_DONE = (
    ("finishing",), ("you", "finish"), ("you", "are", "done"), ("you're", "done"), ("saying", "you", "are", "done"),
    ("saying", "it", "is", "done"), ("you", "stop"), ("ending", "your", "turn"), ("ending", "the", "turn"), ("done",),
    ("finishing", "up"),
)  # fmt: skip
# Words of which none may stand in a remedy that is no literal: they bound it, or begin another wish.
_BOUNDING = word_table(
    """
    if when whenever while unless except only until without but although though may can could might for in on at
    from under inside within outside to before after or and not never no than where which that is are was be fine
    ok okay allowed it they them this these those there elsewhere sometimes usually rather of by with as
    """
)
_MESSAGES = (("commit", "messages"), ("commit", "message"), ("commits",), ("messages",), ("the", "commit", "message"))
_MOST_REMEDY = 4  # words of such a remedy
_MOST_CLAUSE = 8  # words of a last clause
_NEGATIVE = word_table("don't dont nothing nobody no nor i we you he she they i'm we're")


_T = TypeVar("_T")


class _NotReadError(Exception):
    """The tokens are no such form."""


@dataclass(slots=True)
class _Cursor:
    """The tokens of a sentence, and how far they were read."""

    tokens: list[Token]
    names: Names
    at: int = 0

    @property
    def next(self) -> Token | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def token(self) -> Token:
        """The word or literal that stands here; it is still to be read."""
        if self.next is None or self.next.kind == "mark":
            raise _NotReadError
        return self.next

    def norm(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.tokens[at].norm if at < len(self.tokens) else ""

    def takes(self, *phrases: Sequence[str] | str) -> bool:
        """Read the first of some words or phrases that stands here."""
        for phrase in phrases:
            words = [phrase] if isinstance(phrase, str) else phrase
            if all(self.norm(n) == word for n, word in enumerate(words)):
                self.at += len(words)
                return True
        return False

    def takes_of(self, words: frozenset[str]) -> bool:
        """Read one word of a set."""
        if self.norm() in words:
            self.at += 1
            return True
        return False

    def mark(self, marks: str = ",;:.") -> bool:
        """Read a mark."""
        if self.next and self.next.is_mark(marks):
            self.at += 1
            return True
        return False

    def need(self, read: bool) -> None:  # noqa: FBT001 - what was read or not
        if not read:
            raise _NotReadError

    def attempt(self, read: Callable[[], _T]) -> _T | None:
        """What could be read; None where nothing was."""
        start = self.at
        try:
            return read()
        except _NotReadError:
            self.at = start
            return None

    def end(self) -> bool:
        """Whether nothing but closing words and marks is left."""
        while self.mark(".!,") or self.takes_of(_FILLERS) or self.takes(
            ("in", "this", "repo"), ("in", "this", "repository"), ("in", "this", "project"), ("in", "this", "codebase"),
            ("at", "all"), ("any", "more"), ("by", "hand"), "manually"
        ):  # fmt: skip
            pass
        return self.next is None


def read_sentence(text: str, names: Names) -> Reading | None:
    """What one sentence says for certain, or two where the second one gives the other half; None for anything else."""
    for found, cursor in _readings(text, names):
        behind = cursor.at
        if cursor.end():
            return found
        cursor.at = behind
        do = cursor.attempt(partial(_in_its_place, cursor)) if not (found.do or found.wanted) else None
        if do and cursor.end():
            return replace(found, do=do)
    return None


def read_beginning(text: str, names: Names) -> Reading | None:
    """What a sentence begins with, where the words behind it bound nothing."""
    for found, cursor in sorted(_readings(text, names), key=lambda one: -one[1].at):
        if not any(token.norm in _BOUNDING or token.kind == "code" for token in cursor.tokens[cursor.at :]):
            return found
    return None


def _readings(text: str, names: Names) -> Iterator[tuple[Reading, "_Cursor"]]:
    """What each form reads of a sentence, and how far."""
    plain = without_marks(text)
    if len(plain) > LONGEST or plain.endswith("?"):
        return
    tokens = tokens_of(plain)
    start = 0
    while start < len(tokens) and tokens[start].norm in _OPENING:
        followed = start + 1 < len(tokens) and tokens[start + 1].is_mark(",.!;:")
        if tokens[start].norm in ("no", "stop", "nope") and not followed:
            break  # "no print()" forbids, "no, use pnpm" begins
        start += 1 + followed
    start += _begins(tokens[start:], ("from", "now", "on"), ("in", "future"))
    for form in _FORMS:
        cursor = _Cursor(tokens[start:], names)
        try:
            yield form(cursor), cursor
        except _NotReadError:
            continue


def _begins(tokens: Sequence[Token], *phrases: Sequence[str]) -> int:
    """How many tokens one of the phrases takes that stands here, a comma behind it among them."""
    for phrase in phrases:
        if tuple(token.norm for token in tokens[: len(phrase)]) == tuple(phrase):
            return len(phrase) + (len(tokens) > len(phrase) and tokens[len(phrase)].is_mark(","))
    return 0


def _in_front(c: _Cursor) -> Place:
    """A place that the sentence begins with: "In frontend/, use ..."."""

    def read() -> Place:
        place = _place(c)
        c.need(c.mark(","))
        return place

    return c.attempt(read) or Place()


_INSIDE = word_table("in inside under within")


def _place(c: _Cursor) -> Place:
    c.need(c.takes_of(_INSIDE))
    c.takes("the")
    if language := language_named(c.norm()) if c.norm() else "":
        c.at += 1
        c.takes("code", "files", "sources")
        return Place(language=language)
    paths = _listed(c, lambda: _path(c, folder=True))
    suffixes = c.takes("files")
    c.takes("folder", "directory", "folders", "directories")
    return Place(include=tuple(_kind_glob(path) if suffixes else path for path in paths))


def _kind_glob(path: str) -> str:
    """The files that ".py files" names."""
    return f"*{path}" if path[:1] == "." and "/" not in path else path


def _exception(c: _Cursor) -> tuple[Place, tuple[Thing, ...]]:
    """What is spared: a place or literals behind "except"."""
    opened = c.mark("(,")
    c.need(c.takes("except", "outside", ("other", "than"), ("elsewhere", "than"), ("apart", "from")))
    c.takes("of")
    c.takes("for")
    c.takes_of(_INSIDE)
    paths = c.attempt(lambda: _listed(c, lambda: _path(c, folder=True)))
    commands = () if paths else _listed(c, lambda: _command(c))
    if opened:
        c.mark(")")
    return Place(exclude=paths or ()), commands


def _bounds(c: _Cursor) -> tuple[Place, tuple[Thing, ...]]:
    """The place and the exception that follow a wish, with or without a comma."""

    def behind() -> Place:
        c.mark(",")
        return _place(c)

    place = c.attempt(behind) or Place()
    spared, unless = c.attempt(lambda: _exception(c)) or (Place(), ())
    return replace(place, exclude=spared.exclude), unless


def _listed(c: _Cursor, read: Callable[[], _T]) -> tuple[_T, ...]:
    """One thing or a list of them; what follows a comma or "or" and is no such thing is left for the form to read."""
    found = [read()]
    while True:
        start = c.at
        c.mark(",")
        c.takes("or", "and", "nor")
        if c.at == start:
            return tuple(found)
        try:
            found.append(read())
        except _NotReadError:
            c.at = start
            return tuple(found)


def _path(c: _Cursor, *, folder: bool = False) -> str:
    token = c.token()
    known = is_path(token.text) or (folder and c.names.is_folder(token.text))
    c.need(known or (token.kind == "code" and c.names.is_folder(token.text)))
    c.at += 1
    if is_path(token.text):
        return token.text.removeprefix("./") or token.text
    return f"{token.text}/"


def _command(c: _Cursor, *, run: bool = False) -> Thing:
    """A command in a code span, or a known program with its own words."""
    token = c.token()
    if token.kind == "code":
        words = token.text.split()
        known = run or len(words) > 1 or is_program(words) or words[0].startswith("./")
        c.need(is_command(token.text) and known and not is_path(token.text.removeprefix("./")))
        c.at += 1
        return Thing(" ".join(words), "command")
    words = []
    while (now := c.tokens[c.at :][:1]) and now[0].kind == "word" and _goes_on(words, now[0].text):
        words.append(now[0].text)
        c.at += 1
    c.need(bool(words) and is_program(words))
    if c.norm() == "with" and c.at + 1 < len(c.tokens) and c.tokens[c.at + 1].text.startswith("-"):
        words.append(c.tokens[c.at + 1].text)
        c.at += 2
    return Thing(" ".join(words), "command")


def _goes_on(words: list[str], word: str) -> bool:
    """Whether a word is the next one of a command."""
    return is_program([*words, word]) or (not words and word in WORDS_TOO)


def _thing(c: _Cursor, *, language: str = "", run: bool = False) -> Thing:
    """Whatever literal stands here, by what it is."""
    token = c.token()
    start = c.at
    c.takes("bare", "plain", "raw")
    token = c.token()
    if is_call(token.text):
        c.at += 1
        c.takes("calls", "statements", "call")
        return Thing(token.text.removesuffix("(...)").removesuffix("()"), "call")
    if command := c.attempt(lambda: _command(c, run=run)):
        c.takes("command", "commands")
        return command
    if is_name(token.text):
        names = c.names
        if names.module_languages(token.text) and not (language and names.is_everybodys(token.text)):
            c.at += 1
            c.takes("module", "library", "package")
            return Thing(token.text, "module")
        dotted = names.is_function(token.text)
        if dotted or (names.is_everybodys(token.text) and (token.kind == "code" or language)):
            c.at += 1
            c.takes("calls", "statements", "call")
            return Thing(token.text, "call")
    c.at = start
    raise _NotReadError


def _language_ahead(c: _Cursor) -> str:
    """The language that the rest of the sentence names behind "in"."""
    for at in range(c.at, len(c.tokens) - 1):
        if c.tokens[at].norm == "in" and (found := language_named(c.tokens[at + 1].norm or "-")):
            return found
    return ""


def _forbids(c: _Cursor, verbs: frozenset[str] = _USE, doing: frozenset[str] = _USING) -> str:
    """Read "never use", "do not run", "avoid using"; the verb is returned."""
    c.takes("you", "we", "agents")
    if c.takes("avoid", "stop"):
        c.need(c.norm() in doing)
    else:
        c.need(
            c.takes(
                "never", "don't", "dont", ("do", "not"), ("must", "not"), ("must", "never"), "mustn't",
                ("should", "not"), ("should", "never"), "shouldn't", ("may", "not"), "cannot", ("can", "not"),
            )
        )  # fmt: skip
        c.takes("ever", "again")
        if verbs is _USE and c.at < len(c.tokens) and c.tokens[c.at].kind == "code":
            return "run" if " " in c.tokens[c.at].text else "use"  # never `git push`
        c.need(c.norm() in verbs)
    verb = c.norm()
    c.at += 1
    return verb


def _remedy(c: _Cursor) -> tuple[Thing | None, str]:
    """What is to be used instead: a literal, or a few plain words that bound nothing."""
    while c.takes("and", "but", "just", "always", "please", "only"):
        pass
    verb = c.takes("use", "prefer", "run", "call", "choose", "import", ("stick", "to"), ("go", "with"))
    if literal := c.attempt(lambda: _thing(c)):
        c.takes("instead")
        return literal, ""
    c.need(verb)
    words: list[str] = []
    for token in c.tokens[c.at :]:
        if token.kind == "mark" or token.norm == "instead":
            break
        c.need(token.kind == "code" or (token.norm not in _BOUNDING and not token.text.startswith("-")))
        words.append(f"`{token.text}`" if token.kind == "code" else token.text)
        c.at += 1
    c.need(0 < len(words) <= _MOST_REMEDY)
    c.takes("instead")
    return None, f"use {' '.join(words)}"


def _in_its_place(c: _Cursor) -> str:
    """A last clause that says in plain words what is right, and bounds nothing: "...; name the files"."""
    c.need(c.mark(",;"))
    first, words = c.token(), list[str]()
    c.need(first.kind == "word" and first.norm.isalpha())
    while c.next and not c.next.is_mark("."):
        token = c.token()
        c.need(token.kind == "code" or not (token.norm in _BOUNDING or token.norm in _NEGATIVE))
        words.append(f"`{token.text}`" if token.kind == "code" else token.text)
        c.at += 1
    c.need(1 < len(words) <= _MOST_CLAUSE)
    return " ".join(words)


def _never_use(c: _Cursor) -> Reading:
    """Never use X [in PLACE] [except Y] [, use Z]."""
    place = _in_front(c)
    verb = "use" if c.takes("no") else _forbids(c)
    language, run = _language_ahead(c), verb in ("run", "running", "execute", "executing", "invoke")
    things = _listed(c, lambda: _thing(c, language=language, run=run))
    c.need(not (verb in ("call", "calling") and any(one.kind == "module" for one in things)))
    after, unless = _bounds(c)
    c.takes_of(_FILLERS)
    c.need(after == Place() or place == Place())
    place = after if place == Place() else place
    called = "call" if verb in ("call", "calling") else ""
    found = Reading(act="use", things=things, place=place, unless=unless, verb=called)

    def instead() -> Reading:
        c.need(c.mark(",;.") or c.norm() in ("and", "but", "instead"))
        c.takes("instead")
        c.mark(",")
        wanted, do = _remedy(c)
        return replace(found, wanted=wanted, do=do)

    return c.attempt(instead) or found


def _calls_by_name(c: _Cursor) -> Reading:
    """Never call `thing`: the verb says what it is."""
    _forbids(c, frozenset({"call"}), frozenset({"calling"}))

    def name() -> Thing:
        token = c.token()
        c.need(token.kind == "code" or is_call(token.text) or "." in token.text)
        text = token.text.removesuffix("()")
        c.need(is_name(text) or is_call(token.text))
        c.at += 1
        return Thing(text, "call")

    things = _listed(c, name)
    place, unless = _bounds(c)
    return Reading(act="use", things=things, place=place, unless=unless, verb="call")


def _use_not(c: _Cursor) -> Reading:
    """Use Y instead of X; Y, not X; use Y, never X."""
    place = _in_front(c)
    c.takes("we", "you")
    while c.takes("always", "only", "please", "must", "should"):
        pass
    verb = c.takes("use", "prefer", "run", "call", "choose", "type", ("stick", "to"), ("go", "with"), "import")
    c.takes("only")
    if verb:
        c.attempt(lambda: _done_by(c))
    wanted = _thing(c)
    c.takes("only", "here")
    if verb and c.takes(("instead", "of"), ("rather", "than"), ("in", "place", "of"), "over"):
        c.takes("using", "running", "calling")
        c.takes("the")
        c.takes("old")
    else:
        c.mark(",;.")
        c.takes("and", "but")
        negated = c.takes("not", "never", ("do", "not"), "don't", "dont")
        c.need(negated)
        c.takes_of(_USE)
    things = _listed(c, lambda: _thing(c))
    after, unless = _bounds(c)
    c.need(after == Place() or place == Place())
    return Reading(act="use", things=things, wanted=wanted, place=after if place == Place() else place, unless=unless)


def _done_by(c: _Cursor) -> bool:
    """What is done by the literal that follows: "run tests by pytest"."""
    for _ in range(_MOST_REMEDY):
        token = c.token()
        if c.takes("by", "with"):
            return True
        c.need(token.kind == "word" and token.norm.isalpha() and token.norm not in _BOUNDING)
        c.at += 1
    raise _NotReadError


def _instead_of(c: _Cursor) -> Reading:
    """Instead of X, use Y."""
    c.need(c.takes(("instead", "of")))
    things = _listed(c, lambda: _thing(c))
    c.mark(",")
    c.takes("please")
    c.need(c.takes_of(_USE) or c.takes("prefer"))
    return Reading(act="use", things=things, wanted=_thing(c))


def _is_forbidden(c: _Cursor) -> Reading:
    """X is forbidden; X is deprecated, use Y."""
    things = _listed(c, lambda: _thing(c))
    c.need(c.takes("is", "are"))
    stated = c.takes("deprecated", "unsafe", "obsolete", "gone", "out")
    c.need(stated or c.takes("forbidden", "banned", "prohibited", ("not", "allowed"), ("off", "limits")))
    place, unless = _bounds(c)
    found = Reading(act="use", things=things, place=place, unless=unless)

    def instead() -> Reading:
        c.need(c.mark(",;:."))
        wanted, do = _remedy(c)
        return replace(found, wanted=wanted, do=do)

    told = c.attempt(instead)
    c.need(bool(told) or not stated)  # else it is only described
    return told or found


def _import(c: _Cursor) -> Reading:
    """Never import X; never use the X module."""
    verb = _forbids(c, frozenset({"import", "use", "require"}), frozenset({"importing", "using", "requiring"}))
    c.takes("from")
    article = c.takes("the")

    def module() -> Thing:
        token = c.token()
        c.need(token.kind == "code" or bool(c.names.module_languages(token.text)) or article)
        c.at += 1
        return Thing(token.text, "module")

    things = _listed(c, module)
    said = c.takes("module", "library", "package", "modules", "packages")
    c.need(said or verb in ("import", "importing", "require", "requiring"))
    place, unless = _bounds(c)
    c.need(not unless)
    return Reading(act="import", things=things, place=place)


def _depend(c: _Cursor) -> Reading:
    """Never add the X package."""
    _forbids(c, frozenset({"add", "install"}), frozenset({"adding", "installing"}))
    c.need(c.takes("the"))

    def package() -> Thing:
        token = c.token()
        c.at += 1
        return Thing(token.text, "package")

    things = _listed(c, package)
    c.need(c.takes("package", "packages", "dependency", "library"))
    return Reading(act="depend", things=things)


def _paths(c: _Cursor) -> tuple[Thing, ...]:
    """Files and folders, with the words that only say what they are."""
    generic = False
    while c.takes_of(_FILES) or c.takes("any", "the", "generated", "vendored", "existing"):
        generic = True
    if generic:
        c.takes("in", "under", "inside", "within")
    found = _listed(c, lambda: Thing(_path(c, folder=generic), "path"))
    c.takes("files", "folder", "directory", "file")
    return found


def _by_hand(c: _Cursor) -> None:
    c.takes(*_HAND)


def _never_edit(c: _Cursor) -> Reading:
    """Never edit PATH [except PATH]."""
    verb = ""

    def make_changes() -> str:
        made = _forbids(c, frozenset({"make"}), frozenset({"making"}))
        c.need(c.takes(("changes", "to"), ("changes", "in"), ("edits", "to"), ("any", "changes", "to")))
        return made

    if not c.attempt(make_changes):
        verb = _forbids(c, _EDIT | _DELETE, _EDITING | {"deleting", "removing"})
        if c.norm() in ("or", "and") and c.norm(1) in (_EDIT | _DELETE):
            verb, c.at = "edit", c.at + 2
    things = _paths(c)
    _by_hand(c)
    place, unless = _bounds(c)
    c.need(not place.include and not place.language and not unless)
    deleting = verb in _DELETE | {"deleting", "removing"}
    spared = tuple(Thing(path, "path") for path in place.exclude)
    made = Reading(act="delete" if deleting else "edit", things=things, unless=spared)

    def reason() -> bool:
        c.need(c.mark(",;."))
        c.takes("it", "they")
        c.need(
            c.takes(
                ("is", "generated"), ("are", "generated"), ("is", "vendored"), ("are", "vendored"), ("is", "read-only")
            )
        )
        return True

    c.attempt(reason)
    return made


def _leave_alone(c: _Cursor) -> Reading:
    """Leave PATH alone; PATH is generated, never edit it."""
    if c.takes("leave", "keep"):
        things = _paths(c)
        c.need(c.takes("alone", "untouched", "unchanged", ("as", "it", "is"), ("as", "they", "are"), ("as", "is")))
        return Reading(act="edit", things=things)
    if c.takes(("hands", "off"), ("keep", "hands", "off")):
        return Reading(act="edit", things=_paths(c))
    things = _paths(c)
    if c.takes(
        ("must", "not", "be"), ("must", "never", "be"), ("should", "never", "be"), ("are", "never"), ("is", "never")
    ):
        c.need(c.takes("edited", "touched", "changed", "modified"))
        _by_hand(c)
        return Reading(act="edit", things=things)
    c.need(c.takes("is", "are"))
    state = c.takes("generated", "autogenerated", "auto-generated", "vendored", "frozen")
    c.need(state or c.takes("read-only", "off-limits", ("off", "limits")))
    c.takes("code", "files")
    if c.mark(",;.") or state:
        c.takes("and", "so")
        _forbids(c, _EDIT, _EDITING)
        c.takes("it", "them", "anything", ("files", "there"))
        c.takes("there")
        _by_hand(c)
    return Reading(act="edit", things=things)


def _never_commit(c: _Cursor) -> Reading:
    """Never commit PATH; never commit .env files; never commit on BRANCH."""
    _forbids(c, frozenset({"commit"}), frozenset({"committing"}))
    c.takes("directly", "straight")
    if c.takes("to", "on", "onto"):
        branches = _branches(c)
        return Reading(act="commit-on", things=branches)
    c.takes("any", "the")
    things = _listed(c, lambda: Thing(_path(c), "path"))
    suffix = c.takes("files", "file")
    place, unless = _bounds(c)
    c.need(not place.include and not place.language and not unless)
    spared = tuple(Thing(path, "path") for path in place.exclude)
    return Reading(act="commit", things=things, unless=spared, suffix_of=suffix)


_BRANCHES = word_table("main master develop trunk production staging release")


def _branches(c: _Cursor) -> tuple[Thing, ...]:
    c.takes("the")

    def branch() -> Thing:
        token = c.token()
        c.need(token.kind == "code" or token.norm in _BRANCHES)
        c.at += 1
        return Thing(token.text, "branch")

    found = _listed(c, branch)
    c.takes("branch", "branches")
    c.takes("directly")
    return found


def _never_push(c: _Cursor) -> Reading:
    """Never push to BRANCH; never force-push; never push with --force."""
    _forbids(c, word_table("push force force-push"), word_table("pushing forcing force-pushing"))
    last = c.tokens[c.at - 1].norm
    if last.startswith("force-") or (last.startswith("forc") and c.takes("push", "pushing")):
        return Reading(act="use", things=(Thing("git push --force|-f", "command"),))
    c.need(last.startswith("push"))
    if c.takes("with"):
        token = c.token()
        c.need(token.text.startswith("-"))
        c.at += 1
        return Reading(act="use", things=(Thing(f"git push {token.text}", "command"),))
    c.takes("directly", "straight", "anything")
    c.need(c.takes("to", "on", "onto"))
    return Reading(act="push", things=_branches(c))


def _never_write(c: _Cursor) -> Reading:
    """Never write TEXT in FILES; no TEXT comments; never write TEXT in commit messages."""
    if not c.takes("no"):
        _forbids(c, word_table("write add leave put"), word_table("writing adding leaving putting"))

    def text() -> Thing:
        c.takes("a", "an", "any", "the")
        token = c.token()
        c.need(not is_path(token.text))
        shouted = token.text.isupper() and token.text.isalpha() and len(token.text) > 2
        c.need(token.kind == "code" or shouted or (c.norm(1).startswith("trailer") and "-" in token.text))
        c.at += 1
        return Thing(token.text, "text")

    things = _listed(c, text)
    trailers = c.takes("trailers", "trailer")
    messages = c.takes(*((to, *words) for to in ("in", "to") for words in _MESSAGES))
    if trailers or messages:
        return Reading(act="trailer" if trailers else "message", things=things)
    comments = c.takes("comments", "comment")
    place, unless = _bounds(c)
    c.need(not unless and (comments or bool(place.include)))
    return Reading(act="comment" if comments else "write", things=things, place=place)


def _event(c: _Cursor) -> tuple[tuple[Thing, ...], bool]:
    """What a step comes before: a commit, a push, the end, or another command."""
    c.takes("you", "every", "each", "any")
    if c.takes("commit", "committing", "commits"):
        c.takes("anything", "changes", "code")
        return (Thing("git commit", "command"),), False
    if c.takes("push", "pushing", "pushes"):
        c.takes("anything", "changes", "code")
        return (Thing("git push", "command"),), False
    if c.takes("running", "run"):
        return _listed(c, lambda: _command(c, run=True)), False
    c.at -= c.tokens[c.at - 1].norm == "you"
    if c.takes(*sorted(_DONE, key=len, reverse=True)):
        return (), True
    return _listed(c, lambda: _command(c)), False


def _step(c: _Cursor) -> tuple[Thing, ...]:
    return _listed(c, lambda: _command(c, run=True))


def _run_before(c: _Cursor) -> Reading:
    """Run A before B."""
    c.takes("always")
    c.need(c.takes("run", "call", "execute"))
    steps = _step(c)
    c.takes("first", "again")
    c.need(c.takes("before"))
    behind, at_end = _event(c)
    return Reading(act="before", things=steps, behind=behind, at_end=at_end)


def _before_run(c: _Cursor) -> Reading:
    """Before B, run A; never B without running A."""
    if c.takes("before"):
        behind, at_end = _event(c)
        c.mark(",")
        c.takes("always")
        c.need(c.takes("run", "call", "execute"))
    else:
        c.need(c.takes("never", "don't", ("do", "not")))
        behind, at_end = _event(c)
        c.need(c.takes("without") or c.takes("before"))
        c.takes("first")
        c.need(c.takes("running", "run"))
    steps = _step(c)
    c.takes("first")
    return Reading(act="before", things=steps, behind=behind, at_end=at_end)


def _after_change(c: _Cursor) -> Reading:
    """After editing PATH, run A; run A after changing PATH."""

    def change() -> tuple[Thing, ...]:
        c.need(c.takes("after", "when", "whenever"))
        c.takes("you")
        c.need(c.takes_of(_EDITING | _EDIT))
        return _paths(c)

    c.takes("always")
    if c.takes("run"):
        steps = _step(c)
        return Reading(act="after", things=steps, behind=change())
    behind = change()
    c.mark(",")
    c.need(c.takes("run", ("always", "run")))
    return Reading(act="after", things=_step(c), behind=behind)


_FORMS: tuple[Callable[[_Cursor], Reading], ...] = (
    _run_before, _before_run, _after_change, _never_commit, _never_push, _never_edit, _import, _depend, _never_write,
    _use_not, _instead_of, _never_use, _calls_by_name, _is_forbidden, _leave_alone,
)  # fmt: skip


def literal_at(tokens: list[Token], at: int, names: Names) -> Thing | None:
    """The literal that stands at a token: a path, a command, a call or a module; None for a plain word."""
    if tokens[at].kind == "mark":
        return None
    if is_path(tokens[at].text):
        return Thing(tokens[at].text, "path")
    if tokens[at].norm in _BRANCHES and at and tokens[at - 1].norm in ("to", "on"):
        return Thing(tokens[at].text, "branch")
    try:
        return _thing(_Cursor(tokens, names, at))
    except _NotReadError:
        return None


def place_at_end(text: str, names: Names) -> Place:
    """The place with which a sentence ends, whatever stands before it; everywhere where it names none."""
    tokens = tokens_of(text)
    for at, token in enumerate(tokens):
        if token.norm in (*_INSIDE, "outside", "except"):
            cursor = _Cursor(tokens, names, at)
            try:
                place, unless = _bounds(cursor)
            except _NotReadError:
                continue
            if cursor.at > at and not unless and cursor.end():
                return place
    return Place()
