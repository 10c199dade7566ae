"""How many near duplicates `rulec evolve --similar` proposes for merging, and how many contraries and strangers.

``bench similar FOLDER`` reads pairs of rules from every YAML file of the folder (one pair a file,
or a list of them) and prints a table; ``--backend NAME`` asks a model as well; ``--show`` adds each pair and what was
made of it. A pair counts as found where it is proposed. tests/cases/similar holds
pairs that were written in view of the code.
"""

import argparse
import io
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from rulec.checks.template_library import open_library
from rulec.domain.outcome import no_progress
from rulec.domain.rule import Rule
from rulec.infra.rulebooks import rule_reading
from rulec.llm.conversation import Conversation
from rulec.llm.model_settings import choose_models
from rulec.resolving.rule_pairs import MERGED
from rulec.rulebook.rulebook import Rulebook
from rulec.services.asking.doubtful_resolutions import ask_about_pairs
from rulec.services.evolving.similar_rules import RulePair, related_pairs

KINDS = ("duplicate", "contrary", "stranger")


def pairs_in(folder: Path) -> Iterator[tuple[str, str, Rule, Rule]]:
    """The name, the label and the two rules of every pair."""
    for path in sorted(folder.glob("*.yaml")):
        read = YAML(typ="safe").load(path.read_text("utf-8"))
        for number, case in enumerate(read if isinstance(read, list) else [read], 1):
            name = f"{path.stem}#{number}" if isinstance(read, list) else path.stem
            yield name, case["kind"], *(_rule(case[side], f"{path.name}:{side}") for side in ("first", "second"))


def _rule(data: Mapping[str, Any], where: str) -> Rule:
    text = io.StringIO()
    YAML(typ="safe").dump(dict(data), text)
    return rule_reading.read_rule(text.getvalue(), source=where)


def found_pair(one: Rule, other: Rule, top: Path, backend: str = "") -> RulePair | None:
    """What the search makes of a rulebook of just these two, with a reader where one is named."""
    book = Rulebook(rules=tuple(sorted((one, other), key=lambda rule: rule.slug)))
    opinions = None
    if backend:
        models = choose_models(Path.cwd(), book, backend)
        opinions = ask_about_pairs(
            book, Conversation(Path.cwd(), models, open_library().render, print, no_progress), print
        )
    return next(iter(related_pairs(top, book, opinions)), None)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--backend", default="", help="the model that is asked, as of rulec ingest")
    given = parser.parse_args()
    counted: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    checked: dict[tuple[str, int], Counter[str]] = {}  # by label and how many of the two rules have a check
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as top:
        for name, label, one, other in pairs_in(given.folder):
            found = found_pair(one, other, Path(top), given.backend)
            kind = found.relation.kind if found else "other"
            counted[label][kind] += 1
            checked.setdefault((label, sum(bool(rule.checks) for rule in (one, other))), Counter())[kind] += 1
            if given.show:
                because = found.relation.because if found else ""
                print(f"{label:9} {kind:8} {name}: {one.slug} / {other.slug}: {because}")
    print(f"{'':10} {'pairs':>6} {'merged':>6} {'similar':>8} {'contrary':>9} {'other':>6}")
    for label, some in counted.items():
        sure = some["same"] + some["overlap"]
        print(f"{label:10} {some.total():6} {sure:6} {some['similar']:8} {some['contrary']:9} {some['other']:6}")
    for (label, many), some in sorted(checked.items()):
        print(f"{label} with {many} checked: " + ", ".join(f"{kind} {some[kind]}" for kind in sorted(some)))
    offered = {label: sum(some[kind] for kind in MERGED) for label, some in counted.items()}
    print(f"duplicates found: {offered['duplicate']} of {counted['duplicate'].total()}; "
          f"contraries offered as merges: {offered['contrary']}; strangers: {offered['stranger']}; "
          f"{time.perf_counter() - start:.1f} s")  # fmt: skip


if __name__ == "__main__":
    main()
