"""An act follows from what the person does in the page, and from no script."""

from pathlib import Path

import pytest

from tests.support.browser import Page
from tests.support.running_page import RunningPage, head

pytestmark = pytest.mark.browser

FORM = "document.querySelector('main form[hx-post]')"


def test_a_script_does_nothing_without_a_click_or_a_key(page: Page, ui: RunningPage, billing: Path) -> None:
    page.open(f"{ui.address}/rules/use-pnpm")
    before = head(billing)
    page.until(f"Boolean({FORM})")
    page.value(f"htmx.trigger({FORM}, 'submit')")
    page.until("document.querySelector('#told').innerText.includes('an act needs a click or a key')")
    forged = "fetch(location.href, {method: 'POST', body: new URLSearchParams({because: 'x'})}).then(one => one.status)"
    assert page.value(forged) == 403  # not signed
    assert page.value("signing.publicKey().then(key => key.length)") == 87
    exported = (
        "indexedDB.open('rulec').onsuccess = found => found.target.result.transaction('keys').objectStore('keys')"
    )
    exported += ".get('page').onsuccess = got => crypto.subtle.exportKey('pkcs8', got.target.result.privateKey)"
    exported += ".then(() => { window.said = 'given away' }, error => { window.said = error.name })"
    page.value(f"void ({exported})")
    assert page.until("window.said") == "InvalidAccessError"
    assert head(billing) == before
