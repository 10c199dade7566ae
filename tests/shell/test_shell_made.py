"""Commands that are put together from pieces whose answer is known: the parser must give that very answer."""

from shlex import quote

from hypothesis import given
from hypothesis import strategies as st

from rulec.shell.parsing.parser import parse_shell

Made = tuple[str, list[list[str]]]  # a text, and the commands of ours that it runs
WORDS = st.text(alphabet="ab-=./ '\"$`\\#;|&(){}<>*?!~\n", min_size=1, max_size=6)
NAMES = st.sampled_from(["run-a", "run-b", "run-c"])
DECOYS = [
    "echo 'decoy x'",
    "# decoy x",
    ': "decoy x"',
    "x='decoy x'",
    "cat <<'E'\ndecoy x\n$(decoy x)\nE",
    "echo \\; decoy x",
]


def ansi(word: str) -> str:
    """The word in $'...', with some signs by their number."""
    return "$'" + "".join(f"\\x{ord(char):02x}" if char in "'\\\n#a" else char for char in word) + "'"


def doubled(word: str) -> str:
    """The word in double quotes."""
    return '"' + "".join("\\" + char if char in '$`"\\' else char for char in word) + '"'


def escaped(word: str) -> str:
    """The word with a backslash before all that is special."""
    return "".join(f"'{char}'" if char == "\n" else char if char.isalnum() else "\\" + char for char in word)


STYLES = st.sampled_from([quote, ansi, doubled, escaped])


@st.composite
def simple(draw: st.DrawFn) -> Made:
    argv = [draw(NAMES), *draw(st.lists(WORDS, max_size=3))]
    return " ".join([argv[0], *(draw(STYLES)(word) for word in argv[1:])]), [argv]


def around(inner: st.SearchStrategy[Made]) -> st.SearchStrategy[Made]:
    """A piece within something that runs it, or beside another."""
    one = st.sampled_from(
        [
            lambda text: f"bash -c {quote(text)}",
            lambda text: f"sudo -u x env A=1 sh -c {doubled(text)}",
            lambda text: f"eval {ansi(text)}",
            lambda text: f"( {text}\n)",
            lambda text: f"{{ {text}\n}}",
            lambda text: f"echo $({text}\n)",
            lambda text: f"if true; then {text}\nfi",
            lambda text: f"for i in 1 2; do {text}\ndone",
            lambda text: f"case x in x) {text}\n;; esac",
            lambda text: f"f() {{ {text}\n}}\nf",
            lambda text: f"bash <<'END{len(text)}'\n{text}\nEND{len(text)}",
            lambda text: f"! {text}",
            lambda text: f"{text}\n# decoy",
        ]
    )
    both = st.sampled_from(["; ", " && ", " || ", "\n", " & "])
    decoyed = st.tuples(st.sampled_from(DECOYS), inner).map(lambda pair: (f"{pair[0]}\n{pair[1][0]}", pair[1][1]))
    wrapped = st.tuples(one, inner).map(lambda pair: (pair[0](pair[1][0]), pair[1][1]))
    listed = st.tuples(inner, both, inner).map(lambda three: (_join(three), three[0][1] + three[2][1]))
    return st.one_of(wrapped, listed, decoyed)


def _join(three: tuple[Made, str, Made]) -> str:
    (first, _), sign, (second, _) = three
    return first + ("\n" if "\n" in first else sign) + second


@given(st.recursive(simple(), around, max_leaves=6))
def test_what_a_made_text_runs_is_found_and_nothing_else(made: Made) -> None:
    text, expected = made
    parsed = parse_shell(text)
    found = [call.argv for call in parsed.calls if call.program.startswith("run-")]
    assert sorted(found) == sorted(expected)
    assert not any(call.program == "decoy" for call in parsed.calls)
    assert parsed.unsure == ""
