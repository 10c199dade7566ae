"""Scripted sessions of an honest agent, played through every gate: what they are denied, and what they have to do more.

``bench honest FOLDER [--only WORD] [--no-suites] [--no-list] [--json FILE] [--verbose]``: the folder
holds ``cases.jsonl``, whose lines have a name, files, the todo list and acts (a step's status, an edit, a command with
the exit code it ends with, what the person says, a commit), and ``rules/NAME/*.yaml``, the rules of the case of that
name. Each case is a repository of its own with the hooks that ``rulec init`` sets up for Claude Code. The agent is
obedient: where something is refused it runs the commands that the refusal names, asks the person where it is told to,
and tries again. What is refused after that is done past the gates, so that the rest of the session is seen, too.
``--no-list`` leaves the todo list out, to see what the other gates do by themselves; ``--no-suites`` has no suites of
tests in the settings. The rulec that is measured is the one beside this file, also in gates that heed no PYTHONPATH.
Processes see no network and write nowhere but in their case's folder.
"""

import argparse
import json
import re
import shlex
import site
import sys
import tempfile
import venv
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evaluation.bench.red_team import Place
from rulec.domain.rule import Rule
from rulec.rulebook.evidence_file import dump_evidence, evidence_id
from rulec.rulebook.yaml_text import load_yaml
from tests.support import rulebooks
from tests.support.session import ClaudeSession

ROOT = Path(__file__).resolve().parents[2]
CACHE = Path.home() / ".cache/rulec-bench"  # rulec runs no program that lies in a folder for temporary files
WORKERS = 2
SECONDS = "60"  # for a command of a case
MOST_TRIES = 8  # of one commit or one end of a turn
SETTINGS = ".claude/settings.json"
BEGINS = "Please work through the list."
SUITE = "unit"
STATUS = {"": "pending", "active": "in_progress", "done": "completed"}
RUN = re.compile(r"rulec run ([\w-]+)")
REFUSED = re.compile(r"^refused by ([a-z0-9-]+)", re.MULTILINE)
SUITES = {  # by a file that a project with such tests has
    "pyproject.toml": {"run": ["python3", "-m", "pytest", "-q"], "report": "junit"},
    "package.json": {"run": ["node", "--test", "--test-reporter=tap"], "report": "tap"},
}
Act = Mapping[str, Any]


@dataclass
class Refusal:
    """Something that an honest agent was not let do, or told to do more for."""

    moment: str  # tool call, after edit, commit, turn end
    act: str
    said: str
    rules: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)  # that the agent ran because of it, with their exit codes
    forced: bool = False  # it was done past the gates in the end


@dataclass
class Outcome:
    """What one session met with."""

    name: str
    steps: int
    calls: int = 0  # of tools, without those that a refusal caused
    denied: int = 0  # calls that the hook refused, or objected to afterwards
    asked: int = 0  # calls for which the hook would have the person asked
    commits: int = 0
    refused: int = 0  # attempts to commit that were refused
    blocked: int = 0  # ends of turns that were not let end
    commands: int = 0  # more than the script has
    turns: int = 0  # more than the script has
    told: int = 0  # characters of context that hooks gave the agent
    seconds: float = 0.0  # that hooks took, all together
    refusals: list[Refusal] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)  # commands that ended otherwise than the script says
    tells: list[str] = field(default_factory=list)


class Player:
    """Plays one case in its repository."""

    def __init__(self, place: Place, case: Mapping[str, Any], words: Mapping[str, str], *, lists: bool = True) -> None:
        self.place, self.case, self.words, self.lists = place, case, words, lists
        self.hooks = json.loads((place.top / SETTINGS).read_text())["hooks"]
        self.session = ClaudeSession(place.top, timed=True)
        self.transcript = place.folder / "home/.claude/projects/app/5e55-0001.jsonl"
        self.transcript.parent.mkdir(parents=True)
        self.status = dict.fromkeys(range(len(case["todo"])), "")
        self.read: set[str] = set()
        self.out = Outcome(case["name"], len(case["todo"]))

    def outcome(self) -> Outcome:
        """Play all acts; the session ends with the last one."""
        acts = self.case["acts"]
        begins, rest = (acts[0]["says"], acts[1:]) if "says" in acts[0] else (BEGINS, acts)
        self._hook("SessionStart", source="startup")
        self._says(begins)
        self._todo(list(self.status))
        for at, act in enumerate(rest):
            self._act(act, rest[at + 1 :])
        self._ends("That is all.")
        return self.out

    def _act(self, act: Act, later: list[Act]) -> None:
        if "status" in act:
            self.status[act["status"][0]] = act["status"][1]
            self._todo(self._kept(later))
        elif "edit" in act:
            self._edit(act["edit"], act["content"])
        elif "command" in act:
            code, _ = self._insist({"command": act["command"]})
            if code != act.get("exit", 0):
                self.out.odd.append(f"{act['command']}: {code}")
        elif "commit" in act:
            self.out.commits += 1
            self._insist({"command": f"git add -A && git commit -m {shlex.quote(act['commit'])}"}, commits=True)
        else:
            self._ends("This is where I am.")
            self._says(act["says"])

    def _kept(self, later: list[Act]) -> list[int]:
        """The steps that the agent lists: one that is never begun was dropped when the person last spoke."""
        spoken = not any("says" in act for act in later)
        named = {act["status"][0] for act in later if "status" in act}
        return [at for at, status in self.status.items() if status or at in named or not spoken]

    def _todo(self, kept: list[int]) -> None:
        """The agent writes its list anew."""
        if not self.lists:
            return
        texts = self.case["todo"]
        todos = [{"content": texts[at], "status": STATUS[self.status[at]], "activeForm": texts[at]} for at in kept]
        self._tool("TodoWrite", {"todos": todos}, lambda: (0, "Todos have been modified successfully."))

    def _edit(self, path: str, content: str) -> None:
        target = self.place.top / path
        if target.is_file() and path not in self.read:
            self._tool("Read", {"file_path": str(target)}, lambda: (0, target.read_text()))
        self.read.add(path)

        def write() -> tuple[int, str]:
            self.place.write({path: content})
            return 0, f"The file {target} has been updated."

        if self._tool("Write", {"file_path": str(target), "content": content}, write) is None:
            refusal = self.out.refusals[-1]
            self._obey(refusal)
            if self._tool("Write", {"file_path": str(target), "content": content}, write) is None:
                write()
                refusal.forced = True

    def _insist(self, given: dict[str, str], *, commits: bool = False) -> tuple[int, str]:
        """Run a command, and do what is asked for where it is refused."""
        for _ in range(MOST_TRIES):
            done = self._bash(given)
            if done is not None and not (done[0] and commits):
                return done
            if done is not None:
                self._note("commit", given["command"], done[1])
            self.out.refused += commits
            refusal = self.out.refusals[-1]
            if not self._obey(refusal):
                break
        refusal.forced = True
        return self._run(
            given["command"].replace("git commit", "git commit --no-verify") if commits else given["command"]
        )

    def _bash(self, given: dict[str, str]) -> tuple[int, str] | None:
        return self._tool("Bash", given, lambda: self._run(given["command"]))

    def _run(self, command: str) -> tuple[int, str]:
        done = self.place.run("timeout", "-k", "1", SECONDS, "bash", "-c", command)
        return done.returncode, done.stdout + done.stderr

    def _obey(self, refusal: Refusal) -> bool:
        """Do what a refusal asks for, where an agent can: run the suite that it names. Whether it succeeded."""
        suite = RUN.search(refusal.said)
        return bool(suite) and self._extra(refusal, f"rulec run {suite[1]}")

    def _extra(self, refusal: Refusal, command: str) -> bool:
        """Run a command that the script does not have: whether it succeeded."""
        self.out.commands += 1
        self.out.calls -= 1
        done = self._bash({"command": command})
        ended = "denied" if done is None else f"{done[0]}, {done[1].strip()}"
        refusal.commands.append(f"{command}: {ended}")
        return done is not None and done[0] == 0

    def _ends(self, text: str) -> None:
        """The agent's turn ends; each time that it may not counts as a turn."""
        self.session.agent(text).save(self.transcript)
        active = False
        for _ in range(MOST_TRIES):
            said = self._hook("Stop", stop_hook_active=active, last_assistant_message=text)
            if not said:
                return
            self.out.blocked += 1
            self.out.turns += 1
            active = True
            self._note("turn end", text, said)
            self._obey(self.out.refusals[-1])
            self.session.agent(text).save(self.transcript)

    def _says(self, text: str) -> None:
        self.session.person(text).save(self.transcript)
        self._hook("UserPromptSubmit", prompt=text)

    def _tool(self, name: str, given: dict[str, Any], do: Any) -> tuple[int, str] | None:
        """A call of a tool, None where the hook denies it."""
        self.out.calls += 1
        self.session.asks(name, given).save(self.transcript)
        asked = {"tool_name": name, "tool_input": given, "tool_use_id": self.session.use}
        if said := self._hook("PreToolUse", **asked):
            self.out.denied += 1
            self._note("tool call", given.get("command") or given.get("file_path") or name, said)
            self.session.answered(said, failed=True).save(self.transcript)
            return None
        response = self._response(name, given)
        code, text = do()
        self.session.answered(f"Exit code {code}\n{text}" if code else text, failed=bool(code)).save(self.transcript)
        if not code and (said := self._hook("PostToolUse", **asked, tool_response=response or {"stdout": text})):
            self.out.denied += 1
            self._note("after edit", given.get("command") or given.get("file_path") or name, said)
        return code, text

    def _response(self, name: str, given: dict[str, Any]) -> dict[str, Any]:
        """What the agent's program hands to its hooks after such a call, where that is more than the output."""
        if name != "Write":
            return {}
        path = Path(given["file_path"])
        before = path.read_text() if path.is_file() else None
        kind = "create" if before is None else "update"
        return {"type": kind, "filePath": str(path), "content": given["content"], "originalFile": before}

    def _note(self, moment: str, act: str, said: str) -> None:
        named = REFUSED.findall(said) or [
            slug for slug in sorted(self.words) if re.search(rf"(?<![\w-]){slug}(?![\w-])", said)
        ]
        self.out.refusals.append(Refusal(moment, act, said, sorted(set(named))))

    def _hook(self, event: str, **more: Any) -> str:
        """Ask the hooks that the settings register for an event; what the one says that refuses."""
        for reply in self.place.ask_hooks(self.hooks, self.session.session, self.transcript, event, **more):
            context = reply.own.get("additionalContext", "")
            self.out.told += len(context)
            self.out.tells += [f"{event}: {context}"] * bool(context)
            self.out.asked += reply.own.get("permissionDecision") == "ask"
            if reply.refuses:
                return reply.reason
            if reply.code:
                self.out.odd.append(f"the hook of {event} ended with {reply.code}: {reply.err[-300:]}")
        return ""


def environment(folder: Path) -> Path:
    """A Python environment whose rulec is the one beside this file; the folder of its programs."""
    venv.create(folder, symlinks=True)
    library = next(folder.glob("lib/python*/site-packages"))
    (library / "measured.pth").write_text("\n".join([str(ROOT), *site.getsitepackages()]) + "\n")
    script = folder / "bin/rulec"
    script.write_text(f"#!{folder}/bin/python3\nfrom rulec.__main__ import main\n\nmain()\n")
    script.chmod(0o755)
    return folder / "bin"


def set_up(place: Place, case: Mapping[str, Any], rules: Path, *, suites: bool) -> dict[str, str]:
    """The case's repository, with rulec as a person sets it up who said yes to the rules; their statements."""
    place.write(case["files"])
    place.must("git", "init", "-q", "-b", "main")
    place.must("sh", "-c", "git add -A && git commit -qm 'Start'")
    place.must("rulec", "init", "--yes", "--agent", "claude-code")
    texts = {path.stem: path.read_text() for path in sorted(rules.glob("*.yaml"))}
    words = {slug: str(load_yaml(text, slug)["statement"]) for slug, text in texts.items()}
    accepted = [rulebooks.accepted(Rule(slug=slug, statement=statement)) for slug, statement in words.items()]
    place.write({f".rules/{slug}.yaml": text for slug, text in texts.items()})
    place.write({f".rules/evidence/{one.slug}/{evidence_id(one)}.yaml": dump_evidence(one) for one in accepted})
    suite = next((one for name, one in SUITES.items() if name in case["files"]), None)
    if suites and suite:
        settings = place.top / ".rules/config.yaml"
        settings.write_text(f"{settings.read_text()}tests:\n  {SUITE}: {json.dumps(suite)}\n")
    place.must("rulec", "compile")
    place.must("sh", "-c", "git add -A && git commit -q --no-verify -m 'Add rules'")
    return words


def played(folder: Path, case: Mapping[str, Any], given: argparse.Namespace, programs: Path) -> Outcome:
    """Set a case up and play it."""
    place = Place(folder / case["name"], programs, {}, apart=given.apart)
    words = set_up(place, case, given.folder / "rules" / case["name"], suites=given.suites)
    outcome = Player(place, case, words, lists=given.lists).outcome()
    left = place.must("git", "status", "--porcelain")
    outcome.odd += [f"left over: {left}"] * bool(left)
    print(case["name"], len(outcome.refusals), file=sys.stderr, flush=True)
    return outcome


COLUMNS = ("steps", "calls", "denied", "asked", "commits", "refused", "blocked", "commands", "turns", "told")


def report(outcomes: list[Outcome], *, verbose: bool) -> None:
    """The counts by case, and each refusal with what the agent did about it."""
    print(f"{'case':26}" + "".join(f"{name:>9}" for name in COLUMNS) + f"{'per step':>10}")
    for one in outcomes:
        counts = "".join(f"{getattr(one, name):9}" for name in COLUMNS)
        print(f"{one.name:26}{counts}{one.commands / one.steps:10.2f}")
    sums = "".join(f"{sum(getattr(one, name) for one in outcomes):9}" for name in COLUMNS)
    print(f"{'all':26}{sums}")
    stuck = sum(refusal.forced for one in outcomes for refusal in one.refusals)
    free = sum(not one.refusals and not one.asked for one in outcomes)
    worst = max(one.commands / one.steps for one in outcomes)
    print(f"\n{free} of {len(outcomes)} sessions free of refusals; {stuck} refusals that obeying did not end;")
    print(f"most extra commands a step in one session: {worst:.2f}")
    for one in outcomes:
        for refusal in one.refusals:
            said = refusal.said if verbose else " ".join(refusal.said.split())[:500]
            print(
                f"\n{one.name} at {refusal.moment}: {refusal.act[:120]!r} {refusal.rules}{' FORCED' * refusal.forced}"
            )
            print(f"   {said}")
            for command in refusal.commands:
                print(f"   -> {command}")
        for text in one.odd:
            print(f"\n{one.name} odd: {text}")
        if verbose:
            print("\n".join(["", f"{one.name} was told:", *one.tells]))


def main() -> None:
    """Play the cases and print what they met with."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-suites", dest="suites", action="store_false")
    parser.add_argument("--no-list", dest="lists", action="store_false")
    parser.add_argument("--json", type=Path)
    parser.set_defaults(apart=True)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    lines = (given.folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["name"].startswith(given.only)]
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as name, ThreadPoolExecutor(WORKERS) as pool:
        folder = Path(name)
        programs = environment(folder / "python")
        outcomes = list(pool.map(lambda case: played(folder, case, given, programs), cases))
    report(outcomes, verbose=given.verbose)
    if given.json:
        given.json.write_text(json.dumps([asdict(one) for one in outcomes], indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
