"""Lines as disks and crashes leave them, through Claude Code's reader."""

import json

from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.formats.claude_code import PLUG, ClaudeBlock, ClaudeMessage, ClaudeRecord
from rulec.transcripts.formats.codex import CodexRecord
from rulec.transcripts.reading.json_records import read_known_records
from tests.transcripts.claude_lines import ENVELOPE, human, lines, read, user

KEYS = sorted(
    {field for kind in (ClaudeRecord, ClaudeMessage, ClaudeBlock, CodexRecord) for field in kind.__struct_fields__}
)
TEXT = st.sampled_from(["user", "assistant", "text", "tool_use", "a word"])


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


ODD = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(KEYS), ODD, max_size=8))
def test_whatever_stands_in_a_field_a_record_is_read_the_same_by_both_ways(record):
    line = json.dumps(record).encode()
    for kind in (ClaudeRecord, CodexRecord):
        found = list(read_known_records([line, b"\xef\xbb\xbf" + line], kind))
        assert found[0][1] == found[1][1]
