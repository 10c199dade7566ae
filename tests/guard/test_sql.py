"""A pattern on what a database's client is given reads SQL's statements, and neither strings nor comments."""

from tests.support import guard_rules as rules

PATTERN = r"(?i)\b(?:alter\s+table|delete\s+from)\b"
RULES = [
    rules.command("words", "psql", "mysql", "sqlite3", "make", arguments=PATTERN),
    rules.command("input", "psql", "mysql", "sqlite3", code=PATTERN),
]
ROWS = [  # whether it is found, the command
    (True, "psql -c 'ALTER TABLE a ADD b int'"),
    (True, "psql --command='delete from a'"),
    (True, "psql -c \"select 'x'; delete from a where b = 'y'\""),
    (True, "psql -c \"select '\\'; delete from a; --'\""),
    (True, "mysql -e \"select 'it\\\\'s'; delete from a; select 'x'\""),
    (True, "mysql -e '/*!50000 delete from a */'"),
    (True, 'psql -c "do \\$\\$ begin delete from a; end \\$\\$"'),
    (True, "psql -c \"do 'begin execute ''delete from a''; end'\""),
    (True, "sqlite3 a.db 'select 1; -- all of them\ndelete from a'"),
    (True, "psql <<'E'\n-- as agreed\ndelete from a;\nE"),
    (True, "echo \"select 'a'; alter table a drop b\" | sqlite3 a.db"),
    (True, 'psql -c "select \'a; delete from b"'),
    (True, "make sql X='delete from a'"),
    (True, "make sql X=\"say 'delete from a'\""),
    (False, "psql -c \"select * from log where text = 'DELETE FROM a'\""),
    (False, "psql -c \"insert into notes values ('it''s ALTER TABLE', 'delete from')\""),
    (False, "psql -c 'select 1 -- delete from a'"),
    (False, "psql --command='select 1 /* delete from a */'"),
    (False, "sqlite3 a.db \"select count(*) from q where sql like 'alter table%'\""),
    (False, "psql <<'E'\n-- delete from a\nselect 'alter table';\nE"),
    (False, "echo \"select 'delete from a'\" | mysql app"),
]


def test_a_pattern_reads_statements():
    wrong = []
    for found, command in ROWS:
        seen = rules.findings(RULES, {"kind": "command", "command": command, "cwd": "", "agent": "claude-code"})
        wrong += [] if bool(seen) is found and not any(one.fault for one in seen) else [(command, seen)]
    assert wrong == []


def test_a_pattern_on_a_quoted_value_is_found_in_the_string():
    rule = rules.command("staff", "psql", arguments=r"role\s*=\s*'admin'")
    event = {"kind": "command", "command": "psql -c \"update a set role = 'admin'\"", "cwd": "", "agent": "claude-code"}
    assert rules.findings([rule], event)


def test_code_is_what_stands_on_the_line_and_on_the_input():
    rule = rules.command("input", "psql", "mysql", "sqlite3", "duckdb", code=PATTERN)
    for command in ("psql -c 'delete from a'", "mysql --execute='delete from a'", "sqlite3 a.db 'delete from a'"):
        assert rules.findings([rule], {"kind": "command", "command": command}), command
    for command in ("psql -f delete.sql", "psql -U 'delete from a'", "psql -c \"select 'delete from a'\""):
        assert not rules.findings([rule], {"kind": "command", "command": command}), command
