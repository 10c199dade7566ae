"""Settings files as keys and values, and what no file of theirs may do: break."""

from hypothesis import given
from hypothesis import strategies as st

from rulec.guard import companion_files

FILES = [  # path, text, some of its keys and values
    ("a.json", '{"a": {"b": 1, "c": [1, 2]}, "d": "x"}', {"a.b": "1", "a.c": "[1, 2]", "d": "x"}),
    ("a.json", "{", {}),
    (
        "a.toml",
        'a = "1" # b\n[x.y]\nc = 2\n"d" = [\n  1,\n  2,\n]\ne = true\n',
        {"a": "1", "x.y.c": "2", "x.y.e": "true"},
    ),
    ("a.toml", '[[x]]\nv = """\na = 1\n"""\nw = 2\n', {"x.w": "2"}),
    (
        "a.yaml",
        "a:\n  b: 'x: y'\n  c: # why\n    d: 1\ne:\n- f: 1\n- g\nh: 2\n",
        {"a.b": "x: y", "a.c.d": "1", "h": "2"},
    ),
    (".env", "export A=1\nB='x y' # z\n# C=3\nD=\n", {"A": "1", "B": "x y", "D": ""}),
    ("a.ini", "[s]\nk: v\n; no = 1\n", {"s.k": "v"}),
    ("a.properties", "a.b=c\n", {"a.b": "c"}),
]


def test_keys_and_values_are_read_as_people_write_them():
    wrong = []
    for path, text, wanted in FILES:
        found = companion_files.read_values(path, text)
        wrong += [(path, found)] if wanted.items() - found.items() or (not wanted and found) else []
    assert wrong == []
    assert "v.a" not in companion_files.read_values("a.toml", FILES[3][1])


@given(st.sampled_from(["a.json", "a.toml", "a.yaml", ".env"]), st.text("ab:=[]{}\"'#- \n.", max_size=200))
def test_no_text_breaks_a_reader(path, text):
    assert isinstance(companion_files.read_values(path, text), dict)
