"""A running page and a headless Chromium, both as a person has them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import WebDriverWait

WIDE, NARROW = (1280, 900), (390, 844)
PATIENCE = 150.0
"""Seconds until a page counts as one that never comes: builds share their machine with others."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder as a steward has it: a semicolon table of made-up patients."""
    root = tmp_path_factory.mktemp("data")
    lines = ["age;ward;dose;readmitted"]
    for i in range(3000):
        age, ward = (37 * i) % 90, ("north", "south", "west")[i % 3]
        sick = "yes" if (age >= 60) != (i % 17 == 0) else "no"
        lines.append(f"{age};{ward};{(i * 7) % 50},5;{sick}")
    (root / "patients.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def address(folder: Path) -> Iterator[str]:
    """The printed address of `tacit serve`, up to and with the secret."""
    words = [sys.executable, "-m", "tacit.cli", "serve", "--data", str(folder)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"(http://\S+)/plan", server.stdout.readline())
        assert found is not None
        yield found[1]
        server.terminate()


class Person:
    """A browser with the few things a person does in it."""

    def __init__(self, driver: WebDriver, address: str) -> None:
        self.driver, self.address = driver, address
        self.shots = os.environ.get("TACIT_SHOTS")

    def go(self, path: str) -> None:
        self.driver.get(f"{self.address}/{path}")

    def find(self, css: str):
        return self.driver.find_element(By.CSS_SELECTOR, css)

    def wait(self, holds, *, seconds: float = PATIENCE) -> None:
        moved = (NoSuchElementException, StaleElementReferenceException)  # the page went on
        wait = WebDriverWait(self.driver, seconds, poll_frequency=0.1, ignored_exceptions=moved)
        wait.until(lambda _: holds())

    def has(self, text: str) -> bool:
        return text in self.find("main").text

    def see(self, text: str, *, seconds: float = PATIENCE) -> None:
        self.wait(lambda: self.has(text), seconds=seconds)

    def type(self, css: str, text: str) -> None:
        field = self.find(css)
        field.clear()
        field.send_keys(text)

    def choose(self, css: str, value: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.find(css)).select_by_value(value)

    def press(self, css: str) -> None:
        button = self.find(css)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def look(self, name: str) -> None:
        """At both widths: nothing sticks out sideways; keep pictures, light and dark, where asked."""
        for width, height in (NARROW, WIDE):
            self.resize(width, height)
            inner, whole = self.driver.execute_script(
                "return [document.documentElement.clientWidth, document.documentElement.scrollWidth]"
            )
            assert whole <= inner, f"{name} is {whole} wide at {inner}"
            if self.shots:
                self._shoot(name, width)
        self.resize(*WIDE)

    def _shoot(self, name: str, width: int) -> None:
        tall = self.driver.execute_script("return document.documentElement.scrollHeight")
        self.resize(width, min(tall, 5000))
        for dark in (True, False):
            self.dark(on=dark)
            shade = "-dark" if dark else ""
            self.driver.save_screenshot(str(Path(self.shots or ".") / f"{name}-{width}{shade}.png"))

    def resize(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def dark(self, *, on: bool) -> None:
        value = "dark" if on else "light"
        features = {"features": [{"name": "prefers-color-scheme", "value": value}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", features)

    @property
    def complaints(self) -> list[str]:
        """What the browser's console complains of: refused scripts, styles and requests."""
        return [line["message"] for line in self.driver.get_log("browser")]


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebDriver]:
    """Headless Chromium that cannot reach any other machine."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--host-resolver-rules=MAP rebound.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    opened = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    yield opened
    opened.quit()


@pytest.fixture
def person(driver: WebDriver, address: str) -> Person:
    opened = Person(driver, address)
    opened.resize(*WIDE)
    driver.get_log("browser")  # what the test before complained of is read, and gone
    return opened
