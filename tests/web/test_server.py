"""How the page stands on this machine: its port is nobody else's, and its memory is nobody's to read."""

import contextlib
import socket
import subprocess
import sys

import pytest

from rulec.errors import RulecError
from rulec.web import server

ASK = "import ctypes; from rulec.web import server; server.hide_memory(); print(ctypes.CDLL(None).prctl(3, 0))"


def test_no_other_program_answers_at_its_port() -> None:
    sockets = server._listen(0)
    port = sockets[0].getsockname()[1]
    with contextlib.ExitStack() as stack:
        for one in sockets:
            stack.enter_context(one)
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))[: len(sockets)]:
            squatter = stack.enter_context(socket.socket(family))
            squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            with pytest.raises(OSError, match="in use"):
                squatter.bind((address, port))
        with pytest.raises(RulecError, match=f"port {port} cannot be had"):
            server._listen(port)


@pytest.mark.skipif(not socket.has_ipv6, reason="this Python knows no such addresses")
def test_a_port_that_another_program_has_at_the_second_address_is_left_to_it() -> None:
    with socket.socket(socket.AF_INET6) as taken:
        try:
            taken.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no ::1")
        taken.listen()
        with pytest.raises(RulecError, match="cannot be had"):
            server._listen(taken.getsockname()[1])


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can")
def test_its_memory_is_hidden() -> None:
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"  # PR_GET_DUMPABLE
