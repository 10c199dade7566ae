"""Which signs are emojis: shown as pictures by themselves (Unicode's Emoji_Presentation), or asked to be by U+FE0F.

Arrows, box drawing, check marks, stars, ©, ™ and all letters are text unless that sign follows them.
"""

import re

# Python's escapes, so that an artifact shows which signs it means; skin tones and flags' letters are parts, not emojis.
PICTURES = (
    r"\u231A\u231B\u23E9-\u23EC\u23F0\u23F3\u25FD\u25FE\u2614\u2615\u2648-\u2653\u267F\u2693\u26A1\u26AA\u26AB\u26BD"
    r"\u26BE\u26C4\u26C5\u26CE\u26D4\u26EA\u26F2\u26F3\u26F5\u26FA\u26FD\u2705\u270A\u270B\u2728\u274C\u274E"
    r"\u2753-\u2755\u2757\u2795-\u2797\u27B0\u27BF\u2B1B\u2B1C\u2B50\u2B55"
    r"\U0001F004\U0001F0CF\U0001F18E\U0001F191-\U0001F19A\U0001F201\U0001F21A\U0001F22F\U0001F232-\U0001F236"
    r"\U0001F238-\U0001F23A\U0001F250\U0001F251\U0001F300-\U0001F3FA\U0001F400-\U0001F53D\U0001F546-\U0001F64F"
    r"\U0001F680-\U0001F6FF\U0001F7E0-\U0001F7EB\U0001F7F0\U0001F90C-\U0001F93A\U0001F93C-\U0001F945"
    r"\U0001F947-\U0001F9FF\U0001FA70-\U0001FAFF"
)
EMOJI = rf"(?:[{PICTURES}]|.\uFE0F|[\U0001F1E6-\U0001F1FF][\U0001F1E6-\U0001F1FF]|[0-9#*]\uFE0F?\u20E3)"
_CODE = re.compile(r"\\(?:u([0-9A-F]{4})|U([0-9A-F]{8})|x([0-9A-F]{2}))")


def pcre(pattern: str) -> str:
    """A pattern with Python's escapes for signs in the form that PCRE reads."""
    return _CODE.sub(lambda found: f"\\x{{{int(found[1] or found[2] or found[3], 16):X}}}", pattern)
