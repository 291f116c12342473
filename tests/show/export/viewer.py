# SPDX-License-Identifier: Apache-2.0
"""viewer.py - speedscope, as its users have it: its page in a headless Chromium, a profile
loaded as its command line does, and what the page then shows."""
import base64
import os
import re
import shutil
import subprocess
import tempfile
import time

import tap

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = tap.PATIENCE_S
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9}
TIME = re.compile(r"([\d.,]+)\s*(ns|µs|ms|min|s)\b")
ROWS = """
return [...document.querySelectorAll('tr')].map(
    tr => [...tr.querySelectorAll('td')].map(td => td.textContent)).filter(r => r.length)
"""


def package():
    """The folder of its page; it is installed beside the builds, when it is not there."""
    folder = os.path.join(tap.TOP, "build-check", "speedscope")
    page = os.path.join(folder, "node_modules", "speedscope", "dist", "release")
    if not os.path.exists(os.path.join(page, "index.html")):
        os.makedirs(folder, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(os.path.join(HERE, "speedscope", name), folder)
        subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                       check=True, capture_output=True, timeout=tap.PATIENCE_S)
    return page


def schema():
    return os.path.join(package(), "file-format-schema.json")


def open_browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run",
                 "--allow-file-access-from-files", "--window-size=1600,1200",
                 "--enable-unsafe-swiftshader", "--use-angle=swiftshader"):
        options.add_argument(word)
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def time_of(text):
    """'1.23ms (4.5%)' in ns; and how far off that may be."""
    number, unit = TIME.match(text).groups()
    decimals = len(number.partition(".")[2])
    return float(number.replace(",", "")) * UNITS[unit], 0.51 * UNITS[unit] / 10 ** decimals


class Shown:
    """The title of the profile in view; its rows: (function, total, self), each a time_of()."""

    def __init__(self, title, rows):
        self.title = title
        self.rows = [(row[2], time_of(row[0]), time_of(row[1])) for row in rows]


def show(path):
    """What the page shows of the file, function by function, those with most self time first."""
    browser = open_browser()
    try:
        with tempfile.TemporaryDirectory(prefix="fctrace-speedscope-") as folder:
            script = os.path.join(folder, "profile.js")
            with open(path, "rb") as f, open(script, "w") as out:
                out.write('speedscope.loadFileFromBase64("x.json", "%s")' %
                          base64.b64encode(f.read()).decode())
            browser.get("file://%s/index.html#localProfilePath=%s&view=sandwich" % (
                package(), script))
            return wait(browser)
    finally:
        browser.quit()


def title_in(text):
    """The profile in view: it stands between the page's buttons, with its number of several."""
    title = re.search(r"Sandwich(.*?\))(?: \(\d+/\d+\)|\W*Export)", text, re.S)
    return title.group(1).strip()


def wait(browser):
    end, text = time.monotonic() + LIMIT_S, ""
    while time.monotonic() < end:
        text = browser.execute_script("return document.body.textContent")
        rows = [row for row in browser.execute_script(ROWS)
                if len(row) >= 3 and TIME.match(row[0])]
        if rows:
            return Shown(title_in(text), rows)
        if "Something went wrong" in text:
            break
        time.sleep(0.2)
    raise ValueError("speedscope cannot open it: %s\n%s" % (
        text[:200],
        "\n".join(entry["message"] for entry in browser.get_log("browser"))))


def differs(shown, sums):
    """None, or how the rows differ from {function: [Sum]}: several functions may have one name,
    and a row is that of one of them."""
    if not shown.rows:
        return "no rows"
    for function, *row in shown.rows:
        if not any(is_of(row, want) for want in sums.get(function, [])):
            return "%s: total %s, self %s; the file has %s" % (
                function, row[0], row[1], sums.get(function))
    return None


def is_of(row, want):
    return all(abs(got - right) <= unsure + want.slack_ns + 2
               for (got, unsure), right in zip(row, (want.total_ns, want.self_ns)))
