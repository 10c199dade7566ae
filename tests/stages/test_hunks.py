"""What of a change is shown to whoever judges it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.model.change import Change, FileChange
from rulec.model.exchange import tokens
from rulec.model.judge import Piece
from rulec.stages.hunks import AROUND, LARGEST, LONGEST, MOST, cut, hunks

BASE = "".join(f"line {n}\n" for n in range(1, 31))


def _file(content: str, base: str | None = None, added: tuple[tuple[int, int], ...] | None = None) -> FileChange:
    how = "A" if base is None else "M"
    data = None if base is None else base.encode()
    return FileChange(path="a.py", status=how, content=content.encode(), base=data, added=added)  # type: ignore[arg-type]  # one of two letters


def _told(pieces: list[Piece]) -> list[list[tuple[int, bool]]]:
    return [[(line.number, line.new) for line in piece.lines] for piece in pieces]


def test_a_hunk_is_its_new_lines_with_a_few_around_them() -> None:
    content = BASE.replace("line 10\n", "new\n").replace("line 25\n", "newer\n")
    pieces = hunks(Change(files=(_file(content, BASE, ((10, 10), (25, 25))),)))
    assert _told(pieces) == [
        [(n, n == 10) for n in range(10 - AROUND, 11 + AROUND)],
        [(n, n == 25) for n in range(25 - AROUND, 26 + AROUND)],
    ]
    assert [line.text for line in pieces[0].lines][AROUND] == "new"


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
    assert hunks(Change(files=(_file(content, BASE, added),))) == []


def test_what_was_copied_is_new() -> None:
    assert _told(hunks(Change(files=(_file(BASE + "line 5\n", BASE, ((31, 31),)),))))[0][-1] == (31, True)


def test_of_a_renamed_file_only_what_is_new_is_shown() -> None:
    file = FileChange(
        path="b.py", status="R", old_path="a.py", content=(BASE + "new\n").encode(), base=BASE.encode(), added=None
    )
    assert [line for told in _told(hunks(Change(files=(file,)))) for line in told if line[1]] == [(31, True)]


def test_a_large_hunk_is_split_and_a_change_in_it_moves_few_cuts() -> None:
    blocks = [f"def part_{n}(amount):\n    total = amount * {n}\n    return total + {n}\n\n\n" for n in range(1000)]
    before = hunks(Change(files=(_file("".join(blocks)),)))
    assert len(before) > 5
    assert all(tokens(piece.bare) <= LARGEST * 1.5 for piece in before)
    blocks[300] = blocks[300].replace("total", "the_whole_total")
    after = {piece.digest for piece in hunks(Change(files=(_file("".join(blocks)),)))}
    assert len({piece.digest for piece in before} - after) <= 4


def test_a_piece_is_known_wherever_it_stands() -> None:
    one = hunks(Change(files=(_file(BASE + "new\n", BASE, ((31, 31),)),)))
    two = hunks(Change(files=(_file("top\n" * 9 + BASE + "new\n", "top\n" * 9 + BASE, ((40, 40),)),)))
    assert one[0].digest == two[0].digest
    assert one[0].lines != two[0].lines


@pytest.mark.parametrize(
    "file",
    [
        FileChange(path="a.py", status="D", base=b"x\n"),
        FileChange(path="a.bin", content=b"a\0b\n"),
        FileChange(path="pnpm-lock.yaml", content=b"a: 1\n"),
        FileChange(path="yarn.lock", content=b"a: 1\n"),
        FileChange(path="a.json", content=b"1," * LONGEST),
        FileChange(path="a.csv", content=b"a,b,c\n" * (MOST // 4)),
        FileChange(path="a.py", large=True),
    ],
    ids=lambda file: f"{file.path} {file.status}",
)
def test_what_holds_no_lines_for_a_reader_is_not_sent_and_told(file: FileChange) -> None:
    assert cut(Change(files=(file,))) == ([], [file])


def test_secrets_are_not_shown_and_lines_keep_their_numbers() -> None:
    key = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *["MIIEow" + "A" * 58] * 12, "-----END RSA PRIVATE KEY-----"])
    token = "gh" + "p_" + "a1B2" * 9
    content = f"first = 1\nkey = '''{key}'''\ntoken = '{token}'\nlast = 2\n"
    (piece,) = hunks(Change(files=(_file(content),)))
    assert "MIIEow" not in piece.bare
    assert token not in piece.bare
    assert piece.lines[-1].text == "last = 2"
    assert piece.lines[-1].number == len(content.splitlines())


def test_a_message_is_a_piece_without_a_path() -> None:
    (piece,) = hunks(Change(message="Add it\n\nFor a reason.\n"))
    assert piece.path == ""
    assert _told([piece]) == [[(1, True), (2, True), (3, True)]]
    assert hunks(Change(message=" \n")) == []


@given(st.text(max_size=300), st.text(max_size=300), st.data())
def test_every_new_line_is_shown_once(content: str, base: str, data: st.DataObject) -> None:
    many = content.count("\n") + 1
    first = data.draw(st.integers(1, many))
    last = data.draw(st.integers(first, many))
    file = _file(content.replace("\0", ""), base, ((first, last),))
    shown = [line for piece in hunks(Change(files=(file,))) for line in piece.lines if line.new]
    numbers = [line.number for line in shown]
    assert numbers == sorted(set(numbers))
    assert all(first <= number <= last for number in numbers)
