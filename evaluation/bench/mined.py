"""Mining with a model, around the model: ``bench mined [--files N] [--loose]`` at the root.

Every labelled transcript of ../shared/data goes the real way: ``rulec ingest FILE --backend exchange --dry-run``, the
prompt files are answered from the labels, the same command hears them. With ``--loose`` the answers hold nulls, numbers
as words and keys that nobody asked for, as those of models do, and every figure must be the same.

Printed: durable precision, recall and F1 by turn against the labels (bar .85, and no more than .05 below what the
answers themselves say), what prompts leave out of durable turns (wholly shown; the action that they are about among the
numbered ones), requests per 1,000 human turns (bar 30) and tokens sent per token of human text and context kept (bar
3), both for all sources in a row and for the one that takes most if it went on like that for 1,000 turns, and that a
second run asks nothing.
"""

import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

from evaluation.bench._careful import Shown, about, answered, blocks, folded
from rulec.checks import template_library
from rulec.domain.prompt import estimate_tokens
from rulec.domain.text.redaction import redact
from rulec.llm.prompt_safety import wrap_untrusted
from rulec.mining.mining_questions import write_mining_prompt
from rulec.mining.moments import Moment, moments_of
from rulec.services import session_transcripts

DATA = Path(__file__).parents[3] / "shared" / "data"
BAR, MAY_COST, REQUESTS, TOKENS = 0.85, 0.05, 30, 3.0
Labels = Mapping[str, Mapping[str, Any]]  # rows by their folded text


@dataclass
class Told:
    """What was counted over all transcripts."""

    said: list[tuple[str, str]] = field(default_factory=list)  # wanted and got, a labelled turn each
    asked: int = 0
    again: int = 0
    durable: int = 0
    whole: int = 0
    cut: list[str] = field(default_factory=list)
    acts: int = 0
    numbered: int = 0
    lost: list[str] = field(default_factory=list)


def labels(name: str) -> dict[str, dict[str, dict[str, Any]]]:
    """The rows of a file of turns by source, then by text; labels.jsonl adds the rules to those of context.jsonl."""
    found: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for line in (DATA / "turns" / name).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        found[row["source"]].setdefault(folded(row["text"]), row)
    return found


def files() -> list[tuple[Path, Labels]]:
    """The transcripts with the labelled turns of their sources."""
    both = labels("context.jsonl")
    for source, rows in labels("labels.jsonl").items():
        both[source] |= rows
    paths = sorted(path for path in (DATA / "transcripts").rglob("s*.*") if path.suffix in (".jsonl", ".md"))
    return [(path, both[path.name.partition("-")[0]]) for path in paths if path.name.partition("-")[0] in both]


def rulec(*arguments: str) -> list[dict[str, Any]]:
    """One run of the command line in this process; the objects that it printed."""
    from rulec.cli.group import rulec as group_rulec  # after the folder was chosen

    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        group_rulec.main(list(arguments), standalone_mode=False)
    return [json.loads(line) for line in out.getvalue().splitlines() if line.startswith("{")]


def measure(told: Told, path: Path, rows: Labels, folder: Path, *, loose: bool) -> None:
    """One transcript: ask, answer from the labels, hear, ask again."""
    command = ("ingest", str(path), "--backend", "exchange", "--dry-run", "--format", "json")
    rulec(*command)
    shown = answered(folder, rows, loose=loose)
    told.asked += len(shown)
    heard = rulec(*command)
    rulec(*command)
    told.again += len(list(folder.glob("*.prompt.md"))) if folder.is_dir() else 0
    got = [(folded(turn["text"]), turn["label"]) for turn in heard]
    told.said += [(rows[text]["label"], label) for text, label in got if text in rows]
    name = path.relative_to(DATA / "transcripts").as_posix()
    lost = [row for text, row in rows.items() if row.get("file") == name and text not in dict(got)]
    told.said += [(row["label"], "none") for row in lost]
    told.cut += [f"{name}: not shown at all: {row['text'][:60]!r}" for row in lost if row["label"] == "durable"]
    _left_out(told, path, rows, [block for prompt in shown for block in prompt if block.name == "turn"])


def _left_out(told: Told, path: Path, rows: Labels, shown: Sequence[Shown]) -> None:
    told_of = list(moments_of(session_transcripts.read_turns(path, session_transcripts.find_reader(path))))
    for moment, block in zip(told_of, shown, strict=True):
        row = rows.get(folded(moment.turn.text), {})
        if row.get("label") != "durable":
            continue
        told.durable += 1
        whole, got = (" ".join(text.split()) for text in (redact(moment.turn.text), block.words))
        told.whole += whole == got
        told.cut += [f"{path.name}: {len(got)} of {len(whole)} characters"] * (whole != got)
        _acted(told, moment, block, row)


def _acted(told: Told, moment: Moment, block: Shown, row: Mapping[str, Any]) -> None:
    """Whether the action that shares most words with a durable turn has a number."""
    words = " ".join([moment.turn.text[:600], *(rule["text"] for rule in row.get("rules", ()))])
    every = {str(at): f"{one.command} {one.path} {one.old} {one.new}" for at, one in enumerate(moment.before, 1)}
    best = about(words, every)
    if best is None:
        return
    told.acts += 1
    names = {name.partition(".")[2] for name in block.deeds}
    told.numbered += best in names
    told.lost += [f"{moment.turn.text[:60]!r}: action {best} of {len(every)}"] * (best not in names)


def f1(pairs: Sequence[tuple[bool, bool]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of what was wanted and what was got."""
    both = sum(want and got for want, got in pairs)
    precision = both / max(1, sum(got for _, got in pairs))
    recall = both / max(1, sum(want for want, _ in pairs))
    return precision, recall, 2 * precision * recall / max(1e-9, precision + recall)


def cost(told_of: Sequence[Moment]) -> tuple[float, float]:
    """Requests per 1,000 turns of one long transcript, and tokens sent for each of text and context that is kept."""
    prompts = [one.prompt for one in write_mining_prompt(told_of, template_library.open_library().render, {})]
    requests = [wrap_untrusted(prompt, "rulec-0123456789abcdef") for prompt in prompts]
    kept = sum(estimate_tokens(block.kept) for request in requests for block in blocks(f"{request.text}\n"))
    return 1_000 * len(prompts) / len(told_of), sum(request.tokens for request in requests) / kept


def sources() -> dict[str, list[Moment]]:
    """The moments of all transcripts by their source."""
    found: dict[str, list[Moment]] = defaultdict(list)
    for path, _ in files():
        found[path.name.partition("-")[0]] += moments_of(
            session_transcripts.read_turns(path, session_transcripts.find_reader(path))
        )
    return found


def worst(by_source: Mapping[str, Sequence[Moment]]) -> tuple[tuple[float, str], tuple[float, str]]:
    """The most requests and the most tokens sent, of the sources that take them, as if each went on for 1,000 turns."""
    costs = {name: cost(list(islice(cycle(some), 1_000))) for name, some in by_source.items()}
    many, sent = ([(pair[at], name) for name, pair in costs.items()] for at in (0, 1))
    return max(many), max(sent)


def main(most: int, *, loose: bool = False) -> int:
    """Print the figures; 1 where one of them misses its bar."""
    if not DATA.is_dir():
        sys.stdout.write(f"{DATA} is absent: nothing is measured\n")
        return 0
    chosen = files()
    if most:
        chosen = sorted(random.Random(7).sample(chosen, min(most, len(chosen))), key=lambda pair: pair[0])
    told = Told()
    with tempfile.TemporaryDirectory() as name:
        top = Path(name).resolve()
        subprocess.run(["git", "init", "-q", str(top)], check=True)
        os.chdir(top)
        for path, rows in chosen:
            measure(told, path, rows, top / ".rulec" / "exchange", loose=loose)
        os.chdir("/")
    precision, recall, score = f1([(want == "durable", got == "durable") for want, got in told.said])
    by_source = sources()
    all_of_them = list(chain.from_iterable(by_source.values()))
    requests, sent = cost(all_of_them)
    (most_requests, many_of), (most_sent, much_of) = worst(by_source)
    sys.stdout.write(
        f"{len(chosen)} transcripts, {len(told.said)} labelled turns, {told.asked} prompts\n"
        f"durable: precision {precision:.3f} recall {recall:.3f} F1 {score:.3f} (bar {BAR})\n"
        f"durable turns shown whole: {told.whole} of {told.durable}; with the action they are about: "
        f"{told.numbered} of {told.acts} that name one\n"
        + "".join(f"  {line}\n" for line in (*told.cut, *told.lost))
        + f"a second run asks {told.again} prompts\n"
        f"one transcript of {len(all_of_them)} turns: {requests:.1f} requests per 1,000 turns (bar {REQUESTS}), "
        f"{sent:.2f} tokens sent per token kept (bar {TOKENS})\n"
        f"the source that takes most, for 1,000 turns: {most_requests:.1f} requests ({many_of}), "
        f"{most_sent:.2f} tokens sent per token kept ({much_of})\n"
    )
    cheap = max(requests, most_requests) <= REQUESTS and max(sent, most_sent) <= TOKENS
    good = score >= max(BAR, 1 - MAY_COST) and not told.again and cheap
    return 0 if good else 1


if __name__ == "__main__":
    wanted = [word for word in sys.argv[1:] if word != "--loose"]
    sys.exit(main(int(wanted[1]) if wanted[:1] == ["--files"] else 0, loose="--loose" in sys.argv))
