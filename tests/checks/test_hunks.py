"""What of a change is shown to whoever judges it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.checks.judge.diff_pieces import (
    CONTEXT_LINES,
    LARGEST_PIECE,
    LONGEST_LINE,
    MOST_CHARACTERS,
    cut_change,
    pieces_of,
    why_not_sent,
)
from rulec.checks.judge.rulings import CUT, HIDDEN, Piece
from rulec.domain.change import Change, FileChange
from rulec.domain.prompt import estimate_tokens

BASE = "".join(f"line {n}\n" for n in range(1, 31))


def _file(content: str, base: str | None = None, added: tuple[tuple[int, int], ...] | None = None) -> FileChange:
    how = "A" if base is None else "M"
    data = None if base is None else base.encode()
    return FileChange(path="a.py", status=how, content=content.encode(), base=data, added=added)  # type: ignore[arg-type]  # one of two letters


def _told(pieces: list[Piece]) -> list[list[tuple[int, bool]]]:
    return [[(line.number, line.new) for line in piece.lines] for piece in pieces]


def test_a_hunk_is_its_new_lines_with_a_few_around_them() -> None:
    content = BASE.replace("line 10\n", "new\n").replace("line 25\n", "newer\n")
    pieces = pieces_of(Change(files=(_file(content, BASE, ((10, 10), (25, 25))),)))
    assert _told(pieces) == [
        [(n, n == 10) for n in range(10 - CONTEXT_LINES, 11 + CONTEXT_LINES)],
        [(n, n == 25) for n in range(25 - CONTEXT_LINES, 26 + CONTEXT_LINES)],
    ]
    assert [line.text for line in pieces[0].lines][CONTEXT_LINES] == "new"


@pytest.mark.parametrize(
    ("content", "added"),
    [
        (BASE.replace("line 5\n", "") + "line 5\n", ((30, 30),)),
        (BASE.replace("line 5\n", "    line 5\n"), ((5, 5),)),
        (BASE.replace("line 5\n", "line  5\r\n"), ((5, 5),)),
        (BASE + "\n\n", ((31, 32),)),
    ],
    ids=["moved", "indented", "other line ends", "blank"],
)
def test_what_only_moved_or_is_blank_is_nothing_new(content: str, added: tuple[tuple[int, int], ...]) -> None:
    assert pieces_of(Change(files=(_file(content, BASE, added),))) == []


def test_what_was_copied_is_new() -> None:
    assert _told(pieces_of(Change(files=(_file(BASE + "line 5\n", BASE, ((31, 31),)),))))[0][-1] == (31, True)


def test_of_a_renamed_file_only_what_is_new_is_shown() -> None:
    file = FileChange(
        path="b.py", status="R", old_path="a.py", content=(BASE + "new\n").encode(), base=BASE.encode(), added=None
    )
    assert [line for told in _told(pieces_of(Change(files=(file,)))) for line in told if line[1]] == [(31, True)]


def test_a_large_hunk_is_split_and_a_change_in_it_moves_few_cuts() -> None:
    blocks = [f"def part_{n}(amount):\n    total = amount * {n}\n    return total + {n}\n\n\n" for n in range(1000)]
    before = pieces_of(Change(files=(_file("".join(blocks)),)))
    assert len(before) > 5
    assert all(estimate_tokens(piece.bare) <= LARGEST_PIECE * 1.5 for piece in before)
    blocks[300] = blocks[300].replace("total", "the_whole_total")
    after = {piece.digest for piece in pieces_of(Change(files=(_file("".join(blocks)),)))}
    assert len({piece.digest for piece in before} - after) <= 4


def test_a_piece_is_known_wherever_it_stands() -> None:
    one = pieces_of(Change(files=(_file(BASE + "new\n", BASE, ((31, 31),)),)))
    two = pieces_of(Change(files=(_file("top\n" * 9 + BASE + "new\n", "top\n" * 9 + BASE, ((40, 40),)),)))
    assert one[0].digest == two[0].digest
    assert one[0].lines != two[0].lines


@pytest.mark.parametrize(
    "file",
    [
        FileChange(path="a.py", status="D", base=b"x\n"),
        FileChange(path="a.bin", content=b"a\0b\n"),
        FileChange(path="pnpm-lock.yaml", content=b"a: 1\n"),
        FileChange(path="yarn.lock", content=b"a: 1\n"),
        FileChange(path="a.json", content=b"1," * LONGEST_LINE),
        FileChange(path="a.csv", content=b"a,b,c\n" * (MOST_CHARACTERS // 4)),
        FileChange(path="a.py", large=True),
    ],
    ids=lambda file: f"{file.path} {file.status}",
)
def test_what_holds_no_lines_for_a_reader_is_not_sent_and_told(file: FileChange) -> None:
    assert cut_change(Change(files=(file,))) == ([], [file])


def test_secrets_are_not_shown_and_lines_keep_their_numbers() -> None:
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *["MIIEow" + "A" * 58] * 12, "-----END RSA PRIVATE KEY-----"])
    token = "gh" + "p_" + "a1B2" * 9
    content = f"first = 1\nkey = '''{key}'''\ntoken = '{token}'\nlast = 2\n"
    (piece,) = pieces_of(Change(files=(_file(content),)))
    assert "MIIEow" not in piece.bare
    assert token not in piece.bare
    assert piece.lines[-1].text == "last = 2"
    assert piece.lines[-1].number == len(content.splitlines())


PEM = "-----{} PRIVATE KEY-----"


@pytest.mark.parametrize(
    "content",
    [
        f"# {PEM.format('BEGIN')}\nfoo = evil(1)\n# {PEM.format('END')}\n",
        "# PuTTY-User-Key-File-2\nfoo = evil(1)\nfoo = evil(2)\n",
        f"x = '{PEM.format('BEGIN')}' in text\nfoo = evil(1)\ny = '{PEM.format('END')}'\n",
    ],
)
def test_marks_of_a_key_hide_no_line_that_is_none(content: str) -> None:
    (piece,) = pieces_of(Change(files=(_file(content),)))
    assert "foo = evil(1)" in piece.bare
    assert piece.unseen == ""


@pytest.mark.parametrize(
    ("line", "unseen"),
    [
        ("cookie: foo = evil(1)", HIDDEN),
        ("secret = foo=1", HIDDEN),
        ('password = "and {evil(1)}"', HIDDEN),
        (f"a('{PEM.format('BEGIN')}'); evil(1); b('{PEM.format('END')}')", ""),
        ("headers = {'Cookie': 'session=abc123; theme=dark'}", ""),
        ("curl -H 'Cookie: session=abc123; theme=dark' x", ""),
        ("password = 'hunter2x!'", ""),
        ("password: hunter2x!", ""),
        ("token = 'gh" + "p_" + "a1B2" * 9 + "'", ""),
        ("key = '" + PEM.format("BEGIN") + "\\n" + "MIIEow1" * 9 + "\\n" + PEM.format("END") + "'", ""),
        ("x = 'somebody@example.com' in '/home/somebody/x'", ""),
        ("ssh-rsa " + "AAAA" + "b3Nz" * 9 + " me", ""),
        ("x" * (LONGEST_LINE + 1), CUT),
        ("x\0y", CUT),
    ],
)
def test_a_secret_that_may_hold_code_lets_nobody_say_that_the_line_passes(line: str, unseen: str) -> None:
    text = f"first = 1\n{line}\n".encode()
    file = FileChange(path="a.txt", content=text)
    (piece,) = pieces_of(Change(files=(file,)))
    assert piece.unseen == unseen
    old = FileChange(path="a.txt", status="M", content=text + b"z = 1\n", base=text, added=((3, 3),))
    assert [one.unseen for one in pieces_of(Change(files=(old,)))] == [""]


@pytest.mark.parametrize(
    ("path", "lines", "unseen"),
    [
        ("a.py", ["password=foolish", "password(2)"], HIDDEN),
        ("a.js", ["run({ secret: evil_thing1, more: 1 })"], HIDDEN),
        ("a.sh", [PEM.format("BEGIN"), "/usr/local/bin/foo1/aaaaaaaaaaaaaaaa", PEM.format("END")], HIDDEN),
        ("a.rb", [f"# {PEM.format('BEGIN')}", "removeallthefiles1", f"# {PEM.format('END')}"], HIDDEN),
        ("a.py", ["password = 'hunter2x!'", 'secret = "foolish1"'], ""),
        ("a.py", [PEM.format("BEGIN"), "MIIEow" + "aB3+" * 14, "k1Zq9wPq8rTu5vW6", PEM.format("END")], ""),
        ("a.env", ["password=foolish"], ""),
        ("a.yaml", ["password: foolish1"], ""),
    ],
)
def test_a_name_or_a_path_in_code_that_reads_like_a_secret_passes_by_nobodys_word(
    path: str, lines: list[str], unseen: str
) -> None:
    file = FileChange(path=path, content="\n".join([*lines, ""]).encode())
    (piece,) = pieces_of(Change(files=(file,)))
    assert "redacted" in piece.bare
    assert piece.unseen == unseen


@pytest.mark.parametrize(
    "path", ["deploy.yml", "Dockerfile", "a.md", "t.html", "n.ipynb", "run", "src/vendor/a.py", "a_generated.py"]
)
def test_one_long_line_hides_no_other_and_costs_no_more_than_others(path: str) -> None:
    file = FileChange(path=path, content=("foo = evil(1)\n" + "# " + "a" * 90_000 + "\n").encode())
    (piece,) = pieces_of(Change(files=(file,)))
    assert piece.unseen == CUT
    assert "foo = evil(1)" in piece.bare
    assert estimate_tokens(piece.bare) < LARGEST_PIECE


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("bin/deploy", b"#!/bin/sh\nfoo=1; evil foo\nexit 0\n\0\xff\n"),
        ("Makefile", b"all:\n\tfoo\n#\0\xff\n"),
        ("GNUmakefile", b"all:\n\tfoo\n#\0\xff\n"),
        ("docker/Dockerfile.web", b"RUN foo\n#\0\xff\n"),
    ],
)
def test_bytes_that_are_no_text_hide_nothing_that_is_run_whatever_its_name(path: str, content: bytes) -> None:
    (piece,) = pieces_of(Change(files=(FileChange(path=path, content=content),)))
    assert "foo" in piece.bare
    assert piece.unseen == CUT


@pytest.mark.parametrize(
    ("path", "sent", "told"),
    [
        ("src/migrations/y.py", False, True),
        ("src/generated/y.py", True, False),
        ("vendor/y.go", True, False),
        ("vendor/migrations/y.rb", True, False),
        ("dist/index.js", False, False),
        ("generated/y.min.js", False, False),
        ("generated/y.json", False, False),
    ],
)
def test_a_folder_whose_name_says_that_nobody_writes_there_hides_no_code(path: str, *, sent: bool, told: bool) -> None:
    """Whoever sends a change chooses the name; but what machines pack into long lines is for no reader."""
    file = FileChange(path=path, content=b"foo = evil(1) #" + b"x" * LONGEST_LINE + b"\n")
    pieces, unsent = cut_change(Change(files=(file,)))
    assert [("foo = evil(1)" in piece.bare, piece.unseen) for piece in pieces] == [(True, CUT)] * sent
    assert [bool(why_not_sent(one)) for one in unsent] == [told] * (not sent)


@pytest.mark.parametrize("path", ["SKILL.md", "run"])
def test_one_byte_that_is_no_text_hides_no_line(path: str) -> None:
    (piece,) = pieces_of(Change(files=(FileChange(path=path, content=b"foo = evil(1)\n\0\n"),)))
    assert "foo = evil(1)" in piece.bare
    assert piece.unseen == CUT


def test_of_a_file_that_brings_too_much_the_beginning_is_shown_and_nobody_says_that_it_passes() -> None:
    file = FileChange(path="a.yaml", content=b"a: 1\n" * 60_000 + b"foo: evil\n")
    pieces = pieces_of(Change(files=(file,)))
    assert pieces[-1].unseen == CUT
    assert 1_000 < sum(estimate_tokens(piece.bare) for piece in pieces) < 13_000


def test_settings_whose_name_ends_as_a_lock_are_shown() -> None:
    assert pieces_of(Change(files=(FileChange(path="deploy-lock.yaml", content=b"foo: 1\n"),)))


POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12345\n"


@pytest.mark.parametrize(
    ("file", "told"),
    [
        (FileChange(path="src/a.py", content=POINTER), True),
        (FileChange(path="src/a.py", status="M", content=POINTER, base=b"x = 1\n"), True),
        (FileChange(path="src/a.py", status="M", content=POINTER, base=POINTER), False),
        (FileChange(path="a.py", content=b"# " + b"a" * 9_000 + b"\n"), True),
        (FileChange(path="a.py", large=True), True),
        (FileChange(path="a.py", status="D", base=b"x\n"), False),
        (FileChange(path="a.png", content=b"\x89PNG\0\xff"), False),
        (FileChange(path="yarn.lock", content=b"a: 1\n"), False),
        (FileChange(path="dist/app.min.js", content=b"x" * 9_000), False),
    ],
)
def test_text_that_is_not_sent_is_told_apart_from_what_nobody_reads(file: FileChange, *, told: bool) -> None:
    assert cut_change(Change(files=(file,))) == ([], [file])
    assert bool(why_not_sent(file)) is told


def test_a_long_message_is_several_pieces_and_an_endless_one_passes_by_nobodys_word() -> None:
    line = "word " * 15 + "\n"
    pieces = pieces_of(Change(message=line * 150 + "foo at the end\n"))
    assert len(pieces) == 2
    assert [line.number for piece in pieces for line in piece.lines] == list(range(1, 152))
    assert [piece.unseen for piece in pieces] == ["", ""]
    endless = pieces_of(Change(message=line * 9_000))
    assert [piece.unseen for piece in endless] == ["", "", CUT]
    assert sum(estimate_tokens(piece.bare) for piece in endless) < 12_000


def test_a_message_is_a_piece_without_a_path() -> None:
    (piece,) = pieces_of(Change(message="Add it\n\nFor a reason.\n"))
    assert piece.path == ""
    assert _told([piece]) == [[(1, True), (2, True), (3, True)]]
    assert pieces_of(Change(message=" \n")) == []


@given(st.text(max_size=300), st.text(max_size=300), st.data())
def test_every_new_line_is_shown_once(content: str, base: str, data: st.DataObject) -> None:
    many = content.count("\n") + 1
    first = data.draw(st.integers(1, many))
    last = data.draw(st.integers(first, many))
    file = _file(content.replace("\0", ""), base, ((first, last),))
    shown = [line for piece in pieces_of(Change(files=(file,))) for line in piece.lines if line.new]
    numbers = [line.number for line in shown]
    assert numbers == sorted(set(numbers))
    assert all(first <= number <= last for number in numbers)
