#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `arne report` in a real browser, as wide as a phone and as wide as a desk: nothing is wider than the screen, every
picture is there and has curves in it, the words can be read and are not giants, a dark screen stays dark, and the console is silent.

Needs chromium; skipped without it. The program is $ARNE, or build/arne."""
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import made_run
from support import ARNE, main

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WIDTHS = (390, 1280)

# loads the page into frames of both widths and notes what the browser made of it
PROBE = """<!DOCTYPE html><html><body><pre id="answer"></pre><script>
const answer = {};
function look(frame) {
  const d = frame.contentDocument;
  const style = e => frame.contentWindow.getComputedStyle(e);
  const bright = c => { const x = (c.match(/[\\d.]+/g) || [0, 0, 0]).map(Number); return x[3] === 0 ? 0 : (x[0] + x[1] + x[2]) / 765; };
  answer[frame.name] = {
    back: bright(style(d.body).backgroundColor),
    paper: Math.max(...[...d.querySelectorAll('figure, figure svg, figure svg rect[width]')].map(e =>
        bright(e.tagName == 'rect' ? style(e).fill : style(e).backgroundColor))),
    ink: Math.min(...[...d.querySelectorAll('figure svg text')].map(e => bright(style(e).fill))),
    needs: d.documentElement.scrollWidth,
    width: +frame.width, verdict: d.querySelector('.verdict').textContent,
    font: parseFloat(frame.contentWindow.getComputedStyle(d.querySelector('.summary')).fontSize),
    pictures: [...d.querySelectorAll('figure')].map(f => {
      const box = f.querySelector('svg').getBoundingClientRect();
      const drawn = [...f.querySelectorAll('svg path, svg polyline')].filter(p => p.getTotalLength() > 20).length;
      const text = [...f.querySelectorAll('svg text')].map(t => {
        const m = t.getScreenCTM();
        return parseFloat(frame.contentWindow.getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);
      });
      return {caption: f.querySelector('figcaption').textContent, width: box.width, height: box.height, left: box.left, right: box.right,
              drawn: drawn, text: Math.min(...text), largest: Math.max(...text)};
    })};
  document.getElementById('answer').textContent = JSON.stringify(answer);
}
</script>FRAMES</body></html>"""


def look(folder, pages, *settings):
    """what a browser makes of pages at both widths: {"page width": answer}, what the console said, all it said"""
    frames = "".join('<iframe name="%s %d" width="%d" height="900" src="%s" onload="look(this)"></iframe>' % (p, w, w, p) for p in pages for w in WIDTHS)
    probe = os.path.join(folder, "probe.html")
    with open(probe, "w") as f:
        f.write(PROBE.replace("FRAMES", frames))
    r = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + folder + "/profile",
                        "--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--window-size=1400,1000",
                        "--virtual-time-budget=5000", *settings, "--dump-dom", "file://" + probe], capture_output=True, text=True, timeout=100)
    found = re.search(r'<pre id="answer">(.*?)</pre>', r.stdout, re.S)
    answer = json.loads(html.unescape(found.group(1))) if found and found.group(1) else {}
    return answer, [line for line in r.stderr.splitlines() if "CONSOLE" in line], r.stderr


@unittest.skipUnless(CHROMIUM, "chromium is not here: the page is not looked at")
class Small(unittest.TestCase):
    """pages with little on them, on a dark screen"""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        run = os.path.join(folder.name, "run.csv")
        with open(run, "w") as f:
            f.write("t,q1,q2\n0,0,0\n1,0.5,-0.2\n2,0.9,0.3\n")
        for name, words in (("one.html", [run]), ("planar.html", [run, "--robot", "planar2r"])):
            subprocess.run([ARNE, "report", *words, "--out", os.path.join(folder.name, name)], check=True, timeout=60)
        cls.answer, _, cls.said = look(folder.name, ("one.html", "planar.html"), "--blink-settings=preferredColorScheme=0")

    def test_letters_are_no_giants(self):
        self.assertEqual(len(self.answer), 4, self.said)
        for name, page in self.answer.items():
            for p in page["pictures"]:
                self.assertTrue(p["text"] >= 9 and p["largest"] <= 16, (name, p))
                self.assertLess(p["width"], 520, (name, p))

    def test_dark_stays_dark(self):
        for name, page in self.answer.items():
            self.assertLess(page["back"], 0.2, name)
            self.assertLess(page["paper"], 0.25, name)
            self.assertGreater(page["ink"], 0.6, name)


@unittest.skipUnless(CHROMIUM, "chromium is not here: the page is not looked at")
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        run = made_run.write(os.path.join(folder.name, "run"), ARNE, seconds=2.0, push=(1.0, 1.2),
                             joints=["<b onclick=x>&amp; %d" % i for i in range(7)])
        page = os.path.join(folder.name, "page.html")
        subprocess.run([ARNE, "report", run, "--out", page], check=True, timeout=60)
        cls.answer, cls.console, cls.said = look(folder.name, ("page.html",))

    def test_both_widths_were_seen(self):
        self.assertEqual(sorted(p["width"] for p in self.answer.values()), list(WIDTHS), self.said)

    def test_the_console_is_silent(self):
        self.assertEqual(self.console, [])

    def test_nothing_is_wider_than_the_screen(self):
        for page in self.answer.values():
            self.assertLessEqual(page["needs"], page["width"])
            for p in page["pictures"]:
                self.assertGreaterEqual(p["left"], 0, p)
                self.assertLessEqual(p["right"], page["width"], p)

    def test_every_picture_is_there_and_can_be_read(self):
        for page in self.answer.values():
            self.assertGreaterEqual(len(page["pictures"]), 8)
            for p in page["pictures"]:
                self.assertGreater(p["width"], 300, p)
                self.assertGreater(p["height"], 150, p)
                self.assertGreaterEqual(p["drawn"], 2, p)
                self.assertGreaterEqual(p["text"], 9, p)  # px
            self.assertGreaterEqual(page["font"], 14)

    def test_it_shows_what_it_says(self):
        for page in self.answer.values():
            self.assertIn("found 20 ms after it began", page["verdict"])
            for title in ("side view", "Positions", "Residuals", "Energies"):
                self.assertTrue(any(title in p["caption"] for p in page["pictures"]), title)
            # a name is a name, also when it looks like HTML
            self.assertTrue(any("<b onclick=x>&amp; 3" in p["caption"] for p in page["pictures"]))


if __name__ == "__main__":
    main()
