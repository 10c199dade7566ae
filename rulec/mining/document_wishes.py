"""The wishes of an instruction file: one sentence each that stands on its own, with line, code and files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from rulec.domain.files import languages
from rulec.domain.rule import Example
from rulec.mining.guidance import VERBS, Ground, Zone, ground_under, says_how_to_work, unlabelled
from rulec.mining.markdown_passages import CodeBlock, Passage, passages
from rulec.sentences.literals import is_path, tokens_of
from rulec.sentences.splitting import sentence_spans


def examples_in_code(fence: CodeBlock, side: str) -> Iterator[tuple[str, Example]]:
    """The code as examples: of the side that its words say, else as comments in it divide it."""
    for kind, text in [(side, fence.text)] if side else _divided_by_comments(fence.text):
        if not text.strip():
            continue
        if fence.language == "console" or languages.language_of(fence.language) == "bash":
            lines = (line.strip().removeprefix("$ ") for line in text.splitlines())
            yield from ((kind, Example(kind="command", text=line)) for line in lines if line and line[0] != "#")
        elif ending := _suffix_of_fence(fence.language):
            yield kind, Example(kind="file", path=f"src/example.{ending}", text=text)


_MARKED = re.compile(
    r"\s*(?://|#|--|/\*)\s*\W{0,3}(?:(?P<bad>bad|wrong|avoid|don'?t|incorrect)|(?:good|right|correct|do))\b",
    re.IGNORECASE,
)


def _divided_by_comments(code: str) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    for line in code.splitlines(keepends=True):
        if found := _MARKED.match(line):
            parts.append(("bad" if found["bad"] else "good", ""))
        elif parts:
            parts[-1] = (parts[-1][0], parts[-1][1] + line)
    return parts


_WRITTEN = [name for name, kind in languages.KINDS.items() if kind in ("code", "style") or name == "sql"]
_NAMES = {*_WRITTEN, *(name for name, language in languages.SPOKEN_NAMES.items() if language in _WRITTEN)}
_LANGUAGE = re.compile(
    rf"^\W*({'|'.join(sorted(re.escape(name) for name in _NAMES if len(name) > 1))})"
    r"(?: (?:code|style|rules|conventions|files|guidelines|standards|coding style|best practices))*\W*$",
    re.IGNORECASE,
)


def _suffix_of_fence(name: str) -> str:
    """The suffix of files with code that stands under that name, "" where it is no code that is written in files."""
    language = languages.language_of(name)
    if language not in _WRITTEN:
        return ""
    return name if name in languages.SUFFIXES[language] else languages.SUFFIXES[language][0]


def globs_of_heading(headings: tuple[str, ...]) -> tuple[str, ...]:
    """Globs of the language that the nearest heading names."""
    found = next((match for title in reversed(headings) if (match := _LANGUAGE.match(title))), None)
    return tuple(languages.globs_with_covered(languages.language_of(found[1]))) if found else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A sentence that says how to work."""

    text: str  # with what it needs of the words around it
    quote: str  # word for word
    line: int
    bad: tuple[Example, ...] = ()
    good: tuple[Example, ...] = ()
    because: str = ""  # what stands behind a dash
    do: str = ""  # what the next sentence says to do instead
    languages: tuple[str, ...] = ()  # globs of the files that its heading speaks of


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading:
    """The wishes of a file, and its other sentences, each with its line."""

    sayings: tuple[Saying, ...]
    left: tuple[tuple[int, str], ...]


def read_document(text: str, *, whole: Zone = "plain", section: str = "") -> DocumentReading:
    """The sayings in their order; ``whole`` is "norms" for a file, or a ``section`` of it, that holds rules alone."""
    reader = _DocumentReader(whole)
    for passage in passages(text):
        if not section or any(_plain(section) == _plain(title) for title in passage.headings):
            reader.take(passage)
    return DocumentReading(sayings=tuple(reader.found), left=tuple(reader.left))


def _plain(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.casefold()))


@dataclass
class _DocumentReader:
    whole: Zone
    found: list[Saying] = field(default_factory=list)
    left: list[tuple[int, str]] = field(default_factory=list)
    under: tuple[str, ...] = ()  # the headings of the last saying

    def take(self, passage: Passage) -> None:
        here = ground_under(passage.headings, passage.over, numbered=passage.numbered, whole=self.whole)
        before = len(self.found)
        if passage.kind == "row":
            self.add(_wish_of_row(passage), passage.line, passage.text)
        elif not self.shown(passage):
            for sentence, line, last in _sentences(passage):
                self.sentence(passage, here, sentence, line, last)
        if passage.code and len(self.found) > before:
            self.found[-1] = _with_code(self.found[-1], passage, "")
        if len(self.found) > before:
            self.under = passage.headings

    def sentence(self, passage: Passage, here: Ground, sentence: str, line: int, last: str) -> None:
        if sentence.endswith(":"):  # it introduces a list
            return
        text = _text(passage, here, sentence, last)
        if (
            LEANS_ON_SENTENCE.search(sentence)
            and self.found
            and self.found[-1].quote == last
            and says_how_to_work(sentence, _NORMS)
        ):
            self.found[-1] = replace(self.found[-1], do=sentence)  # "Create a new one instead."
            return
        text, because = split_reason(text)
        globs = globs_of_heading(passage.headings)
        said = [Saying(text=text, quote=sentence, line=line, languages=globs, because=because)] if text else []
        self.add(said, line, sentence)

    def add(self, sayings: list[Saying], line: int, sentence: str) -> None:
        self.found += sayings
        self.left += [] if sayings else [(line, sentence)]

    def shown(self, passage: Passage) -> bool:
        """Whether the passage only introduces code that shows what the last saying means."""
        sign = _SHOWN.match(passage.text)
        if not sign or not self.found or passage.headings != self.under or len(passage.text) > _SHORT:
            return False
        if passage.code:
            self.found[-1] = _with_code(self.found[-1], passage, "bad" if sign["bad"] else "good")
        return True


_SHORT = 60
_NORMS = Ground("norms")
_WHEN_ALONE = re.compile(
    r"^(?:when(?:ever)?|before|after|if|on|for|every time|each time|once)\b.{3,90}$", re.IGNORECASE
)
_SHOWN = re.compile(
    r"^\W{0,3}(?:(?P<bad>bad|wrong|incorrect|don'?t|do not|avoid|not this|instead of(?: this)?|no)|"
    r"(?:good|right|correct|do|prefer|better|this|yes|use(?: this)?(?: instead)?))\b\W*(?:example|this|code)?\W*$",
    re.IGNORECASE,
)

_MOST_READ = 20_000  # characters of a paragraph; what is longer was written by a program


def _sentences(passage: Passage) -> Iterator[tuple[str, int, str]]:
    """Each sentence with its line and the one before it."""
    if len(passage.text) > _MOST_READ:
        return
    last = ""
    for start, end in sentence_spans(passage.text):
        sentence = passage.text[start:end]
        if not sentence.rstrip(".").isdigit():
            yield sentence, passage.line + sum(at <= start for at in passage.lines[1:]), last
            last = sentence


def _names_something(text: str) -> bool:
    """Whether a code span or a path stands in it."""
    return any(token.kind == "code" or is_path(token.text) for token in tokens_of(text))


def _text(passage: Passage, here: Ground, sentence: str, last: str) -> str:
    """The sentence as a wish that stands on its own, "" where it is none."""
    bare = _SIGNS.sub("", sentence)
    if here.against or sentence.startswith(_CROSSES):
        return as_prohibition(bare)
    intro = passage.over[-1].rstrip(": ") if passage.over and passage.over[-1].endswith(":") else ""
    intro = intro if _WHEN_ALONE.match(intro) else ""
    led = f"{intro}, {in_mid_sentence(bare)}" if intro else bare
    ordered = _NORMS if intro else here
    if not says_how_to_work(led, ordered) and not (sentence.startswith(_TICKS) and says_how_to_work(bare, _NORMS)):
        return ""
    label, body = unlabelled(bare)
    if intro:
        return f"{intro}, {in_mid_sentence(body)}"
    if LEANS_ON_SENTENCE.search(body) and not _names_something(body):
        if last and not LEANS_ON_SENTENCE.search(last) and len(last) + len(body) < LONGEST:
            return f"{last} {body}"
        topic = label or (passage.headings[-1] if len(passage.headings) > 1 else "")
        return f"{topic}: {in_mid_sentence(body)}" if topic else body
    return body


_SIGNS = re.compile(r"^[^\w`'\"(@./*~<\[-]+")
_TICKS = ("\u2705", "\u2714", "\u2713", "\U0001f44d")
_CROSSES = ("\u274c", "\u2716", "\u2717", "\u26d4", "\U0001f6ab", "\U0001f44e")


def _wish_of_row(row: Passage) -> list[Saying]:
    """A row of a table with a column for what to use and one for what not to."""
    heads = [cell.strip().casefold() for cell in row.head]
    use = next((n for n, head in enumerate(heads) if _USE.fullmatch(head)), None)
    avoid = next((n for n, head in enumerate(heads) if _AVOID.fullmatch(head)), None)
    if use is None or avoid is None or max(use, avoid) >= len(row.cells):
        return []
    good, bad = row.cells[use].strip(), row.cells[avoid].strip()
    if not all(1 < len(cell) <= _SHORT and cell.strip("-\u2013\u2014 ") for cell in (good, bad)):
        return []
    text = f"Use {good} instead of {bad}."
    return [Saying(text=text, quote=" | ".join(row.cells), line=row.line, languages=globs_of_heading(row.headings))]


_USE = re.compile(
    r"(?:do|use|prefer|preferred|good|write|say|correct|right|recommended|yes|do this|use this)(?: this)?"
)
_AVOID = re.compile(
    r"(?:not|instead of|don'?t|avoid|bad|never|do not|rather than|wrong|incorrect|no|over|don'?t use|"
    r"do not use|not this)"
)


def _with_code(saying: Saying, passage: Passage, side: str) -> Saying:
    shown = [one for fence in passage.code for one in examples_in_code(fence, side)]
    good = tuple(example for kind, example in shown if kind == "good")
    bad = tuple(example for kind, example in shown if kind == "bad")
    return replace(saying, good=(*saying.good, *good), bad=(*saying.bad, *bad))


LONGEST = 240  # characters of a sentence that is made of two, or of an item of what not to do
# It speaks of something that was named before it.
LEANS_ON_SENTENCE = re.compile(
    r"^(?:(?:please|do not|don'?t|never|always|avoid|also|just|instead,?|\w+ly)\s+)*[\w-]+\s+"
    r"(?:(?:to|in|from|with|on|into|for|about)\s+)?"
    r"(?:it|them|these|those|this|that|(?:(?:a|an|the|another)\s+)?(?:\w+\s+)?one|there)\b(?!\s+(?:is|are|you|we)\b)|"
    r"\b(?:one|there)[.!]?$",
    re.IGNORECASE,
)

_DASH = re.compile(r"\s+[\u2013\u2014-]{1,2}\s+(?=\S)")
_LEAST = 12  # characters of a wish before the dash


def split_reason(text: str) -> tuple[str, str]:
    """A wish and the reason behind its dash, unless that is another wish."""
    found = _DASH.search(re.sub(r"`[^`]*`", lambda code: "x" * len(code[0]), text))
    if not found or found.start() < _LEAST:
        return text, ""
    head, tail = text[: found.start()].rstrip(" ,;"), text[found.end() :]
    if says_how_to_work(tail, Ground("norms")):
        return f"{head}; {tail}", ""
    return head, f"{tail[0].upper()}{tail[1:]}"


_NOT = re.compile(
    r"^(?:(?:please|always)\s+)?(?:do not|do ?n[o']t|never|avoid|no|not|use\b.+\binstead\b)\b", re.IGNORECASE
)


def as_prohibition(text: str) -> str:
    """An item of a list of prohibitions as a sentence that forbids it."""
    body = unlabelled(text)[1]
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", body)
    if not words or len(body) > LONGEST or text.endswith(":"):
        return ""
    if _NOT.match(body):
        return body
    first = words[0].lower()
    if first in VERBS and body[: len(first)].lower() == first:
        return f"Do not {in_mid_sentence(body)}"
    if first.endswith("ing") and body[: len(first)].lower() == first:
        return f"Avoid {in_mid_sentence(body)}"
    return f"No {in_mid_sentence(body)}" if not body.startswith("`") else f"Do not use {body}"


def in_mid_sentence(text: str) -> str:
    """The text as it goes on after other words: names and acronyms keep their capitals."""
    word = re.match(r"[A-Za-z']+", text)
    if not word or len(word[0]) == 1 or word[0][1:] != word[0][1:].lower():
        return text
    return text[0].lower() + text[1:]
