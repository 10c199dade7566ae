"""Two compiled checks of one rule -> whether the later is sure to look for no less."""

import json
from typing import Any

_SPARES = ("except", "unless", "allowed", "passing", "since_except")
_GROWS = ("forbid", "require", "commands", "patterns", "texts", "names", "modules", "flags", "branches", "functions")


def firmer(was: str, now: str) -> bool:
    """Whether all of an artifact stands in the later one and nothing more is left alone; unsure counts as no."""
    try:
        return _firmer(json.loads(was)["check"], json.loads(now)["check"], "")
    except (ValueError, KeyError, TypeError):
        return was == now


def _firmer(was: Any, now: Any, key: str) -> bool:
    if isinstance(was, dict) and isinstance(now, dict):
        return was.keys() == now.keys() and all(_firmer(was[name], now[name], name) for name in was)
    if isinstance(was, list) and isinstance(now, list) and was != now:
        lost, more = ([one for one in few if one not in many] for few, many in ((was, now), (now, was)))
        return (key in _SPARES and not more) or (key in _GROWS and bool(was) and not lost)
    return bool(was == now)
