#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `fctrace export --format html`, in a browser: clicks, keys, numbers, sizes.
"""
import importlib.util
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXPORT = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(HERE, "../../.."), EXPORT]
import bench  # noqa: E402
import tap  # noqa: E402

spec = importlib.util.spec_from_file_location("reader", os.path.join(EXPORT, "readers", "html.py"))
reader = importlib.util.module_from_spec(spec)
spec.loader.exec_module(reader)

HOSTILE = "</script><img src=x onerror=\"window.bad=1\"><!--<script>window.bad=2</script>"
HOSTILE_TOO = "']];window.bad=3//\\u003c&lt;{{x}}"
BIG = """
import json, threading
def work():
    for i in range(26):
        json.dumps([{"a": i, "b": [1, 2, 3]} for i in range(200)])
        sorted(str(i) for i in range(1200))
threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
for t in threads: t.join()
"""
MAX_MB, MAX_LOAD_MS = 5, 2000
SLOW_LOAD_MS = 20000  # on a machine that has much else to do


class Bench(bench.Bench):
    """Traces made of programs, pages made of these."""

    sources = os.path.join(EXPORT, "programs")

    def named(self, name, *argv, options=()):
        return self.trace_of(*argv, options=options, to=name + ".data", status=None)

    def page(self, trace, *args):
        page = trace.replace(".data", ".html")
        done = self.run("export", "-o", page, *args, trace)
        if done.status not in (0, 4) or done.trouble():
            raise RuntimeError("export: status %d: %s" % (done.status, done.err.decode()))
        return page


# ---- small questions to a page ----

def clean(browser):
    """None, or what the page complained of or fetched."""
    wrong = browser.said()
    wrong += ["fetched " + url for url in browser.fetched() if not url.startswith("file:")]
    return "\n".join(wrong)


def frame(browser, name):
    return browser.js("""return [...document.querySelectorAll('#flame-box g.frame')]
        .find(g => g.getAttribute('name') === arguments[0])""", name)


def width(browser, name):
    return browser.js("""const g = [...document.querySelectorAll('#flame-box g.frame')]
        .find(g => g.getAttribute('name') === arguments[0]);
        return g ? g.querySelector('rect').getBoundingClientRect().width : 0""", name)


def column(browser, title):
    """The texts of a column of the table, all of its rows."""
    while browser.js("const m = document.getElementById('more'); if (!m.hidden) m.click(); "
                     "return !m.hidden"):
        pass
    return browser.js("""const at = [...document.querySelectorAll('#functions th')]
        .findIndex(th => th.textContent === arguments[0]);
        return [...document.querySelectorAll('#functions tbody tr')]
            .map(tr => tr.cells[at].textContent)""", title)


def number(text):
    return int(text.replace("\u2009", ""))


def nanoseconds(text):
    if text == "–":
        return 0
    n, unit = text.replace("\u2009", "").split(" ")
    return float(n) * {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}[unit]


def near(shown, ns):
    return abs(shown - ns) <= max(0.006 * ns, 1)


def settle(browser):
    """Until nothing of the flame graph has moved for 300 ms and ten pictures. Frames that come
    anew grow for a quarter of a second, whatever was asked for, and longer when the machine is
    busy."""
    browser.driver.execute_async_script("""const done = arguments[0];
        const shape = () => [...document.querySelectorAll('#flame-box g.frame')].map(g =>
            g.getAttribute('transform') + g.querySelector('rect').getAttribute('width')).join();
        let last = null, since = 0, pictures = 0;
        requestAnimationFrame(function look(now) {
            const is = shape();
            if (is !== last)
                [last, since, pictures] = [is, now, 0];
            else
                pictures++;
            if (pictures >= 10 && now - since >= 300)
                done();
            else
                requestAnimationFrame(look);
        });""")


# ---- cases: None, or what is wrong ----

def opens_alone(browser, page):
    browser.open(page)
    return clean(browser)


def click_zooms(browser):
    """By calls: these are the same in each run, and the time that deep() takes may be too little to
    be drawn."""
    browser.find("#by-calls").click()
    settle(browser)
    whole = browser.js("return document.querySelector('#flame-box svg').clientWidth")
    name = "deep"
    before = width(browser, name)
    # The outermost of these frames, which are drawn first.
    browser.js("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))",
               frame(browser, name))
    settle(browser)
    zoomed = width(browser, name)
    if not before < zoomed or abs(zoomed - whole) > 2:
        return "%s was %s wide, now %s of %s" % (name, before, zoomed, whole)
    if name not in browser.text("#flame-detail"):
        return "it says: " + browser.text("#flame-detail")
    browser.find("#flame-reset").click()
    settle(browser)
    again = width(browser, name)
    browser.find("#by-time").click()
    settle(browser)
    return None if abs(again - before) <= 1 else "%s is %s wide again, was %s" % (name, again, before)


def real_click_zooms(browser):
    """At a place of the screen, as a hand does it."""
    from selenium.webdriver.common.action_chains import ActionChains
    found = frame(browser, "app::Worker::run")
    before = width(browser, "app::Worker::run")
    browser.js("arguments[0].scrollIntoView({block: 'center'})", found)
    ActionChains(browser.driver).move_to_element(found).click().perform()
    settle(browser)
    after = width(browser, "app::Worker::run")
    browser.find("#flame-reset").click()
    settle(browser)
    return None if after > before * 1.2 else "%s wide, then %s" % (before, after)


def keys_do_it(browser):
    """/ searches; in the graph arrows go and Enter zooms; in the time line + zooms."""
    from selenium.webdriver.common.keys import Keys

    def press(*keys):
        browser.driver.switch_to.active_element.send_keys(*keys)
        settle(browser)

    browser.js("document.activeElement.blur()")
    browser.find("body").send_keys("/")
    if browser.js("return document.activeElement.id") != "search":
        return "/ does not lead to the search"
    browser.js("document.getElementById('flame-box').focus()")
    press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    first = browser.text("#flame-detail")
    press(Keys.ENTER)
    if "Zoomed" not in browser.text("#flame-detail") or not first:
        return "Enter on «%s» led to «%s»" % (first, browser.text("#flame-detail"))
    press(Keys.ESCAPE)
    if browser.js("return !document.getElementById('flame-reset').disabled"):
        return "Escape does not reset the zoom"
    before = browser.text("#time-span")
    browser.js("document.getElementById('time-box').focus()")
    press("+")
    zoomed = browser.text("#time-span")
    press(Keys.ARROW_RIGHT)
    moved = browser.text("#time-span")
    press("0")
    if len({before, zoomed, moved}) != 3 or browser.text("#time-span") != before:
        return "%s, +: %s, right: %s, 0: %s" % (before, zoomed, moved,
                                                browser.text("#time-span"))
    return None


def by_calls_weighs(browser, page):
    """The widths are the numbers of calls."""
    _, data = reader.parse(page)
    calls = sum(s.calls for s in reader.sums_of_tree(data).values())
    browser.find("#by-calls").click()
    settle(browser)
    told = browser.js("""return [...document.querySelectorAll('#flame-box g.frame')]
        .find(g => g.getAttribute('name') === 'all').querySelector('title').textContent""")
    pressed = browser.find("#by-calls").get_attribute("aria-pressed")
    browser.find("#by-time").click()
    settle(browser)
    if pressed != "true" or "{:,}".format(calls).replace(",", "\u2009") not in told:
        return "%d calls are told as %s" % (calls, told)
    return None


def search_finds(browser):
    browser.type("#search", "FIB")
    settle(browser)
    names = column(browser, "Function")
    found = browser.text("#found")
    lit = browser.js("""const fill = new Set();
        for (const g of document.querySelectorAll('#flame-box g.frame'))
            if (g.getAttribute('name') === 'fib')
                fill.add(g.querySelector('rect').getAttribute('fill'));
        return [...fill]""")
    line = browser.js("""const {rows} = window.fctraceTimeline;
        return [...new Set(rows.flatTree.map(n => n.source)
            .filter(s => s.span && s.span.who.name === 'fib').map(s => s.color))]""")
    browser.type("#search", "no such function")
    settle(browser)
    none = browser.text("#found"), column(browser, "Function")
    browser.type("#search", "")
    settle(browser)
    if names != ["fib"] or "1 function," not in found:
        return "table: %s; it says: %s" % (names, found)
    if len(lit) != 1 or lit != line:
        return "flame graph: %s, time line: %s" % (lit, line)
    if none != ("nothing found", []):
        return "of what is not there it says: %s" % (none,)
    return None if len(column(browser, "Function")) > 3 else "the table stays short"


def table_sorts(browser):
    for title, value in (("Calls", number), ("Self", nanoseconds), ("Max", nanoseconds),
                         ("Function", str)):
        button = browser.js("""return [...document.querySelectorAll('#functions th button')]
            .find(b => b.textContent === arguments[0])""", title)
        for _ in range(2):
            button.click()
            order = button.find_element("xpath", "..").get_attribute("aria-sort")
            values = [value(text) for text in column(browser, title)]
            if values != sorted(values, reverse=order == "descending"):
                return "%s, %s: %s" % (title, order, values[:8])
    return None


def told_at(browser, x, y):
    """What the time line tells of what is there, under the mouse and after a click."""
    from selenium.webdriver.common.action_chains import ActionChains
    canvas = browser.find("#time-canvas")
    size = canvas.size
    ActionChains(browser.driver).move_to_element_with_offset(
        canvas, round(x - size["width"] / 2), round(y - size["height"] / 2)).perform()
    settle(browser)
    ActionChains(browser.driver).move_by_offset(1, 0).perform()
    settle(browser)
    tip = browser.js("const t = document.getElementById('time-tip'); "
                     "return t.hidden ? '' : t.textContent")
    ActionChains(browser.driver).click().perform()
    settle(browser)
    return tip, browser.text("#time-detail")


def timeline_shows(browser, trace, bench):
    """A thread is chosen; under the mouse is a call of it."""
    tids = {row["tid"] for row in bench.json("query", "select distinct tid from calls", trace=trace)}
    options = browser.js("""return [...document.querySelectorAll('#threads option')]
        .map(o => [o.value, o.textContent])""")
    missing = [tid for tid in tids if not any(re.search(r"\b%d\b" % tid, o[1]) for o in options)]
    if missing:
        return "threads %s are not in %s" % (missing, options)
    value = next(o[0] for o in options if "thread " in o[1] and "process" in o[1])
    browser.js("""const s = document.getElementById('threads'); s.value = arguments[0];
        s.dispatchEvent(new Event('change'))""", value)
    browser.js("document.getElementById('time').scrollIntoView()")
    settle(browser)
    x, y, name = browser.js("""const {rows, canvas} = window.fctraceTimeline;
        const node = rows.flatTree.filter(n => n.source.span && n.source.span.calls === 1)
            .sort((a, b) => b.source.duration - a.source.duration)[0];
        const {x, y, w} = rows.calcRect(node.source.start, node.source.duration, node.level);
        return [x + w / 2, y + rows.renderEngine.position + 8, node.source.span.who.name]""")
    tip, detail = told_at(browser, x, y)
    if name not in tip or name not in detail:
        return "over %s it tells %r, a click %r" % (name, tip, detail)
    colours = browser.js("""const c = document.getElementById('time-canvas');
        const {data} = c.getContext('2d').getImageData(0, 0, c.width, c.height);
        const seen = new Set();
        for (let i = 0; i < data.length; i += 4)
            seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);
        return seen.size""")
    before = browser.text("#time-span")
    browser.find("#time-in").click()
    settle(browser)
    if colours < 5 or browser.text("#time-span") == before:
        return "%d colours, %s" % (colours, before)
    browser.find("#time-all").click()
    browser.js("""const s = document.getElementById('threads'); s.value = 'all';
        s.dispatchEvent(new Event('change'))""")
    return None


def totals_agree(browser, rows):
    """The table, as it is shown, with report."""
    wanted = {}
    for row in rows:
        key = row["function"], row["module"]
        calls, total, self_ns = wanted.get(key, (0, 0, 0))
        wanted[key] = (calls + row["calls"] - row["counted"], total + row["total_ns"],
                       self_ns + row["self_ns"])
    names, modules = column(browser, "Function"), column(browser, "Module")
    calls = [number(t) for t in column(browser, "Calls")]
    totals = [nanoseconds(t) for t in column(browser, "Total")]
    selfs = [nanoseconds(t) for t in column(browser, "Self")]
    if len(set(zip(names, modules))) != len(names):
        return None  # of one name and module: readers/html.py sums these
    got = dict(zip(zip(names, modules), zip(calls, totals, selfs)))
    if got.keys() != wanted.keys():
        return "functions: %s" % list(got.keys() ^ wanted.keys())[:5]
    wrong = ["%s: %s, report says %s" % (key, got[key], w) for key, w in wanted.items()
             if got[key][0] != w[0] or not near(got[key][1], w[1]) or not near(got[key][2], w[2])]
    return "\n".join(wrong[:5])


def is_laid_out(browser):
    """Nothing sticks out of the window, and nothing is empty."""
    over = browser.js("return document.documentElement.scrollWidth - innerWidth")
    if over > 0:
        return "%d pixels wider than the window" % over
    narrow = browser.js("""return ['flame-box', 'time-canvas', 'functions']
        .filter(id => document.getElementById(id).getBoundingClientRect().height < 60)""")
    return narrow and "no height: %s" % narrow


def contrast(browser):
    """Of the labels in the flame graph with what is behind them: at least 4.5 (WCAG AA)."""
    return browser.js("""
        const lum = (rgb) => { const [r, g, b] = rgb.map(v => { v /= 255;
            return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
        const parse = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const back = parse(getComputedStyle(document.getElementById('flame-box')).backgroundColor);
        let least = 99, at = '';
        for (const g of document.querySelectorAll('#flame-box g.frame')) {
            const label = g.querySelector('.d3-flame-graph-label');
            if (!label.textContent) continue;
            const style = getComputedStyle(g.querySelector('rect'));
            const alpha = Number(style.fillOpacity);
            const fill = parse(style.fill).map((v, i) => v * alpha + back[i] * (1 - alpha));
            const [a, b] = [lum(parse(getComputedStyle(label).color)), lum(fill)];
            const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            if (ratio < least) [least, at] = [ratio, g.getAttribute('name')];
        }
        return least < 4.5 ? at + ': ' + least : null""")


# ---- suites of cases ----

def mixed(suite, bench, browsers):
    program = bench.build("mixed.cc")
    trace = bench.named("mixed", program)
    page = bench.page(trace)
    light, dark, narrow = browsers
    suite.case("html: a page opens without a network or a complaint", opens_alone(light, page))
    suite.case("html: a click into the flame graph zooms", click_zooms(light))
    suite.case("html: so does a click at a place of the screen", real_click_zooms(light))
    suite.case("html: the flame graph weighs by calls, too", by_calls_weighs(light, page))
    suite.case("html: search finds in table, flame graph and time line", search_finds(light))
    suite.case("html: the table sorts", table_sorts(light))
    suite.case("html: the time line shows a thread's calls",
               timeline_shows(light, trace, bench))
    suite.case("html: totals in the table equal report's",
               totals_agree(light, bench.json("report", trace=trace)))
    suite.case("html: all can be done by keys", keys_do_it(light))
    suite.case("html: forks and exits are listed", events_are_listed(light, bench, trace))
    suite.case("html: no complaint after all that", clean(light))
    suite.case("html: what was filtered is said, and only that",
               filter_is_said(light, page, bench, trace))
    for browser, look in ((light, "light"), (dark, "dark"), (narrow, "in a narrow window")):
        browser.open(page)
        settle(browser)
        suite.case("html: nothing sticks out, " + look, is_laid_out(browser))
        suite.case("html: labels can be read, " + look, contrast(browser))


def filter_is_said(browser, page, bench, trace):
    whole = browser.text("#notes")
    with open(page, "rb") as f:
        kept = f.read()
    browser.open(bench.page(trace, "-F", "fib"))
    part = browser.text("#notes")
    with open(page, "wb") as f:
        f.write(kept)
    return None if "asked for" in part and "asked for" not in whole else [whole, part]


def events_are_listed(browser, bench, trace):
    rows = browser.js("""return [...document.querySelectorAll('#moments tbody tr')]
        .map(tr => [...tr.cells].map(td => td.textContent).slice(1, 3).join(' '))""")
    events = bench.json("query", "select kind, pid from events where kind in ('start', 'exec', 'exit')",
                        trace=trace)
    wanted = ["%s %d" % (row["kind"], row["pid"]) for row in events]
    missing = [w for w in wanted if w not in rows]
    return None if wanted and not missing else "%s: %s are missing" % (rows, missing)


def hostile(suite, bench, browsers):
    program = bench.build(os.path.join(EXPORT, "flamegraph", "hostile.c"))
    subprocess.run(["objcopy", "--redefine-sym", "hostile=" + HOSTILE,
                    "--redefine-sym", "hostile_too=" + HOSTILE_TOO, program], check=True)
    light = browsers[0]
    page = bench.page(bench.named("hostile", program, HOSTILE))
    light.open(page)
    settle(light)
    names = column(light, "Function")
    bad = light.js("return [window.bad, document.querySelectorAll('img, script').length]")
    why = None
    if bad != [None, 2] or HOSTILE not in names or HOSTILE_TOO not in names:
        why = "%s, %s" % (bad, names)
    if not frame(light, HOSTILE):
        why = "it is not in the flame graph"
    suite.case("html: a name of markup and script is a name", why or clean(light))


EVIL = "</script><img src=x onerror=window.bad=1><script>window.bad=2</script>"
GIVEN = r"""#include <unistd.h>
#define KEPT __attribute__((noipa))
KEPT int nap(const char *why, int us) { usleep(us); return us / 1000; }
KEPT int quick(int n, const char *text) { __asm__ volatile("nop; nop; nop; nop; nop; nop"); return n + 1; }
KEPT double half(double n) { return usleep(2000), n / 2; }
int main(int argc, char **argv)
{
	nap(argv[1], 30000);
	for (int i = 0; i < 100000; i++)
		quick(i, "forty bytes of text that nobody ever needs");
	half(2.5);
	nap("%s", 3000);
	return 0;
}
""" % ("long " * 35)


def values(suite, bench, browsers):
    """What calls were given and returned is told of each call that is drawn by itself."""
    trace = bench.named("given", bench.build("given.c", text=GIVEN), EVIL,
                        options=("-a", "-S", "200", "--libs=none"))
    page, light = bench.page(trace), browsers[0]
    light.open(page)
    settle(light)
    spans = light.js("""return window.fctraceTimeline.rows.flatTree.filter(n => n.source.span)
        .map(n => n.source.span).map(s => [s.who.name + s.values, s.calls])""")
    alone = [call for call, calls in spans if calls == 1]
    wanted = ['nap("%s", 30000) = 30' % EVIL, "half(2.5) = 1.25",
              "nap(\"%s…) = 3" % ("long " * 35)[:159], "main(2, "]
    missing = [call for call in wanted if not any(one.startswith(call) for one in alone)]
    together = [call for call, calls in spans if calls > 1]
    if not together or not all(re.match(r'quick(\(\d+, "forty [a-z ]*"\) = \d+)?$', call)
                               for call in together):
        missing.append("quick: %s" % together[:5])
    suite.case("html: calls are told with what they were given and returned",
               missing and "%s are not in %s" % (missing, alone[:20]))
    light.js("document.getElementById('time').scrollIntoView()")
    settle(light)
    x, y = light.js("""const {rows} = window.fctraceTimeline;
        const node = rows.flatTree.find(n => n.source.span?.values.includes('onerror'));
        const {x, y, w} = rows.calcRect(node.source.start, node.source.duration, node.level);
        return [x + w / 2, y + rows.renderEngine.position + 8]""")
    told = told_at(light, x, y)
    bad = light.js("return [window.bad, document.querySelectorAll('img, script').length]")
    why = None
    if bad != [None, 2] or not all(EVIL in text for text in told):
        why = "%s, %s" % (bad, told)
    suite.case("html: a string of markup and script is a string", why or clean(light))
    said = light.js("return document.body.textContent")
    suite.case("html: calls whose values there was no room for are said",
               None if re.search("not those of [0-9\u2009]+ others", said) else said[-600:])


MANY = """#include <stdlib.h>
static volatile int sink;
__attribute__((noinline)) static int down(int n) { __asm__ volatile(""); return n ? down(n - 1) + 1 : 0; }
%s
int main(void) { %s return down(3000) == 3000 ? 0 : 1; }
"""


def many(suite, bench, browsers):
    """More functions, levels and stacks than there is room for."""
    nr = 6000
    functions = "\n".join("__attribute__((noinline)) void function_of_a_long_name_%d(int n) "
                          "{ sink += n; if (n) %s(n - 1); __asm__ volatile(\"\"); }" % (
                              i, "function_of_a_long_name_%d" % (i * 7 % i) if i else "down")
                          for i in range(nr))
    program = bench.build("many.c", "-O0", "-g0", text=MANY % (
        functions, " ".join("function_of_a_long_name_%d(3);" % i for i in range(nr))))
    trace = bench.named("many", program)
    page = bench.page(trace)
    _, data = reader.parse(page)
    report = bench.json("report", trace=trace)
    wanted = sum(row["calls"] for row in report), sum(row["self_ns"] for row in report)
    other = data["other_functions"]
    got = (sum(row[2] for row in data["functions"]) + other["calls"],
           sum(row[5] for row in data["functions"]) + other["self_ns"])
    suite.case("html: with too many functions, sums are whole",
               None if got == wanted and other["functions"] > 0 else
               "%s, report says %s; %s" % (got, wanted, other))
    tree = sum(s.calls for s in reader.sums_of_tree(data).values())
    suite.case("html: with too many stacks, sums are whole",
               None if tree == wanted[0] else "%d calls, not %d" % (tree, wanted[0]))
    light = browsers[0]
    light.open(page)
    settle(light)
    text = light.text("#session") + light.text("#functions")
    missing = [word for word in ("other functions", "[other]", "deeper than")
               if word not in text]
    suite.case("html: what was left out is said", missing and "%s: %s" % (missing, text[-900:]))
    suite.case("html: such a page opens, too", clean(light))


BUSY = """#include <pthread.h>
static volatile unsigned long sink;
__attribute__((noinline)) void leaf(void) { sink++; }
static void *work(void *arg) { for (int i = 0; i < 4000000; i++) leaf(); return arg; }
int main(void)
{
	pthread_t threads[4];
	for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, 0);
	for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
}
"""


def odd(suite, bench, browsers):
    """No calls at all; calls that were lost; a trace that was cut."""
    light = browsers[0]
    trace = bench.named("none", "true", options=("-F", "no_such_function_at_all"))
    suite.case("html: a trace without calls is a page", opens_alone(light, bench.page(trace)))
    trace = bench.named("lost", bench.build("busy.c", text=BUSY), options=("--loss=drop", "--ring=64K"))
    lost = bench.json("info", trace=trace)["lost"]
    light.open(bench.page(trace))
    said = "{:,} records were lost".format(lost).replace(",", "\u2009")
    suite.case("html: lost records are said",
               None if lost and said in light.text("#notes") else
               "%d lost; it says: %s" % (lost, light.text("#notes")))
    with open(bench.path("mixed.data"), "rb") as whole:
        light.open(bench.page(bench.write("cut.data", whole.read()[:-400])))
    notes = light.text("#notes")
    suite.case("html: a cut trace is a page that says so",
               None if "cut" in notes or "damaged" in notes or "end" in notes else notes or "nothing")


CRASH = """#include <stddef.h>
__attribute__((noinline)) int look_up(int *at) { __asm__ volatile(""); return *at; }
int main(int argc, char **argv) { return look_up(argc > 1 ? &argc : NULL); }
"""


NAPPER = """#include <unistd.h>
__attribute__((noinline)) void nap(void) { usleep(1000); }
int main(void) { for (int i = 0; i < 600000; i++) nap(); }
"""


def ends(suite, bench, browsers):
    """A program that is killed, and one that was attached to."""
    other_programs(suite, bench)
    light = browsers[0]
    page = bench.page(bench.named("crash", bench.build("crash.c", text=CRASH)))
    light.open(page)
    notes = light.text("#notes")
    suite.case("html: a crash is said at the top",
               None if re.search(r"Process \d+ was killed by SIGSEGV", notes) else notes or "nothing")
    napper = subprocess.Popen([bench.build("napper.c", text=NAPPER)])
    try:
        done = bench.run("record", "--for=300ms", "-o", bench.path("attached.data"), "-p", str(napper.pid))
        light.open(bench.page(bench.path("attached.data")))
    finally:
        napper.kill()
        napper.wait()
    told = light.text("#title"), light.js("return document.title")
    suite.case("html: what was attached to has its name",
               None if told == ("napper, process %d" % napper.pid, "napper · fctrace") else
               "%s; record: %s" % (told, done.err))


def other_programs(suite, bench):
    """A process that executes another program has the calls of each below its own name."""
    page = bench.page(bench.named("executes", "bash", "-c", "exec /bin/true", options=("--libs=all",)))
    _, data = reader.parse(page)
    programs = [track["program"] for track in data["tracks"]]
    suite.case("html: calls stand below the program that made them",
               None if programs == ["bash", "true"] else programs)


def fills_its_frame(browser):
    """The time line is drawn as high as the frame that it scrolls in, also when that changes."""
    for height in (1700, 600, 1100):
        browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=height,
                    deviceScaleFactor=1, mobile=False)
        settle(browser)
        seen = browser.js("""return ['time-box', 'time-canvas'].map(id =>
            document.getElementById(id).clientHeight)""")
        if abs(seen[0] - seen[1]) > 2 or seen[0] < height / 2:
            return "a frame of %d, drawn %d, in a window of %d" % (*seen, height)
    browser.cdp("Emulation.setDeviceMetricsOverride", width=1280, height=800,
                deviceScaleFactor=1, mobile=False)
    settle(browser)
    return None


CROWD = """#include <pthread.h>
static volatile unsigned long sink;
__attribute__((noinline)) void leaf(void) { sink++; }
static void *work(void *arg) { leaf(); return arg; }
int main(void)
{
	for (int i = 0; i < 1100; i++) {
		pthread_t thread;
		pthread_create(&thread, 0, work, 0);
		pthread_join(thread, 0);
	}
}
"""


def crowd(suite, bench, browsers):
    """More threads than there is room for."""
    light = browsers[0]
    page = bench.page(bench.named("crowd", bench.build("crowd.c", text=CROWD)))
    light.open(page)
    settle(light)
    first = light.js("return document.querySelector('#threads option').textContent")
    why = None if "12 busiest of" in first else first
    light.js("""const s = document.getElementById('threads'); s.value = 'all';
        s.dispatchEvent(new Event('change'))""")
    settle(light)
    levels = light.js("return window.fctraceTimeline.rows.data.levels")
    if levels < 2000:
        why = "%s rows of all threads" % levels
    if "of further threads are not drawn" not in light.text("#session"):
        why = light.text("#session")
    suite.case("html: of many threads the busiest are shown, and all on demand", why or clean(light))
    suite.case("html: the time line fills its frame", fills_its_frame(light))


def peak_mb(argv):
    """The most memory that a program had."""
    pid = os.fork()
    if pid == 0:
        os.execv(argv[0], argv)
    _, status, usage = os.wait4(pid, 0)
    if status:
        raise RuntimeError("%s: status %d" % (argv, status))
    return usage.ru_maxrss / 1024


def big(suite, bench, browsers):
    light = browsers[0]
    bench.write("threads.py", BIG)
    trace = bench.named("big", tap.PYTHON, "threads.py")
    totals = bench.json("info", trace=trace)
    page = bench.page(trace)
    size = os.path.getsize(page) / 1e6
    loads = [light.open(page) for _ in range(3)]
    load = min(loads)
    print("# %.1f million records: %.2f MB, usable after %s ms" % (
        totals["records"] / 1e6, size, ", ".join("%.0f" % ms for ms in loads)))
    suite.case("html: that calls are drawn together is said",
               "drawn together" not in light.text("#session") and light.text("#session"))
    suite.case("html: enough records to be measured by",
               totals["records"] < 9e6 and "only %d" % totals["records"])
    suite.case("html: the page of 10 million records is below %d MB" % MAX_MB,
               size > MAX_MB and "%.2f MB" % size)
    if MAX_LOAD_MS < load <= SLOW_LOAD_MS:
        suite.skip("html: it can be used within %d ms" % MAX_LOAD_MS,
                   "%.0f ms, on a machine that is busy" % load)
    else:
        suite.case("html: it can be used within %d ms" % MAX_LOAD_MS,
                   load > SLOW_LOAD_MS and "%.0f ms" % load)
    peaks = [peak_mb([bench.fctrace, "export", "-o", bench.path("peak.html"), bench.path(name)])
             for name in ("mixed.data", "big.data")]
    suite.case("html: memory does not grow with the trace",
               peaks[1] > peaks[0] + 40 and "%.0f MB, %.0f MB" % tuple(peaks))
    suite.case("html: its totals equal report's", totals_agree(light, bench.json("report", trace=trace)))
    return page


def sanitized(suite, bench, fctrace):
    for name in ("mixed", "hostile", "many", "none", "cut"):
        done = tap.run([fctrace, "export", "-f", "html", bench.path(name + ".data")])
        with open(bench.path(name + ".html"), "rb") as page:
            is_same = done.out == page.read()
        suite.case("html: %s under sanitizers" % name,
                   None if is_same and done.status in (0, 4) else
                   "status %d, same page: %s\n%s" % (done.status, is_same, done.err.decode()))


def without(suite, bench, fctrace):
    """One sentence, and a file that was there stays."""
    path = bench.write("kept.html", "kept")
    done = tap.run([fctrace, "export", "-o", path, bench.path("mixed.data")])
    with open(path) as f:
        kept = f.read()
    text = done.err.decode()
    is_well = done.status == 1 and text.count("\n") == 1 and "npm" in text and kept == "kept"
    suite.case("html: an fctrace without the page says how to get it",
               None if is_well else "status %d: %s" % (done.status, text))


def fetching(suite, bench):
    """web/fetch.sh when npm fails: one line, nothing that looks fetched."""
    npm = bench.write("npm", "#!/bin/sh\necho 'npm ERR! code EAI_AGAIN' >&2\nexit 1\n", 0o755)
    folder = bench.path("fetched")
    done = tap.run([os.path.join(tap.TOP, "web", "fetch.sh"), npm, folder])
    text = done.err.decode()
    is_well = (done.status == 1 and text.count("\n") == 1 and "EAI_AGAIN" in text and
               not os.path.exists(os.path.join(folder, "fetched.json")))
    suite.case("html: without a network it is said why there is no page",
               None if is_well else "status %d: %s" % (done.status, text))
    with open(os.path.join(tap.TOP, "web", "package-lock.json")) as f:
        lock = f.read()
    suite.case("html: the lock names no place to fetch from",
               '"resolved"' in lock and "it has resolved addresses")


def take_pictures(page, folder):
    from browser import Browser
    for name, is_dark, part in (("page-light.png", False, "header"),
                                ("page-dark.png", True, "#time")):
        with Browser(1280, 800, is_dark) as browser:
            browser.open(page)
            browser.js("document.querySelector(arguments[0]).scrollIntoView()", part)
            settle(browser)
            browser.shoot(os.path.join(folder, name))


def suite_of(suite):
    from browser import Browser
    bench, args = Bench(suite), suite.args
    fetching(suite, bench)
    with Browser() as light, Browser(is_dark=True) as dark, Browser(420, 800) as narrow:
        browsers = light, dark, narrow
        for part in (mixed, hostile, values, many, odd, ends, crowd):
            part(suite, bench, browsers)
        page = big(suite, bench, browsers)
    if args.sanitized:
        sanitized(suite, bench, args.sanitized)
    if args.without:
        without(suite, bench, args.without)
    if args.pictures:
        take_pictures(page, args.pictures)


if __name__ == "__main__":
    tap.main(suite_of, pictures={"metavar": "FOLDER", "help": "put those of the documentation there"},
             without={"type": os.path.abspath, "metavar": "FCTRACE",
                      "help": "one that was built without the page"})
