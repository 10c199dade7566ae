"""How often a note about a rule leads to a revision that is proved and decides rightly, also what was never shown.

``bench evolve FOLDER`` plays every ``*.yaml`` of a folder. A case holds a rule, a note, the noted
action with the verdict that a person wants, and further actions (``repeats``) that rulec is not shown before the
revision. Each is played in a repository of its own through the search behind ``rulec evolve``, without a reader. A line
for each case says whether the noted action became an example, whether the revision is proved, whether it decides the
noted action and the repeats rightly, and how many old examples it turned without being asked; the last line counts.

``bench evolve FOLDER READER`` plays them with a reader's answers: it writes the question about each
case to READER/NAME.1.md, which holds nothing of the repeats, and takes the answer from READER/NAME.1.json where that is
there. Where an answer was not taken, the next question, with what failed, is in NAME.2.md, and so on.
"""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checks.template_library import open_library
from rulec.domain.evidence import WantedVerdict
from rulec.domain.outcome import no_progress
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelSettings, Prompt
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading, rulebook_files
from rulec.llm.conversation import Conversation
from rulec.rulebook import example_file, rule_file
from rulec.rulebook.yaml_text import YamlNode
from rulec.services.evolving.comparison import all_examples
from rulec.services.evolving.revision_search import FoundRevision, search_revision
from rulec.services.evolving.rule_trials import decide_examples


@dataclass(frozen=True)
class Played:
    """What became of one note."""

    name: str
    kind: str
    found: FoundRevision
    kept: bool  # the noted action is an example
    right: bool  # it is decided as the person wants
    caught: tuple[int, int]  # repeats that are to be caught: rightly decided, of all
    passes: tuple[int, int]
    unsaid: int  # old examples that are decided otherwise than before, and nobody asked for it
    seconds: float

    @property
    def proved(self) -> bool:
        """Whether the revised check holds its proof."""
        return bool(self.found.proof and self.found.proof.holds and self.found.proof.digest)

    @property
    def line(self) -> str:
        """The case in one line."""
        marks = [
            f"{'kept' if self.kept else 'NOT KEPT':9}{'proved' if self.proved else 'NOT PROVED':11}",
            f"{'right' if self.right else 'WRONG':6}",
            f"repeats {self.caught[0]}/{self.caught[1]} caught, {self.passes[0]}/{self.passes[1]} passed,",
            f"{self.unsaid} unsaid, {self.seconds:.1f} s:",
        ]
        why = "" if self.proved or self.found.proof is None else f" [{self.found.proof.failure}]"
        return f"{self.name:28}{' '.join(marks)} {self.found.kind}: {self.found.because}{why}"


class _Reader(Conversation):
    """A reader whose answers lie in files; its questions are kept."""

    def __init__(self, top: Path, answers: Path, name: str) -> None:
        settings = ModelSettings(backend="recorded")
        super().__init__(top, settings, open_library().render, lambda _: None, no_progress)
        self.answers, self.name, self.asked = answers, name, 0

    def ask(self, prompts: Sequence[Prompt]) -> list[ModelReply]:
        """The answer to the next question in its file; the question is written beside it."""
        (prompt,) = prompts
        self.asked += 1
        stem = f"{self.name}.{self.asked}"
        blocks = (f"\n## {block.name}\n\n{block.text}\n" for block in prompt.data)
        self.answers.mkdir(parents=True, exist_ok=True)
        (self.answers / f"{stem}.md").write_text("".join([prompt.instructions, *blocks]), "utf-8")
        answer = self.answers / f"{stem}.json"
        if not answer.is_file():
            return [ModelFailure(what=f"{answer.name} is not there")]
        return [ModelAnswer(data=json.loads(answer.read_text("utf-8")), model="files")]


def play(path: Path, answers: Path | None = None) -> Played:
    """One case in a scratch repository."""
    node = YamlNode.load(path.read_text("utf-8"), path.name)
    data = node.plain()
    case = example_file.read_example(node.mapping("case"))
    repeats = node.mapping("repeats")
    caught, passes = (
        tuple(map(example_file.read_example, repeats.items(side))) if repeats.has(side) else ()
        for side in ("caught", "passes")
    )
    rule = rule_file.rule_from_node(node.mapping("rule"), rule_reading.template_kind)
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder).resolve()
        _commit(top, rule, data.get("files") or {})
        book = rulebook_files.load_rulebook(top)
        rule = book.rules[0]
        wanted = WantedVerdict(example=case, caught=data["should"] == "catch", words=data["note"], source=path.stem)
        start = time.perf_counter()
        reader = _Reader(top, answers, path.stem) if answers else None
        found = search_revision(top, book, rule, [wanted], reader)
        seconds = time.perf_counter() - start
        old = tuple(one for one in all_examples(rule) if one != case)
        before, after = decide_examples(top, book, [rule, found.rule], (*old, case, *caught, *passes))
    turned = sum(was != now for was, now in zip(before[: len(old)], after, strict=False))
    got = after[len(old) + 1 :]
    return Played(
        name=path.stem,
        kind=data["kind"],
        found=found,
        kept=case in (found.rule.invalid if wanted.caught else all_examples(replace(found.rule, invalid=()))),
        right=after[len(old)] is wanted.caught,
        caught=(sum(one is True for one in got[: len(caught)]), len(caught)),
        passes=(sum(one is False for one in got[len(caught) :]), len(passes)),
        unsaid=turned,
        seconds=seconds,
    )


def _commit(top: Path, rule: Rule, files: Mapping[str, Any]) -> None:
    texts = {".rules/config.yaml": "schema: 1\n", f".rules/{rule.slug}.yaml": rule_file.dump_rule(rule), **files}
    for path, text in texts.items():
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(str(text), "utf-8")
    for argv in (
        ["init", "-q", "-b", "main"],
        ["config", "user.name", "Bench"],
        ["config", "user.email", "bench@people.example"],
        ["add", "-A"],
        ["commit", "-qm", "Begin"],
    ):
        subprocess.run(["git", *argv], cwd=top, check=True)


def main(folder: Path, answers: Path | None = None) -> None:
    """Play all cases of a folder."""
    done = []
    for path in sorted(folder.glob("*.yaml")):
        done.append(play(path, answers))
        print(done[-1].line, flush=True)
    many = len(done)
    right = sum(one.caught[0] + one.passes[0] for one in done)
    repeats = sum(one.caught[1] + one.passes[1] for one in done)
    whole = sum(one.caught[0] == one.caught[1] and one.passes[0] == one.passes[1] for one in done)
    print(
        f"{many} notes: example kept {sum(one.kept for one in done)}, proved {sum(one.proved for one in done)}, "
        f"decided rightly {sum(one.right for one in done)}, repeats {right} of {repeats} (all of a note {whole}), "
        f"old examples turned unsaid {sum(one.unsaid for one in done)}, "
        f"slowest {max((one.seconds for one in done), default=0):.1f} s"
    )


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
