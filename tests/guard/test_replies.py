"""Rules on what the agent says: judged at the end of its turn, from the hook's words and the agent's own record."""

import subprocess

import pytest

from rulec.guard import reply_check
from rulec.guard.reply_check import prose_of, without_quotes
from tests.hook.test_hook import hook, repository
from tests.support import guard_rules as rules
from tests.support.session import ClaudeSession


def reply(slug, **check):
    return {"facts": rules.facts(slug), "check": {"on": "reply", "ignore_case": True, **check}}


NO_PRAISE = reply("no-praise", forbid=["absolutely right"], every=True)
TESTED = reply("say-tested", require=["^Tested:"], after_edits=["src/"])


@pytest.fixture
def repo(tmp_path):
    repo = repository(tmp_path / "repo", NO_PRAISE, TESTED)
    for words in (["add", "-A"], ["commit", "-qm", "x"]):
        subprocess.run(["git", "-C", repo, *words], check=True)
    return repo


def ended(repo, session, said="", **more):
    path = session.save(repo.parent / "t.jsonl")
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo), "transcript_path": str(path)}
    code, out, error = hook(repo, {**payload, **({"last_assistant_message": said} if said else {}), **more})
    assert (code, error) == (0, "")
    return out.get("reason", "")


def test_what_the_agent_says_holds_up_the_end_of_its_turn(repo):
    def praised():
        return ClaudeSession(repo).person("mend it").agent("You're absolutely right!").runs("ls").agent("Mended.")

    wanted = [
        (ClaudeSession(repo).person("what is it?").agent("A cache."), ""),
        (ClaudeSession(repo).person("hm").agent("You're absolutely right."), "no-praise"),
        (praised(), "no-praise"),
        (praised().person("Go on.").agent("It is mended."), ""),
        (ClaudeSession(repo).person("go on").edits("src/a.py").agent("Mended."), "say-tested"),
        (ClaudeSession(repo).person("go on").edits("src/a.py").agent("Mended.\nTested: pytest"), ""),
        (ClaudeSession(repo).person("go on").edits("docs/a.md").agent("Mended."), ""),
        (ClaudeSession(repo).person("go on").edits("src/a.py").agent("x").person("why?").agent("So."), ""),
    ]
    wrong = []
    for session, slug in wanted:
        last = session.lines[-1]["message"]["content"][0]["text"]
        for said in (last, ""):
            reason = ended(repo, session, said)
            wrong += [] if (f"rule {slug}:" in reason if slug else reason == "") else [(last, slug, reason)]
    assert wrong == []


def test_what_was_objected_to_is_not_held_against_what_is_said_then(repo):
    session = ClaudeSession(repo).person("mend it").agent("You're absolutely right!")
    assert "the reply says" in ended(repo, session)
    assert "Instead: say it again, as the rule has it" in ended(repo, session)
    session.person("Stop hook feedback:\nrulec rule no-praise: Keep to no-praise.").agent("It is mended.")
    assert ended(repo, session, stop_hook_active=True) == ""


def test_without_a_record_the_hooks_own_words_are_judged(repo):
    payload = {"hook_event_name": "Stop", "session_id": "s1", "cwd": str(repo)}
    code, out, _ = hook(repo, {**payload, "last_assistant_message": "You're absolutely right."})
    assert (code, "no-praise" in out["reason"]) == (0, True)
    assert hook(repo, {**payload, "last_assistant_message": "Mended."})[:2] == (0, {})


TEXTS = [
    ("en", "I have changed the file and this is the one that was in the way of the tests.", ""),
    ("de", "I have changed the file and this is the one that was in the way of the tests.", "English"),
    ("en", "Ich habe die Datei geändert, und das ist nicht der Stand, den der Test mit dem Modul will.", "German"),
    ("en", "J'ai changé le fichier et les tests sont au vert, ce qui est une bonne chose pour nous.", "French"),
    ("en", "Я изменил файл, и тесты проходят.", "Russian"),
    ("en", "我修改了这个文件, 测试都通过了。", "Chinese"),
    ("zh", "このファイルを変更しました。テストは通ります。", "Japanese"),
    ("de", "src/price.py: 3 passed", ""),
    ("en", "The function straße() is the one that was named for the road in the German part of it.", ""),
]


def test_a_language_is_told_only_where_it_is_plain():
    assert [
        (text, told) for wanted, text, name in TEXTS if (told := reply_check.foreign_language(text, wanted)) != name
    ] == []


def test_code_is_not_what_the_agent_says():
    assert prose_of("a\n```py\nb\n```\nc `d` e\n~~~\n```\n~~~\nf") == "a\nc     e\nf"


SAID = [
    ("You are right.", True),
    ("> you asked\n\nYou are right.", True),
    ('The "label" says you are right.', True),
    ("It's as you are right, don't you think?", True),
    ('A 5" disk, you are right, and a 6" one', True),
    ("'Twas so: you are right, the users' list", True),
    ('"You are right!"', True),
    ("> You are right!", True),
    ("> you are right\n\nI disagree.", False),
    ("> > you are right\n> indeed\n\nI disagree.", False),
    ('The label "You are right" is now translated.', False),
    ("The label “you are right” and «you are right» are now translated.", False),
    ("Es heißt nun „you are right“.", False),
]


@pytest.mark.parametrize(("text", "said"), SAID)
def test_what_is_quoted_is_not_said_by_the_agent(text, said):
    event = {"kind": "stop", "text": text, "agent": "claude-code"}
    found = rules.findings([reply("right", forbid=["you are right"])], event)
    assert bool(found) is said


def test_marks_of_quotes_stay_what_they_are():
    for text, mark in (('a "b" c', '"'), ("> a\n\nb", "^>"), ("a “b” c", "[“”]")):
        assert rules.findings([reply("marks", forbid=[mark])], {"kind": "stop", "text": text})


def test_quotes_cost_no_more_than_their_length():
    for text in ('"' * 19_999, "'a" * 9_000, '"a ' * 6_000, "“" * 19_999, "> " * 9_000):
        assert len(without_quotes(text)) == len(text)
