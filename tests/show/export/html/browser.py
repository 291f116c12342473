# SPDX-License-Identifier: Apache-2.0
"""browser.py - a page in headless Chromium, driven by its own driver."""
import json
import os
import time

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import tap

LOAD_LIMIT_S = tap.PATIENCE_S


class Browser:
    """A window of this size, light or dark; the log of all it fetches and says is kept."""

    def __init__(self, width=1280, height=800, is_dark=False):
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage",
                     "--hide-scrollbars", "--force-device-scale-factor=1",
                     "--disable-background-networking", "--no-first-run"):
            options.add_argument(flag)
        if os.getuid() == 0:  # Chromium's sandbox refuses root.
            options.add_argument("--no-sandbox")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(LOAD_LIMIT_S)
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=False)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def cdp(self, command, **params):
        return self.driver.execute_cdp_cmd(command, params)

    def open(self, path):
        """Milliseconds from the begin of loading until the page is drawn and can be used."""
        self.driver.get("file://" + os.path.abspath(path))
        self.wait(lambda: self.js("return document.documentElement.dataset.ready"), "is ready")
        # Two frames later all that was asked for is on the screen.
        return self.driver.execute_async_script(
            "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame("
            "() => setTimeout(() => done(performance.now()))));")

    def js(self, script, *args):
        return self.driver.execute_script(script, *args)

    def find(self, css):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def all(self, css):
        return self.driver.find_elements(By.CSS_SELECTOR, css)

    def text(self, css):
        return self.js("return document.querySelector(arguments[0]).textContent", css)

    def type(self, css, text):
        box = self.find(css)
        box.clear()
        box.send_keys(text, Keys.ENTER)

    def wait(self, is_so, what, limit_s=LOAD_LIMIT_S):
        end = time.monotonic() + limit_s
        while not is_so():
            if time.monotonic() > end:
                raise RuntimeError("the page never %s" % what)
            time.sleep(0.05)

    def said(self):
        """What it complained of: exceptions, console, what its policy forbade."""
        return ["%s: %s" % (entry["level"], entry["message"])
                for entry in self.driver.get_log("browser")]

    def fetched(self):
        """Addresses that were asked for: of pages, data: apart."""
        urls = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                urls.append(message["params"]["request"]["url"])
        return [url for url in urls if not url.startswith("data:")]

    def shoot(self, path):
        self.driver.save_screenshot(path)
