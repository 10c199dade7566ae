"""Program texts that run git without its hooks, change the gate's files, or answer rulec for a person."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_tables
from rulec.checkout.rules_layout import PROOF_KEY
from rulec.shell.programs import facts_of, interpreter_of
from rulec.shell.writes import program_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.parsing.call import Call


STARTING_SIGNS = ("subprocess", "system", "popen", "Popen", "exec", "spawn", "shell", "`", "%x", "pty.")
WRITING_SIGNS = (
    "write", "unlink", "remove", "rename", "rmtree", "rmSync", "rm(", "chmod", "symlink", "copy", "move(",
    "os.replace(", "truncate", ".delete", "put_contents", "'w'", '"w"', "'wb'", '"wb"', "'a'", '"a"', "'>", '">',
    "rm -", "mv ", "print >", "print>",
)  # fmt: skip
NO_VERIFY = ("--no-verify", "core.hookspath")
OWN_FILES = (
    ".git/hooks", ".git/config", ".git/rulec", ".rules/compiled", "'.rules'", '".rules"', ".pre-commit-config.yaml",
    ".config/rulec", ".husky/", *agent_tables.STEMS,
)  # fmt: skip
OWN_MARKS = (".git", ".rules", ".pre-commit-config", *agent_tables.FOLDERS)
_OWN = (
    r"(?:\.git/(?:hooks|config|rulec)|\.git[\"']|\.rules/|\.rules[\"']|\.pre-commit-config|"
    rf"{'|'.join(map(re.escape, agent_tables.STEMS))}|(?:{'|'.join(map(re.escape, agent_tables.FOLDERS))})[\"'])"
)
_QUOTED = r"[\"'][^\"'\n]{0,200}" + _OWN
_REST = r"[^\"'\n]{0,200}[\"']"
_WRITTEN = (
    r"\b(?:os\.remove|unlink|unlinkSync|rmtree|rmSync|rmdir|chmod|chmodSync|rename|renameSync|os\.replace|truncate|"
    rf"writeFile|writeFileSync|shutil\.move|File\.delete)\s*\(\s*(?:[fr]?{_QUOTED})"
    rf"|\bopen\s*\(\s*[fr]?{_QUOTED}{_REST}\s*,\s*[\"'][wa]"
    rf"|\bPath\s*\(\s*[fr]?{_QUOTED}{_REST}\s*\)\s*\.(?:write_|unlink|rename|chmod|symlink|touch|rmdir)"
)
_JOINED = r"[\"']\s*[,/]\s*[\"']"  # the parts of a path, in a call or with an operator
_STATE = ".git/rulec"
_KEY = r"\brulec[\"'\s/,()+]{1,12}proof-key\b"
_PUT_TOGETHER = r"[\"']\s*\+\s*[\"']"
_NAMES = (
    r"(?:SKIP|PRE_COMMIT_ALLOW_NO_CONFIG|PREK_SKIP|HUSKY|LEFTHOOK(?:_EXCLUDE)?|GIT_CONFIG_(?:COUNT|GLOBAL|PARAMETERS))"
)
_LED = rf"[\"']{_NAMES}[\"']\s*(?:\]\s*=[^=]|:|,)|\benv\.{_NAMES}\s*=[^=]|\benviron\.update\(\s*{_NAMES}\s*="
_LISTED = (  # a command as a list, wherever it is kept until it is run
    r"[\"']git[\"']\s*,\s*(?:[\"'][^\"'\n]{1,80}[\"']\s*,\s*){0,6}[\"'](?:commit[\"'][^\])]{0,200}[\"'](?:-[a-z]*n[a-z]*|"
    r"--no-v[a-z]*)|-c[\"']\s*,\s*[\"']core\.hooks)"
)
_CODED = r"[\"']([A-Za-z0-9+/=]{12,4000})[\"']"
MOST_CODED = 20
DECODINGS = (("base64", ["-d"]), ("xxd", ["-r"]))
CODERS = ("b64decode", "fromhex", "unhexlify", "atob(", "base64", "'hex'")
HOOKLESS_COMMITS = {  # what a text names -> how it then makes commits that run no hooks
    "pygit2": r"\bcreate_commit\s*\(",
    "dulwich": r"\b(?:do_commit|porcelain\.commit)\s*\(",
    "isomorphic-git": r"\bcommit\s*\(",
    "rugged": r"\bCommit\.create",
    "skip_hooks": r"\bskip_hooks\s*=\s*True",
    "--no-verify": r"\.commit\s*\([^)]{0,300}--no-verify",
}
_INSIDE = r"\b(?:from|import)\s+rulec\b|\bimport_module\(\s*[\"']rulec|\brun_module\(\s*[\"']rulec"
_VERDICTS = (  # words that stand alone in a string, or in one with others that is split
    r"[\"'](?:approve|except|retire|rollback|set|edit|extend|uninstall|note|ui)(?:[\"']|\s[^\"'\n]{0,200}[\"'])"
    r"|[\"'](?:[^\"'\n]{0,200}\s)?--(?:remove|accept|reject|new|yes|record|commit|forget)"
    r"(?:[\"']|\s[^\"'\n]{0,200}[\"'])"
    r"|\brulec(?:\.|\s+import\s+[\w\s,]{0,80}\b)(?:services|infra|gates|plans|weights|web)\b"
)


def gives_program_text(call: Call) -> bool:
    """Whether the command gives a program's text to an interpreter."""
    return bool(interpreter_of(call.program)) or _is_awk(call)


def _is_awk(call: Call) -> bool:
    return facts_of(call.program).get("writes") == "awk"


def text_disarms(call: Call) -> bool:
    """Whether the text that an interpreter is given runs git without its hooks, or writes to them."""
    text = program_text(call)
    small = text.lower()
    runs = any(sign in text for sign in STARTING_SIGNS)
    if runs and "git" in small and any(mark in small for mark in NO_VERIFY):
        return True
    if runs and ("git" in small or "pre-commit" in small) and (re.search(_LED, text) or re.search(_LISTED, text)):
        return True
    if _commits_without_hooks(text, small):
        return True
    if PROOF_KEY in small and re.search(_KEY, small):
        return True
    joined = re.sub(_JOINED, "/", small)
    if (any(path in small for path in OWN_FILES) or _STATE in joined) and may_write(text):
        return True
    return any(mark in text for mark in OWN_MARKS) and bool(re.search(_WRITTEN, text))


def may_write(text: str) -> bool:
    """Whether the text has a word for writing files."""
    return any(sign in text.replace("stdout.write", "") for sign in WRITING_SIGNS)


def answers_for_person(call: Call) -> bool:
    """Whether the text imports rulec to do what only a person may decide."""
    text = program_text(call)
    return "rulec" in text and bool(re.search(_INSIDE, text) and re.search(_VERDICTS, text))


def plainly_disarms(text: str) -> bool:
    """Whether a whole program certainly does one of these; stricter, for its other lines may hold any word."""
    if any(mark in text for mark in OWN_MARKS) and re.search(_WRITTEN, text):
        return True
    if PROOF_KEY in text and re.search(_KEY, text):
        return True
    inside = "rulec" in text and re.search(_INSIDE, text) and re.search(_VERDICTS, text)
    return bool(inside) or _commits_without_hooks(text, text.lower())


def program_text(call: Call) -> str:
    """The program text that the command gives to an interpreter, split strings joined."""
    text = "\n".join(call.argv[1:]) if _is_awk(call) else program_code(call)
    return re.sub(_PUT_TOGETHER, "", text) if "+" in text else text


def decoded_texts(text: str) -> list[str]:
    """The texts that strings in it hold as base64 or hex."""
    if not any(word in text for word in CODERS):
        return []
    from rulec.shell.parsing import text_filters  # noqa: PLC0415 (few texts hide anything)

    found = [
        text_filters.decoder_output(*how, word) for word in re.findall(_CODED, text)[:MOST_CODED] for how in DECODINGS
    ]
    return [one for one in found if one and one.replace("\n", "").isprintable()]


def _commits_without_hooks(text: str, small: str) -> bool:
    return any(name in small and re.search(pattern, text) for name, pattern in HOOKLESS_COMMITS.items())
