"""What a hostile command costs as it doubles: ``bench shell``. Prints a table, asserts nothing.

A ratio near 2 is linear; below it, a bound has been reached.
"""

import time
from collections.abc import Callable

SHAPES: dict[str, Callable[[int], str]] = {
    "plain list": lambda n: "npm run a && " * n + "git status",
    "words": lambda n: "git push " + "a " * n,
    "unknown flags": lambda n: "git push " + "$FLAGS " * n,
    "unknown programs": lambda n: "$X push --force;" * n,
    "substitutions": lambda n: "x " + "$(a)" * n,
    "nested quotes": lambda n: "bash -c 'bash -c \"" + "x;" * n + "\"'",
    "functions": lambda n: "f(){ a; };" * n,
    "functions that call": lambda n: "".join(f"f{at}(){{ f{at + 1}; f{at + 1}; }};" for at in range(n // 10)) + "f0",
    "a long function, called": lambda n: "f(){ " + "a b; " * n + "};" + "f;" * n,
    "aliases": lambda n: "alias x='y y y y';" + "x;" * n,
    "arguments": lambda n: "set -- " + "a " * n + ";" + '"$@";' * n,
    "grown variables": lambda n: "X='" + "a " * 1_999 + "';" + "eval ': $X';" * n,
    "pipes": lambda n: "a | " * n + "sh",
    "groups in pipes": lambda n: "(a)|" * n + "sh",
    "heredocs": lambda n: "a <<X\nb $(c)\nX\n" * n,
    "braces": lambda n: "{a,b}" * n,
    "xargs": lambda n: "echo " + "a " * n + "| xargs xargs npm",
    "interpreter": lambda n: 'python -c "' + "os.system('npm');" * n + '"',
    "open calls": lambda n: 'python -c "' + "system(" * n + '"',
}
SIZES = (2_000, 4_000, 8_000)


def cost(text: str) -> float:
    """Seconds of CPU from the text to the verdict of a rule, the words that lead to it included."""
    from rulec.guard import decision
    from tests.support import guard_rules as rules

    rule = rules.typed(rules.command("r", "git push --force|-f", "npm"))
    event = rules.event({"kind": "command", "command": text})
    start = time.process_time()
    decision.words_of_event(event)
    decision.decide([rule], event)
    return time.process_time() - start


def main() -> None:
    """Print milliseconds for each size, and the ratio of the last two."""
    cost("git status")  # what is imported on the way is not counted
    for name, shape in SHAPES.items():
        spent = [min(cost(shape(size)) for _ in range(3)) for size in SIZES]
        told = " ".join(f"{1000 * one:8.1f}" for one in spent)
        print(f"{name:26}{told} ms   x{spent[-1] / max(spent[-2], 1e-6):.1f}")


if __name__ == "__main__":
    main()
