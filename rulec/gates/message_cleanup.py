"""The file of a commit message, and the message that git makes of it: without comments, scissors and what follows them."""

import codecs
import os
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra.git import git_session


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageFile:
    """What stands in the file; ``edited`` in an editor, ``strips`` comments, which begin with ``comment``."""

    text: str
    edited: bool
    strips: bool
    comment: str


def read_message_file(top: Path, path: Path) -> MessageFile:
    """The message that git asks about, and its settings for it; what a command line says of them no hook can know."""
    how = git_session.git_config(top, "commit.cleanup")
    edited = os.environ.get("GIT_EDITOR") != ":"  # so git tells its hooks that there was no editor
    sign = git_session.git_config(top, "core.commentString") or git_session.git_config(top, "core.commentChar")
    return MessageFile(
        text=_read(top, path),
        edited=edited or how == "strip",
        strips=how not in ("whitespace", "verbatim", "scissors"),
        comment=sign or "#",
    )


def _read(top: Path, path: Path) -> str:
    """The text, in the encoding that git is told of, or in one that knows every byte: it is for git to complain."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None
    for encoding in ("utf-8-sig", git_session.git_config(top, "i18n.commitEncoding")):
        try:
            return data.decode(codecs.lookup(encoding).name)
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1")
