"""Regular expressions, judged before they reach an artifact: who can read them, and how long that may take."""
