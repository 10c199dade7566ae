"""Which branches a git push updates, with what the settings of git leave unsaid."""

from __future__ import annotations

import re

from rulec.shell.command_matching import git_subcommand, matches, words_and_flags
from rulec.shell.git import folders
from rulec.shell.git.branches import is_one_of_branches
from rulec.shell.parsing.call import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.action_events import Event

    Settings = dict[str, list[str]]


EVERYTHING = "git push --all|--mirror|--branches"
MATCHING = ":"  # git's own refspec for all branches of the same name
TAGS_FOLLOW = "--follow-tags"
SETTERS = ("set", "--add", "--replace-all", "--local", "--global", "--worktree")
TRUE = ("true", "yes", "on", "1", "")
_ASKS = r"[\"']?(?:\$\(|`)\s*git (?:branch --show-current|(?:rev-parse --abbrev-ref|symbolic-ref --short) HEAD)\s*[)`]"
_CURRENT = re.compile(_ASKS)
_ASSIGNED = re.compile(rf"\b(\w+)={_ASKS}")


def explicit_push(event: Event, calls: list[Call], call: Call, branch: str) -> Call:
    """The call with the refs and flags that a push takes from settings; any other call as it is.

    ``calls`` are those of the same text, and ``branch`` is the one that is checked out when the call runs.
    """
    argv = _as_push(call)
    if not argv:
        return call
    if call.dynamic:
        argv = [_with_head(word, event.command) for word in argv]
    bare, flags = words_and_flags("git", argv[1:])
    settings = _settings_before(event, calls, call, branch)
    if settings.get("push.followtags", ["no"])[-1].lower() in TRUE and "--no-follow-tags" not in flags:
        argv = [*argv, TAGS_FOLLOW]
    given = len(bare) > 2 or "--tags" in flags or matches(EVERYTHING, call.as_words(argv))
    if not given:
        own = settings.get(f"branch.{branch}.remote", ["origin"])[-1]
        remote = settings.get(f"branch.{branch}.pushremote", settings.get("remote.pushdefault", [own]))[-1]
        argv = argv if len(bare) > 1 else [*argv, remote]
        refs = settings.get(f"remote.{bare[1] if len(bare) > 1 else remote}.push")
        argv = [*argv, *(refs or _default_refs(settings, branch))]
    return call if argv == call.argv else call.as_words(argv)


def _with_head(word: str, text: str) -> str:
    """The word with HEAD in place of what asks git for the current branch, also by a variable that the text sets so."""
    names = [name for name in _ASSIGNED.findall(text) if f"${name}" in word or f"${{{name}}}" in word]
    for name in names:
        word = word.replace(f"${{{name}}}", "HEAD").replace(f"${name}", "HEAD")
    return _CURRENT.sub("HEAD", word)


def _as_push(call: Call) -> list[str]:
    """The words of the call as those of ``git push``; [] where it pushes nothing."""
    at, verb = git_subcommand(call.argv) if call.program == "git" else (0, "")
    if verb == "push":
        return call.argv
    if verb == "send-pack":
        return [*call.argv[:at], "push", *call.argv[at + 1 :]]
    rest = [word for word in call.argv[at + 1 :] if not word.startswith("-")]
    if verb == "subtree" and rest[:1] == ["push"] and len(rest) > 2:
        return [*call.argv[:at], "push", rest[-2], f"HEAD:{rest[-1].rpartition(':')[2]}"]
    return []


def _default_refs(settings: Settings, branch: str) -> list[str]:
    how = settings.get("push.default", ["simple"])[-1].lower()
    if how == "matching":
        return [MATCHING]
    upstream = settings.get(f"branch.{branch}.merge", [""])[-1]
    if how in ("upstream", "tracking") and upstream:
        return [f"HEAD:{upstream}"]
    return []  # the current branch


def _settings_before(event: Event, calls: list[Call], call: Call, branch: str) -> Settings:
    """The settings that hold for the call: of the person, the repository, commands before it and its own options."""
    found: Settings = {}
    world = folders.world_of_git(event, call)
    if world:
        from rulec.checkout import git_call  # noqa: PLC0415 (it needs subprocess)

        told = git_call.git_text(world.root, ["config", "--list", "-z"])
        _merge(found, [one.partition("\n")[::2] for one in told.split("\0") if one])
    for one in calls[: calls.index(call)]:
        if one.program == "git":
            _merge(found, _set_by(one, branch))
    options = zip(call.argv, call.argv[1:], strict=False)
    _merge(found, [pair for word, value in options if word == "-c" for pair in [value.partition("=")[::2]]])
    return found


def _merge(found: Settings, pairs: list[tuple[str, str]]) -> None:
    for key, value in pairs:
        section, _, name = key.rpartition(".")
        place = f"{section if '.' in section else section.lower()}.{name.lower()}"
        found.setdefault(place, []).append(value)


def _set_by(call: Call, branch: str) -> list[tuple[str, str]]:
    """The settings that a command of git makes: git config, git branch -u, git checkout -b NAME origin/OTHER."""
    bare, flags = words_and_flags("git", call.argv[1:])
    verb = bare[0] if bare else ""
    if verb == "config":
        words = [word for word in bare[1:] if word not in SETTERS]
        return [(words[0], words[1])] if len(words) == 2 and "." in words[0] else []
    if verb == "branch":
        upstream = next(
            (flag.partition("=")[2] for flag in flags if flag.startswith(("-u=", "--set-upstream-to="))), ""
        )
        return _tracks(upstream, bare[1] if len(bare) > 1 else branch)
    if verb in ("checkout", "switch"):
        made = [flag.partition("=")[2] for flag in flags if flag.startswith(("-b=", "-B=", "-c=", "-C=", "--create="))]
        return _tracks(bare[1], made[0]) if made and len(bare) > 1 else []
    return []


def _tracks(upstream: str, branch: str) -> list[tuple[str, str]]:
    remote, slash, name = upstream.partition("/")
    return [(f"branch.{branch}.remote", remote), (f"branch.{branch}.merge", f"refs/heads/{name}")] if slash else []


def pushes_to(wanted: tuple[str, ...], call: Call, branch: str) -> bool:
    """Whether an explicit push updates or deletes one of these branches; ``branch`` is the current one, or ""."""
    bare, flags = words_and_flags("git", call.argv[1:])
    if call.program != "git" or bare[:1] != ["push"]:
        return False
    if matches(EVERYTHING, call):
        return True
    if len(bare) < 3:
        return "--tags" not in flags and _updates("HEAD", wanted, branch)
    refs = [ref for at, ref in enumerate(bare) if at > 1 and "tag" not in (ref, bare[at - 1])]
    left_out = {ref[1:].removeprefix("refs/heads/") for ref in refs if ref.startswith("^")}
    return any(_updates(ref.lstrip("+"), [one for one in wanted if one not in left_out], branch) for ref in refs)


def _updates(ref: str, wanted: list[str] | tuple[str, ...], branch: str) -> bool:
    if ref == MATCHING:
        return bool(wanted)
    name = ref.rpartition(":")[2]
    name = branch if name in ("HEAD", "@") else name
    name = name.removeprefix("refs/").removeprefix("heads/") if name.startswith(("refs/heads/", "heads/")) else name
    if name.startswith(("refs/", "tags/", "^")):
        return False
    if "*" in name:
        form = ".*".join(map(re.escape, name.split("*")))
        return any(re.fullmatch(form, one) for one in wanted)
    return bool(name) and is_one_of_branches(wanted, name)
