#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The flame graph in a browser: clicks, keys, and names that would like to be more than names."""
import json
import os
import re
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../.."))
import bench  # noqa: E402
import tap  # noqa: E402

LIMIT_S = tap.PATIENCE_S
HOSTILE = '</title><script>window.bad=1</script><image href="x" onerror="window.bad=2"/>'
HOSTILE_TOO = "]]></script><script>window.bad=3//&amp;'"


def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    # As root its sandbox cannot be had; a container's /dev/shm may be small.
    for arg in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                "--window-size=1280,800", "--hide-scrollbars"):
        options.add_argument(arg)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


class Page:
    """A flame graph that was opened."""

    def __init__(self, driver, path):
        self.driver = driver
        driver.get_log("performance")
        driver.get("file://" + path)
        self.messages = driver.get_log("browser")
        self.requests = self.requested()

    def requested(self):
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        return [e["params"]["request"]["url"] for e in events
                if e["method"] == "Network.requestWillBeSent"]

    def run(self, script, *args):
        return self.driver.execute_script(script, *args)

    def by_id(self, name):
        return self.driver.find_element("id", name)

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    def is_seen(self, name):
        return self.run("return document.getElementById(arguments[0]).getAttribute('display') "
                        "!== 'none'", name)

    def frames(self):
        """What the page shows of each frame, as it is laid out."""
        return self.run("""
            return Array.from(document.querySelectorAll('.f'), g => {
                const [name, module, details] = g.querySelector('title').textContent.split('\\n');
                const box = g.querySelector('rect').getBoundingClientRect();
                const [left, share, level] = g.dataset.f.split(' ').map(Number);
                const text = g.querySelector('text');
                return {g, name, module, details, left, share, level, x: box.x,
                        width: box.width, is_shown: g.getAttribute('display') !== 'none',
                        is_outer: g.classList.contains('outer'),
                        is_found: g.classList.contains('found'),
                        label: text ? text.textContent : '', self: +g.dataset.v.split(' ')[2]};
            })""")

    def frame(self, name, level=None):
        return next(f for f in self.frames()
                    if f["name"] == name and level in (None, f["level"]))

    def onto(self, frame):
        from selenium.webdriver import ActionChains
        rect = frame["g"].find_element("tag name", "rect")
        self.run("arguments[0].scrollIntoView({block: 'center'})", rect)
        return ActionChains(self.driver).move_to_element(rect)

    def click(self, frame):
        self.onto(frame).click().perform()

    def press(self, *keys):
        from selenium.webdriver import ActionChains
        ActionChains(self.driver).send_keys(*keys).perform()

    def search(self, term):
        from selenium.webdriver import ActionChains
        from selenium.webdriver.common.keys import Keys
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys("f").key_up(
            Keys.CONTROL).perform()
        self.press(term)

    def width(self):
        return self.run("return window.innerWidth")

    def resize(self, width, height):
        """Until the page has been told and is laid out anew."""
        before, end = self.width(), time.monotonic() + LIMIT_S
        self.driver.set_window_size(width, height)
        while self.width() == before and time.monotonic() < end:
            time.sleep(0.01)
        self.driver.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")


def escape(page):
    from selenium.webdriver.common.keys import Keys
    page.press(Keys.ESCAPE)


# ---- cases: why they fail, or None ----

def opens_alone(page):
    if page.messages:
        return "the browser says: %s" % page.messages
    others = [url for url in page.requests if not url.startswith("file://")]
    return ("it asks for %s" % others) if others or len(page.requests) != 1 else None


def fills_the_window(page):
    roots = [f for f in page.frames() if f["level"] == 0]
    width = sum(f["width"] for f in roots)
    if abs(width - (page.width() - 20)) > 2:
        return "frames are %g wide in a window of %d" % (width, page.width())
    return None


def contrast(page):
    """The least of each text with what is behind it (WCAG 2, relative luminance)."""
    return page.run("""
        const lum = c => c.match(/[\\d.]+/g).slice(0, 3).map(v => v / 255).map(v =>
            v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, i) => s + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const fill = e => lum(getComputedStyle(e).fill), back = fill(document.querySelector('.back'));
        const least = list => Math.min(...[...list].map(([text, behind]) => ratio(fill(text), behind)));
        return [back, least(['title', 'sums'].map(id => [document.getElementById(id), back])),
                least([...document.querySelectorAll('.f')].filter(f => f.querySelector('text')).map(
                    f => [f.querySelector('text'), fill(f.querySelector('rect'))]))]""")


def light_and_dark(page):
    """As the reader likes it, and readable in both."""
    wrong = []
    for scheme, is_right in ("light", lambda back: back > 0.9), ("dark", lambda back: back < 0.05):
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": scheme}]})
        back, head, frames = contrast(page)
        if not is_right(back) or head < 4.5 or frames < 4.5:
            wrong.append("%s: background %.2f, contrast %.1f and %.1f" % (scheme, back, head, frames))
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return "; ".join(wrong) or None


def one_module_has_colours(b):
    """Functions of a program that is one module are told apart."""
    source = "".join("__attribute__((noipa)) int f%d(int n) { int s = 0; for (int i = 0; i < 99; i++) s += n * i; return s; }\n" % i
                     for i in range(12))
    program = b.build("one.c", text=source + "int main(void) { return (%s) == 1; }\n" %
                      " + ".join("f%d(1)" % i for i in range(12)))
    trace = b.trace_of(program, options=["--libs=none"], to="one.data")
    with open(b.svg("one.svg", trace, "--by-calls"), encoding="utf-8") as f:
        fills = set(re.findall(r'<title>f\d+\n.*?fill="(#\w{6})"', f.read(), re.S))
    apart = [sum(abs(int(a[i:i + 2], 16) - int(c[i:i + 2], 16)) for i in (1, 3, 5)) for a in fills for c in fills if a < c]
    return None if len(fills) == 12 and sum(d > 40 for d in apart) > len(apart) / 2 else sorted(fills)


def names_stay_names(page):
    names = {f["name"] for f in page.frames()}
    if not {HOSTILE, HOSTILE_TOO} <= names:
        return "they are not there: %s" % sorted(names)
    page.onto(page.frame(HOSTILE)).perform()
    shown = page.text("name")
    if not shown.startswith(HOSTILE):
        return "it is shown as " + shown
    page.search("script")
    bad = page.run("return [window.bad, document.querySelectorAll('image').length, "
                   "document.querySelectorAll('script').length]")
    escape(page)
    return None if bad == [None, 0, 1] else "a name got out: %s" % bad


def hover_tells(page):
    frame = page.frame("work")
    page.onto(frame).perform()
    name, details = page.text("name"), page.text("details")
    if name != "work [%s]" % frame["module"] or details != frame["details"]:
        return "%r, %r" % (name, details)
    if "1 call, total " not in details:
        return "details are " + details
    return None


def click_zooms(page):
    before = page.frame("work")
    page.click(before)
    after = {(f["name"], f["level"], f["left"]): f for f in page.frames()}
    work = after["work", before["level"], before["left"]]
    if abs(work["width"] - (page.width() - 20)) > 1:
        return "it is %g wide in a window of %d" % (work["width"], page.width())
    for frame in after.values():
        is_inside = (before["left"] - 1e-9 <= frame["left"] and frame["left"] + frame["share"] <=
                     before["left"] + before["share"] + 1e-9)
        if frame["is_outer"] != (frame["level"] < before["level"] and frame["is_shown"]):
            return "%s is dimmed: %s" % (frame["name"], frame["is_outer"])
        if frame["level"] >= before["level"] and frame["is_shown"] != is_inside:
            return "%s is shown: %s" % (frame["name"], frame["is_shown"])
        if frame["is_shown"] and frame["level"] > before["level"]:
            wanted = (page.width() - 20) * frame["share"] / before["share"]
            if abs(frame["width"] - wanted) > 1:
                return "%s is %g wide, not %g" % (frame["name"], frame["width"], wanted)
    if not page.is_seen("reset"):
        return "there is no way back"
    page.by_id("reset").click()
    widths = {(f["name"], f["level"], f["left"]): f["width"] for f in page.frames()}
    if abs(widths["work", before["level"], before["left"]] - before["width"]) > 0.01:
        return "it is not as it was after a reset"
    return None if not page.is_seen("reset") else "reset stays"


def escape_goes_back(page):
    before = page.frame("work")
    page.click(before)
    escape(page)
    width = page.frame("work")["width"]
    return None if abs(width - before["width"]) < 0.01 else "%g wide, not %g" % (
        width, before["width"])


def matched_of(page):
    text = page.text("matched")
    return float(text.split("%")[0].split(": ")[1]) if text else None


def outermost(frames, name):
    """The share that frames of a name have, and what lies above them."""
    mine = [f for f in frames if f["name"] == name]
    return 100 * sum(f["share"] for f in mine
                     if not any(o["level"] < f["level"] and o["left"] - 1e-9 <= f["left"] and
                                f["left"] + f["share"] <= o["left"] + o["share"] + 1e-9
                                for o in mine))


def search_finds(page):
    frames = page.frames()
    for name in ("spin", "again"):  # again is recursive: its time counts once
        page.search("^%s$" % name)
        found = {f["name"] for f in page.frames() if f["is_found"]}
        matched, wanted = matched_of(page), outermost(frames, name)
        escape(page)
        if found != {name}:
            return "%s finds %s" % (name, found)
        if abs(matched - wanted) > 0.06:
            return "%s: matched %s%%, frames are %g%% wide" % (name, matched, wanted)
    left = [f["name"] for f in page.frames() if f["is_found"]]
    return "found still after Escape: %s" % left if left or page.text("matched") else None


def search_counts_what_is_zoomed(page):
    page.search("^again$")
    page.click(page.frame("again"))
    matched = matched_of(page)
    page.by_id("reset").click()
    whole = matched_of(page)
    page.by_id("term").click()
    escape(page)
    if matched != 100 or not whole < 100:
        return "%s%% of what is zoomed, %s%% of all" % (matched, whole)
    return None


def a_broken_pattern_is_text(page):
    page.search("bad=3//&amp;'")
    first = {f["name"] for f in page.frames() if f["is_found"]}
    escape(page)
    page.search("(")
    second = page.text("matched")
    escape(page)
    if first != {HOSTILE_TOO}:
        return "found %s" % first
    return None if second == "Matched: 0.0% in 0 frames" else second


def resizing_fits(page):
    page.resize(700, 600)
    why = fills_the_window(page)
    wide = [f for f in page.frames() if len(f["label"]) * 7.3 > f["width"]]
    page.resize(1280, 800)
    return why or ("labels are too long: %s" % wide[0]["label"] if wide else
                   fills_the_window(page))


def has_a_title(page):
    title, sums = page.text("title"), page.text("sums")
    total = page.frame("hostile", 0)["details"].split("total ")[1].split(",")[0]
    if title != page.title:
        return "it is %r, not %r" % (title, page.title)
    calls = page.run("return document.documentElement.dataset.calls")
    wanted = calls + " calls: " if page.is_by_calls else "%s in %s calls: " % (total, calls)
    return None if sums.startswith(wanted) else "%r, not %r" % (sums, wanted)


CASES = [light_and_dark, has_a_title, opens_alone, fills_the_window, names_stay_names, hover_tells, click_zooms,
         escape_goes_back, search_finds, search_counts_what_is_zoomed, a_broken_pattern_is_text,
         resizing_fits]


class Bench(bench.Bench):
    sources = HERE

    def svg(self, name, trace, *args):
        self.must("export", "-o", self.path(name), *args, trace)
        return self.path(name)


def record_hostile(b):
    program = b.build("hostile.c")
    subprocess.run(["objcopy", "--redefine-sym", "hostile=" + HOSTILE,
                    "--redefine-sym", "hostile_too=" + HOSTILE_TOO, program], check=True)
    return b.trace_of(program)


def record_while(b, pid, trace):
    """Attach until there are calls in the trace. Why it fails, or None."""
    with b.begin("-p", str(pid), to=trace, start_new_session=True) as proc:
        tap.wait_until(lambda: has_calls(b, trace) or proc.poll() is not None, "recording")
        proc.send_signal(signal.SIGINT)
        said = proc.communicate(timeout=LIMIT_S)[1]
    return "record: status %d: %s" % (proc.returncode, said.decode()) if proc.returncode else None


def has_calls(b, trace):
    """What functions there are comes first, and is some 10 KB of an attached bash."""
    done = b.run("info", "--json", trace)
    return done.out and json.loads(done.out)["calls"] > 0


def attached_is_named(b, driver):
    with subprocess.Popen(["bash", "-c", "echo; while :; do :; done"],
                          stdout=subprocess.PIPE) as proc:
        try:
            proc.stdout.readline()  # it runs
            why = record_while(b, proc.pid, "attached.data")
        finally:
            proc.kill()
    if why:
        return why
    title = Page(driver, b.svg("attached.svg", "attached.data")).text("title")
    return None if title == "bash" else "the title is %r" % title


def suite_of(suite):
    b = Bench(suite)
    trace = record_hostile(b)
    driver = browser()
    try:
        for name, more in (("times", []), ("calls", ["--by-calls"])):
            page = Page(driver, b.svg(name + ".svg", trace, *more))
            page.title, page.is_by_calls = b.path("hostile"), bool(more)
            suite.run_all(CASES, page, prefix="flamegraph by %s: " % name)
        suite.run("flamegraph of one module has colours", one_module_has_colours, b)
        suite.run("flamegraph of what ran already is named after it", attached_is_named, b, driver)
    finally:
        driver.quit()


if __name__ == "__main__":
    tap.main(suite_of)
