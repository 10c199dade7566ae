"""The command that serves the page: ui."""

import os

import click

from rulec.cli.group import number_option, verb, work_tree
from rulec.errors import RulecError
from rulec.terminal import is_attended, say

_EXTRA = ("starlette", "uvicorn", "anyio", "h11", "multipart", "python_multipart", "cryptography")


@verb(
    "rulec ui                # until Ctrl-C",
    "rulec ui --no-browser   # only say where it is",
)
@number_option("--port", least=0, most=65535, default=0, help="Serve it at this port instead of a free one.")
@click.option("--no-browser", is_flag=True, help="Open no browser.")
def ui(*, port: int, no_browser: bool) -> None:
    """Show rules, queue and plans in your browser.

    You decide there, too. A person runs it, at a terminal. The page is for the browser alone whose code you type at the
    terminal, and only on this machine. Every change is a commit that the page names, as with the commands.
    """
    _require_person()
    top = work_tree()
    try:
        from rulec.web.server import serve_page
    except ModuleNotFoundError as missing:
        if str(missing.name).partition(".")[0] not in _EXTRA:
            raise
        raise RulecError(f"the page needs {missing.name}, which is not installed", hint="install rulec[ui]") from None
    serve_page(top, port=port, opens=not no_browser, tell=say)


def _require_person() -> None:
    """Refuse where nobody is at the terminal, or an agent is."""
    from rulec.agents.protocol.agent_spec import agents_around

    if not is_attended():
        raise RulecError("standard input is no terminal", hint="a person has to run rulec ui at a terminal")
    agents = agents_around(os.environ)
    if agents:
        told = f"{', '.join(agents)} runs this command"
        raise RulecError(told, hint="a person has to run rulec ui at a terminal of their own")
