"""The modes in which a rule may act, and how bad it is when it is broken."""

from typing import Literal

Severity = Literal["must", "should", "style"]
Enforcement = Literal["audit", "warn", "block"]
PinnedEnforcement = Literal["auto", "audit", "warn", "block"]
OnError = Literal["warn", "block"]
OnUnsure = Literal["audit", "warn", "block"]  # what a finding that is not certain may do at most
