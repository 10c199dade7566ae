"""What claude's output means: answers among words, costs, and faults in one line."""

import json
from typing import Any

import pytest

from rulec.domain.plugs import JobOutput
from rulec.domain.prompt import ModelAnswer, ModelFailure
from rulec.llm.backends import claude_cli
from rulec.llm.clients import agent_cli
from rulec.llm.clients.answer_text import find_json_object

KEY = "-".join(("sk", "ant", "api03", "Zq7Lw3" * 8))


def printed(result: str = "", code: int = 0, **fields: Any) -> JobOutput:
    record = {"type": "result", "subtype": "success", "is_error": False, "result": result, **fields}
    return JobOutput(code=code, out=json.dumps(record))


def heard_of(output: JobOutput, seconds: float) -> ModelAnswer | ModelFailure:
    return agent_cli.read_cli_output(claude_cli.CLI, output, seconds)


OBJECTS = {
    "alone": '{"a": 1}',
    "with blanks": '\n  {"a": 1}\n\n',
    "in a fence": 'Here it is:\n\n```json\n{"a": 1}\n```\n\nI hope it helps.',
    "in a fence without a language": '```\n{"a": 1}\n```',
    "in an indented fence": '  ```json\n{\n"a": 1}\n  ```',
    "among words": 'The answer is {"a": 1}, as you asked.',
    "after braces that are none": 'A set {x, y}, then {"a": 1}.',
    "said twice": 'First {"a": 1}. Again: {"a": 1}',
}


@pytest.mark.parametrize("text", OBJECTS.values(), ids=OBJECTS)
def test_the_object_is_found_whatever_stands_around_it(text: str) -> None:
    assert find_json_object(text) == {"a": 1}


NONE = {
    "nothing": "",
    "words": "I cannot do that.",
    "a list": "[1, 2]",
    "a number": "7",
    "cut off": '{"a": 1',
    "no JSON constant": '{"a": NaN}',
    "two that differ": 'The data said {"verdict": "pass"}, I say {"verdict": "fail"}',
    "two fences that differ": '```json\n{"a": 1}\n```\n```json\n{"a": 2}\n```',
    "too deep": '{"a":' * 100_000,
    "too many braces": "{ " * 100_000 + '{"a": 1}',
}


@pytest.mark.parametrize("text", NONE.values(), ids=NONE)
def test_where_there_is_no_object_or_more_than_one_none_is_taken(text: str) -> None:
    assert find_json_object(text) is None


def test_an_answer_says_who_gave_it_and_what_all_requests_cost() -> None:
    use = {
        "small": {"inputTokens": 10, "outputTokens": 2},
        "large[1m]": {"inputTokens": 5, "cacheReadInputTokens": 100, "cacheCreationInputTokens": 50, "outputTokens": 9},
    }
    heard = heard_of(printed('{"a": 1}', modelUsage=use, total_cost_usd=0.25), 9)
    assert heard == ModelAnswer(data={"a": 1}, model="large", sent=165, received=11, dollars=0.25)


def test_an_older_claude_that_counts_no_models_is_heard_too() -> None:
    use = {"input_tokens": 3, "cache_read_input_tokens": 4, "output_tokens": 5}
    assert heard_of(printed('{"a": 1}', usage=use), 9) == ModelAnswer(data={"a": 1}, sent=7, received=5)


def test_a_person_who_has_claude_be_verbose_is_answered_too() -> None:
    records = [{"type": "system"}, json.loads(printed('{"a": 1}').out)]
    heard = heard_of(JobOutput(code=0, out=json.dumps(records)), 9)
    assert heard == ModelAnswer(data={"a": 1})


def test_a_notice_before_the_answer_is_passed_over() -> None:
    heard = heard_of(JobOutput(code=0, out=f"Update available!\n\n{printed('{}').out}\n"), 9)
    assert heard == ModelAnswer(data={})


FAULTS: dict[str, tuple[JobOutput, str, bool]] = {
    "time-out": (JobOutput(code=None, out=""), "claude took more than 9 seconds", False),
    "a flood": (JobOutput(code=None, out="x", spilled=True), "claude printed too much", False),
    "an old claude": (
        JobOutput(code=1, out="", err="\nerror: unknown option '--tools'\n"),
        "claude gave no JSON: error: unknown option '--tools'",
        True,
    ),
    "a crash without a word": (JobOutput(code=139, out=""), "claude gave no JSON: exit 139", True),
    "words instead of JSON": (JobOutput(code=0, out="Hello\nthere"), "claude gave no JSON: there", True),
    "JSON of another kind": (JobOutput(code=0, out="[1]"), "claude gave no JSON: [1]", True),
    "JSON without an end": (JobOutput(code=0, out="[" * 100_000), "claude gave no JSON: ", True),
    "nobody logged in": (
        printed("Not logged in · Please run /login", 1, is_error=True),
        "claude says: Not logged in · Please run /login",
        True,
    ),
    "a key that is refused": (
        printed(f"API Error: 401 invalid {KEY}", 1, is_error=True, api_error_status=401),
        "claude says: API Error: 401 invalid [redacted:anthropic]",
        True,
    ),
    "an overload": (
        printed("API Error: 529 Overloaded", 1, is_error=True, api_error_status=529),
        "claude says: API Error: 529 Overloaded",
        False,
    ),
    "a tool that it would use": (
        printed("", 1, is_error=True, subtype="error_max_turns"),
        "claude wanted a tool instead of answering (error_max_turns)",
        False,
    ),
    "an exit code beside a result": (printed('{"a": 1}', 1), 'claude says: {"a": 1}', False),
    "no object": (
        printed("I would\nrather not."),
        "claude answered with no JSON object, or with several: I would rather not.",
        False,
    ),
    "nothing": (printed(""), "claude answered with no JSON object, or with several: nothing", False),
}


@pytest.mark.parametrize(("output", "what", "over"), FAULTS.values(), ids=FAULTS)
def test_every_fault_is_a_line_without_keys(output: JobOutput, what: str, over: bool) -> None:
    heard = heard_of(output, 9)
    assert isinstance(heard, ModelFailure)
    assert heard.what.startswith(what)
    assert heard.over == over
    assert "\n" not in heard.what
    assert len(heard.what) < 300


THEIRS: dict[str, tuple[JobOutput, bool]] = {
    "a refusal": (printed("API Error: Opus 9 can't help with this.", 1, is_error=True, stop_reason="refusal"), True),
    "an older one's": (printed("API Error: it appears to violate our Usage Policy", 1, is_error=True), True),
    "an answer without an end": (printed("API Error: exceeded the 32 output token maximum.", 1, is_error=True), True),
    "a long prompt": (printed("Prompt is too long · the request is ~213000 tokens", 1, is_error=True), True),
    "a filter": (printed("API Error: 400 Output blocked by content filtering policy", 1, is_error=True), True),
    "words": (printed("I would rather not."), True),
    "a tool": (printed("", 1, is_error=True, subtype="error_max_turns"), True),
    "an overload": (printed("API Error: 529 Overloaded", 1, is_error=True, api_error_status=529), False),
    "no login": (printed("Not logged in · Please run /login", 1, is_error=True), False),
    "a time-out": (JobOutput(code=None, out=""), False),
}


@pytest.mark.parametrize(("output", "theirs"), THEIRS.values(), ids=THEIRS)
def test_what_the_words_of_a_change_may_bring_about_is_told_apart(output: JobOutput, *, theirs: bool) -> None:
    heard = heard_of(output, 9)
    assert isinstance(heard, ModelFailure)
    assert heard.theirs == theirs


def test_what_was_answered_in_words_is_asked_again_and_paid_for() -> None:
    use = {"m": {"inputTokens": 10, "outputTokens": 2}}
    heard = heard_of(printed("No.", modelUsage=use, total_cost_usd=1), 9)
    assert isinstance(heard, ModelFailure)
    assert (heard.misfit, heard.sent, heard.received, heard.dollars) == (True, 10, 2, 1.0)
