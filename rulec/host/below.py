"""Whether we run below a model that we asked ourselves: who does asks none, or each would ask the next."""

import os

from rulec.runtime import layout

NAME = layout.BELOW


def below() -> str:
    """Why no model is asked here, "" where none that rulec asked stands above us."""
    return "rulec runs below a model that it asked, and asks no other" if os.environ.get(NAME) else ""
