"""Which files a rule speaks of: globs, languages by their suffixes, and kinds of files such as @tests."""
