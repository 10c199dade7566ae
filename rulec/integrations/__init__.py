"""Our part of other tools' files: hooks, CI, documents; put in, found again, taken out to the byte."""
