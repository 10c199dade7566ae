"""Many changes are looked at in one process, and each is told what was seen in it."""

from rulec.checks.skipped_files import LARGEST_FILE
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.gates.findings import check_runs
from rulec.gates.findings.check_runs import run_checks_each
from rulec.registry import checker
from tests.checks.support import artifact

PRINTS = artifact(checker("semgrep"), "no-print", "languages: [python]\npattern: print(...)\n", include=("src/**",))


def of(path: str, *texts: str) -> Change:
    return Change(files=tuple(FileChange(path=path, content=text.encode()) for text in texts))


def places(seen: list[list[Finding | Fault]]) -> list[list[tuple[str, int]]]:
    return [[(item.path, item.line if isinstance(item, Finding) else -1) for item in items] for items in seen]


def test_changes_of_one_path_do_not_see_each_others_findings() -> None:
    texts = ["print(1)\n", "x = 1\nprint(2)\n", "x = 1\n", "print(1)\n"]
    found = places(run_checks_each([PRINTS], [of("src/a.py", text) for text in texts] + [of("lib/a.py", texts[0])]))
    assert found == [[("src/a.py", 1)], [("src/a.py", 2)], [], [("src/a.py", 1)], []]


def test_a_file_that_is_too_large_is_a_fault_of_its_own_change_alone() -> None:
    large = "x = 1\n" * (LARGEST_FILE // 6 + 1)
    found = run_checks_each([PRINTS], [of("src/a.py", "print(1)\n"), of("src/a.py", large)])
    assert places(found) == [[("src/a.py", 1)], [("src/a.py", -1)]]
    (fault,) = found[1]
    assert isinstance(fault, Fault)
    assert fault.what.startswith("src/a.py is larger than 1 MB")


def test_a_broken_rule_is_a_fault_of_every_change() -> None:
    broken = artifact(checker("semgrep"), "broken", "languages: [python]\npattern: 'print('\n")
    seen = run_checks_each([broken], [of("src/a.py", "a\n"), of("src/b.py", "b\n")])
    assert [[item.slug for item in items if isinstance(item, Fault)] for items in seen] == [["broken"], ["broken"]]


def test_what_one_process_should_not_hold_is_given_to_several() -> None:
    contents = [of("src/a.py", f"print({number})\n") for number in range(4)]
    assert len(list(check_runs._batches(dict(enumerate(contents))))) == 1
    large = dict(enumerate([of("src/a.py", "x" * 9_000_000), *contents, *contents]))
    assert [len(batch) for batch in check_runs._batches(large)] == [
        1,
        4,
    ]
