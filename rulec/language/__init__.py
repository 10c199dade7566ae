"""Reading sentences: what a person's words forbid, prefer or require, with no effects and no model."""

from rulec.language.clause import Clause
from rulec.language.place import Where, place, where
from rulec.language.reading import clauses
from rulec.language.statement import do_of, slug_of, statement_of
from rulec.language.terms import Term, terms

__all__ = ["Clause", "Term", "Where", "clauses", "do_of", "place", "slug_of", "statement_of", "terms", "where"]
