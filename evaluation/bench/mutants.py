"""How many variants of its own cases each check template decides right: ``bench mutants [NAME...]``.

With ``--missed`` each variant that was decided otherwise is listed.
"""

import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    """A line for each template, and with --missed each variant that was decided wrongly."""
    from tests.support.template_cases import TEMPLATES
    from tests.templates.mutants import edges_of

    names = [word for word in sys.argv[1:] if not word.startswith("-")] or list(TEMPLATES)
    total: Counter[str] = Counter()
    print(f"{'template':22} {'caught':>12} {'passed':>12}")
    for name in names:
        found = edges_of(TEMPLATES[name])
        print(f"{name:22} {f'{found.caught}/{found.invalid}':>12} {f'{found.passed}/{found.valid}':>12}")
        for mutant in found.missed if "--missed" in sys.argv else ():
            print(f"    {'missed' if mutant.invalid else 'caught'} {mutant.name}: {mutant.example}")
        for key in ("caught", "invalid", "passed", "valid"):
            total[key] += getattr(found, key)
    print(
        f"{'all':22} {total['caught']}/{total['invalid']} {total['caught'] / max(1, total['invalid']):.3f}"
        f"  {total['passed']}/{total['valid']} {total['passed'] / max(1, total['valid']):.3f}"
    )


if __name__ == "__main__":
    main()
