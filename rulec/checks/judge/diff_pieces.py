"""A change in pieces small enough to be asked about: the lines that it adds, with a few around them."""

import re
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from zlib import crc32

from rulec.checks.judge.rulings import CUT, HIDDEN, Piece, PieceLine
from rulec.domain.change import Change, FileChange
from rulec.domain.files import file_kinds, languages
from rulec.domain.prompt import estimate_tokens
from rulec.domain.text.redaction import redact

LONGEST_LINE = 4_000  # signs of a line; of a longer one the beginning is shown, and code that has one is for no reader
_MARK = re.compile(r"\[redacted(?::[\w-]{1,40})?\]")
_COOKIE = re.compile(
    r"[\"'](?:set-)?cookie[\"']?[ \t:]{1,9}[\"']?\[redacted:cookie\]|cookie[ \t:=]{1,9}[\"']\[redacted:cookie\]",
    re.IGNORECASE,
)
_SIGNS = re.compile(r"[()\[\]{}]|=(?=\s*[\w\"'`$@])|\s(?!AAAA)")  # of code; a token has none of them
_BRACKETS = re.compile(r"[()\[\]{}]")
_NAMED = re.compile(r"[A-Za-z_][\w.]*")


def unseen_code(plain: str, clean: str, whole: str, *, code: bool) -> str:
    """What a reader of a line does not see that may be code; a token alone is none."""
    if len(whole) > LONGEST_LINE or "\0" in whole:
        return CUT
    if code and _taken_for_a_secret(plain, clean, whole):
        return HIDDEN
    signs = _SIGNS
    if "[redacted:cookie]" in clean:
        if not _COOKIE.search(clean):
            return HIDDEN
        signs = _BRACKETS
    return HIDDEN if signs.findall(_MARK.sub("x", plain)) != signs.findall(_MARK.sub("x", clean)) else ""


def _taken_for_a_secret(plain: str, clean: str, whole: str) -> bool:
    """Whether what is not shown of a line of code may be a name or a path, which no secret is written as."""
    bare = whole.strip()
    keyed = plain != whole and (bare.startswith("/") or bare == bare.lower())
    return keyed or any(_NAMED.fullmatch(one) for one in _assigned_values(plain, clean))


def _assigned_values(plain: str, clean: str) -> Iterator[str]:
    """The unquoted values that a line assigns, among all that its marks may hide."""
    first, *rest = _MARK.split(clean)
    at = len(first)
    for place, part in enumerate(rest, 1):
        end = plain.find(part, at) if part and place < len(rest) else len(plain) - len(part)
        if end < at:  # more than the marks tells them apart
            return
        if plain[:at].rstrip().endswith(("=", ":", "=>")):
            yield plain[at:end]
        at = end + len(part)


CONTEXT_LINES = 3  # lines that are shown on both sides
LARGEST_PIECE = 800  # tokens of one piece
MOST_CHARACTERS = 200_000  # signs that one file may bring
_GLIMPSE = 24_000  # signs that are shown of a file that brings too much
_MESSAGE = 8_000  # signs of a commit message in one piece
_PIECES = 3  # of a message that are shown
_HEAD = 8_000  # bytes by which git tells what is binary
_LOCKS = ("package-lock.json", "pnpm-lock.yaml")  # others whose names end so may be anybody's settings
_DATA = "*.{csv,tsv,json,jsonl,ndjson,geojson,svg,snap,po,map}"
_PACKED = "*.{js,mjs,cjs}"
_RUN_BY_NAME = "{*makefile,*dockerfile,*containerfile,makefile.*,dockerfile.*,justfile,rakefile,jenkinsfile,procfile}"
_TEXT = languages.suffix_glob(
    suffix
    for language, kind in languages.KINDS.items()
    if kind in ("prose", "style", "markup", "data") or language == "sql"
    for suffix in languages.SUFFIXES[language]
)
_POINTER = b"version https://git-lfs.github.com/spec/"
_TOO_LARGE, _NO_TEXT = "is too large to be sent to a judge", "holds bytes that no judge can read"
_ELSEWHERE = "is kept by Git LFS, where no judge can read it"
_BEGINNING = 500  # signs that are shown of a line that is too long
_WHOLE = 300_000  # bytes of a file up to which secrets are looked for in all of it, and not only in what is shown
_KEY = 200  # lines of a key
_HEADER = re.compile(
    r"-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(PuTTY-User-Key-File-)|(Private-MAC: )"
)
_RUN = re.compile(r"(?<![\w.])(?:[A-Za-z0-9+/]{16,}+={0,2})(?![\w.(\[])")


def cut_change(change: Change) -> tuple[list[Piece], list[FileChange]]:
    """The pieces of every file that can be sent, and the files of which no line is: deleted, binary, too large."""
    pieces, unsent = list[Piece](), list[FileChange]()
    for file in change.files:
        lines = _lines(file.content or b"")
        fresh = _new_lines(file, lines)
        if not _can_be_judged(file, fresh):
            unsent.append(file)
        elif glimpsed := _first_new_lines(fresh):
            *first, last = _file_pieces(file, lines, glimpsed)
            pieces += [*first, replace(last, unseen=CUT)]
        else:
            pieces += _file_pieces(file, lines, fresh)
    return [*pieces, *_message_pieces(change)], unsent


def pieces_of(change: Change) -> list[Piece]:
    """The pieces alone."""
    return cut_change(change)[0]


def why_not_sent(file: FileChange) -> str:
    """Why a file of which nothing is sent is text all the same that a person may want to be judged; "" for others."""
    code = _is_written_code(file.path)
    if file.status == "D" or _is_generated(file.path) or _is_lock_file(file.path):
        return ""
    if file.content is None:
        return _TOO_LARGE if file.large else _NO_TEXT * code
    if _is_lfs_pointer(file.content):
        return "" if _is_lfs_pointer(file.base or b"") else _ELSEWHERE
    return _TOO_LARGE if b"\0" not in file.content[:_HEAD] else _NO_TEXT * code


def _message_pieces(change: Change) -> Iterator[Piece]:
    lines = (change.message or "").rstrip().splitlines()
    fresh = dict(enumerate(lines, 1))
    told = _lines_without_secrets(lines, [(1, len(lines))]) if lines else {}
    start, pieces = 1, list[Piece]()
    while start <= len(lines) and len(pieces) < _PIECES:
        end, size = start, len(told[start][0])
        while end < len(lines) and size + len(told[end + 1][0]) < _MESSAGE:
            end += 1
            size += len(told[end][0]) + 1
        pieces.append(_piece("", range(start, end + 1), told, fresh))
        start = end + 1
    if start <= len(lines):
        pieces[-1:] = [replace(pieces[-1], unseen=CUT)]
    yield from pieces


def _can_be_judged(file: FileChange, fresh: Mapping[int, str]) -> bool:
    """Whether a file has lines that a reader could judge: it is no binary, lock or data file, and no code too large."""
    if not _is_readable_text(file.path, file.content):
        return False
    small = sum(map(len, fresh.values())) <= MOST_CHARACTERS
    if _is_written_code(file.path) or file_kinds.is_among([_DATA], file.path):
        return small and all(len(one) <= LONGEST_LINE for one in fresh.values())
    if not _is_generated(file.path):
        return True
    packed = file_kinds.is_among([_PACKED], file.path) or not file_kinds.is_code(
        file.path
    )  # in long lines by a machine
    return small and any(one.strip() and not (packed and len(one) > LONGEST_LINE) for one in fresh.values())


def _is_readable_text(path: str, content: bytes | None) -> bool:
    """Whether a file holds text of a kind that is sent, however large it is."""
    code = _is_written_code(path)
    if content is None or _is_lock_file(path) or (code and _is_lfs_pointer(content)):
        return False
    return b"\0" not in content[:_HEAD] or (not code and (_runs_alone(path, content) or _is_mostly_text(path, content)))


def was_unreadable_before(file: FileChange) -> bool:
    """Whether a file that was renamed held, under its old name, nothing of a kind that is sent: all of it is new."""
    return file.base is not None and not _is_readable_text(file.old_path, file.base)


def _is_written_code(path: str) -> bool:
    return file_kinds.is_code(path) and not _is_generated(path)


def _is_generated(path: str) -> bool:
    """Whether the file is generated; migrations count as written by people."""
    return file_kinds.is_generated(re.sub(r"(?<![^/])migrations/", "x/", path))


def _runs_alone(path: str, content: bytes) -> bool:
    """Whether it is run though its name does not say that it is code."""
    return content.startswith(b"#!") or file_kinds.is_among([_RUN_BY_NAME], path.rpartition("/")[2])


def _is_lfs_pointer(content: bytes) -> bool:
    return content.startswith(_POINTER) and len(content) < 1_000


def _is_lock_file(path: str) -> bool:
    named = path.rpartition("/")[2] in _LOCKS
    return named or (file_kinds.is_among(["@lockfile"], path) and not file_kinds.is_among(["*-lock.{json,yaml}"], path))


def _is_mostly_text(path: str, content: bytes) -> bool:
    """Whether a file that git takes for binary is text but for a few bytes."""
    if file_kinds.is_among([_TEXT], path):
        return True
    try:
        lines = getincrementaldecoder("utf-8")().decode(content[:MOST_CHARACTERS]).split("\n")
    except ValueError:
        return False
    return any(line.strip() and line.replace("\t", "").isprintable() for line in lines)


def _first_new_lines(fresh: Mapping[int, str]) -> dict[int, str]:
    """The first of the new lines where they are too many; nothing where they are not."""
    sizes = {number: len(_cut(line, line)) + 1 for number, line in fresh.items()}
    if sum(sizes.values()) <= MOST_CHARACTERS:
        return {}
    some, size = dict[int, str](), 0
    for number, line in fresh.items():
        size += sizes[number]
        if some and size > _GLIMPSE:
            break
        some |= {number: line} if line.strip() else {}
    return some


def _lines(content: bytes) -> list[str]:
    lines = content.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _new_lines(file: FileChange, lines: Sequence[str]) -> dict[int, str]:
    """The new lines by number; moved or reindented ones are not new."""
    added = file.added_lines
    new = {number: line for number, line in enumerate(lines, 1) if added is None or number in added}
    if file.base is None:
        return new
    gone = Counter(map(_plain, _lines(file.base)))
    gone.subtract(_plain(line) for number, line in enumerate(lines, 1) if number not in new)
    if file.status != "M":  # each line is new by its name alone: what it had before is in both
        gone = Counter(map(_plain, _lines(file.base)))
    fresh = {}
    for number, line in new.items():
        plain = _plain(line)
        if plain and gone[plain] > 0:
            gone[plain] -= 1
        else:
            fresh[number] = line
    return fresh


def _plain(line: str) -> str:
    return " ".join(line.split())


def _file_pieces(file: FileChange, lines: Sequence[str], fresh: Mapping[int, str]) -> Iterator[Piece]:
    runs = list(_shown_ranges([number for number, line in fresh.items() if line.strip()], len(lines)))
    told = _lines_without_secrets(lines, runs, code=file_kinds.is_code(file.path))
    for first, last in runs:
        for part in _parts([PieceLine(n, told[n][0], n in fresh) for n in range(first, last + 1)]):
            if any(line.new for line in part):
                yield _piece(file.path, range(part[0].number, part[-1].number + 1), told, fresh)


def _piece(path: str, numbers: range, told: Mapping[int, tuple[str, str]], fresh: Mapping[int, str]) -> Piece:
    lost = next((told[n][1] for n in numbers if n in fresh and told[n][1]), "")
    return Piece(path=path, lines=tuple(PieceLine(n, told[n][0], n in fresh) for n in numbers), unseen=lost)


def _shown_ranges(numbers: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    """First and last lines of what is shown, where those that meet are one."""
    open_at = close_at = 0
    for number in numbers:
        first, last = max(1, number - CONTEXT_LINES), min(end, number + CONTEXT_LINES)
        if close_at and first > close_at + 1:
            yield open_at, close_at
            open_at = first
        open_at, close_at = open_at or first, last
    if close_at:
        yield open_at, close_at


def _lines_without_secrets(
    lines: Sequence[str], runs: Sequence[tuple[int, int]], *, code: bool = False
) -> dict[int, tuple[str, str]]:
    """The lines that are shown, by number, without secrets, and what of them is not shown though it may be code."""
    numbers = [number for first, last in runs for number in range(first, last + 1)]
    keyless = list(_without_keys(line[:LONGEST_LINE] for line in lines))
    small = sum(map(len, keyless)) <= _WHOLE
    read = range(1, len(lines) + 1) if small else numbers
    plain = [keyless[number - 1] for number in read]
    clean = redact("\n".join(plain)).split("\n")
    if len(clean) != len(plain):  # a secret of several lines is gone
        clean = [redact(line) for line in plain]
    told = {number: (_cut(two, lines[number - 1]), unseen_code(one, two, lines[number - 1], code=code))
            for number, one, two in zip(read, plain, clean, strict=True)}  # fmt: skip
    return {number: told[number] for number in numbers}


def _without_keys(lines: Iterable[str]) -> Iterator[str]:
    """The lines without keys of several lines; what stands between their marks and is no part of one stays."""
    left = 0
    for line in lines:
        ends = False
        for found in _HEADER.finditer(line):
            ends = found[1] == "END" or bool(found[3])
            left = max(left, 1) if ends else _KEY
        bare = _HEADER.sub("[redacted:pem]", line)
        alone = left and (bare != line or not re.search(r"(?<!\\)\w", _RUN.sub("", line)))
        yield _RUN.sub(_run, bare) if alone else bare
        left = 0 if ends else max(0, left - 1)


def _run(found: re.Match[str]) -> str:
    long = len(found[0]) >= 40
    return "[redacted:pem]" if long or any(map(str.isdigit, found[0])) else found[0]


def _cut(text: str, whole: str) -> str:
    return text if len(whole) <= LONGEST_LINE else f"{text[:_BEGINNING]}…"


def _parts(lines: Sequence[PieceLine]) -> Iterator[Sequence[PieceLine]]:
    """The lines in parts of a bounded size, cut where a reader would cut."""
    start = 0
    while start < len(lines):
        end = _part_end(lines, start)
        yield lines[start:end]
        start = end


def _part_end(lines: Sequence[PieceLine], start: int) -> int:
    """Where a part ends: by what its lines say, so that a change of one part leaves most others as they were."""
    size, places = 0, list[tuple[bool, int, int]]()
    for at in range(start, len(lines)):
        line = lines[at]
        size += estimate_tokens(line.text)
        if size > LARGEST_PIECE and at > start:
            return min(places, default=(True, 0, at))[-1]
        if size > LARGEST_PIECE // 2 and at > start:
            natural = not lines[at - 1].text.strip() and line.text[:1].strip() != ""
            places.append((not natural, crc32(line.text.encode("utf-8", "surrogatepass")), at))
    return len(lines)
