"""Values for property tests."""

import string
from dataclasses import replace
from typing import get_args

from hypothesis import strategies as st

from rulec.domain.evidence import Evidence, EvidenceKind, FiringCount
from rulec.domain.rule import CATEGORIES, Check, Example, Exemption, Rule, Scope

# What YAML can hold: no surrogates, no control characters but tab and newline.
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), include_characters="\n\t"), max_size=60)
LINE = TEXT.map(lambda text: " ".join(text.split())).filter(bool)
SLUG = st.lists(st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8), min_size=1, max_size=4).map(
    "-".join
)
PATHS = st.lists(st.text(string.ascii_letters + "._- ", min_size=1, max_size=8), min_size=1, max_size=3).map("/".join)


def steps() -> st.SearchStrategy[tuple[Example, ...]]:
    """The steps of a session, the last of which can be judged."""
    judged = (st.builds(Example, kind=st.sampled_from(["command", "stop"]), text=TEXT), _edits(), _files())
    command = st.builds(Example, kind=st.just("command"), text=TEXT, failed=st.booleans())
    says = st.builds(Example, kind=st.just("says"), text=TEXT)
    reads = st.builds(Example, kind=st.just("read"), text=st.just(""), path=PATHS)
    earlier = st.lists(st.one_of(command, says, reads, *judged), max_size=3)
    return st.tuples(earlier, st.one_of(*judged)).map(lambda both: (*both[0], both[1]))


def _edits() -> st.SearchStrategy[Example]:
    return st.builds(Example, kind=st.just("edit"), path=PATHS, old=TEXT, text=TEXT)


def _files() -> st.SearchStrategy[Example]:
    return st.builds(Example, kind=st.just("file"), path=PATHS, text=TEXT)


def examples() -> st.SearchStrategy[Example]:
    """One example of any kind."""
    return st.one_of(
        st.builds(Example, kind=st.just("session"), text=st.just(""), steps=steps()),
        st.builds(Example, kind=st.just("command"), text=TEXT),
        st.builds(Example, kind=st.just("message"), text=TEXT),
        _files(),
        _edits(),
        st.builds(
            Example,
            kind=st.just("commit"),
            text=TEXT,
            files=st.dictionaries(PATHS, TEXT, max_size=2).map(lambda files: tuple(files.items())),
        ),
    )


def rules() -> st.SearchStrategy[Rule]:
    """Any rule that a file can hold."""
    values = st.one_of(TEXT, st.integers(0, 99), st.booleans(), st.lists(TEXT, max_size=3))
    checks = st.builds(
        Check,
        kind=st.sampled_from(["semgrep", "shell", "guard"]),
        template=SLUG,
        parameters=st.dictionaries(SLUG, values, max_size=3),
    )
    scopes = st.builds(
        Scope,
        include=st.lists(PATHS, min_size=1, max_size=2).map(tuple),
        exclude=st.just(("gen/**",)),
        projects=st.sampled_from([(), ("web-*",)]),
        environments=st.sampled_from([(), ("ci",)]),
    )
    return st.builds(
        Rule,
        slug=SLUG.filter(lambda slug: slug != "config"),
        statement=LINE,
        revision=st.integers(1, 9),
        rationale=TEXT,
        category=st.sampled_from(CATEGORIES),
        severity=st.sampled_from(["must", "should", "style"]),
        enforcement=st.sampled_from(["auto", "audit", "warn", "block"]),
        on_error=st.sampled_from(["warn", "block"]),
        on_unsure=st.sampled_from(["audit", "warn", "block"]),
        level=st.sampled_from(["auto", "remind", "strict", "testable"]),
        when=TEXT,
        do=TEXT,
        scope=scopes,
        checks=st.lists(checks, max_size=2).map(tuple),
        invalid=st.lists(examples(), max_size=3).map(tuple),
        valid=st.lists(examples(), max_size=3).map(tuple),
        supersedes=st.lists(SLUG, max_size=2).map(tuple),
        exceptions=st.lists(exemptions(), max_size=2).map(tuple),
    )


def exemptions() -> st.SearchStrategy[Exemption]:
    """Any exception of a rule."""
    some = st.lists(PATHS, min_size=1, max_size=2).map(tuple)
    scopes = st.one_of(
        st.builds(Scope, include=some, exclude=st.sampled_from([(), ("gen/**",)])),
        st.builds(Scope, agents=st.just(("codex",)), environments=st.sampled_from([(), ("local", "ci")])),
    )
    return st.builds(
        Exemption,
        because=LINE,
        when=TEXT,
        scope=scopes,
        commands=st.sampled_from([(), ("npm ci", "git push --force|-f")]),
        arguments=st.sampled_from([(), ("migrations/**", "*.sql")]),
        valid=st.lists(examples(), max_size=2).map(tuple),
    )


def counts() -> st.SearchStrategy[FiringCount]:
    """Any count of what gates saw."""
    return st.builds(
        FiringCount,
        day=st.sampled_from(["2026-10-31", "2026-11-01", "2026-11-02"]),
        gate=st.sampled_from(["ask", "stop", "commit"]),
        agent=st.sampled_from(["", "codex", "claude-code"]),
        outcome=st.sampled_from(["block", "warn", "fixed", "excepted"]),
        unsure=st.booleans(),
    )


def _seen(found: list[FiringCount]) -> tuple[FiringCount, ...]:
    return tuple(replace(one, times=number) for number, one in enumerate(found, 1))


def observations(slug: str) -> st.SearchStrategy[Evidence]:
    """Any observation about a rule."""
    return st.builds(
        Evidence,
        slug=st.just(slug),
        kind=st.sampled_from(get_args(EvidenceKind)),
        weight=st.sampled_from([0.0, 1.0, 3.0]),
        at=st.just("2026-11-20T10:00:00Z"),
        quote=TEXT,
        transcript=SLUG,
        turn=st.integers(-1, 50),
        path=st.one_of(st.just(""), PATHS),
        seen=st.lists(counts(), max_size=4, unique=True).map(_seen),
    )
