"""How one gets the program that a rule wants: by the very program that it takes the place of, once, on the machine."""

import re

from rulec.runtime.call import Call
from rulec.runtime.match import matches, plain, without, words_of

_GETS = (
    "npm|pnpm|bun install|add --global|-g|--location=global",
    "yarn global add",
    "pip install",
    "gem install",
    "cargo install",
)
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(?=$|[@=<>~!\[])")  # pnpm@9, uv==0.4, uv[extra]


def gets(wanted: "list[str]", call: Call) -> bool:
    """Whether the call does nothing but install what is wanted; with a package besides it is as any other."""
    programs = {plain(words_of(command)[0]) for command in wanted if words_of(command)}
    pattern = next((one for one in _GETS if programs and matches(one, call)), "")
    names = [_NAME.match(word) for word in without(pattern, call) if not word.startswith("-")] if pattern else []
    return bool(names) and all(name is not None and name[0] in programs for name in names)
