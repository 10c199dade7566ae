"""Steps that a rule wants before an act: whether the session took them, once or for each changed file."""

from __future__ import annotations

import re

from rulec.domain.compiled_rule import SessionCheck
from rulec.domain.files import globs
from rulec.guard import acts, scopes, tool_check
from rulec.guard.acts import GROUP
from rulec.guard.net_changes import NetChanges, Texts, reversed_edits, takes_back, texts_of
from rulec.shell.action_events import Act, command_line
from rulec.shell.command_matching import asks_for_help, is_dry_run, matches
from rulec.shell.parsing.call import Call
from rulec.shell.programs import WORDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulec.domain.compiled_rule import RuleScope


AND = " && "  # between commands that must all have come
SAME = "same"  # in first_reads: the very path that is judged
ONLY_SHOWN = frozenset(
    [
        "--help", "--version", "--dry-run", "--collect-only", "--co", "--listTests", "--list-tests", "-list",
        "--no-run", "--markers", "--fixtures", "--fixtures-per-test", "--setup-plan", "--setup-only", "--showConfig",
        "--show-config", "-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true",
    ]
)  # fmt: skip
INSIDE = {"docker": ("exec", "run"), "podman": ("exec", "run"), "kubectl": ("exec",), "docker-compose": ("exec", "run")}
SCRIPTED = ("npm", "pnpm", "yarn", "bun")  # "npm run test" and "npm test" are one
WILD = "*?["
NOT_DONE = "the command behind it does not wait for how it goes"
ALL = "*"  # too many files are changed to list them


STEPS = ("first_commands", "first_reads", "first_edits", "first_tools")  # each names what comes first
# Commands that are run for what they show: how they end says nothing of whether they did it.
SHOWING = frozenset(["ls", "tree", "find", "fd", "stat", "wc", "which", "whereis", "curl", "wget", "du", "file", "env"])
QUOTING = frozenset(["git", "gh", "glab", "hg", "jj"])  # they print what people wrote
SHOWS = frozenset(
    [
        "diff", "status", "log", "show", "blame", "branch", "remote", "ls-files", "shortlog", "reflog", "view", "list",
        "get", "describe", "info", "search", "help", "docs", "tree", "outdated", "why", "checks", "read", "fetch",
    ]
)  # fmt: skip


def search_steps(
    check: SessionCheck, scope: RuleScope, judged: Act, before: Iterable[Act], net: NetChanges | None = None
) -> StepSearch:
    """The search after it came to its answer; ``net`` tells which changes were taken back."""
    found = StepSearch(check, scope, judged, net or NetChanges(judged.event))
    for act in before:
        if found.take(act):
            return found
        found.later.append(act)
    found.end()
    return found


class StepSearch:
    """Walks back from the judged act to what had to come first, or to what made it due again."""

    __slots__ = (
        "also",
        "check",
        "counted",
        "edits",
        "held",
        "hidden",
        "judged",
        "lacks",
        "later",
        "net",
        "scope",
        "since",
        "stale",
        "taken_back",
        "unsure",
        "ways",
    )

    def __init__(self, check: SessionCheck, scope: RuleScope, judged: Act, net: NetChanges) -> None:
        self.check, self.scope, self.judged, self.net = check, scope, judged, net
        self.later: list[Act] = []  # what was walked over, the latest first
        self.edits: dict[str, list[Texts]] = {}  # what edits did to files that were walked over, the latest first
        self.taken_back: dict[str, str] = {}  # files that are as committed again -> whether a change was walked over
        self.ways = ways_to_satisfy(check)  # any of them is enough; of each what was not found yet, all of it needed
        self.hidden = ""  # why nobody sees how a command went that was run
        self.held = False  # what would have to be known to say that the rule is kept cannot be known
        self.lacks: bool | None = False  # surely (True), perhaps (None) or not (False)
        self.since = ""  # the file whose edit made it due
        self.also = not check.also_commands  # one of these was seen, where some are asked for
        self.stale = False  # what came before here counts no more
        self.counted = False  # all that had to come first came, unless what was changed before it was taken back since
        self.unsure = False

    def take(self, act: Act) -> bool:
        """Look at one act; whether the answer is found."""
        if act.kind == "gap":
            if self._leaves_open():
                return True
            self.unsure = self.held = True
            return self.counted
        if act.kind in ("edit", "delete") and (due := self._due(act)) is not None:
            return self._changed(act, sure=due)
        if self.counted:
            return False
        if len(self.later) > MOST_WALKED and self._leaves_open():
            return True
        if came := [step for way in self.ways for step in way if self._first(step, act)]:
            if self._leaves_open():
                return True
            told = self._told(act)
            if told:
                self.ways = [[step for step in way if step not in came] for way in self.ways]
                return not all(self.ways) and self._all_came()
            self.unsure = self.unsure or told is None
            self.held = self.held or told is None
        else:
            return self._noted(act)
        return False

    def _changed(self, act: Act, *, sure: bool) -> bool:
        """Look at a change that makes what came before it count no more, unless it was taken back."""
        if self.counted and act.path not in self.taken_back:
            return True  # it came before the step
        if self.net.is_put_back(act, self.later[::-1]):
            self.taken_back[act.path] = self.taken_back.get(act.path, "") or ("" if act.undoes else act.path)
            if self.counted:  # the step saw what is there no more
                self.counted, self.stale, self.ways = False, True, ways_to_satisfy(self.check)
            return False
        own, texts = self.edits.get(act.path, []), texts_of(act)
        if own and takes_back(own[-1], texts):
            own.pop()
            return False
        if texts and sure and act.sure:  # what it did may have been the reverse of what comes next
            self.edits.setdefault(act.path, []).append(texts)
            return False
        if self._leaves_open():
            return True
        self.unsure = self.unsure or not (sure and act.sure)
        return self._is_due(act.path)

    def _is_due(self, path: str) -> bool:
        """The change of that file is one after which nothing of what is asked for came."""
        self.since = path
        self.lacks = self._missing() if self.also else False
        return True

    def _leaves_open(self) -> bool:
        """Whether an edit that was walked over is one that nothing took back."""
        path = next((path for path, own in self.edits.items() if own), "")
        return bool(path) and self._is_due(path)

    def _all_came(self) -> bool:
        """Whether that is the answer: not yet where files were put back since, which may have differed before."""
        unseen = next((path for path, change in self.taken_back.items() if not change), "")
        if unseen:
            self.ways = ways_to_satisfy(self.check)
            return self._is_due(unseen)
        self.counted = bool(self.taken_back)
        return not self.counted

    def end(self) -> None:
        """The beginning of the session is reached."""
        if self._leaves_open():
            return
        nothing_due = self.counted or self.check.since or not self.also
        self.lacks = False if nothing_due else self._missing()

    def _missing(self) -> bool | None:
        return None if self.unsure else True

    def _noted(self, act: Act) -> bool:
        """Remember what changes the meaning of earlier acts."""
        if act.kind != "run" or act.ok is False or only_previews(act.call):
            return False
        self.also = self.also or (not any(self.edits.values()) and self._ran(self.check.also_commands, act.call))
        if self._ran(self.check.since_commands, act.call):
            self.stale = True
            if not self.check.since:
                self.lacks = self._missing()
                return True
        return False

    def _first(self, step: SessionCheck, act: Act) -> bool:
        """Whether this is what had to come first."""
        if self.stale or not (act.sure or act.kind == "run"):
            return False
        passed = self.check.may_fail
        if act.kind == "run":
            shows = only_previews(act.call) or act.call.argv[-1:] == ["-h"]
            return (act.ok is not False or passed) and not shows and self._does(step, act)
        if act.kind == "tool":
            return (act.event.ok is not False or passed) and tool_check.is_named(step.first_tools, act.text)
        wanted = step.first_reads
        if act.kind == "read" and wanted:
            return self._reads(wanted, act.path)
        if act.kind == "edit":
            written = act.whole and SAME in wanted and act.path in self._names()
            return written or (globs.match(step.first_edits, act.path) and not self._is_taken_back(act))
        return False

    def _is_taken_back(self, act: Act) -> bool:
        later = self.later[::-1]
        return act in reversed_edits([act, *later]) or self.net.is_put_back(act, later)

    def _does(self, step: SessionCheck, act: Act) -> bool:
        wanted = step.first_commands
        found = [(pattern, one) for one in _inside(act.call) for pattern in wanted if matches(pattern, one)]
        if any(not self.check.whole or acts.runs_whole(pattern, one) for pattern, one in found):
            return True
        of_file = self.check.forms
        if not of_file or not wanted:
            return False
        forms = [form for form in of_file if acts.fill_numbers(form[0], form[1:]) in wanted]
        return any(acts.covers_command(form, act, one) for one in _inside(act.call) for form in forms)

    def _told(self, act: Act) -> bool | None:
        """Whether it surely (True), perhaps (None) or not (False) went well, as far as anybody can see."""
        if act.kind != "run" or self.check.may_fail:
            return True
        if act.outer:
            why = acts.hides_run(act)
            self.hidden = self.hidden or (f"`{command_line(act.call.argv)}` does not count: {why}" if why else "")
            return self._told(act.outer) if not why else False if self.check.unmasked else None
        own = act.event is self.judged.event
        if own and acts.follows_on(act, self.judged):
            return True
        if not own and _shows_failure(act):
            self.hidden = self.hidden or f"`{command_line(act.call.argv)}` does not count: its output shows a failure"
            return False
        sign = acts.hiding_operator(act, self.judged.place if own else None)
        why = (
            f"{sign!r} behind it hides how it went"
            if sign.strip()
            else "what follows hides how it went"
            if sign
            else ""
        )
        if not own and (not sign or only_displays(act.call)):
            why = "" if only_displays(act.call) else acts.why_unseen(act)
            if not why:
                return True
        self.hidden = self.hidden or f"`{command_line(act.call.argv)}` does not count: {why or NOT_DONE}"
        return False if self.check.unmasked or (sign == "||" and not own) else None

    def _ran(self, patterns: tuple[str, ...], call: Call) -> bool:
        return any(matches(pattern, one) for one in _inside(call) for pattern in patterns)

    def _reads(self, wanted: tuple[str, ...], path: str) -> bool:
        names = [*self._names(), *(glob for glob in wanted if glob != SAME)]
        if SAME not in wanted:
            names = names[len(self._names()) :]
        if any(sign in path for sign in WILD) and any(globs.match([path], name) for name in names):
            return True
        # A guide may lie outside the repository: then its folders are those of somebody's disk.
        return globs.match([*names, *("**/" + name for name in names if not name.startswith(("/", "~")))], path)

    def _names(self) -> tuple[str, ...]:
        event, path = self.judged.event, self.judged.path
        if event.kind != "command":
            return (path, *event.also)
        return (path, *(event.world.also(path) if event.world else ()))

    def _due(self, act: Act) -> bool | None:
        """Whether this edit surely (True) or perhaps (False) makes what came before it count no more; None if not."""
        named = globs.names_path(self.check.since, act.path, deletes=act.kind == "delete")
        if named is None or not concerns_path(self.check.since_except, self.scope, act.path):
            return None
        world = self.judged.event.world
        if act.undoes and world and not world.exists(act.path):
            return None  # the word is the name of a branch or commit
        return None if self._settled(act.path) else named

    def _settled(self, path: str) -> bool:
        """Whether a commit is asked for, and git knows of nothing to commit there: it is ignored, or done by others."""
        world = self.judged.event.world
        if not world or not any(pattern.startswith("git commit") for pattern in self.check.first_commands):
            return False
        open_paths = self.judged.event.open_paths
        if open_paths is None:
            from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess, and few rules ask for a commit)

            listed = [name for name, _ in pending_change.changed_paths(world.root)]
            open_paths = self.judged.event.open_paths = {
                *listed,
                *([ALL] if len(listed) >= pending_change.MOST_FILES else []),
            }
        return path not in open_paths and ALL not in open_paths


def first_commands(check: SessionCheck) -> list[str]:
    """The commands that come first, one by one."""
    return [piece for one in check.first_commands for piece in one.split(AND)]


def ways_to_satisfy(check: SessionCheck) -> list[list[SessionCheck]]:
    """What may have come first, any one of the ways: each is the steps that must all have come."""
    groups: list[list[SessionCheck]] = []
    for key in STEPS:
        for one in getattr(check, key):
            pieces = one.split(AND) if key == "first_commands" else [one]
            groups.append([SessionCheck().but(**{key: (piece,)}) for piece in pieces])
    if check.first_all:
        return [[step for group in groups for step in group]]
    together = [group for group in groups if len(group) > 1]
    if not together:
        return [[check]]
    single = tuple(one for one in check.first_commands if AND not in one)
    others = any(getattr(check, key) for key in STEPS if key != "first_commands")
    return [*([[check.but(first_commands=single)]] if single or others else []), *together]


def only_displays(call: Call) -> bool:
    """Whether the command is run for what it shows, so that a pipe behind it hides nothing."""
    return call.program in WORDS["readers"] or call.program in SHOWING or not SHOWS.isdisjoint(call.argv[1:3])


def _shows_failure(act: Act) -> bool:
    """Whether what the command printed tells that it failed; what displays files or people's words tells of those."""
    return bool(act.event.failed) and act.call.program not in QUOTING and not only_displays(act.call)


def only_previews(call: Call) -> bool:
    """Whether the command is a dry run."""
    return not ONLY_SHOWN.isdisjoint(call.argv) or is_dry_run(call) or asks_for_help(call)


def outside(path: str) -> bool:
    """Whether the path lies outside the repository."""
    return path.startswith(("/", "~", "../")) or path == ".."


def concerns_path(exempt: tuple[str, ...], scope: RuleScope, path: str) -> bool:
    """Whether a path of this repository is one that the rule speaks of."""
    return not outside(path) and not globs.match(exempt, path) and scopes.holds_path(scope, path)


def _inside(call: Call) -> Iterator[Call]:
    """The call in its other spellings, and what it runs in a container: as what had to happen, they count alike."""
    yield call
    if call.program in SCRIPTED and len(call.argv) > 1:
        run = call.argv[1] in ("run", "run-script")
        words = call.argv[2:] if run else ["run", *call.argv[1:]]
        yield Call([call.program, *words], call.cwd, call.env, call.via)
    if any(verb in call.argv[1:3] for verb in INSIDE.get(call.program, ())):
        for start in range(2, len(call.argv)):
            yield Call(call.argv[start:], call.cwd, call.env, call.via)


MOST_WALKED = 400  # acts, beyond which nobody looks for an edit that a later one took back
MOST_FILES = 60  # that are judged, the last ones that were changed
SPECIAL = re.compile(r"([\\*?\[\]{},])")


def bind_path(check: SessionCheck, path: str) -> list[str] | None:
    """What the pattern binds in the path: the whole, then its groups; None where the pattern does not fit."""
    match = re.fullmatch(check.pattern, path)
    return [path, *(group or "" for group in match.groups()), *[""] * 9] if match else None


def check_for_file(check: SessionCheck, groups: list[str]) -> SessionCheck:
    """The check of one file: with what its path binds in place of the group numbers, and without the pattern."""
    escaped = [SPECIAL.sub(r"\\\1", group) for group in groups]

    def filled(texts: tuple[str, ...], parts: list[str]) -> tuple[str, ...]:
        return tuple(acts.fill_numbers(text, parts) for text in texts)

    return check.but(
        pattern="",
        since=(),
        first=acts.fill_numbers(check.first, groups),
        first_commands=filled(check.first_commands, groups),
        first_reads=filled(check.first_reads, escaped),
        first_edits=filled(check.first_edits, escaped),
        forms=tuple((form, *groups) for form in first_commands(check) if GROUP.search(form)),
    )


def search_by_file(check: SessionCheck, scope: RuleScope, judged: Act, before: Iterable[Act]) -> StepSearch:
    """The search of the first file that surely lacks what belongs to it; of one that perhaps does, where none does."""
    if judged.kind in ("edit", "delete"):
        own = check_for_file(check, bind_path(check, judged.path) or [])
        return search_steps(own, scope, judged, before)
    net = NetChanges(judged.event)
    found = StepSearch(check, scope, judged, net)
    later: list[Act] = []
    known: set[str] = set()
    acts_before = list(before)
    gone = reversed_edits(acts_before[::-1])
    for act in acts_before:
        if act.kind == "edit" and act.path not in known and len(known) < MOST_FILES and _counts(check, scope, act):
            if act in gone or net.is_put_back(act, later[::-1]):
                later.append(act)
                continue
            known.add(act.path)
            groups = bind_path(check, act.path)
            bound = check_for_file(check, groups) if groups else None
            if bound is not None and _there(bound, judged):
                one = search_steps(bound, scope, judged, later, net)
                one.since = act.path
                one.lacks = None if one.lacks and not act.sure else one.lacks
                if one.lacks:
                    return one
                found = one if one.lacks is None else found
        later.append(act)
    return found


def _counts(check: SessionCheck, scope: RuleScope, act: Act) -> bool:
    wanted = check.since
    return (not wanted or globs.match(wanted, act.path)) and concerns_path(check.since_except, scope, act.path)


def _there(own: SessionCheck, judged: Act) -> bool:
    """Whether what the file asks for can be done at all: a test that is not there yet cannot be run."""
    world = judged.event.world
    if not world:
        return True
    named = [word for form in own.forms for word in form[0].split() if GROUP.search(word)]
    groups = own.forms[0][1:] if own.forms else ()
    paths = [path for word in named if "/" in (path := acts.fill_numbers(word, groups)) and not path.endswith("...")]
    asked = any(getattr(own, key) for key in STEPS if key != "first_commands")
    plain = len(own.first_commands) > len(own.forms)
    return asked or plain or len(paths) < len(named) or any(world.exists(path.partition("::")[0]) for path in paths)
