"""The address of the Messages API that is asked, where that is another than its own."""

import os

from rulec.model.exchange import Models

NAME = "ANTHROPIC_BASE_URL"
OWN = "https://api.anthropic.com"


def elsewhere(models: Models) -> str:
    """None, that is "", for the API's own: what others say is not to be taken for its word."""
    address = (models.base_url or os.environ.get(NAME, "")).strip().rstrip("/")
    return "" if address.casefold() == OWN else address
