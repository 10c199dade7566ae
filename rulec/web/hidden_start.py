"""Imported by the process from which the page's work starts, before all else, and nowhere: it hides that process.

The page believes what its work sends through a pipe, so no other program may write into that.
"""

from rulec.web.hidden_memory import hide_memory

hide_memory()
