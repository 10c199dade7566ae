"""What a person excepted is counted and stops nothing; what only looks like it stops as before, and says why."""

import pytest

from rulec.domain.artifact import RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Finding, Verdict
from rulec.gates.findings.excepted import except_findings
from rulec.rulebook.dated_exceptions import DatedException

TODAY = "2026-11-22"
FACTS = RuleFacts(slug="no-print", revision=1, statement="No print.", enforcement="block")


def _verdict(path: str = "a.py", line: int = 2) -> Verdict:
    return Verdict(
        outcome="block", facts=FACTS, finding=Finding(slug="no-print", path=path, line=line, text="print(x)")
    )


def _file(text: str, added: tuple[tuple[int, int], ...] | None = ((2, 2),), base: str = "") -> Change:
    return Change(files=(FileChange(path="a.py", status="M", content=text.encode(), added=added, base=base.encode()),))


def _of(change: Change, *standing: DatedException, verdict: Verdict | None = None) -> tuple[str, str]:
    (found,) = except_findings([verdict or _verdict()], change, standing, TODAY, spared=("rulebook-weakened",))
    return found.outcome, found.because


ABOVE = "# rulec: ignore[no-print] until=2026-12-31 the CLI prints"


def test_a_comment_that_stood_there_counts_until_its_day() -> None:
    assert _of(_file(f"{ABOVE}\nprint(x)\n")) == ("excepted", "until 2026-12-31: the CLI prints")
    today = ABOVE.replace("2026-12-31", TODAY)
    assert _of(_file(f"{today}\nprint(x)\n"))[0] == "excepted"


@pytest.mark.parametrize(
    ("text", "added", "because"),
    [
        (f"{ABOVE}\nprint(x)\n", ((1, 2),), "new in this change"),
        (f"x\nprint(x)  {ABOVE}\n", ((2, 2),), "new in this change"),
        (f"{ABOVE}\nprint(x)\n", None, "new in this change"),
        (f"{ABOVE.replace('2026-12-31', '2026-11-21')}\nprint(x)\n", ((2, 2),), "it ended on 2026-11-21"),
        (f"{ABOVE.replace(' the CLI prints', '')}\nprint(x)\n", ((2, 2),), "it gives no reason"),
        (f"{ABOVE.replace('until=2026-12-31 ', '')}\nprint(x)\n", ((2, 2),), "it has no end"),
        (f"{ABOVE.replace('no-print', 'other')}\nprint(x)\n", ((2, 2),), ""),
    ],
)
def test_one_that_does_not_count_says_why(text: str, added: tuple[tuple[int, int], ...] | None, because: str) -> None:
    outcome, said = _of(_file(text, added))
    assert outcome == "block"
    assert because in said
    assert bool(said) == bool(because)


def test_a_file_that_only_moved_keeps_its_exceptions() -> None:
    text = f"{ABOVE}\nprint(x)\n"
    assert _of(_file(text, None, base=text))[0] == "excepted"


def _standing(until: str = "2026-12-31", *paths: str, slug: str = "no-print") -> DatedException:
    return DatedException(slug=slug, until=until, reason="the old client", paths=paths)


MARKED = "print(x)  # rulec: ignore[no-print] until=2026-12-31 the CLI prints"


@pytest.mark.parametrize(
    ("text", "added", "outcome"),
    [
        (f"x\n{MARKED.replace('(x)', '(x, 0)')}\n", ((2, 2),), "excepted"),
        (f"{ABOVE}\nprint(x)\n", ((1, 2),), "excepted"),  # it moved to a line of its own
        (f"x\n{MARKED.replace('CLI', 'server')}\n", ((2, 2),), "block"),
        (f"x\n{MARKED.replace('12-31', '12-30')}\n", ((2, 2),), "block"),
        (f"x\n{MARKED}\n{MARKED}\n", ((2, 2),), "block"),  # a copy is one more, whichever line git calls new
        (f"x\n{MARKED}\n{MARKED}\n", ((3, 3),), "excepted"),
    ],
)
def test_one_whose_line_only_changed_stood_there_before(
    text: str, added: tuple[tuple[int, int], ...], outcome: str
) -> None:
    assert _of(_file(text, added, base=f"x\n{MARKED}\n"))[0] == outcome


def test_one_that_a_person_let_in_counts_in_that_line_alone() -> None:
    change = _file(f"{MARKED}\n{MARKED}\n", None)
    told = [
        (one.outcome, one.because)
        for one in except_findings(
            [_verdict(line=1), _verdict(line=2)], change, (), TODAY, approved={("a.py", 2): "approved by Ann"}
        )
    ]
    assert told[0][0] == "block"
    assert told[1] == ("excepted", "until 2026-12-31: the CLI prints; approved by Ann")


@pytest.mark.parametrize(
    ("one", "outcome", "because"),
    [
        (_standing(), "excepted", "until 2026-12-31: the old client"),
        (_standing("2026-12-31", "*.py"), "excepted", "until 2026-12-31: the old client"),
        (_standing("2026-12-31", "src/**"), "block", ""),
        (_standing("2026-11-21"), "block", "its exception ended on 2026-11-21"),
        (_standing(slug="other"), "block", ""),
    ],
)
def test_a_exception_of_the_rulebook_covers_its_places(one: DatedException, outcome: str, because: str) -> None:
    assert _of(_file("x\nprint(x)\n"), one) == (outcome, because)


def test_one_without_places_covers_messages_and_one_with_them_does_not() -> None:
    verdict = _verdict(path="", line=1)
    assert _of(Change(), _standing(), verdict=verdict)[0] == "excepted"
    assert _of(Change(), _standing("2026-12-31", "**"), verdict=verdict)[0] == "block"


def test_a_weaker_gate_is_nothing_to_except() -> None:
    facts = RuleFacts(slug="rulebook-weakened", revision=1, statement="S.", enforcement="block")
    verdict = Verdict(outcome="block", facts=facts, finding=Finding(slug="rulebook-weakened", path="a.py", line=2))
    assert _of(Change(), _standing(slug="rulebook-weakened"), verdict=verdict)[0] == "block"


def test_old_findings_stay_old() -> None:
    (found,) = except_findings(
        [Verdict(outcome="old", facts=FACTS, finding=_verdict().finding)], Change(), [_standing()], TODAY
    )
    assert found.outcome == "old"
