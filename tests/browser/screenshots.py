"""Takes the pictures of docs/page.md and docs/ci.md: ``python -m tests.browser.screenshots docs/images``."""

import signal
import struct
import sys
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from markdown_it import MarkdownIt

from tests.support import screens
from tests.support.billing import billing
from tests.support.browser import Page, chromium
from tests.support.running_page import running_page
from tests.support.world import at_home

# Name, address, width, dark, and how much of its height is shown.
PICTURES = (
    ("rules", "/rules", 1100, False, 1100),
    ("rule", "/rules/use-pnpm", 1100, False, 1500),
    ("queue", "/queue", 1100, False, 1200),
    ("queue-dark", "/queue", 360, True, 1100),
    ("plan", "/plan", 1100, False, 1000),
    ("revision", "/queue/revisions/use-pnpm", 1100, False, 1200),
)
COMMENT = """<!doctype html><meta charset="utf-8"><title>comment</title><style>
body { font: 14px/1.5 system-ui, sans-serif; color: #1f2328; margin: 16px; }
main { border: 1px solid #d1d9e0; border-radius: 6px; overflow: hidden; }
header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
article { padding: 0 16px 8px; }
h2 { font-size: 1.5em; border-bottom: 1px solid #d1d9e0; padding-bottom: .3em; }
h3 { font-size: 1.25em; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font: 85%% ui-monospace, monospace; }
table { border-collapse: collapse; } th, td { border: 1px solid #d1d9e0; padding: 6px 13px; }
</style><main><header><b>github-actions</b> bot commented</header><article>%s</article></main>"""
LARGEST = 120_000  # bytes of one of them


def take(page: Page, folder: Path, address: str) -> None:
    """Take each picture."""
    for name, path, width, dark, most in PICTURES:
        page.open(f"{address}{path}", width, dark=dark)
        page.until("document.readyState === 'complete' && !document.querySelector('.htmx-request')")
        if path == "/queue":
            page.press("j", "j", "j")
            page.until("document.querySelector('.waiting[aria-current] .candidate')")
            page.until("!document.querySelector('.htmx-request')")
        if path.startswith("/rules/"):
            page.fill("Command or code", "cd web && npm ci")
            page.choose("See what it says")
            page.until("document.querySelector('#verdict').innerText.trim()")
        page.value("(document.activeElement.blur(), scrollTo(0, 0))")
        page.look(width, dark=dark)
        _keep(page.picture(most=most), folder / f"page-{name}.png")


def take_comment(page: Page, folder: Path) -> None:
    """Take the picture of the comment that docs/ci.md shows, about as GitHub draws Markdown."""
    (text,) = (text for name, text in screens.shown() if name == "comment")
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "comment.html"
        file.write_text(COMMENT % MarkdownIt("commonmark").enable("table").render(text))
        page.open(file.as_uri(), 760)
        page.look(760)
        _keep(page.picture(most=1100), folder / "comment.png")


def _keep(picture: bytes, place: Path) -> None:
    small = _repacked(picture)
    assert len(small) <= LARGEST, f"{place}: {len(small)} bytes"
    place.write_bytes(small)


def _repacked(picture: bytes) -> bytes:
    """The same PNG with a palette of at most 256 colours, which a page hardly exceeds, packed as far as zlib can."""
    chunks, at = dict[bytes, bytes](), 8
    while at < len(picture):
        length, kind = struct.unpack_from(">I4s", picture, at)
        chunks[kind] = chunks.get(kind, b"") + picture[at + 8 : at + 8 + length]
        at += 12 + length
    wide, high, depth, colours = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    each = {2: 3, 6: 4}[colours]
    assert depth == 8
    rows = _unfiltered(zlib.decompress(chunks[b"IDAT"]), wide * each, each)
    pixels = [row[at : at + 3] for row in rows for at in range(0, wide * each, each)]
    known = [colour for colour, _ in Counter(pixels).most_common(256)]
    place = {colour: number for number, colour in enumerate(known)}
    for colour in set(pixels) - place.keys():  # the nearest of those that are there
        place[colour] = min(
            range(len(known)), key=lambda one: sum((a - b) ** 2 for a, b in zip(known[one], colour, strict=True))
        )
    numbers = bytes(map(place.__getitem__, pixels))
    lines = b"".join(b"\0" + numbers[at : at + wide] for at in range(0, wide * high, wide))
    header = struct.pack(">IIBBBBB", wide, high, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", header), (b"PLTE", b"".join(known)), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b""))
    return picture[:8] + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


def _unfiltered(data: bytes, length: int, each: int) -> Iterator[bytes]:
    """The rows of a PNG as they were before each was written as its difference from its neighbours."""
    before = bytearray(length)
    for at in range(0, len(data), length + 1):
        row = bytearray(data[at + 1 : at + 1 + length])
        for place in range(length if data[at] else 0):
            left = row[place - each] if place >= each else 0
            above, corner = before[place], before[place - each] if place >= each else 0
            row[place] = row[place] + _guess(data[at], left, above, corner) & 255
        before = row
        yield bytes(row)


def _guess(method: int, left: int, above: int, corner: int) -> int:
    """What a row's method takes a byte to be like."""
    if method == 4:
        straight = left + above - corner
        return min((left, above, corner), key=lambda one: abs(straight - one))
    return (0, left, above, (left + above) // 2)[method]


def main(folder: Path) -> None:
    """Make the example repository, run ``rulec ui`` there and take the pictures."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner in the background has it ignored
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rulec-pictures-", ignore_cleanup_errors=True) as name:
        home = Path(name)
        with (
            at_home(home),
            running_page(billing(home / "billing")) as running,
            chromium(home / "profile") as page,
        ):
            page.look()
            running.pair(page)
            take(page, folder, running.address)
            take_comment(page, folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
