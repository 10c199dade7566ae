"""Verdicts of every sort, some of them with words that a stranger chose."""

from rulec.domain.artifact import RuleFacts
from rulec.domain.finding import Fault, Finding, Outcome, Verdict

FACTS = RuleFacts(
    slug="use-pnpm", revision=3, statement="Use pnpm.", do="run `pnpm add`", quote="no npm!", said="2026-11-20",
    severity="must", enforcement="block",
)  # fmt: skip
STYLE = RuleFacts(slug="short-names", revision=1, statement="Short names.", severity="style", enforcement="warn")
COUNTS = {"files": 4, "rules": 2, "unread": 1}
# what a file, its name or a commit may hold: commands, tags, links, mentions, ends of everything, bytes of no text
HOSTILE = (
    "::error file=x::boo\n::add-mask::y",
    "##[error]z",
    "50% off\r\n::stop-commands::t",
    "<script>alert(1)</script> & <!-- -->]]>",
    "[click](https://evil.example) ![i](http://x/y.png) @team #12 https://evil.example",
    "a | b\n---|---\n```\n``` `` ` *x* _y_",
    "\x00\x07\x1b[31m\u202e\u200bevil\ufffe",
    "\udcff\udcfe.py",
    "C:\\x,y=z:1%25",
    "\u65e5\u672c\u8a9e \U0001f600",
)  # fmt: skip


def found(outcome: Outcome = "block", facts: RuleFacts = FACTS, *, because: str = "", **more: object) -> Verdict:
    """A verdict on a finding."""
    known = {"slug": facts.slug, "path": "src/a.py", "line": 3, "text": "npm i"}
    return Verdict(outcome=outcome, facts=facts, finding=Finding(**{**known, **more}), because=because)  # type: ignore[arg-type]  # a table of any fields


def broke(outcome: Outcome = "block", what: str = "it hung", path: str = "") -> Verdict:
    """A verdict on a check that broke."""
    return Verdict(outcome=outcome, facts=FACTS, fault=Fault(slug=FACTS.slug, what=what, path=path))


def hostile() -> list[Verdict]:
    """Strangers' words in every place that they can reach."""
    paths = [found(path=f"src/{word}", text=word, cure=word) for word in HOSTILE if "\0" not in word]
    words = [found("warn", STYLE, text=word, line=n) for n, word in enumerate(HOSTILE)]
    faults = [broke(what=word, path=word.replace("\0", "")) for word in HOSTILE]
    return [*paths, *words, *faults, *[found("excepted", because=word) for word in HOSTILE]]


EVERY = [
    found(),
    found(line=9, last=11),
    found(path="b.py", line=0),
    found(path="", line=0, text="Fix a"),
    found("warn", STYLE),
    found("audit", STYLE, line=5),
    found("old", line=8),
    found("excepted", line=12, because="until 2026-12-31 by Dev: the old client"),
    found("excepted", line=13, because=".rules/exceptions/a.yaml until 2026-12-31: ours"),
    broke(),
    broke("warn", path="c.py"),
]
