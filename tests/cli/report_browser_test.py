#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of `arne report` in a real browser, as wide as a phone and as wide as a desk: nothing is wider than the screen, every
picture is there and has curves in it, the words can be read, and the console is silent.

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
  answer[frame.width] = {
    needs: d.documentElement.scrollWidth,
    verdict: d.querySelector('.verdict').textContent,
    font: parseFloat(frame.contentWindow.getComputedStyle(d.querySelector('.summary')).fontSize),
    pictures: [...d.querySelectorAll('figure')].map(f => {
      const box = f.querySelector('svg').getBoundingClientRect();
      const drawn = [...f.querySelectorAll('svg path, svg polyline')].filter(p => p.getTotalLength() > 20).length;
      const text = [...f.querySelectorAll('svg text')].map(t => {
        const m = t.getScreenCTM();
        return parseFloat(frame.contentWindow.getComputedStyle(t).fontSize) * Math.hypot(m.a, m.b);
      });
      return {caption: f.querySelector('figcaption').textContent, width: box.width, height: box.height, left: box.left, right: box.right,
              drawn: drawn, text: Math.min(...text)};
    })};
  document.getElementById('answer').textContent = JSON.stringify(answer);
}
</script>FRAMES</body></html>"""


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
        frames = "".join('<iframe width="%d" height="900" src="page.html" onload="look(this)"></iframe>' % w for w in WIDTHS)
        probe = os.path.join(folder.name, "probe.html")
        with open(probe, "w") as f:
            f.write(PROBE.replace("FRAMES", frames))
        r = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=" + folder.name + "/profile",
                            "--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--window-size=1400,1000",
                            "--virtual-time-budget=5000", "--dump-dom", "file://" + probe], capture_output=True, text=True, timeout=100)
        cls.console = [line for line in r.stderr.splitlines() if "CONSOLE" in line]
        found = re.search(r'<pre id="answer">(.*?)</pre>', r.stdout, re.S)
        cls.answer = json.loads(html.unescape(found.group(1))) if found and found.group(1) else {}
        cls.said = r.stderr

    def test_both_widths_were_seen(self):
        self.assertEqual(sorted(self.answer, key=int), [str(w) for w in WIDTHS], self.said)

    def test_the_console_is_silent(self):
        self.assertEqual(self.console, [])

    def test_nothing_is_wider_than_the_screen(self):
        for width, page in self.answer.items():
            self.assertLessEqual(page["needs"], int(width))
            for p in page["pictures"]:
                self.assertGreaterEqual(p["left"], 0, p)
                self.assertLessEqual(p["right"], int(width), p)

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
