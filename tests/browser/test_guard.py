"""What another site in the same browser can do to the page: nothing."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def evil(address: str) -> Iterator[str]:
    """Another site on this machine, which knows even the secret."""
    text = f"""<!doctype html><title>evil</title><body>
    <form id="f" method="post" action="{address}/release/confirm"><input name="token" value="x"></form>
    <a id="a" href="{address}/plan">lead there</a><iframe id="i" src="{address}/plan"></iframe>"""

    class Site(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Site) as site:
        threading.Thread(target=site.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


def test_another_site_can_neither_read_nor_send_nor_frame(person, evil):
    person.driver.get(evil)
    said = person.driver.execute_async_script(
        "const done = arguments[1];"
        "fetch(arguments[0]).then((a) => a.text()).then((t) => done(t)).catch(() => done(null))",
        f"{person.address}/plan",
    )
    assert said is None
    person.driver.execute_script("document.getElementById('f').submit()")
    person.wait(lambda: "Only this page itself may send" in person.driver.page_source)
    person.driver.get(evil)
    frame = person.find("#i")
    person.driver.switch_to.frame(frame)
    assert "suffice" not in person.driver.page_source
    person.driver.switch_to.default_content()


def test_a_rebound_name_is_refused(person):
    """A foreign name that was pointed at this machine after the browser trusted it."""
    person.driver.get(person.address.replace("127.0.0.1", "rebound.test") + "/plan")
    assert "This is not the address of this page" in person.driver.page_source


def test_a_wrong_secret_shows_nothing(person):
    person.driver.get(person.address[:-1] + "/plan")
    assert "tacit serve" in person.driver.page_source
    assert "suffice" not in person.driver.page_source
