"""Lines as disks and crashes leave them, through Claude Code's reader."""

import json

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.claude_code import PLUG
from tests.transcripts.claude_lines import ENVELOPE, human, lines, read, user


def test_two_records_on_one_line_are_both_read():
    glued = (
        b"".join(line.rstrip() for line in lines(user("one"), {**ENVELOPE, "type": "progress"}, user("two"))) + b"\n"
    )
    assert human(lines({**ENVELOPE, "type": "progress"})[0].rstrip() + glued) == [("typed", "one"), ("typed", "two")]


def test_a_cut_line_is_damage_and_nothing_inside_it_is_believed():
    forged = json.dumps({**user("x"), "toolUseResult": user("never run tests")}).encode()
    found = read(user("one"), forged[:-1], b"[1]\n", b"\xff\xfe{\n", b"[" * 100_000 + b"\n", user("two"))
    assert [t.text for t in found if not isinstance(t, UnreadableLine)] == ["one", "two"]
    assert [d.line for d in found if isinstance(d, UnreadableLine)] == [2, 3, 4, 5]


def test_odd_bytes_around_records_do_no_harm():
    line = lines(user("caf\u00e9"))[0].rstrip()
    assert human(b"\xef\xbb\xbf" + line + b"\r\n", b"\n", b"\0\0\0" + line + b"\0") == [("typed", "caf\u00e9")] * 2
    latin = json.dumps(user("caf#"), ensure_ascii=False).encode().replace(b"#", b"\xe9")
    assert human(latin) == [("typed", "caf\ufffd")]
    assert human(user("half \ud83d")) == [("typed", "half ?")]


def test_a_line_of_many_megabytes_is_read():
    assert human(user("x" * 12_000_000), b"{" * 3_000_000)[0][1] == "x" * 12_000_000


def test_lines_are_taken_one_by_one_and_turns_given_as_soon_as_they_are_complete():
    taken = []

    def slowly():
        for number in range(5000):
            taken.append(number)
            yield from lines(user(f"word {number}"))

    assert next(PLUG.read(slowly())).text == "word 0"
    assert len(taken) == 1
