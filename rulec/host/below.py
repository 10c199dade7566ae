"""Whether we run below a model that we asked ourselves: who does asks none, or each would ask the next."""

import os

NAME = "RULEC_BELOW_MODEL"  # set for the model's own process; it turns nothing off but the asking of models


def below() -> str:
    """Why no model is asked here, "" where none that rulec asked stands above us."""
    return "rulec runs below a model that it asked, and asks no other" if os.environ.get(NAME) else ""
