"""The compiled checks that a commit is judged by, and what was found out of them, kept ready beside git's own files.

Reading a thousand of them from git and parsing each takes longer than judging by them. What is kept is known by the id
of the tree that holds them; CI, which judges by other trees, keeps nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.commands import _asking, _short
from rulec.commands._observe import by_kind, learned
from rulec.commands._verdicts import at_commit, of_messages
from rulec.errors import RulecError
from rulec.host import git, journal, pressed, process, worktree
from rulec.model.artifact import COMPILED, HOOK, Artifact, of_changes, of_judge
from rulec.runtime import globs

_CHECKS = "checks"
_ODD = ("\\", "[", "]", "{", "}", "./")


@dataclass(frozen=True, slots=True)
class Trusted:
    """Compiled files by path, and what is known of the checks among them."""

    texts: Mapping[str, str]
    needs: Mapping[str, str] = field(default_factory=dict)  # see Artifact, by path
    tree: str = ""  # what they are known by, "" where nothing is to be kept
    fresh: bool = False  # nothing is kept of them yet

    def artifacts(self) -> list[Artifact]:
        """The checks, sorted by path."""
        return [replace(one, needs=self.needs.get(one.path, "")) for one in worktree.compiled(self.texts)]


def trusted(top: Path) -> Trusted:
    """The artifacts of HEAD; where it has none (a first commit, an orphan branch), those that are about to be."""
    tree = git.git(top, "rev-parse", "--verify", "-q", f"HEAD:{COMPILED}").text.strip()
    if not tree:
        return Trusted(git.files_in_index(top, COMPILED))
    kept = pressed.load(str(journal.state_dir(top) / _CHECKS), tree)
    if kept is not None and kept["core"] == process.identity() and kept["settings"] == _settings(top, kept["texts"]):
        return Trusted(kept["texts"], kept["needs"], tree)
    return Trusted(worktree.compiled_at(top, "HEAD"), tree=tree, fresh=True)


def _settings(top: Path, texts: Mapping[str, str]) -> str:
    """The id of the settings of HEAD where there are judges, whom they let be asked; else they make no difference."""
    if not any(path.startswith(f"{COMPILED}/judge/") for path in texts):
        return ""
    return git.git(top, "rev-parse", "--verify", "-q", f"HEAD:{worktree.CONFIG}").text.strip()


def keep(top: Path, known: Trusted) -> None:
    """Keep what the next commit need not find out again; what cannot be found out is not kept."""
    if not known.fresh:
        return
    try:
        artifacts = [one for checker, own in by_kind(known.artifacts()) for one in learned(checker, own)]
        judges = [one for one in artifacts if of_judge(one)]
        heard = judges if judges and _asking.at_commit(top, say=lambda _: None) else []
        reach = _reach([*at_commit(artifacts), *heard])
    except (RulecError, ValueError, KeyError, TypeError):  # a damaged artifact is told by whoever is judged by it
        return
    needs = {artifact.path: artifact.needs for artifact in artifacts if artifact.needs}
    texts = {path: text for path, text in known.texts.items() if path != HOOK}
    state = journal.state_dir(top)
    settings = _settings(top, known.texts)
    piece = {"core": process.identity(), "settings": settings, "texts": texts, "needs": needs}
    pressed.store(str(state / _CHECKS), known.tree, piece)
    pressed.store(str(state / _short.REACH), known.tree, {**reach, "settings": settings})


def _reach(asked: Sequence[Artifact]) -> dict[str, Any]:
    """What the short way has to know: which files are looked at, which are the gate's own, and what to say."""
    rules = len({checker.facts(one.text or "").slug for checker, own in by_kind(asked) for one in own})
    text = registry.reporter("text")
    one, many = (text.report([], {"files": number, "rules": rules, "unread": 0}) for number in (1, _short.MANY))
    gates = sorted({path for emitter in registry.emitters().values() for path in emitter.files})
    messages = bool(of_messages(asked)) or any(map(of_judge, asked))
    places = list(dict.fromkeys(_places(asked)))
    return {"reach": places, "messages": messages, "gates": gates, "one": one, "many": many}


def _places(artifacts: Sequence[Artifact]) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """Languages, and with what the paths begin and end, of each artifact."""
    for checker, own in by_kind(artifacts):
        for artifact in own:
            reach = checker.reach(artifact)
            wanted = ("**",) if of_changes(artifact) else reach.globs
            yield reach.languages, tuple(dict.fromkeys(_ends(one) for glob in wanted for one in globs.spread(glob)))


def _ends(glob: str) -> tuple[str, str]:
    """With what a path that matches the glob surely begins and ends."""
    if len(glob) > globs.LONGEST or any(sign in glob for sign in _ODD):
        return "", ""
    name = glob.rpartition("/")[2]
    ending = name.lstrip("*?")
    sure = ending if name != ending and not any(sign in ending for sign in "*?") else ""
    begin = globs.prefix(glob)
    return begin if begin == glob.strip("/") else begin and f"{begin}/", sure
