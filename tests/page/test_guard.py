"""Who may talk to the page, and what every answer forbids the browser."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.page.conftest import HOST, TOKEN


def test_its_own_browser_passes(caller):
    assert caller.get("plan").status_code == 200
    assert caller.client.get(f"/{TOKEN}/", follow_redirects=False).status_code == 307


@pytest.mark.parametrize(
    "path", ["/", "/plan", "/k7Q-toke/plan", "/k7Q-tokens/plan", "/static/page.css"]
)
def test_without_the_token_nothing_is_shown(caller, path):
    answer = caller.client.get(path)
    assert answer.status_code == 403
    assert "tacit serve" in answer.text
    assert TOKEN not in answer.text


@pytest.mark.parametrize("host", ["evil.test", "evil.test:8000", "127.0.0.1", "127.0.0.1:80", ""])
def test_a_name_that_was_pointed_here_is_refused(caller, host):
    answer = caller.client.get(f"/{TOKEN}/plan", headers={"host": host})
    assert answer.status_code == 421


def test_a_foreign_origin_is_refused(caller):
    for origin in ("http://evil.test", "null", f"https://{HOST}", f"http://{HOST}.evil.test"):
        for call in (caller.client.get, caller.client.post):
            answer = call(f"/{TOKEN}/plan", headers={"origin": origin})
            assert answer.status_code == 403, origin
    assert caller.client.get(f"/{TOKEN}/plan", headers={"origin": f"http://{HOST}"}).is_success


def test_a_post_without_an_origin_is_refused(caller):
    assert caller.client.post(f"/{TOKEN}/plan").status_code == 403


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_another_site_may_not_lead_here(caller, site):
    headers = {"sec-fetch-site": site}
    assert caller.client.get(f"/{TOKEN}/plan", headers=headers).status_code == 403


def test_other_methods_and_sockets_are_refused(caller):
    assert caller.client.put(f"/{TOKEN}/plan").status_code == 405
    assert caller.client.delete(f"/{TOKEN}/plan").status_code == 405
    with pytest.raises(WebSocketDisconnect), caller.client.websocket_connect(f"/{TOKEN}/plan"):
        pytest.fail("a socket was opened")


def test_every_answer_forbids_the_same(caller):
    for path in (f"/{TOKEN}/plan", f"/{TOKEN}/nowhere", f"/{TOKEN}/static/page.css", "/"):
        answer = caller.client.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert "set-cookie" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


def test_pages_name_no_other_address(caller):
    text = caller.get("plan", full="yes").text
    assert 'src="http' not in text
    assert 'href="http' not in text
    assert "style=" not in text
    assert "onclick" not in text


def test_a_bug_is_told_without_details(caller, monkeypatch):
    from tacit.page import planner_view

    def broken(*_: object) -> None:
        raise RuntimeError("patient 17 is sick")

    monkeypatch.setattr(planner_view, "words_of", broken)
    answer = caller.get("plan/more")
    assert answer.status_code == 500
    assert "patient 17" not in answer.text
    assert "RuntimeError" in answer.text


def test_the_guard_needs_one_host(caller):
    app: TestClient = caller.client
    answer = app.get(f"/{TOKEN}/plan", headers=[("host", HOST), ("host", "evil.test")])
    assert answer.status_code == 421
