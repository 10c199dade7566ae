"""Reading sentences: what a person's words forbid, prefer or require, with no effects and no model."""

from rulec.language.clause import Clause
from rulec.language.reading import clauses
from rulec.language.statement import do_of, slug_of
from rulec.language.terms import Term, terms

__all__ = ["Clause", "Term", "clauses", "do_of", "slug_of", "terms"]
