"""Regular expressions and globs of people: who can read them, how long a search takes, and their POSIX form."""
