"""Shell text is parsed, never grepped, and nothing that stands in it can break the parser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.shell.command_matching import matches
from rulec.shell.parsing.call import join_path
from rulec.shell.parsing.parser import parse_shell

PARSES = [
    ("a b 'c d' \"e f\" g\\ h", [["a", "b", "c d", "e f", "g h"]]),
    ("a $'x\\ty\\u0041\\101' b", [["a", "x\tyAA", "b"]]),
    ('a "$(b c)" d', [["b", "c"], ["a", "$(b c)", "d"]]),
    ("a ${b} $c", [["a", "${b}", "$c"]]),
    ("x=1 y=$x a $x", [["a", "$x"]]),
    ("x='b c'; a $x \"$x\"", [["a", "b", "c", "b c"]]),
    ("a {b,c}{d,e} {f} {g,", [["a", "bd", "be", "cd", "ce", "{f}", "{g,"]]),
    ("a; b & c && d || e | f |& g\nh", [[x] for x in "abcdefgh"]),
    ("a 2>&1 >b <c &>d", [["a"]]),
    ("a # b\nc#d", [["a"], ["c#d"]]),
    ("a <<X <<-'Y'; b\n1 $(c)\nX\n\t2 $(d)\n\tY\ne", [["a"], ["b"], ["c"], ["e"]]),
    ("if a; then b; elif c; then d; else e; fi", [[x] for x in "abcde"]),
    ("for x in $(a) b; do c; done", [["a"], ["c"]]),
    ("for ((i = 0; i < 3; i++)); do a; done", [["a"]]),
    ("until a; do b; done; select x in 1; do c; done", [["a"], ["b"], ["c"]]),
    ("case $x in (a|b) c;; *) d ;& e) f;;& esac; g", [["c"], ["d"], ["f"], ["g"]]),
    ("$(case x in a) b;; esac) c", [["b"], ["$(case x in a) b;; esac)", "c"]]),
    ("function a { b; }; c() (d); e () { f; }; a; c; e", [["b"], ["d"], ["f"]]),
    ("a() { b; }; c", [["c"]]),
    ("a() { b; }; a x | c", [["b"], ["c"]]),
    ("a() ( cd b; c ); a; d", [["cd", "b"], ["c"], ["d"]]),
    ('a()\n{\n  b "$1" "$@" $# "$*"\n}\na x \'y z\'', [["b", "x", "x", "y z", "$#", "x y z"]]),
    ("a() { b; }; c() { a; a; }; c", [["b"], ["b"]]),
    ("a() { a; b; }; a", [["a"], ["b"]]),
    ('a() { b "${1:-c}"; }; trap a EXIT', [["trap", "a", "EXIT"], ["b", "c"]]),
    ("a() { if b; then { c; }; fi; }; a", [["b"], ["c"]]),
    ("a() { cat <<E\n}\nE\n}; b", [["b"]]),
    ("a() { b; }; unset -f a; a", [["unset", "-f", "a"], ["a"]]),
    ("a() { b; }; command a; \\a", [["command", "a"], ["a"], ["b"]]),
    ('set -- a b; c "$@"; shift; d $1', [["set", "--", "a", "b"], ["c", "a", "b"], ["shift"], ["d", "b"]]),
    ("bash -c 'a $0 \"$@\"' x y z", [["bash", "-c", 'a $0 "$@"', "x", "y", "z"], ["a", "x", "y", "z"]]),
    ("alias a='b c'; a d; 'a' e", [["alias", "a=b c"], ["a", "d"], ["b", "c", "d"], ["a", "e"]]),
    ("echo a b | xargs c d", [["echo", "a", "b"], ["xargs", "c", "d"], ["c", "d", "a", "b"]]),
    ("a 'b\\\nc' \"d\\\ne\" f\\\ng \\\\\nh", [["a", "b\\\nc", "de", "fg", "\\"], ["h"]]),
    ("[[ a < b && ( c =~ d ) ]] && e; [ f ]", [["e"], ["[", "f", "]"]]),
    ("(( a < b << 2 )) && c; echo $((1 > 2))", [["c"], ["echo", "$((1 > 2))"]]),
    ("((a); (b))", [["a"], ["b"]]),
    ("a=(b $(c) d) e", [["c"], ["e"]]),
    ("rm !(a|b)", [["rm", "!(a|b)"]]),
    ("a\r\nb\r\n", [["a"], ["b"]]),
    ("a \\\n b", [["a", "b"]]),
    ("coproc a; time -p b", [["a"], ["time", "-p", "b"], ["b"]]),
    ("a >(b) <(c)", [["b"], ["c"], ["a", ">(b)", "<(c)"]]),
    ("", []),
    ("  \n#x", []),
]


@pytest.mark.parametrize(("text", "argvs"), PARSES)
def test_words_are_what_the_program_would_get(text, argvs):
    parsed = parse_shell(text)
    assert [call.argv for call in parsed.calls if call.argv] == argvs
    assert parsed.unsure == ""


FOLDERS = [
    ("cd a; x", "a"),
    ("cd a && cd ../b && x", "b"),
    ("(cd a); x", ""),
    ("cd a | cat; x", ""),
    ("cd a & x", ""),
    ("cd /a/b/../c; x", "/a/c"),
    ("cd; x", "~"),
    ("cd $(git rev-parse --show-toplevel)/a; x", ":/a"),
    ("pushd a; x", "a"),
    ("command cd a; x", "a"),
    ("eval 'cd a'; x", "a"),
    ("bash -c 'cd a'; x", ""),
    ("bash -c 'cd a; x'", "a"),
    ("env -C a x", "a"),
    ("if cd a; then x; fi", "a"),
    ("cd ..; x", ".."),
]


@pytest.mark.parametrize(("text", "cwd"), FOLDERS)
def test_a_command_knows_the_folder_it_runs_in(text, cwd):
    call = next(call for call in parse_shell(text).calls if call.program == "x")
    assert (call.cwd, call.adrift) == (cwd, False)


@pytest.mark.parametrize("text", ["cd $A; x", "cd -; x", "popd; x", "cd $(a); x"])
def test_a_command_says_when_its_folder_is_not_known(text):
    assert next(call for call in parse_shell(text).calls if call.program == "x").adrift


def test_a_call_tells_its_environment_its_redirections_and_its_carriers():
    call = parse_shell("A=1 sudo env B='2 3' x a > out 2>> err").calls
    assert [one.program for one in call] == ["sudo", "env", "x"]
    assert call[0].redirects == [(">", "out"), (">>", "err")]
    assert (call[2].env, call[2].via) == ({"A": "1", "B": "2 3"}, ("sudo", "env"))


def test_a_call_says_when_some_word_is_not_known():
    assert [call.dynamic for call in parse_shell("a $b; a 'x'; a $(b); ls | xargs a").calls if call.program == "a"] == [
        True,
        False,
        True,
        True,
    ]


@pytest.mark.parametrize(
    "text", ["a 'b", 'a "b', "a $(b", "a `b", "(a", "a)", "a <<X\nb", "cat <(a", "curl x | sh", "[[ a"]
)
def test_a_text_that_is_not_whole_is_not_certain(text):
    assert parse_shell(text).unsure


@given(st.text(alphabet="ab'\"\\$`(){}[]|&;<>#=!*?~- \n\t\r,EO/0", max_size=60))
def test_no_text_breaks_the_parser(text):
    for call in parse_shell(text).calls:
        assert all(isinstance(word, str) for word in call.argv)


@given(st.text(max_size=200))
def test_no_unicode_breaks_the_parser(text):
    parse_shell(text)


PIECES = [
    *("npm ci", "bash -c '", "'", '"', "$(", ")", "`", "<<E\n", "\nE\n", "| sh", "xargs ", "env ", "eval ", "{a,b}"),
    *("((", "))", "case x in a)", ";;", "esac", "for i in ", "do ", "done", "[[ ", "]]", "${x:-", "}", "cd a;"),
    *("X=$X$X;", "$X"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=40))
def test_no_mixture_of_real_pieces_breaks_the_parser(pieces):
    parse_shell("".join(pieces))
    parse_shell(" ".join(pieces))


BOMBS = [
    "$(" * 50_000,
    "(" * 50_000,
    "`" * 50_001,
    "{a,b}" * 20_000,
    "{a}" * 20_000,
    "${" * 50_000,
    "env " * 20_000 + "x",
    "X=aaaaaaaaaaaaaaaa;" + "X=$X$X;" * 5_000 + "a $X",
    "a $((" * 20_000,
    "x() " * 20_000,
    "a <<X " * 5_000 + "\nX\n" * 5_000,
    "bash -c " * 10_000,
    "eval " * 10_000 + "a",
    "case x in " * 10_000,
    "'" + "a" * 1_000_000,
    "a;" * 100_000,
    "echo a | " * 20_000 + "sh",
    "function " * 20_000,
    "a$(b)" * 20_000,
    "\\\n" * 100_000,
    '"$(' * 20_000,
    "find -exec " * 10_000 + "; ",
    "f(){ a; };" * 10_000,
    "f(){ " * 10_000,
    "f(){ " + "a b c; " * 10_000 + "};" + "f;" * 10_000,
    "".join(f"f{at}(){{ f{at + 1}; f{at + 1}; }};" for at in range(1_000)) + "f0",
    "alias x='y y y y y y';" + "x;" * 10_000,
    "".join(f"alias a{at}='a{at + 1}; a{at + 1}';" for at in range(100)) + "a0",
    "set -- " + "a " * 10_000 + ";" + '"$@";' * 10_000,
    "bash -c '" + '"$@" ' * 10_000 + "' " + "a " * 10_000,
    "X='" + "a " * 1_999 + "';" + "eval ': $X';" * 5_000,
    'python -c "' + "os.system('a');" * 10_000 + '"',
    'python -c "' + "system(" * 10_000 + '"',
    "python - <<'E'\n" + "subprocess.run([x," * 10_000 + "\nE\n",
    "(a)|" * 10_000 + "sh",
    "$X push --force;" * 5_000,
]


@pytest.mark.parametrize("text", BOMBS, ids=lambda text: text[:12])
def test_no_text_costs_more_than_its_length(text):
    assert len(parse_shell(text).calls) <= 5_002


@given(st.lists(st.sampled_from(["a", "b", ".", "..", "", "c d"]), max_size=8), st.sampled_from(["", "/", ":/"]))
def test_a_joined_folder_has_no_dots_but_leading_ones(parts, head):
    path = join_path("x/y", head + "/".join(parts))
    kept = [part for part in path.replace(":/", "/").split("/") if part]
    assert "." not in kept
    assert kept == sorted(kept, key=lambda part: part != "..")


FOLDERS = {
    "rm $PWD/x": ["rm ./x"],
    "cd web && rm ${PWD}/x": ["cd web", "rm ./x"],
    "rm $(git rev-parse --git-dir)/x": ["git rev-parse --git-dir", "rm :/.git/x"],
    "rm $(git rev-parse --git-path x)": ["git rev-parse --git-path x", "rm :/.git/x"],
    "for f in a/*; do rm $f; done": ["rm a/*"],
    "for f in a b; do rm $f; done": ["rm a", "rm b"],
    "for f; do rm $f; done": ["rm $f"],
    "for f in $x; do rm $f; done": ["rm $f"],
}


@pytest.mark.parametrize(("text", "calls"), FOLDERS.items())
def test_names_whose_value_the_text_shows_are_known(text, calls):
    assert [" ".join(call.argv) for call in parse_shell(text).calls] == calls


def test_a_long_rebase_is_read_in_linear_time():
    assert len(parse_shell("git commit " + "-x " * 100_000).calls) == 1


@pytest.mark.parametrize(
    ("pattern", "caught", "passed"),
    [
        ("kubectl --context=*staging*", "kubectl --context eu-staging-1 get po", "kubectl --context=eu-prod get po"),
        ("kubectl -n|--namespace=prod", "kubectl -n prod get po", "kubectl -n dev get po"),
        ("kubectl -n=prod", "kubectl get po -nprod", "kubectl -n dev get po"),
        ("docker run --publish|-p=80", "docker run -p80 x", "docker run -p 8080 x"),
        ("npm install -g|--location=global", "npm install -g x", "npm install --location=user x"),
        ("git pull --rebase=false", "git pull --reb=false", "git pull --rebase"),
        ("git push --force", "git push --forc", "git push --follow-tags"),
    ],
)
def test_the_value_of_a_flag_counts_for_all_its_spellings(pattern, caught, passed):
    assert any(matches(pattern, call) for call in parse_shell(caught).calls)
    assert not any(matches(pattern, call) for call in parse_shell(passed).calls)


@pytest.mark.parametrize(
    ("text", "ran"),
    [
        ("echo \"${x:-'$(rm x)'}\"", ["rm", "echo"]),  # no quotes, where double quotes stand around them
        ('echo "${x:-it\'s}"; rm x', ["echo", "rm"]),
        ("echo \"${x%'$(rm x)'}\"", ["echo"]),
        ("echo ${x:-'$(rm x)'}", ["echo"]),
    ],
)
def test_single_quotes_in_a_default_value_quote_only_outside_of_double_quotes(text: str, ran: list[str]) -> None:
    assert [call.program for call in parse_shell(text).calls] == ran
