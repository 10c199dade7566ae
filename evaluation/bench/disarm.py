"""Every attempt to go round the gate, run for real in scratch copies: ``bench disarm [TOPIC...]``.

Each attempt is asked about at the registered hook, in a process of its own. What the hook lets pass is carried out, a
commit of the bad change follows, and what entered any branch is judged as CI would. Look-alikes are only asked about.
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.support.disarming import Scratch, cases

ENDS = ("denied", "blocked", "reported", "missed")


def main(topics: list[str]) -> int:
    """Print the table; 1 where an attempt was missed or a look-alike touched."""
    with tempfile.TemporaryDirectory() as name:
        scratch = Scratch(Path(name))
        ended: Counter[tuple[str, str]] = Counter()
        for case in cases("attempts"):
            if topics and case.topic not in topics:
                continue
            outcome = scratch.attempt(case)
            ended[case.topic, outcome.what] += 1
            if outcome.what == "missed" or (outcome.what != "denied" and case.ends == "denied"):
                print(f"{outcome.what}: {case.topic}: {case} {outcome.said}")
        touched: Counter[str] = Counter()
        asked: Counter[str] = Counter()
        for case in cases("innocents"):
            if topics and case.topic not in topics:
                continue
            scratch.fresh(case)
            asked[case.topic] += 1
            if reason := scratch.denied(case):
                touched[case.topic] += 1
                print(f"touched: {case.topic}: {case}\n  {reason}")
    print(
        f"{'topic':10} {'attempts':>8} " + " ".join(f"{end:>8}" for end in ENDS) + f" {'innocents':>9} {'touched':>8}"
    )
    for topic in [*sorted(asked), "all"]:
        counts = [sum(n for (of, end), n in ended.items() if end == wanted and topic in (of, "all")) for wanted in ENDS]
        rest = [sum(n for of, n in count.items() if topic in (of, "all")) for count in (asked, touched)]
        print(f"{topic:10} {sum(counts):8} " + " ".join(f"{n:8}" for n in counts) + f" {rest[0]:9} {rest[1]:8}")
    return int(bool(touched) or any(end == "missed" for _, end in ended))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
