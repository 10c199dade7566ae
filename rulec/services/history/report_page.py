"""The report as one HTML page that needs nothing but itself."""

import base64
import hashlib
from collections.abc import Sequence

from rulec import __version__
from rulec.checks import template_library
from rulec.reports.charts import MOST_RULES_DRAWN, draw_charts
from rulec.rulebook.history.ledger_counts import GATE_TITLES, RuleActivity

NEVER = 400  # names that a page lists


def report_page(found: Sequence[RuleActivity], *, name: str, since: str, now: str) -> str:
    """The page; every word in it that is not ours is escaped by the template."""
    library = template_library.open_library()
    style = library.render("report/page.css", {})
    seen = [one for one in found if not one.quiet]
    never = sorted(one.slug for one in found if one.quiet and one.acts != "remind")
    told, fixed = sum(one.told for one in seen), sum(one.fixed for one in seen)
    context = {
        "name": name,
        "since": since,
        "now": now,
        "version": __version__,
        "style": style,
        "policy": base64.b64encode(hashlib.sha256(style.encode()).digest()).decode(),
        "seen": seen,
        "never": never[:NEVER],
        "unnamed": len(never[NEVER:]),
        "drawing": draw_charts(found, now[:10]),
        "most": MOST_RULES_DRAWN,
        "gates": GATE_TITLES,
        "fired": sum(one.fired for one in seen),
        "told": told,
        "fixed": fixed,
        "suppressed": sum(one.times("suppressed") for one in seen),
        "disputed": sum(one.disputed for one in seen),
        "noisy": sum(one.noisy for one in seen),
        "agents": sorted({count.agent for one in seen for count in one.counts if count.agent}),
    }
    return library.render("report/page.html.j2", context).rstrip("\n")
