"""Engines: each runs one function over many pieces of work, in workers that may be killed."""
